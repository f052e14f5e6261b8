#include "damier/base/parallel/ranks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "damier/base/files/bytes.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/base/text/text.h"

namespace damier {

namespace {

// How long the thread that speaks with other ranks sleeps between two looks at what there is to
// hear and to say: messages wake nobody up, and many small ones would cost more than a few large
// ones. What is under way hides it: every rank has some numbers more than it has room for.
constexpr std::chrono::microseconds kMessagePause{500};
// And who waits for a number, which an interrupt does not wake up.
constexpr std::chrono::milliseconds kNumberPause{20};
// How long to wait for final messages after an interrupt; mpirun kills the ranks soon after.
constexpr double kLastWordSeconds = 0.4;
// Work without an end goes this many times as far ahead of the first missing answer as all ranks
// have room for.
constexpr std::uint64_t kAhead = 4;

// What a message says, in its first byte. The second field is the order that it belongs to.
enum class Word : std::uint8_t {
  // From rank 0.
  order,    // kind, order
  numbers,  // numbers
  over,     // no more numbers for this order; those that wait are not needed
  quit,
  // To rank 0.
  ready,    // room: the worker is made
  answers,  // number and bytes, each
  error,    // kind of error, message
  stopped,  // interrupted: the last word of a rank
};

ByteWriter message(Word word, std::uint64_t order) {
  ByteWriter bytes;
  bytes.number(static_cast<std::uint8_t>(word)).number(order);
  return bytes;
}

// Runs a worker; whatever goes wrong is an error.
Status run_worker(const Worker& worker, NumberedWork& work) {
  try {
    return worker.run(work);
  } catch (const std::bad_alloc&) {
    return Error{"out of memory", {}, ErrorKind::failure};
  } catch (const std::exception& error) {
    return Error{error.what(), {}, ErrorKind::failure};
  }
}

// A worker on a thread of its own, while the main thread speaks with the other ranks.
class WorkerAside {
 public:
  WorkerAside(const Worker& worker, NumberedWork& work)
      : thread_(start_thread([this, &worker, &work](const std::stop_token&) {
          Status status = run_worker(worker, work);
          const std::lock_guard lock(mutex_);
          status_ = std::move(status);
        })) {
    if (!thread_.joinable()) status_ = Status(Done{});  // others do it all
  }
  // What it came to; nothing while it is at work.
  std::optional<Status> result() {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  std::mutex mutex_;
  std::optional<Status> status_;  // guarded by mutex_
  std::jthread thread_;
};

// Rank 0's book of what is given out and answered. It is also the work of its own threads.
class Distribution final : public NumberedWork {
 public:
  Distribution(const SharedWork& work, int ranks)
      : work_(work), in_hand_(static_cast<std::size_t>(ranks)), room_(work.worker.room) {}

  std::optional<std::uint64_t> next() override { return give(0); }

  bool wait() override {
    std::unique_lock lock(mutex_);
    while (!interrupted() && !over_) {
      if (may_give(0)) return true;
      if (exhausted()) return false;
      changed_.wait_for(lock, kNumberPause);
    }
    return false;
  }

  void answer(std::uint64_t number, std::string bytes) override {
    answer_of(0, number, std::move(bytes));
  }

  std::optional<std::uint64_t> give(std::size_t rank) {
    const std::lock_guard lock(mutex_);
    if (!may_give(rank)) return std::nullopt;
    const std::uint64_t number = *std::exchange(next_, std::nullopt);
    ++in_hand_[rank];
    places_.emplace(number, given_++);
    if (work_.in_order) waiting_.emplace_back();
    return number;
  }

  void answer_of(std::size_t rank, std::uint64_t number, std::string bytes) {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(number);
    if (place == places_.end()) return;  // of no use any more
    --in_hand_[rank];
    ++answered_;
    if (work_.in_order) {
      waiting_[place->second - taken_] = {number, std::move(bytes)};
      for (; !waiting_.empty() && waiting_.front(); ++taken_) {
        take(waiting_.front()->first, waiting_.front()->second);
        waiting_.pop_front();
      }
    } else {
      take(number, bytes);
    }
    places_.erase(place);
    changed_.notify_all();
  }

