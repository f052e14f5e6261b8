// Numbered work that processes share: every number once, the same answers for any number of them.

#include "damier/base/parallel/ranks.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damier/base/files/bytes.h"

namespace damier {
namespace {

TEST(Bytes, ComeBackAsTheyWereWritten) {
  const std::string bytes =
      ByteWriter().number<std::uint8_t>(7).text("a\0b").number(-1.5).text("").take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.number<std::uint8_t>(), 7);
  EXPECT_EQ(reader.text(), "a\0b");
  EXPECT_EQ(reader.number<double>(), -1.5);
  EXPECT_EQ(reader.text(), "");
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(reader.good());
  EXPECT_EQ(reader.number<int>(), 0);
  EXPECT_FALSE(reader.good());
  // A length that is a lie.
  const std::string lie = ByteWriter().number(~std::uint64_t{0}).number(1).take();
  ByteReader liar(lie);
  EXPECT_EQ(liar.text(), "");
  EXPECT_FALSE(liar.good());
}

// Children of this process, each at the other end of a pair of sockets.
class SocketMessenger final : public Messenger {
 public:
  // Rank 0 has one socket a rank, every other rank one to rank 0.
  SocketMessenger(int rank, std::vector<int> sockets, int size)
      : rank_(rank), size_(size), sockets_(std::move(sockets)), came_(sockets_.size()) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name(int rank) const override { return "rank " + std::to_string(rank); }
  int threads() const override { return 2; }
  void send(int to, std::string bytes) override {
    const std::string whole = ByteWriter().text(bytes).take();
    const int socket = sockets_[rank_ == 0 ? static_cast<std::size_t>(to - 1) : 0];
    for (std::size_t sent = 0; sent < whole.size();) {
      const ssize_t count = ::send(socket, whole.data() + sent, whole.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;  // it has died
      sent += static_cast<std::size_t>(count);
    }
  }
  std::optional<RankMessage> receive() override {
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
      std::array<char, 4096> part;
      const ssize_t count = ::recv(sockets_[i], part.data(), part.size(), MSG_DONTWAIT);
      if (count > 0) came_[i].append(part.data(), static_cast<std::size_t>(count));
      ByteReader reader(came_[i]);
      const std::string text(reader.text());
      if (!reader.good()) continue;
      came_[i].erase(0, text.size() + sizeof(std::uint64_t));
      return RankMessage{rank_ == 0 ? static_cast<int>(i) + 1 : 0, text};
    }
    return std::nullopt;
  }
  void close() override {
    for (const int socket : sockets_) ::close(socket);
  }

 private:
  int rank_, size_;
  std::vector<int> sockets_;
  std::vector<std::string> came_;
};

std::string square_of(std::uint64_t number) { return std::to_string(number * number); }

Result<Worker> squares(ThreadPool& pool, std::string_view kind, std::string_view order) {
  if (kind != "squares") return Error{"knows no " + std::string(kind)};
  if (order == "error") return Error{"has no squares"};
  return each_number(pool, [] { return square_of; });
}

// This process as rank 0 of so many.
class Family {
 public:
  explicit Family(int size) {
    std::vector<int> own;
    for (int rank = 1; rank < size; ++rank) {
      int pair[2];
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
      const pid_t child = fork();
      if (child == 0) {
        ::close(pair[0]);
        {
          Ranks ranks(std::make_unique<SocketMessenger>(rank, std::vector{pair[1]}, size));
          ThreadPool pool(2);
          ranks.serve([&](std::string_view kind, std::string_view order) {
            return squares(pool, kind, order);
          });
        }
        _exit(0);
      }
      ::close(pair[1]);
      own.push_back(pair[0]);
      children_.push_back(child);
    }
    if (size > 1) {
      ranks_ = std::make_unique<Ranks>(std::make_unique<SocketMessenger>(0, own, size));
    } else {
      ranks_ = std::make_unique<Ranks>();
    }
  }
  ~Family() {
    ranks_.reset();
    for (const pid_t child : children_) waitpid(child, nullptr, 0);
  }
  Ranks& ranks() { return *ranks_; }
  void kill_one() { kill(children_.back(), SIGKILL); }

