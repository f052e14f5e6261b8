#include "damier/play/players/players.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/play/registry.h"

namespace damier::play {

namespace {

class RandomPlayer final : public Player {
 public:
  games::Action choose(const games::Session& session, RandomStream& random) override {
    const auto actions = session.playing_actions();
    return actions[random.below(actions.size())];
  }
};

class FirstPlayer final : public Player {
 public:
  games::Action choose(const games::Session& session, RandomStream&) override {
    return session.playing_actions().front();
  }
};

template <class P>
Result<PlayerFactory> open_plain(PlayerText&) {
  return PlayerFactory([] { return std::make_unique<P>(); });
}

}  // namespace

Answer Player::answer(const games::Session& session, const Ask& ask) {
  Answer answer;
  const games::Action chosen = choose(session, *ask.random);
  answer.line.push_back(chosen);
  for (const games::Action action : session.playing_actions()) {
    answer.moves.push_back({action});
    if (action == chosen) {
      std::rotate(answer.moves.begin(), answer.moves.end() - 1, answer.moves.end());
    }
  }
  return answer;
}

std::size_t drawn_by_prior(const std::vector<MoveAnswer>& moves, double temperature,
                           RandomStream& random) {
  // Against the greatest, so that small temperatures leave something.
  const double greatest = std::max(moves.front().prior.value_or(0), 1e-300);
  std::vector<double> weights;
  double sum = 0;
  for (const MoveAnswer& move : moves) {
    weights.push_back(std::pow(move.prior.value_or(0) / greatest, 1 / temperature));
    sum += weights.back();
  }
  double left = random.uniform() * sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return 0;  // where rounding leaves something over
}

void add_known(Answer& answer, const Answer& certain) {
  for (MoveAnswer& move : answer.moves) {
    for (const MoveAnswer& other : certain.moves) {
      if (other.move == move.move) move.known = other.known;
    }
  }
}

std::vector<PlayerKind> player_kinds(const Toolkit& toolkit) {
  std::vector<PlayerKind> kinds = {
      {"random", "a legal move at random, all equally likely", open_plain<RandomPlayer>},
      {"first", "the first legal move, in the game's own order", open_plain<FirstPlayer>}};
  for (PlayerKind& kind : toolkit.player_kinds()) kinds.push_back(std::move(kind));
  kinds.push_back({"human", "you, at the keyboard", nullptr});
  return kinds;
}

std::vector<std::string> player_names(const Toolkit& toolkit) {
  std::vector<std::string> names;
  for (PlayerKind& kind : player_kinds(toolkit)) {
    if (!kind.is_hidden) names.push_back(std::move(kind.name));
  }
  return names;
}

namespace {

Result<OpenedPlayer> opened_player(const Toolkit& toolkit, PlayerText& text) {
  for (const PlayerKind& kind : player_kinds(toolkit)) {
    if (kind.name != text.name()) continue;
    OpenedPlayer opened{text.text(), nullptr, kind.is_exact};
    if (kind.open != nullptr) opened.make = TRY(text.placed(kind.open(text)));
    TRY(text.finish());
    return opened;
  }
  return unknown_name(fmt::format("{} player", toolkit.game().facts().name), text.name(),
                      player_names(toolkit));
}

}  // namespace

Result<OpenedPlayer> open_player(const Toolkit& toolkit, std::string_view text, PlayerUse use) {
  auto parsed = TRY(PlayerText::parse(text, use));
  return opened_player(toolkit, parsed);
}

Status check_player(const Toolkit& toolkit, std::string_view text) {
  auto parsed = TRY(PlayerText::parse(text, PlayerUse::none));
  const auto opened = opened_player(toolkit, parsed);  // never: what was read to its end is right
  return parsed.is_read() ? Status(Done{}) : Status(opened.error());
}

Result<NamedPlayer> make_player(const Toolkit& toolkit, std::string_view text) {
  auto opened = TRY(open_player(toolkit, text));
  return NamedPlayer{opened.name, opened.is_human() ? nullptr : opened.make()};
}

std::optional<Answer> known_answer(const Toolkit& toolkit, const games::Session& session) {
  if (!toolkit.knows(session)) return std::nullopt;
  auto known = toolkit.solve(session, {});
  return known ? std::optional(*std::move(known)) : std::nullopt;
}

Known known_of_move(const Toolkit::Solver& solve, const games::Session& session,
                    games::Action action, const Ask& ask) {
  const games::Side mover = session.side_to_move();
  const auto after = session.clone();
  after->play(action);
  if (after->outcome() != games::Outcome::ongoing) return {verdict_of(after->outcome(), mover)};
  const auto found = solve(*after, ask);
  if (!found) return {};
  const bool same_side = after->side_to_move() == mover;
  return one_ply_before(same_side ? found->known : seen_from_other_side(found->known));
}

std::optional<Answer> solved_answer(const Toolkit& toolkit, const games::Session& session) {
  if (auto known = known_answer(toolkit, session)) return known;
  if (!toolkit.is_solved()) return std::nullopt;
  constexpr Ask kForThePosition = {.nodes = 2'000'000};
  constexpr Ask kForAMove = {.nodes = 50'000};
  const Toolkit::Solver solve = toolkit.solver();
  const auto whole = solve(session, kForThePosition);  // the moves are easier then
  if (!whole) return std::nullopt;
  Answer answer{.known = whole->known};
  for (const games::Action action : session.legal_actions()) {
    MoveAnswer& move = answer.moves.emplace_back();
    move = {.move = action, .known = known_of_move(solve, session, action, kForAMove)};
    // What is known of the position holds for all of its moves, or for the one that was found.
    const bool named =
        std::ranges::find(whole->moves, action, &MoveAnswer::move) != whole->moves.end();
    if (whole->known.verdict == Verdict::loss || named) move.known.verdict = whole->known.verdict;
  }
  return answer;
}

Answer analyzed(const Toolkit& toolkit, std::string_view name, Player& player,
                const games::Session& session, Ask ask) {
  if (session.outcome() != games::Outcome::ongoing) return {};
  ask.every_move = true;
  Answer answer = player.answer(session, ask);
  // What `perfect` says is certain already.
  if (name == "perfect") return answer;
  if (const auto certain = solved_answer(toolkit, session)) add_known(answer, *certain);
  return answer;
}

std::vector<PlayerInfo> player_infos(const Registry& registry) {
  std::vector<PlayerInfo> infos;
  for (const auto& entry : registry.entries()) {
    const auto game = entry.make({});
    if (!game) continue;
    const std::string name(entry.facts.name);
    for (const PlayerKind& kind : player_kinds(*registry.toolkit(*game))) {
      if (kind.is_hidden) continue;
      auto info = std::ranges::find(infos, kind.name, &PlayerInfo::name);
      if (info == infos.end()) {
        infos.push_back({kind.name, kind.name, kind.help, {}, {}});
        info = infos.end() - 1;
      }
      info->games.push_back(name);
      for (PlayerOption& declared : kind.options()) {
        if (declared.name().empty()) info->form = kind.name + declared.form;
        auto known = std::ranges::find(info->options, declared, &PlayerInfo::Option::declared);
        if (known == info->options.end()) {
          info->options.push_back({std::move(declared), {}});
          known = info->options.end() - 1;
        }
        known->games.push_back(name);
      }
    }
  }
  for (PlayerInfo& info : infos) {
    for (PlayerInfo::Option& option : info.options) {
      if (option.games == info.games) option.games.clear();
    }
    if (2 * info.games.size() > registry.entries().size()) info.games.clear();
  }
  // A person comes last, as in the list of every game.
  std::ranges::stable_sort(infos, {}, [](const PlayerInfo& info) { return info.name == "human"; });
  return infos;
}

std::vector<std::string> player_names(const Registry& registry) {
  std::vector<std::string> names;
  for (PlayerInfo& info : player_infos(registry)) names.push_back(std::move(info.name));
  return names;
}

}  // namespace damier::play