  // Another rank has joined.
  void add_room(std::uint64_t room) {
    const std::lock_guard lock(mutex_);
    room_ += room;
  }
  // How many numbers a rank holds.
  std::uint64_t in_hand(std::size_t rank) {
    const std::lock_guard lock(mutex_);
    return in_hand_[rank];
  }
  // All is answered, or nothing more is wanted.
  bool is_done() {
    const std::lock_guard lock(mutex_);
    return over_ || (exhausted() && answered_ == given_);
  }
  void end() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }
  Status status() {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  // No rank holds more than its even part of what is unanswered, so that the last numbers are
  // spread over all.
  bool may_give(std::size_t rank) {
    if (over_ || exhausted()) return false;
    const std::uint64_t ranks = in_hand_.size();
    const std::uint64_t done = work_.in_order ? taken_ : answered_;
    if (!work_.count) return given_ - done < kAhead * room_;
    const std::uint64_t unanswered = *work_.count - answered_;
    return in_hand_[rank] < (unanswered + ranks - 1) / ranks;
  }
  // Looks one number ahead.
  bool exhausted() {
    if (!next_ && !ended_) next_ = work_.numbers();
    ended_ = !next_;
    return ended_;
  }
  void take(std::uint64_t number, std::string_view bytes) {
    if (over_) return;
    auto goes_on = work_.take(number, bytes);
    if (!goes_on) status_ = std::move(goes_on).error();
    over_ = !status_.ok() || !*goes_on;
  }

  const SharedWork& work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  std::optional<std::uint64_t> next_;
  bool ended_ = false, over_ = false;
  Status status_ = Done{};
  std::vector<std::uint64_t> in_hand_;  // by rank
  std::uint64_t room_;                  // of all
  std::unordered_map<std::uint64_t, std::uint64_t>
      places_;  // unanswered numbers: position in hand-out order
  std::uint64_t given_ = 0, answered_ = 0, taken_ = 0;
  std::deque<std::optional<std::pair<std::uint64_t, std::string>>> waiting_;  // from taken_ on
};

struct BookEnd {
  explicit BookEnd(Distribution& ended) : book(ended) {}
  ~BookEnd() { book.end(); }
  Distribution& book;
};

// Numbers that came from rank 0, and answers on their way to it.
class RemoteWork final : public NumberedWork {
 public:
  std::optional<std::uint64_t> next() override {
    const std::lock_guard lock(mutex_);
    if (numbers_.empty()) return std::nullopt;
    const std::uint64_t number = numbers_.front();
    numbers_.pop_front();
    return number;
  }
  bool wait() override {
    std::unique_lock lock(mutex_);
    while (!interrupted() && !over_) {
      if (!numbers_.empty()) return true;
      changed_.wait_for(lock, kNumberPause);
    }
    return false;
  }
  // Wakes nobody up: short games would do so ten thousand times a second. They leave together.
  void answer(std::uint64_t number, std::string bytes) override {
    const std::lock_guard lock(mutex_);
    answers_.emplace_back(number, std::move(bytes));
  }

