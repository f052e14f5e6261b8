// The rows of a data set of patches.

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/learn/minesweeper/patch_task.h"
#include "damier/learn/minesweeper/patches.h"
#include "damier/learn/rows/row_buffer.h"

namespace damier::learn {

namespace {

constexpr std::size_t kWindow = 1 << 16;  // rows handed to the sink at a time
constexpr std::size_t kBlock = 1 << 10;   // rows made by one thread at a time
// The search for new patches ends when so few of so many were new.
constexpr std::uint64_t kTries = 1 << 20;
constexpr std::uint64_t kFewNew = 1 << 8;

enum Kind : std::size_t { kSafe, kBomb };  // places in arrays
using PatchNumber = std::uint32_t;

// A row: which patch, and which of its masks.
struct RowId {
  PatchNumber patch = 0;
  std::uint32_t mask = 0;
};

// All that decides the rows of a data set.
struct Plan {
  PatchOptions options;
  std::uint64_t rows = 0;
  PatchNumber patches = 0;
  PatchNumber safe_patches = 0;  // they have the first numbers
  std::array<Seed, 2> patch_seeds = {};
  Seed mask_seed = {};
  // Without duplicates: the draws that brought something new, by kind.
  std::array<std::vector<PatchNumber>, 2> draws;

  Plan(const PatchOptions& chosen, std::uint64_t count, Seed seed) : options(chosen), rows(count) {
    const auto masks = static_cast<std::uint64_t>(options.masks);
    patches = static_cast<PatchNumber>((count + masks - 1) / masks);
    const double bombs = options.bomb_share * static_cast<double>(patches);
    safe_patches =
        options.bomb_share < 0 ? patches : patches - static_cast<PatchNumber>(bombs + 0.5);
    for (std::size_t kind = 0; kind < 2; ++kind) {
      patch_seeds[kind] = Seed{RandomStream(seed, "minesweeper.patches", kind)()};
    }
    mask_seed = Seed{RandomStream(seed, "minesweeper.masks")()};
  }

  Kind kind_of(PatchNumber patch) const { return patch < safe_patches ? kSafe : kBomb; }
  Centre centre_of(PatchNumber patch) const {
    if (options.bomb_share < 0) return Centre::any;
    return kind_of(patch) == kSafe ? Centre::safe : Centre::bomb;
  }
  // The last patch may have fewer than the others.
  std::uint32_t masks_of(PatchNumber patch) const {
    const auto masks = static_cast<std::uint64_t>(options.masks);
    return static_cast<std::uint32_t>(std::min(masks, rows - patch * masks));
  }
  PatchMaker maker() const {
    return {options.diameter, options.game.rows(), options.game.cols(), options.game.bombs()};
  }
  RandomStream patch_stream(Kind kind, PatchNumber draw) const {
    return {patch_seeds[kind], "", draw};
  }
  RandomStream mask_stream(RowId row) const {
    return {mask_seed, "",
            std::uint64_t{row.patch} * static_cast<std::uint64_t>(options.masks) + row.mask};
  }
};

// Draws patches of a kind until `wanted` differ; keeps the numbers of their draws.
Result<std::vector<PatchNumber>> distinct_draws(const Plan& plan, Kind kind, PatchNumber wanted,
                                                ThreadPool& pool) {
  std::vector<PatchNumber> found;
  std::unordered_set<std::uint64_t> seen;
  // A power of two, so that kTries are a whole number of them.
  const std::size_t chunk = std::clamp(std::bit_ceil(std::size_t{2} * wanted), kBlock, kWindow);
  std::vector<std::uint64_t> hashes(chunk);
  const PatchMaker maker = plan.maker();
  std::uint64_t found_before = 0;
  for (std::uint64_t first = 0; found.size() < wanted; first += chunk) {
    if (interrupted()) return interruption();
    pool.for_each(chunk / kBlock, [&](std::size_t block) {
      Patch patch;
      for (std::size_t i = block * kBlock; i < (block + 1) * kBlock; ++i) {
        auto random = plan.patch_stream(kind, static_cast<PatchNumber>(first + i));
        maker.make(kind == kSafe ? Centre::safe : Centre::bomb, random, patch);
        hashes[i] = hash_of(patch);
      }
    });
    for (std::size_t i = 0; i < chunk && found.size() < wanted; ++i) {
      if (!seen.insert(hashes[i]).second) continue;
      found.push_back(static_cast<PatchNumber>(first + i));
    }
    if ((first + chunk) % kTries != 0) continue;
    if (found.size() < wanted && found.size() - found_before < kFewNew) {
      return Error{
          fmt::format("duplicates: found {} different patches of {}; expected fewer rows, "
                      "more masks for each, or duplicates",
                      found.size(), wanted)};
    }
    found_before = found.size();
  }
  return found;
}

// Makes rows one after the other; those of one patch in a row are cheap.
class RowMaker {
 public:
  explicit RowMaker(const Plan& plan) : plan_(plan) {
    if (plan.options.play) {
      games_.assign(2, RandomGame(plan.options.game, plan.options.diameter));
    }
  }

