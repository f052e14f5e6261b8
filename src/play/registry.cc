#include "damier/play/registry.h"

#include <cassert>
#include <utility>

#include "damier/games/builtin.h"

namespace damier::play {

std::shared_ptr<const Toolkit> Registry::toolkit(std::shared_ptr<const games::AnyGame> game) const {
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (entries()[i].facts.name == game->facts().name) return toolkits_[i](std::move(game));
  }
  assert(false && "a game of another registry");
  return nullptr;
}

// Each game meets the searches in a file of its own: together they take a compiler minutes.
Registry builtin_games() {
  Registry registry;
  games::for_each_game(games::BuiltinGames(), [&]<class G>() { registry.add<G>(); });
  return registry;
}

void send_game(ByteWriter& bytes, const games::AnyGame& game) {
  const games::OptionValues rules = game.option_values();
  bytes.text(game.facts().name).number<std::uint64_t>(rules.size());
  for (const auto& [name, value] : rules) bytes.text(name).text(value);
}

Result<std::shared_ptr<const Toolkit>> sent_game(ByteReader& bytes, const Registry& registry) {
  const std::string_view name = bytes.text();
  games::OptionValues rules;
  for (auto count = bytes.number<std::uint64_t>(); count > 0 && bytes.good(); --count) {
    const std::string_view rule = bytes.text();
    rules.emplace_back(rule, bytes.text());
  }
  auto game = TRY(registry.make(name, rules));
  return registry.toolkit(std::move(game));
}

Result<Evaluation> Toolkit::evaluate(const std::string& player, std::uint64_t games, Seed seed,
                                     ThreadPool& pool,
                                     const std::function<void(std::uint64_t)>& on_done,
                                     Ranks& ranks) const {
  auto worker = TRY(evaluation_worker(player, games, seed, pool));
  SharedWork work;
  work.kind = kEvaluationWork;
  ByteWriter order;
  send_game(order, game());
  work.order = order.text(player).number(games).number(value_of(seed)).take();
  work.worker = std::move(worker);
  work.count = (games + kEvaluationChunk - 1) / kEvaluationChunk;
  work.numbers = numbers_from(0, *work.count);
  Evaluation evaluation;
  evaluation.scores.resize(games);
  work.take = [&](std::uint64_t chunk, std::string_view answer) -> Result<bool> {
    ByteReader bytes(answer);
    std::uint64_t done = 0;
    for (std::uint64_t i = chunk * kEvaluationChunk; i < games && !bytes.at_end(); ++i, ++done) {
      evaluation.wins += bytes.number<bool>() ? 1 : 0;
      evaluation.scores[i] = bytes.number<double>();
    }
    evaluation.games += done;
    if (on_done) on_done(done);
    return true;
  };
  if (auto status = ranks.share(work); !status) {
    if (status.error().kind != ErrorKind::interrupted) return std::move(status).error();
    return Evaluation{};  // a part would depend on the threads
  }
  return evaluation;
}

Result<Worker> evaluation_worker(std::string_view order, const Registry& registry,
                                 ThreadPool& pool) {
  ByteReader bytes(order);
  const auto toolkit = TRY(sent_game(bytes, registry));
  const std::string player(bytes.text());
  const auto games = bytes.number<std::uint64_t>();
  const Seed seed{bytes.number<std::uint64_t>()};
  auto worker = TRY(toolkit->evaluation_worker(player, games, seed, pool));
  // The toolkit lives as long as who needs it.
  return Worker{worker.room,
                [toolkit, run = std::move(worker.run)](NumberedWork& work) { return run(work); }};
}

}  // namespace damier::play
