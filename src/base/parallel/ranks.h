// Numbered work that several processes share. Rank 0 gives out numbers in small batches to the rank
// that has room for them, takes the answers, and answers numbers itself; the other ranks do what
// they are told. Who answers a number is chance, so an answer must follow from the order and the
// number alone. One process does the same work by the same code.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/parallel/messenger.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/result.h"

namespace damier {

// The numbers that a process has to do, and what it found; for all of its threads.
class NumberedWork {
 public:
  virtual ~NumberedWork() = default;
  // A number to do; nothing when there is none at the moment.
  virtual std::optional<std::uint64_t> next() = 0;
  // Waits until there is one; false when there will be none, or after an interrupt.
  virtual bool wait() = 0;
  virtual void answer(std::uint64_t number, std::string bytes) = 0;
};

// Does a process's part of the work, on as many threads as it likes, until wait() is false.
struct Worker {
  std::uint64_t room = 1;  // numbers that it can have in hand at once
  std::function<Status(NumberedWork&)> run;
};

// A worker that does one number after another on every thread of the pool; each thread that gets
// one makes an answerer of its own. An answer that an interrupt has cut short is thrown away.
using Answerer = std::function<std::string(std::uint64_t number)>;
Worker each_number(ThreadPool& pool, std::function<Answerer()> make);

struct SharedWork {
  std::string kind;   // by which other ranks know who does it
  std::string order;  // and what they must know to do it
  Worker worker;      // of this process
  // The numbers to do, in the order in which they are given out, until there are no more; and how
  // many there will be, where that is known.
  std::function<std::optional<std::uint64_t>()> numbers;
  std::optional<std::uint64_t> count = {};
  // Hears the answers, one at a time but on any thread; false: enough.
  std::function<Result<bool>(std::uint64_t number, std::string_view bytes)> take;
  // Answers come in the order in which the numbers were given out; nobody runs far ahead.
  bool in_order = false;
};

// `count` numbers from `first` on.
std::function<std::optional<std::uint64_t>()> numbers_from(std::uint64_t first,
                                                           std::uint64_t count);

class Ranks {
 public:
  Ranks() = default;  // this process alone
  explicit Ranks(std::unique_ptr<Messenger> messenger) : messenger_(std::move(messenger)) {}
  // The others end when rank 0 does.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return messenger_ ? messenger_->rank() : 0; }
  int size() const { return messenger_ ? messenger_->size() : 1; }
  // What a process should use unless it is told otherwise.
  int threads() const { return messenger_ ? messenger_->threads() : available_threads(); }

  // Rank 0: returns when all is done, when there was enough, or at the first error of any rank.
  Status share(const SharedWork& work);

  // Every other rank: does what rank 0 shares until that ends. `make` makes the worker for an
  // order.
  using MakeWorker = std::function<Result<Worker>(std::string_view kind, std::string_view order)>;
  void serve(const MakeWorker& make);

  // Rank 0, after an interrupt: who has died, as "rank 1 on HOST"; empty: none. The launcher of
  // the ranks interrupts those that are left when one dies. To be asked once, at the end.
  std::vector<std::string> lost();

 private:
  Status share_with_others(const SharedWork& work);
  void tell_others(const std::string& bytes);
  void end_others();

  std::unique_ptr<Messenger> messenger_;  // none: alone
  std::uint64_t orders_ = 0;              // that were given
  bool ended_ = false;                    // the others were told
  std::set<int> said_goodbye_;            // ranks
  bool incomplete_ = false;               // somebody has died: nobody waits for the rest
};

// For work that nobody shares.
Ranks& no_other_ranks();

}  // namespace damier
