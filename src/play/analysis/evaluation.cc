// How well a player of a game of one player does, found out by one process or by several.

#include <utility>

#include "damier/base/files/bytes.h"
#include "damier/base/files/interrupt.h"
#include "damier/play/contest/sent_game.h"
#include "damier/play/toolkit.h"

namespace damier::play {

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
  const auto toolkit = sent_game(bytes, registry);
  if (!toolkit) return toolkit.error();
  const std::string player(bytes.text());
  const auto games = bytes.number<std::uint64_t>();
  const Seed seed{bytes.number<std::uint64_t>()};
  auto worker = (*toolkit)->evaluation_worker(player, games, seed, pool);
  if (!worker) return worker;
  // The toolkit lives as long as who needs it.
  return Worker{worker->room, [toolkit = *toolkit, run = std::move(worker->run)](
                                  NumberedWork& work) { return run(work); }};
}

}  // namespace damier::play
