#include "damier/play/players/players.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/play/registry.h"
#include "damier/search/report.h"

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

View Player::view(const games::Session& session, RandomStream& random, search::Watch*) {
  View view;
  const games::Action chosen = choose(session, random);
  view.line.push_back(chosen);
  for (const games::Action action : session.playing_actions()) {
    MoveView move;
    move.action = action;
    view.moves.push_back(move);
    if (action == chosen) std::rotate(view.moves.begin(), view.moves.end() - 1, view.moves.end());
  }
  return view;
}

namespace {

int class_of(const MoveView& move) {
  if (move.exact == Verdict::win) return 2;
  return move.exact == Verdict::loss ? 0 : 1;
}

// Of two moves of the same class: wins sooner, or loses later.
bool is_quicker(const MoveView& a, const MoveView& b) {
  if (a.exact != b.exact || !a.distance || !b.distance || *a.distance == *b.distance) return false;
  return (*a.distance < *b.distance) == (a.exact == Verdict::win);
}

// Better for whoever moves: wins before all else, short ones first; losses last, long ones first.
bool ranks_before(const MoveView& a, const MoveView& b) {
  if (class_of(a) != class_of(b)) return class_of(a) > class_of(b);
  if (is_quicker(a, b) || is_quicker(b, a)) return is_quicker(a, b);
  if (a.visits && b.visits && *a.visits != *b.visits) return *a.visits > *b.visits;
  return a.value.value_or(0) > b.value.value_or(0);
}

}  // namespace

void put_best_first(std::vector<MoveView>& moves, std::size_t best) {
  if (moves.empty()) return;
  const auto chosen = moves.begin() + static_cast<std::ptrdiff_t>(best);
  std::rotate(moves.begin(), chosen, chosen + 1);
  std::stable_sort(moves.begin() + 1, moves.end(), ranks_before);
}

void sort_by_prior(std::vector<MoveView>& moves) {
  std::stable_sort(moves.begin(), moves.end(),
                   [](const MoveView& a, const MoveView& b) { return *a.prior > *b.prior; });
}

std::size_t drawn_by_prior(const std::vector<MoveView>& moves, double temperature,
                           RandomStream& random) {
  // Against the greatest, so that small temperatures leave something.
  const double greatest = std::max(moves.front().prior.value_or(0), 1e-300);
  std::vector<double> weights;
  double sum = 0;
  for (const MoveView& move : moves) {
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

void add_exact(View& view, const View& exact) {
  for (MoveView& move : view.moves) {
    for (const MoveView& known : exact.moves) {
      if (known.action != move.action) continue;
      move.exact = known.exact;
      move.distance = known.distance;
    }
  }
}

// Of those that win the short ones first, of those that lose the long ones.
void put_certain_first(std::vector<MoveView>& moves) {
  std::stable_sort(moves.begin(), moves.end(), [](const MoveView& a, const MoveView& b) {
    return class_of(a) != class_of(b) ? class_of(a) > class_of(b) : is_quicker(a, b);
  });
}

std::vector<PlayerOption> PlayerKind::options() const {
  if (open == nullptr) return {};
  PlayerText text = PlayerText::listening();
  static_cast<void>(open(text));  // an error: nothing was asked for
  return text.declared();
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
  for (PlayerKind& kind : player_kinds(toolkit)) names.push_back(std::move(kind.name));
  return names;
}

Result<OpenedPlayer> open_player(const Toolkit& toolkit, std::string_view text) {
  auto parsed = PlayerText::parse(text);
  if (!parsed) return std::move(parsed).error();
  for (const PlayerKind& kind : player_kinds(toolkit)) {
    if (kind.name != parsed->name()) continue;
    OpenedPlayer opened{parsed->text(), nullptr};
    if (kind.open != nullptr) {
      auto factory = kind.open(*parsed);
      if (!factory) return std::move(factory).error();
      opened.make = *std::move(factory);
    }
    if (auto status = parsed->finish(); !status) return std::move(status).error();
    return opened;
  }
  return unknown_name(fmt::format("{} player", toolkit.game().facts().name), parsed->name(),
                      player_names(toolkit));
}

Result<NamedPlayer> make_player(const Toolkit& toolkit, std::string_view text) {
  auto opened = open_player(toolkit, text);
  if (!opened) return std::move(opened).error();
  return NamedPlayer{opened->name, opened->is_human() ? nullptr : opened->make()};
}

std::optional<View> exact_view(const Toolkit& toolkit, const games::Session& session) {
  if (!toolkit.knows(session)) return std::nullopt;
  if (!toolkit.knows_every_state()) return solved_view(toolkit, session);
  const auto perfect = make_player(toolkit, "perfect");
  if (!perfect) return std::nullopt;
  RandomStream ties(Seed{0}, "exact_view");
  return perfect->player->view(session, ties);
}

std::optional<View> solved_view(const Toolkit& toolkit, const games::Session& session) {
  if (toolkit.knows_every_state()) return exact_view(toolkit, session);
  if (!toolkit.is_solved() && !toolkit.knows(session)) return std::nullopt;
  constexpr SolveLimits kForThePosition = {.nodes = 2'000'000};
  constexpr SolveLimits kForAMove = {.nodes = 50'000};
  const Toolkit::Solver solve = toolkit.solver();
  const auto whole = solve(session, kForThePosition);  // the moves are easier then
  if (!whole) return std::nullopt;
  const games::Side mover = session.side_to_move();
  View view;
  for (const games::Action action : session.legal_actions()) {
    MoveView move;
    move.action = action;
    const auto after = session.clone();
    after->play(action);
    if (after->outcome() != games::Outcome::ongoing) {
      move.exact = search::proof_of(after->outcome(), mover);
    } else if (const auto found = solve(*after, kForAMove)) {
      move.exact = after->side_to_move() == mover ? found->value : games::opposite(found->value);
      if (found->distance) move.distance = *found->distance + 1;
    }
    // What is known of the position holds for all of its moves, or for the one that was found.
    const std::string text = session.move_text(action);
    const auto& best = whole->best;
    const bool named = std::find(best.begin(), best.end(), text) != best.end();
    if (whole->value == Verdict::loss || named) move.exact = whole->value;
    view.moves.push_back(move);
  }
  return view;
}

std::vector<PlayerInfo> player_infos(const Registry& registry) {
  std::vector<PlayerInfo> infos;
  for (const auto& entry : registry.entries()) {
    const auto game = entry.make({});
    if (!game) continue;
    const std::string name(entry.facts.name);
    for (const PlayerKind& kind : player_kinds(*registry.toolkit(*game))) {
      auto info = std::find_if(infos.begin(), infos.end(),
                               [&](const PlayerInfo& other) { return other.name == kind.name; });
      if (info == infos.end()) {
        infos.push_back({kind.name, kind.name, kind.help, {}, {}});
        info = infos.end() - 1;
      }
      info->games.push_back(name);
      for (PlayerOption& declared : kind.options()) {
        if (declared.name().empty()) info->form = kind.name + declared.form;
        auto known = std::find_if(
            info->options.begin(), info->options.end(),
            [&](const PlayerInfo::Option& other) { return other.declared == declared; });
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
  std::stable_sort(infos.begin(), infos.end(), [](const PlayerInfo& a, const PlayerInfo& b) {
    return (a.name == "human") < (b.name == "human");
  });
  return infos;
}

std::vector<std::string> player_names(const Registry& registry) {
  std::vector<std::string> names;
  for (PlayerInfo& info : player_infos(registry)) names.push_back(std::move(info.name));
  return names;
}

}  // namespace damier::play
