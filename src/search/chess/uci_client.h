// Another chess engine, spoken to by UCI: a program that is started, asked about positions, and
// ended. One that crashes, hangs or says what makes no sense is an error of one line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/files/child_process.h"
#include "damier/base/result.h"
#include "damier/search/chess/engine.h"

namespace damier::search::chess {

// An option that an engine offers.
struct UciOption {
  enum class Type : std::uint8_t { check, spin, combo, button, string };
  std::string name;
  Type type = Type::string;
  std::int64_t low = 0, high = 0;    // of a spin
  std::vector<std::string> choices;  // of a combo
};
// "option name Hash type spin default 16 min 1 max 1024"; nothing where the line is none.
std::optional<UciOption> parse_uci_option(std::string_view line);
// The value as the engine wants it, or what is wrong with it.
Result<std::string> checked_uci_value(const UciOption& option, std::string_view value);

// By name and value; a button has an empty one.
using UciSettings = std::vector<std::pair<std::string, std::string>>;

// What ends a search; without any limit the engine has a tenth of a second.
struct UciLimits {
  std::uint64_t nodes = 0;
  int depth = 0;
  Milliseconds move_time{0};
  // White's, then Black's.
  std::optional<std::pair<Clock, Clock>> clocks = {};
};

struct UciLine {
  std::optional<int> score;  // hundredths of a pawn, for the side to move
  std::optional<int> mate;   // moves to it; negative: is mated
  Bound bound = Bound::exact;
  std::optional<WinDrawLoss> expected;  // of an engine that tells
  std::vector<Move> moves;              // the legal ones
};

struct UciAnswer {
  Move best = {};
  std::vector<UciLine> lines;  // the best first; may be empty, and need not begin with `best`
  int depth = 0;
  std::uint64_t nodes = 0;
};

// Reads what "info …" says of a position into an answer; other lines leave it as it is.
void read_uci_info(std::string_view line, const Chess& game, const State& state, UciAnswer& answer);

class UciClient {
 public:
  // The command is split at spaces, no shell is asked. `patience`: how long the engine may be late
  // with an answer before it counts as hung.
  static Result<UciClient> open(std::string_view command, const UciSettings& settings = {},
                                Milliseconds patience = std::chrono::seconds(10));

  const std::string& name() const { return name_; }  // as it calls itself
  const std::vector<UciOption>& options() const { return options_; }

  Status set(std::string_view option, std::string_view value);
  Status new_game();

  // The game must go on. After an error the engine is of no more use. An interrupt lets it answer
  // at once with what it has.
  Result<UciAnswer> search(const History& history, const UciLimits& limits);
  // The same for a position without a past, as FEN.
  Result<UciAnswer> evaluate(std::string_view fen, const UciLimits& limits);

 private:
  UciClient(std::unique_ptr<ChildProcess> process, std::string command, Milliseconds patience)
      : process_(std::move(process)), command_(std::move(command)), patience_(patience) {}

  Status greet();
  Status send(std::string_view text);
  // The next line; an error that says `awaited` where none comes in time.
  Result<std::string> hear(ChildProcess::Deadline deadline, std::string_view awaited,
                           bool heeds_interrupts = true);
  Status wait_ready();
  Status set_variant(const History& history);
  Result<UciAnswer> hear_answer(const History& history, std::optional<Milliseconds> time);
  Error error(std::string_view what) const;
  const UciOption* find_option(std::string_view name) const;

  std::unique_ptr<ChildProcess> process_;
  std::string command_;
  Milliseconds patience_;
  std::string name_;
  std::vector<UciOption> options_;
  bool chess960_ = false;  // what it was told last
};

}  // namespace damier::search::chess
