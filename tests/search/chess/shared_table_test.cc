#include "damier/search/chess/shared_table.h"

#include <thread>

#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"

namespace damier::search::chess {

namespace {

// An entry that can be told from its key alone.
TableEntry entry_of(std::uint64_t key) {
  const std::uint64_t mixed = mix64(key);
  TableEntry entry;
  entry.move = static_cast<games::chess::Move>(mixed & 0xFFFF);
  entry.score = static_cast<int>(mixed >> 16 & 0x3FFF) - 0x2000;
  entry.evaluation = static_cast<int>(mixed >> 32 & 0x3FFF) - 0x2000;
  entry.depth = static_cast<int>(mixed >> 48 & 0x3F) + 1;
  entry.bound = Bound::exact;
  entry.pv = (mixed >> 63) != 0;
  return entry;
}

void expect_same(const TableEntry& found, const TableEntry& stored) {
  EXPECT_EQ(found.move, stored.move);
  EXPECT_EQ(found.score, stored.score);
  EXPECT_EQ(found.evaluation, stored.evaluation);
  EXPECT_EQ(found.depth, stored.depth);
  EXPECT_EQ(found.bound, stored.bound);
  EXPECT_EQ(found.pv, stored.pv);
}

TEST(SharedTable, FindsWhatWasStored) {
  SharedTable table(1 << 20);
  EXPECT_FALSE(table.find(1).found);
  for (std::uint64_t i = 1; i < 500; ++i) table.store(mix64(i), entry_of(mix64(i)));
  for (std::uint64_t i = 1; i < 500; ++i) {
    const TableEntry found = table.find(mix64(i));
    ASSERT_TRUE(found.found);
    expect_same(found, entry_of(mix64(i)));
  }
  table.clear();
  EXPECT_FALSE(table.find(mix64(1)).found);
}

TEST(SharedTable, KeepsAMoveThatALaterSearchDidNotFind) {
  SharedTable table(1 << 12);
  TableEntry entry = entry_of(77);
  table.store(77, entry);
  const games::chess::Move move = entry.move;
  entry.move = {};
  table.store(77, entry);
  EXPECT_EQ(table.find(77).move, move);
}

TEST(SharedTable, WhatIsOldAndShallowGivesWay) {
  SharedTable table(64);  // one bucket
  for (int i = 0; i < 4; ++i) {
    TableEntry entry = entry_of(static_cast<std::uint64_t>(i + 1));
    entry.depth = 10 + i;
    table.store(static_cast<std::uint64_t>(i + 1), entry);
  }
  EXPECT_EQ(table.full(), 1000);
  table.store(5, entry_of(5));
  EXPECT_FALSE(table.find(1).found);  // the shallowest
  EXPECT_TRUE(table.find(4).found);
  table.next_generation();
  EXPECT_EQ(table.full(), 0);
  table.next_generation();
  TableEntry shallow = entry_of(6);
  shallow.depth = 1;
  for (const std::uint64_t key : {6, 7, 8, 9}) table.store(key, shallow);
  EXPECT_FALSE(table.find(4).found);
}

// Several threads write into one bucket: an entry is found whole or not at all.
TEST(SharedTable, TornEntriesAreNotFound) {
  SharedTable table(64);
  const auto work = [&](std::uint64_t seed) {
    int found = 0;
    for (std::uint64_t i = 0; i < 40'000; ++i) {
      const std::uint64_t key = mix64((i + seed) % 16 + 1);
      table.store(key, entry_of(key));
      const std::uint64_t other = mix64((i * 7 + seed) % 16 + 1);
      const TableEntry entry = table.find(other);
      if (!entry.found) continue;
      ++found;
      const TableEntry expected = entry_of(other);
      if (entry.score != expected.score || entry.move != expected.move ||
          entry.evaluation != expected.evaluation || entry.depth != expected.depth) {
        ADD_FAILURE() << "a mixture of two entries";
        return;
      }
    }
    EXPECT_GT(found, 0);
  };
  std::vector<std::jthread> threads;
  for (std::uint64_t seed = 0; seed < 3; ++seed) threads.emplace_back(work, seed);
}

}  // namespace

}  // namespace damier::search::chess
