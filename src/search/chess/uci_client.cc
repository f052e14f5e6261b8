#include "damier/search/chess/uci_client.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/games/chess/fen.h"
#include "damier/games/chess/san.h"

namespace damier::search::chess {

using namespace games::chess;

namespace {

using Read = ChildProcess::Read;

constexpr Milliseconds kWithoutLimit{100};
constexpr std::size_t kMaxOptions = 1000;
constexpr std::size_t kMaxLines = 256;  // of MultiPV
constexpr int kMaxScore = 1'000'000;

// The words of a line, and what is left of it.
class LineWords {
 public:
  explicit LineWords(std::string_view line) : rest_(line) {}

  // Empty at the end.
  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

template <class Number>
Number number_or(std::string_view word, Number otherwise) {
  return parse_number<Number>(word).value_or(otherwise);
}

bool begins_with(std::string_view line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ');
}

}  // namespace

std::optional<UciOption> parse_uci_option(std::string_view line) {
  LineWords words(line);
  if (words.next() != "option" || words.next() != "name") return std::nullopt;
  UciOption option;
  std::string_view word = words.next();
  for (; !word.empty() && word != "type"; word = words.next()) {
    option.name += fmt::format("{}{}", option.name.empty() ? "" : " ", word);
  }
  const std::string_view named = words.next();
  using Type = UciOption::Type;
  constexpr std::pair<std::string_view, Type> kTypes[] = {{"check", Type::check},
                                                          {"spin", Type::spin},
                                                          {"combo", Type::combo},
                                                          {"button", Type::button},
                                                          {"string", Type::string}};
  const auto* type = std::ranges::find(kTypes, named, [](auto& known) { return known.first; });
  if (option.name.empty() || type == std::end(kTypes)) return std::nullopt;
  option.type = type->second;
  std::string* choice = nullptr;
  for (word = words.next(); !word.empty(); word = words.next()) {
    if (word == "min") {
      option.low = number_or<std::int64_t>(words.next(), 0);
    } else if (word == "max") {
      option.high = number_or<std::int64_t>(words.next(), 0);
    } else if (word == "var") {
      choice = &option.choices.emplace_back();
    } else if (word == "default") {
      choice = nullptr;
    } else if (choice != nullptr) {
      *choice += fmt::format("{}{}", choice->empty() ? "" : " ", word);
    }
  }
  return option;
}

Result<std::string> checked_uci_value(const UciOption& option, std::string_view value) {
  const auto wrong = [&](std::string_view expected) {
    return Error{fmt::format("option {} is {}; expected {}", in_quotes(option.name),
                             value.empty() ? "without a value" : in_quotes(value), expected)};
  };
  if (value.find_first_of("\r\n") != value.npos) return wrong("one line");
  switch (option.type) {
    case UciOption::Type::check:
    case UciOption::Type::combo: {
      const bool is_check = option.type == UciOption::Type::check;
      const std::vector<std::string> words = {"true", "false"};
      for (const std::string& choice : is_check ? words : option.choices) {
        if (same_letters(value, choice)) return choice;
      }
      return wrong(is_check ? "true or false"
                            : fmt::format("one of {}", fmt::join(option.choices, ", ")));
    }
    case UciOption::Type::spin: {
      const auto number = parse_number<std::int64_t>(value);
      if (number && *number >= option.low && *number <= option.high) return std::string(value);
      return wrong(fmt::format("a whole number from {} to {}", option.low, option.high));
    }
    case UciOption::Type::button:
      if (!value.empty()) return wrong("no value: it is a button");
      return std::string();
    case UciOption::Type::string:
      break;
  }
  return std::string(value);
}

void read_uci_info(std::string_view line, const Chess& game, const State& state,
                   UciAnswer& answer) {
  LineWords words(line);
  if (words.next() != "info") return;
  UciLine found;
  std::size_t place = 1;
  int depth = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "string") return;
    if (word == "depth") depth = number_or(words.next(), 0);
    if (word == "nodes") answer.nodes = number_or(words.next(), answer.nodes);
    if (word == "multipv") place = number_or<std::size_t>(words.next(), 1);
    if (word == "cp") found.score = parse_number<int>(words.next());
    if (word == "mate") found.mate = parse_number<int>(words.next());
    if (word == "lowerbound") found.bound = Bound::lower;
    if (word == "upperbound") found.bound = Bound::upper;
    if (word == "wdl") {
      int parts[3];
      for (int& part : parts) part = number_or(words.next(), -1);
      const auto [win, draw, loss] = parts;
      const auto is_share = [](int part) { return part >= 0 && part <= 1000; };
      if (std::ranges::all_of(parts, is_share) && win + draw + loss == 1000) {
        found.expected = {win, draw, loss};
      }
    }
    if (word == "pv") {
      State after = state;
      for (word = words.next(); !word.empty(); word = words.next()) {
        const auto move = find_uci(game.generator(), after, word);
        if (!move) break;
        found.moves.push_back(*move);
        game.play(after, *move);
      }
      break;
    }
  }
  for (auto* number : {&found.score, &found.mate}) {
    if (*number && std::abs(**number) > kMaxScore) number->reset();
  }
  if ((!found.score && !found.mate) || place < 1 || place > kMaxLines) return;
  answer.depth = std::max(answer.depth, depth);
  if (answer.lines.size() < place) answer.lines.resize(place);
  UciLine& kept = answer.lines[place - 1];
  // A line that only tells a new score is about the moves of the one before.
  if (found.moves.empty()) found.moves = std::move(kept.moves);
  kept = std::move(found);
}