  // Tells whether there is a bomb in the centre.
  bool make(RowId row, Patch& out) {
    const Kind kind = plan_.kind_of(row.patch);
    auto random = plan_.mask_stream(row);
    if (!loaded_[kind] || number_[kind] != row.patch) load(kind, row.patch);
    if (plan_.options.play) {
      return games_[kind].cut(plan_.centre_of(row.patch), plan_.options.flags, random, out);
    }
    maskers_[kind].mask(random, out);
    return kind == kBomb;
  }

 private:
  void load(Kind kind, PatchNumber number) {
    loaded_[kind] = true;
    number_[kind] = number;
    const PatchNumber place = kind == kSafe ? number : number - plan_.safe_patches;
    const auto& draws = plan_.draws[kind];
    auto random = plan_.patch_stream(kind, draws.empty() ? place : draws[place]);
    if (plan_.options.play) return games_[kind].play(random);
    Patch patch;
    plan_.maker().make(plan_.centre_of(number), random, patch);
    maskers_[kind] = PatchMasker(patch, plan_.options.flags);
  }

  const Plan& plan_;
  std::array<bool, 2> loaded_ = {};
  std::array<PatchNumber, 2> number_ = {};
  std::array<PatchMasker, 2> maskers_;
  std::vector<RandomGame> games_;
};

// The rows of one split, in the order that was asked for; those of "mixed" are still to be mixed
// within their window.
class RowOrder {
 public:
  RowOrder(const Plan& plan, std::vector<PatchNumber> patches, RandomStream random) : plan_(plan) {
    const PatchOrder order = plan.options.order;
    if (order == PatchOrder::mixed) {
      random.shuffle(std::span(patches));
      lists_[0].patches = std::move(patches);
      return;
    }
    for (const PatchNumber patch : patches) {
      lists_[plan.kind_of(patch)].patches.push_back(patch);
    }
    if (order == PatchOrder::bombs_first) now_ = kBomb;
    if (order == PatchOrder::alternate) run_ = plan.options.run;
  }

  // Tells whether there was one left.
  bool next(RowId& row) {
    if (taken_ == run_ || !lists_[now_].has_next()) {
      const std::size_t other = 1 - now_;
      if (lists_[other].has_next()) {
        now_ = other;
      } else if (!lists_[now_].has_next()) {
        return false;
      }
      taken_ = 0;
    }
    ++taken_;
    row = lists_[now_].take(plan_);
    return true;
  }

 private:
  struct List {
    std::vector<PatchNumber> patches;
    std::size_t at = 0;
    std::uint32_t mask = 0;

    bool has_next() const { return at < patches.size(); }
    RowId take(const Plan& plan) {
      const RowId row = {patches[at], mask};
      if (++mask == plan.masks_of(row.patch)) ++at, mask = 0;
      return row;
    }
  };