  void add(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (!over_) numbers_.push_back(number);
    changed_.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    numbers_.clear();
    changed_.notify_all();
  }
  std::vector<std::pair<std::uint64_t, std::string>> take_answers() {
    const std::lock_guard lock(mutex_);
    return std::exchange(answers_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::uint64_t> numbers_;  // all guarded by mutex_
  std::vector<std::pair<std::uint64_t, std::string>> answers_;
  bool over_ = false;
};

// An order under way on another rank than 0.
struct OrderInHand {
  OrderInHand(std::uint64_t of, Worker by)
      : order(of), worker(std::move(by)), aside(worker, work) {}
  ~OrderInHand() { work.end(); }

  std::uint64_t order;
  Worker worker;
  RemoteWork work;
  WorkerAside aside;
};

}  // namespace

Worker each_number(ThreadPool& pool, std::function<Answerer()> make) {
  const auto run = [&pool, make = std::move(make)](NumberedWork& work) -> Status {
    pool.for_each(static_cast<std::size_t>(pool.size()), [&](std::size_t) {
      Answerer answerer;
      while (work.wait()) {
        const auto number = work.next();
        if (!number) continue;  // another thread was faster
        if (!answerer) answerer = make();
        std::string bytes = answerer(*number);
        if (!interrupted()) work.answer(*number, std::move(bytes));
      }
    });
    return Done{};
  };
  return {static_cast<std::uint64_t>(pool.size()), run};
}

std::function<std::optional<std::uint64_t>()> numbers_from(std::uint64_t first,
                                                           std::uint64_t count) {
  return [next = first, end = first + count]() mutable -> std::optional<std::uint64_t> {
    if (next == end) return std::nullopt;
    return next++;
  };
}

Ranks& no_other_ranks() {
  static Ranks alone;
  return alone;
}

Ranks::~Ranks() {
  if (!messenger_) return;
  if (messenger_->rank() == 0) end_others();
  if (!incomplete_) messenger_->close();
}

void Ranks::end_others() {
  if (!std::exchange(ended_, true)) tell_others(message(Word::quit, 0).take());
}

void Ranks::tell_others(const std::string& bytes) {
  for (int rank = 1; rank < messenger_->size(); ++rank) messenger_->send(rank, bytes);
}

Status Ranks::share(const SharedWork& work) {
  if (messenger_) return share_with_others(work);
  Distribution book(work, 1);
  TRY(run_worker(work.worker, book));
  TRY(book.status());
  return interrupted() && !book.is_done() ? Status(interruption()) : Status(Done{});
}

Status Ranks::share_with_others(const SharedWork& work) {
  const std::uint64_t order = ++orders_;
  const auto ranks = static_cast<std::size_t>(messenger_->size());
  Distribution book(work, messenger_->size());
  tell_others(message(Word::order, order).text(work.kind).text(work.order).take());
  std::vector<std::uint64_t> room(ranks);     // none before a rank is ready
  std::vector<std::uint64_t> brought(ranks);  // answers in a rank's last message
  Status status = Done{};
  const auto fill = [&](std::size_t rank) {
    // Some more than there is room for: they are at hand while an answer is on its way.
    const std::uint64_t more = std::max(room[rank] / 4 + 1, 2 * brought[rank]);
    const std::uint64_t wanted = room[rank] == 0 ? 0 : room[rank] + more;
    std::vector<std::uint64_t> given;
    while (book.in_hand(rank) < wanted) {
      const auto number = book.give(rank);
      if (!number) break;
      given.push_back(*number);
    }
    if (given.empty()) return;
    ByteWriter bytes = message(Word::numbers, order);
    for (const std::uint64_t number : given) bytes.number(number);
    messenger_->send(static_cast<int>(rank), bytes.take());
  };
  const auto hear = [&](const RankMessage& heard) {
    ByteReader bytes(heard.bytes);
    const auto word = static_cast<Word>(bytes.number<std::uint8_t>());
    const auto of = bytes.number<std::uint64_t>();
    const auto from = static_cast<std::size_t>(heard.from);
    if (word == Word::stopped) {
      said_goodbye_.insert(heard.from);
      return interrupt();
    }
    if (of != order) return;  // an answer that came when there was enough
    if (word == Word::ready) {
      room[from] = bytes.number<std::uint64_t>();
      book.add_room(room[from]);
    }
    if (word == Word::error && status.ok()) {
      const auto kind = static_cast<ErrorKind>(bytes.number<std::uint8_t>());
      status = Error{fmt::format("{}: {}", messenger_->name(heard.from), bytes.text()), {}, kind};
    }
    if (word == Word::answers) brought[from] = 0;
    while (word == Word::answers && !bytes.at_end()) {
      ++brought[from];
      const auto number = bytes.number<std::uint64_t>();
      book.answer_of(from, number, std::string(bytes.text()));
    }
  };
  {
    WorkerAside aside(work.worker, book);
    const BookEnd end(book);  // before the worker is waited for
    while (!book.is_done() && !interrupted() && status.ok()) {
      while (const auto heard = messenger_->receive()) hear(*heard);
      for (std::size_t rank = 1; rank < ranks; ++rank) fill(rank);
      if (auto own = aside.result(); own && !own->ok()) status = *std::move(own);
      std::this_thread::sleep_for(kMessagePause);
    }
  }
  tell_others(message(Word::over, order).take());
  if (!status) return status;
  if (status = book.status(); !status) return status;
  return interrupted() ? Status(interruption()) : Status(Done{});
}

std::vector<std::string> Ranks::lost() {
  if (!messenger_) return {};
  end_others();
  const auto others = static_cast<std::size_t>(messenger_->size() - 1);
  for (const Stopwatch watch;
       said_goodbye_.size() < others && watch.seconds() < kLastWordSeconds;) {
    const auto heard = messenger_->receive();
    if (!heard) {
      std::this_thread::sleep_for(kMessagePause);
      continue;
    }
    const auto word = static_cast<Word>(ByteReader(heard->bytes).number<std::uint8_t>());
    if (word == Word::stopped) said_goodbye_.insert(heard->from);
  }
  std::vector<std::string> names;
  for (int rank = 1; rank < messenger_->size(); ++rank) {
    if (!said_goodbye_.contains(rank)) names.push_back(messenger_->name(rank));
  }
  incomplete_ = !names.empty();
  return names;
}

void Ranks::serve(const MakeWorker& make) {
  std::unique_ptr<OrderInHand> hand;
  const auto tell_error = [&](std::uint64_t order, const Error& error) {
    ByteWriter bytes = message(Word::error, order);
    bytes.number(static_cast<std::uint8_t>(error.kind)).text(error.text());
    messenger_->send(0, bytes.take());
  };
  const auto begin = [&](std::uint64_t order, std::string_view kind, std::string_view text) {
    hand.reset();
    auto worker = make(kind, text);
    if (!worker) return tell_error(order, worker.error());
    hand = std::make_unique<OrderInHand>(order, *std::move(worker));
    messenger_->send(0, message(Word::ready, order).number(hand->worker.room).take());
  };
  bool quit = false;
  while (!quit && !interrupted()) {
    bool quiet = true;
    while (const auto heard = messenger_->receive()) {
      quiet = false;
      ByteReader bytes(heard->bytes);
      const auto word = static_cast<Word>(bytes.number<std::uint8_t>());
      const auto order = bytes.number<std::uint64_t>();
      if (word == Word::order) {
        const std::string_view kind = bytes.text();
        begin(order, kind, bytes.text());
      }
      while (word == Word::numbers && hand && !bytes.at_end()) {
        hand->work.add(bytes.number<std::uint64_t>());
      }
      if (word == Word::over && hand) hand->work.end();
      quit = quit || word == Word::quit;
    }
    if (!hand) {
      if (quiet) wait_a_while(1);
      continue;
    }
    if (const auto answers = hand->work.take_answers(); !answers.empty()) {
      ByteWriter bytes = message(Word::answers, hand->order);
      for (const auto& [number, answer] : answers) bytes.number(number).text(answer);
      messenger_->send(0, bytes.take());
    }
    const auto result = hand->aside.result();
    if (result && !result->ok()) {
      tell_error(hand->order, result->error());
      hand.reset();
    }
    std::this_thread::sleep_for(kMessagePause);
  }
  messenger_->send(0, message(Word::stopped, 0).take());
  interrupt();  // whatever is in hand is of no use any more
}

}  // namespace damier
