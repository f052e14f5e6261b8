// Fanoron-telo as something to learn: every state with its value, its distance and its best moves,
// by the exact table or by a search of some depth.
//
// The one thing to know: "right" is asked of the exact table, whatever oracle made the labels.
#pragma once

#include "damier/games/fanorona/fanorona.h"
#include "damier/learn/task.h"

namespace damier::learn {

// The columns of a data set:
//   input     the encoder's numbers: "flat" is (46), "planes" (6, 3, 3): one-hot planes of the
//             contents -2, -1, 0, 1, 2 and a plane of the player, -1 or +1
//   policy    (18): departures then arrivals, each a distribution
//   moves     (81): 1 at 9 * from + to of each move that is taught
//   legal     (81): 1 at each legal move
//   value     1 win, 0 draw, -1 loss, for the side to move
//   distance  plies to the end; 0 for a draw
//   label     the one move 9 * from + to that the oracle names
//   phase     how many pieces have moved
//   state     the state's number in solve::FanoronaIndexer
//   group     the same for all mirror images of a state, with colours exchanged or not
const Task& fanorona_task();

// The column "group" of a state.
std::int64_t fanorona_group(const games::fanorona::State& state);

// The encoder's numbers; `out` has its size.
void encode_fanorona(std::string_view encoder, const games::fanorona::State& state,
                     std::span<float> out);

// What a column "input", "policy", "moves" or "legal" becomes under each symmetry of the game.
std::vector<SymmetryMaps> fanorona_symmetries(std::string_view encoder);

// What an oracle says of a state that is not over.
struct FanoronaLabel {
  games::fanorona::Move move;               // the one that it would play
  std::vector<games::fanorona::Move> best;  // all that are as good
  int value = 0;                            // 1, 0, -1
  int distance = 0;
};
FanoronaLabel exact_fanorona_label(const games::fanorona::State& state);

// How the moves that a network chooses on `states` compare with the exact table; `labels` are the
// moves 9 * from + to that count as right for "label_accuracy".
Result<std::vector<Metric>> judge_fanorona(const JudgedModel& model, std::string_view encoder,
                                           std::span<const games::fanorona::State> states,
                                           std::span<const int> labels);

}  // namespace damier::learn