Result<UciClient> UciClient::open(std::string_view command, const UciSettings& settings,
                                  Milliseconds patience) {
  const auto words = TRY(command_words(command));
  auto process = TRY(ChildProcess::start(words));
  UciClient client(std::move(process), std::string(command), patience);
  TRY(client.greet());
  for (const auto& [option, value] : settings) TRY(client.set(option, value));
  TRY(client.wait_ready());
  return client;
}

Error UciClient::error(std::string_view what) const {
  return {fmt::format("engine {} {}", in_quotes(command_), what), {}, ErrorKind::failure};
}

Status UciClient::send(std::string_view text) {
  if (process_->write(fmt::format("{}\n", text))) return Done{};
  return error(process_->ending());
}

Result<std::string> UciClient::hear(ChildProcess::Deadline deadline, std::string_view awaited,
                                    bool heeds_interrupts) {
  std::string line;
  switch (process_->read_line(line, deadline, heeds_interrupts)) {
    case Read::line:
      return line;
    case Read::timeout:
      return error(fmt::format("does not answer: {} was expected", awaited));
    case Read::ended:
      return error(process_->ending());
    case Read::too_long:
      return error(fmt::format("sent a line of more than {} bytes", ChildProcess::kMaxLineLength));
    case Read::interrupted:
      break;
  }
  return interruption();
}

Status UciClient::greet() {
  TRY(send("uci"));
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  while (true) {
    const auto line = TRY(hear(deadline, "uciok"));
    if (begins_with(line, "uciok")) return Done{};
    if (begins_with(line, "id name")) name_ = std::string(trim(line.substr(7)));
    if (options_.size() >= kMaxOptions) continue;
    if (auto option = parse_uci_option(line)) options_.push_back(*std::move(option));
  }
}

Status UciClient::wait_ready() {
  TRY(send("isready"));
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  while (true) {
    const auto line = TRY(hear(deadline, "readyok"));
    if (begins_with(line, "readyok")) return Done{};
  }
}

const UciOption* UciClient::find_option(std::string_view name) const {
  const auto option = std::ranges::find_if(
      options_, [&](const UciOption& offered) { return same_letters(offered.name, name); });
  return option == options_.end() ? nullptr : &*option;
}

Status UciClient::set(std::string_view name, std::string_view value) {
  const UciOption* option = find_option(name);
  if (option == nullptr) {
    std::vector<std::string> offered;
    for (const UciOption& known : options_) offered.push_back(known.name);
    return unknown_name(fmt::format("option of engine {}", in_quotes(command_)), name, offered);
  }
  const auto checked = TRY(checked_uci_value(*option, value));
  return send(option->type == UciOption::Type::button
                  ? fmt::format("setoption name {}", option->name)
                  : fmt::format("setoption name {} value {}", option->name, checked));
}