 private:
  std::vector<pid_t> children_;
  std::unique_ptr<Ranks> ranks_;
};

SharedWork squares_of(ThreadPool& pool, std::uint64_t count) {
  SharedWork work;
  work.kind = "squares";
  work.worker = squares(pool, "squares", "").value();
  work.count = count;
  work.numbers = numbers_from(5, count);
  return work;
}

class RanksOf : public testing::TestWithParam<int> {};

TEST_P(RanksOf, AnswerEveryNumberOnce) {
  Family family(GetParam());
  ThreadPool pool(2);
  for (int again = 0; again < 3; ++again) {
    SharedWork work = squares_of(pool, 500);
    std::map<std::uint64_t, std::string> found;
    work.take = [&](std::uint64_t number, std::string_view bytes) -> Result<bool> {
      EXPECT_TRUE(found.emplace(number, bytes).second) << number;
      return true;
    };
    ASSERT_TRUE(family.ranks().share(work).ok());
    ASSERT_EQ(found.size(), 500u);
    for (const auto& [number, answer] : found) EXPECT_EQ(answer, square_of(number));
  }
}

TEST_P(RanksOf, AnswerInOrderWhereThatIsAskedForAndNoMoreThanThat) {
  Family family(GetParam());
  ThreadPool pool(2);
  SharedWork work = squares_of(pool, 0);
  // Without an end: only "enough" ends it.
  work.count.reset();
  work.numbers = numbers_from(5, ~std::uint64_t{0} - 5);
  work.in_order = true;
  std::uint64_t next = 5;
  work.take = [&](std::uint64_t number, std::string_view bytes) -> Result<bool> {
    EXPECT_EQ(number, next++);
    EXPECT_EQ(bytes, square_of(number));
    return number < 204;
  };
  ASSERT_TRUE(family.ranks().share(work).ok());
  EXPECT_EQ(next, 205u);
  // And the next work has nothing to do with it.
  SharedWork more = squares_of(pool, 50);
  std::set<std::uint64_t> found;
  more.take = [&](std::uint64_t number, std::string_view) -> Result<bool> {
    found.insert(number);
    return true;
  };
  ASSERT_TRUE(family.ranks().share(more).ok());
  EXPECT_EQ(found.size(), 50u);
}

TEST_P(RanksOf, EndAtAnErrorOfWhoeverTakesTheAnswers) {
  Family family(GetParam());
  ThreadPool pool(2);
  SharedWork work = squares_of(pool, 500);
  work.take = [&](std::uint64_t, std::string_view) -> Result<bool> {
    return Error{"the disk is full", {}, ErrorKind::failure};
  };
  const Status status = family.ranks().share(work);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "the disk is full");
}

TEST_P(RanksOf, HaveNothingToDoWithoutNumbers) {
  Family family(GetParam());
  ThreadPool pool(2);
  SharedWork work = squares_of(pool, 0);
  work.take = [&](std::uint64_t, std::string_view) -> Result<bool> { return true; };
  EXPECT_TRUE(family.ranks().share(work).ok());
}

INSTANTIATE_TEST_SUITE_P(Processes, RanksOf, testing::Values(1, 2, 4));

TEST(Ranks, AnErrorOfOneRankIsTheErrorOfTheWork) {
  Family family(3);
  ThreadPool pool(1);
  SharedWork work = squares_of(pool, 1'000'000'000);
  work.order = "error";
  work.take = [&](std::uint64_t, std::string_view) -> Result<bool> { return true; };
  const Status status = family.ranks().share(work);
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(status.error().message == "rank 1: has no squares" ||
              status.error().message == "rank 2: has no squares")
      << status.error().message;
}

TEST(Ranks, WhoHasDiedIsNamed) {
  Family family(3);
  family.kill_one();
  // Rank 1 may be too slow to say that it lives.
  const auto lost = family.ranks().lost();
  EXPECT_NE(std::find(lost.begin(), lost.end(), "rank 2"), lost.end());
}

TEST(Ranks, AreFoundInTheEnvironment) {
  const auto with = [](std::initializer_list<std::pair<const char*, const char*>> variables) {
    for (const auto& [name, value] : variables) setenv(name, value, 1);
    const auto found = find_launch();
    for (const auto& variable : variables) unsetenv(variable.first);
    return found ? std::pair(found->rank, found->size) : std::pair(-1, 1);
  };
  EXPECT_EQ(with({}), std::pair(-1, 1));
  EXPECT_EQ(with({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "2"}}), std::pair(2, 4));
  EXPECT_EQ(with({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}), std::pair(-1, 1));
  EXPECT_EQ(with({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}}), std::pair(0, 3));
  EXPECT_EQ(with({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "7"}}), std::pair(7, 8));
  // The script that sbatch runs is one process.
  EXPECT_EQ(with({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}), std::pair(-1, 1));
  EXPECT_EQ(with({{"OMPI_COMM_WORLD_SIZE", "four"}, {"OMPI_COMM_WORLD_RANK", "2"}}),
            std::pair(-1, 1));
}

}  // namespace
}  // namespace damier