  const Plan& plan_;
  std::array<List, 2> lists_;
  std::size_t now_ = 0;
  std::uint64_t taken_ = 0;  // of this list without a break
  std::uint64_t run_ = ~std::uint64_t{0};
};

Status write_split(const Plan& plan, RowOrder order, Split split, Seed seed, ThreadPool& pool,
                   RowSink& sink) {
  const auto width = static_cast<std::size_t>(plan.options.diameter * plan.options.diameter);
  std::vector<RowId> rows;
  std::vector<std::uint32_t> places(kWindow);
  RowBuffer buffer(sink.columns());
  for (std::uint64_t window = 0;; ++window) {
    if (interrupted()) return interruption();
    rows.clear();
    for (RowId row; rows.size() < kWindow && order.next(row);) rows.push_back(row);
    if (rows.empty()) return Done{};
    std::iota(places.begin(), places.end(), 0u);
    if (plan.options.order == PatchOrder::mixed) {
      const std::uint64_t index = window * kSplits + static_cast<std::uint64_t>(split);
      RandomStream(seed, "minesweeper.mix", index).shuffle(std::span(places).first(rows.size()));
    }
    buffer.resize(rows.size());
    const auto input = buffer.all<std::uint8_t>("input"), bomb = buffer.all<std::uint8_t>("bomb");
    const auto uncovered = buffer.all<std::uint8_t>("uncovered");
    const auto group = buffer.all<std::int64_t>(kGroupColumn);
    pool.for_each((rows.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
      RowMaker maker(plan);
      Patch patch;
      for (std::size_t i = block * kBlock; i < std::min(rows.size(), (block + 1) * kBlock); ++i) {
        const std::size_t place = places[i];
        bomb[place] = maker.make(rows[i], patch) ? 1 : 0;
        uncovered[place] = static_cast<std::uint8_t>(open_cells(patch));
        group[place] = rows[i].patch;
        std::transform(
            patch.codes.data(), patch.codes.data() + width, input.data() + place * width,
            [](Code code) {
              return static_cast<std::uint8_t>(static_cast<int>(code) + model::kStoredShift);
            });
      }
    });
    TRY(buffer.flush(split, sink));
  }
}

}  // namespace

Result<Json> write_patch_rows(const PatchOptions& patch_options, const GenerateOptions& options,
                              ThreadPool& pool, RowSink& sink) {
  Plan plan(patch_options, options.count, options.seed);
  const std::array<PatchNumber, 2> wanted = {plan.safe_patches, plan.patches - plan.safe_patches};
  for (const Kind kind : {kSafe, kBomb}) {
    if (patch_options.duplicates) break;
    auto draws = TRY(distinct_draws(plan, kind, std::max(wanted[kind], patch_options.pool), pool));
    // The first ones found are those that come most often; out of a pool all are alike.
    if (patch_options.pool > 0) {
      RandomStream(options.seed, "minesweeper.pool", kind).shuffle(std::span(draws));
    }
    draws.resize(wanted[kind]);
    plan.draws[kind] = std::move(draws);
  }
  std::array<std::vector<PatchNumber>, kSplits> patches;
  for (PatchNumber patch = 0; patch < plan.patches; ++patch) {
    patches[static_cast<std::size_t>(split_of(patch, options))].push_back(patch);
  }
  for (std::size_t i = 0; i < kSplits; ++i) {
    RowOrder order(plan, std::move(patches[i]), RandomStream(options.seed, "minesweeper.order", i));
    TRY(write_split(plan, std::move(order), static_cast<Split>(i), options.seed, pool, sink));
  }
  Json facts = {{"options", {{"board", patch_options.game.option_values()[0].second}}},
                {"group", patch_options.play ? "board" : "patch"},
                {"patches", {{"safe", wanted[kSafe]}, {"bomb", wanted[kBomb]}}}};
  if (patch_options.bomb_share < 0) facts["patches"] = {{"any", plan.patches}};
  return facts;
}

}  // namespace damier::learn
