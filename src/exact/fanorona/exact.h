// Fanoron-telo is small enough to have all its exact answers in one table.
#pragma once

#include <vector>

#include "damier/exact/fanorona/table.h"
#include "damier/exact/table.h"

namespace damier::exact {

template <>
class Exact<games::fanorona::Fanorona>
    : public TableSource<games::fanorona::Fanorona, FanoronaTable> {
 public:
  using Game = games::fanorona::Fanorona;

  explicit Exact(const Game&);
  static Result<Exact> load(const Game& game) { return Exact(game); }
  std::vector<SpaceFigure> state_space() const;
};

}  // namespace damier::exact
