// Brême's rules once more, the plain way: a grid of stacks, steps in loops, no bits and no tables.
// It is the reference that the fast rules are checked against, written from the rules alone.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace damier::games::bremen {

class PlainBremen {
 public:
  struct Piece {
    int owner;  // 0 Blue, 1 Red
    int order;  // 0 donkey to 3 rooster
    bool operator==(const Piece&) const = default;
  };

  PlainBremen(bool rooster_wins, bool only_carried)
      : rooster_wins_(rooster_wins), only_carried_(only_carried) {}

  // Text moves from here: the same notation as Bremen's.
  std::set<std::string> moves() const {
    std::set<std::string> found;
    if (placed_ < 8) {
      for (int order = 0; order < 4; ++order) {
        if (is_placed(side_, order)) continue;
        for (int col = 0; col < 5; ++col) {
          if (stack(home(side_), col).empty()) found.insert(text(order, home(side_), col, true));
        }
      }
      return found;
    }
    if (winner_ >= 0) return found;
    if (duty_ >= 0) {
      add_moves(duty_, found);
      if (!found.empty()) return found;
    }
    for (int order = 0; order < 4; ++order) add_moves(order, found);
    return found;
  }

  void play(const std::string& move) {
    const int order = static_cast<int>(std::string("dgcr").find(move[0]));
    const bool draft = move[1] == '@';
    const int col = move[draft ? 2 : 1] - 'a', row = '5' - move[draft ? 3 : 2];
    duty_ = -1;
    if (draft) {
      stack(row, col).push_back({side_, order});
      ++placed_;
      side_ = 1 - side_;
      return;
    }
    auto& from = stack_of(side_, order);
    auto& target = stack(row, col);
    const auto mover = std::find(from.begin(), from.end(), Piece{side_, order});
    const std::vector<Piece> carried(mover, from.end());
    from.erase(mover, from.end());
    target.insert(target.end(), carried.begin(), carried.end());
    if (target.size() == 4) winner_ = rooster_wins_ ? target.back().owner : side_;
    if (row == home(side_)) {
      for (const Piece& piece : only_carried_ ? carried : target) {
        if (piece.owner != side_ && (duty_ < 0 || piece.order < duty_)) duty_ = piece.order;
      }
    }
    side_ = 1 - side_;
  }

  // -1 while the game goes on.
  int winner() const {
    if (winner_ >= 0) return winner_;
    return moves().empty() ? 1 - side_ : -1;
  }

  std::string position() const {
    std::string out;
    for (int owner = 0; owner < 2; ++owner) {
      if (owner == 1) out += '/';
      for (int order = 0; order < 4; ++order) {
        std::string square = "-";
        for (int row = 0; row < 5; ++row) {
          for (int col = 0; col < 5; ++col) {
            const auto& pieces = stack(row, col);
            if (std::find(pieces.begin(), pieces.end(), Piece{owner, order}) != pieces.end()) {
              square = {static_cast<char>('a' + col), static_cast<char>('5' - row)};
            }
          }
        }
        out += square;
      }
    }
    out += side_ == 0 ? " b" : " r";
    if (duty_ >= 0) out += std::string(" !") + "dgcr"[duty_];
    return out;
  }

 private:
  using Stack = std::vector<Piece>;

  static int home(int owner) { return owner == 0 ? 4 : 0; }
  Stack& stack(int row, int col) { return board_[static_cast<std::size_t>(5 * row + col)]; }
  const Stack& stack(int row, int col) const {
    return board_[static_cast<std::size_t>(5 * row + col)];
  }

  bool is_placed(int owner, int order) const {
    return std::any_of(board_.begin(), board_.end(), [&](const Stack& pieces) {
      return std::find(pieces.begin(), pieces.end(), Piece{owner, order}) != pieces.end();
    });
  }

  Stack& stack_of(int owner, int order) {
    return *std::find_if(board_.begin(), board_.end(), [&](const Stack& pieces) {
      return std::find(pieces.begin(), pieces.end(), Piece{owner, order}) != pieces.end();
    });
  }

  static std::string text(int order, int row, int col, bool draft) {
    std::string out(1, "dgcr"[order]);
    if (draft) out += '@';
    return out + static_cast<char>('a' + col) + static_cast<char>('5' - row);
  }

  void add_moves(int order, std::set<std::string>& found) const {
    static const std::vector<std::pair<int, int>> kRookSteps = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    static const std::vector<std::pair<int, int>> kBishopSteps = {
        {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static const std::vector<std::pair<int, int>> kKnightSteps = {
        {1, 2}, {1, -2}, {2, 1}, {2, -1}, {-1, 2}, {-1, -2}, {-2, 1}, {-2, -1}};
    std::vector<std::pair<int, int>> steps;
    if (order == 0 || order == 3) steps.insert(steps.end(), kRookSteps.begin(), kRookSteps.end());
    if (order == 1 || order == 3)
      steps.insert(steps.end(), kBishopSteps.begin(), kBishopSteps.end());
    if (order == 2) steps = kKnightSteps;
    for (int row = 0; row < 5; ++row) {
      for (int col = 0; col < 5; ++col) {
        const auto& pieces = stack(row, col);
        if (std::find(pieces.begin(), pieces.end(), Piece{side_, order}) == pieces.end()) continue;
        for (const auto& [down, right] : steps) {
          for (int i = 1; i < 5; ++i) {
            const int r = row + i * down, c = col + i * right;
            if (r < 0 || r > 4 || c < 0 || c > 4) break;
            const auto& target = stack(r, c);
            if (target.empty() || target.back().order < order) {
              found.insert(text(order, r, c, false));
            }
            if (!target.empty() || order == 2) break;
          }
        }
      }
    }
  }

  bool rooster_wins_;
  bool only_carried_;
  std::array<Stack, 25> board_ = {};
  int placed_ = 0;
  int side_ = 0;
  int duty_ = -1;
  int winner_ = -1;
};

}  // namespace damier::games::bremen