Status UciClient::new_game() {
  TRY(send("ucinewgame"));
  return wait_ready();
}

Status UciClient::set_variant(const History& history) {
  const bool chess960 = history.game().rules().chess960 || !castles_as_in_chess(history.start());
  if (chess960 == chess960_) return Done{};
  if (find_option("UCI_Chess960") == nullptr) {
    return error("does not play Chess960: it offers no option UCI_Chess960");
  }
  chess960_ = chess960;
  return set("UCI_Chess960", chess960 ? "true" : "false");
}

Result<UciAnswer> UciClient::search(const History& history, const UciLimits& limits) {
  TRY(set_variant(history));
  const std::string start = fen_text(history.start());
  std::string position =
      start == fen_text(Chess().initial()) ? "position startpos" : "position fen " + start;
  if (!history.moves().empty()) position += " moves";
  for (const Move move : history.moves()) position += " " + uci_text(move, chess960_);
  std::string go = "go";
  std::optional<Milliseconds> time;
  if (limits.nodes > 0) go += fmt::format(" nodes {}", limits.nodes);
  if (limits.depth > 0) go += fmt::format(" depth {}", limits.depth);
  if (limits.clocks) {
    const auto& [white, black] = *limits.clocks;
    go += fmt::format(" wtime {} btime {} winc {} binc {}",
                      std::max<std::int64_t>(1, white.left.count()),
                      std::max<std::int64_t>(1, black.left.count()), white.increment.count(),
                      black.increment.count());
    time = history.state().side == games::Side::first ? white.left : black.left;
  }
  // Nobody is slower than this; some engines do not know the limit and would think for ever.
  constexpr std::uint64_t kMinNodesPerSecond = 1000;
  if (!time && limits.nodes > 0) {
    const auto seconds = std::min<std::uint64_t>(limits.nodes / kMinNodesPerSecond, 1'000'000);
    time = std::chrono::seconds(seconds);
  }
  const bool unlimited = go == "go";
  if (limits.move_time.count() > 0 || unlimited) {
    const Milliseconds own = unlimited ? kWithoutLimit : limits.move_time;
    go += fmt::format(" movetime {}", own.count());
    time = time ? std::min(*time, own) : own;
  }
  TRY(send(position));
  TRY(send(go));
  return hear_answer(history, time);
}

Result<UciAnswer> UciClient::hear_answer(const History& history, std::optional<Milliseconds> time) {
  using std::chrono::steady_clock;
  // A search to a depth takes what it takes; an interrupt still ends it.
  auto deadline = time ? steady_clock::now() + *time + patience_ : steady_clock::time_point::max();
  bool heeds_interrupts = true;
  UciAnswer answer;
  while (true) {
    const auto heard = hear(deadline, "bestmove", heeds_interrupts);
    if (!heard) {
      if (heard.error().kind != ErrorKind::interrupted) return heard.error();
      heeds_interrupts = false;
      deadline = steady_clock::now() + std::min(patience_, Milliseconds(1000));
      TRY(send("stop"));
      continue;
    }
    const std::string& line = *heard;
    if (!begins_with(line, "bestmove")) {
      read_uci_info(line, history.game(), history.state(), answer);
      continue;
    }
    LineWords words(line);
    words.next();
    const std::string_view text = words.next();
    const auto move = find_uci(history.game().generator(), history.state(), text);
    if (!move) {
      return error(fmt::format("plays {}, which is no legal move in {}", in_quotes(text),
                               fen_text(history.state())));
    }
    answer.best = *move;
    std::erase_if(answer.lines, [](const UciLine& found) { return found.moves.empty(); });
    return answer;
  }
}

Result<UciAnswer> UciClient::evaluate(std::string_view fen, const UciLimits& limits) {
  const Chess game(kNoDraws);
  const auto state = TRY(game.parse_position(fen));
  const History history(game, state);
  if (history.outcome() != games::Outcome::ongoing) {
    return Error{fmt::format("the game is over in {}", in_quotes(fen))};
  }
  return search(history, limits);
}

}  // namespace damier::search::chess
