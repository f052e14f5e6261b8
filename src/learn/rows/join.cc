#include "damier/learn/rows/join.h"

#include <cassert>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "damier/base/json/json.h"
#include "damier/learn/rows/data_set_writer.h"

namespace damier::learn {

namespace {

// What parts must agree in: it decides what their numbers mean.
constexpr const char* kShared[] = {"task", "game", "encoder", "encoder_version", "group"};
constexpr std::uint64_t kRowsAtOnce = 4096;

std::string value_of(const DataSet& data, const char* key) {
  const Json* found = data.info().find(key);
  return found == nullptr ? "none" : dump_line(*found);
}

Status check_parts(std::span<const DataSet> parts) {
  std::set<std::string> seen;
  for (const DataSet& part : parts) {
    if (part.columns() != parts[0].columns()) {
      return Error{fmt::format("has other columns than {}", parts[0].source()), {part.source()}};
    }
    for (const char* key : kShared) {
      const std::string here = value_of(part, key), first = value_of(parts[0], key);
      if (here == first) continue;
      return Error{
          fmt::format("its {} is {}; expected {}, as in {}", key, here, first, parts[0].source()),
          {part.source()}};
    }
    if (!seen.insert(part.checksum()).second) {
      return Error{"has the rows of another part; expected each part once", {part.source()}};
    }
  }
  return Done{};
}

// Gives each group a number in the joined set.
class Groups {
 public:
  explicit Groups(const DataSet& first)
      : shared_(text_in(first.info(), "group").starts_with("symmetry class")) {}

  void next_part() {
    if (!shared_) known_.clear();
  }
  // Nothing when the group is in another split already.
  std::optional<std::int64_t> number(std::int64_t group, Split split) {
    const auto [at, is_new] = known_.try_emplace(group, Place{shared_ ? group : count_, split});
    if (is_new) ++count_;
    if (at->second.split != split) return std::nullopt;
    return at->second.number;
  }

 private:
  struct Place {
    std::int64_t number;
    Split split;
  };
  bool shared_;  // the same number is the same group in every part
  std::int64_t count_ = 0;
  std::map<std::int64_t, Place> known_;
};

Status append(const DataSet& part, Split split, Groups& groups, RowSink& sink) {
  const auto group_column = static_cast<std::size_t>(part.column_index(kGroupColumn));
  std::vector<std::vector<std::byte>> bytes(part.columns().size());
  std::vector<std::span<const std::byte>> spans(bytes.size());
  const std::uint64_t most = rows_at_once(row_bytes(part.columns()), kRowsAtOnce);
  return for_each_block(part.rows(split), most, [&](RowRange range) -> Status {
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      bytes[k].resize(range.count * part.columns()[k].row_bytes());
      TRY(part.read(static_cast<int>(k), range, bytes[k]));
      spans[k] = bytes[k];
    }
    for (std::size_t at = 0; at < bytes[group_column].size(); at += sizeof(std::int64_t)) {
      std::int64_t group = 0;
      std::memcpy(&group, &bytes[group_column][at], sizeof group);
      const auto number = groups.number(group, split);
      if (!number) {
        return Error{fmt::format("group {} is in another split than in another part; expected "
                                 "parts that were split alike (--seed)",
                                 group),
                     {part.source()}};
      }
      std::memcpy(&bytes[group_column][at], &*number, sizeof *number);
    }
    return sink.append(split, spans);
  });
}

}  // namespace

Result<Json> join_data_sets(std::span<const DataSet> parts, const std::filesystem::path& path) {
  assert(!parts.empty());
  TRY(check_parts(parts));
  auto writer = TRY(DataSetWriter::create(path, parts[0].columns()));
  Groups groups(parts[0]);
  Json info = parts[0].info();
  Json made_of = Json::array();
  for (const DataSet& part : parts) {
    groups.next_part();
    for (std::size_t split = 0; split < kSplits; ++split) {
      TRY(append(part, static_cast<Split>(split), groups, *writer));
    }
    made_of.push_back(
        {{"checksum", part.checksum()}, {"command", text_in(part.info(), "command")}});
  }
  info["parts"] = std::move(made_of);
  return writer->finish(std::move(info));
}

}  // namespace damier::learn
