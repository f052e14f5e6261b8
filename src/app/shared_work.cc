#include "damier/app/shared_work.h"

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/learn/rows/numbered_rows.h"
#include "damier/learn/sources/self_play/shared_games.h"
#include "damier/play/contest/games.h"

namespace damier::app {

namespace {

constexpr int kSpeakingMilliseconds = 500;

Result<Worker> worker_for(const Context& context, ThreadPool& pool, std::string_view kind,
                          std::string_view order) {
  const learn::Registry& registry = context.registry;
  if (kind == learn::kSelfPlayWork) return learn::self_play_worker(order, registry.tasks(), pool);
  if (kind == learn::kGenerateWork) return learn::generate_worker(order, registry.tasks(), pool);
  if (kind == play::kContestWork) return play::contest_worker(order, registry, pool);
  if (kind == play::kEvaluationWork) return play::evaluation_worker(order, registry, pool);
  return Error{fmt::format("unknown kind of work '{}'", kind), {}, ErrorKind::failure};
}

Error not_shared(const Command& command, const Launch& launch) {
  std::vector<std::string> names;
  for (const Command& known : commands()) {
    if (known.shares_work) names.emplace_back(known.name);
  }
  return {
      fmt::format("{} would be done {} times, by each of the processes that were started; "
                  "expected one of {}, which share their work",
                  command.name, launch.size, join(names, ", "))};
}

}  // namespace

int run_among_ranks(const Command& command, Context& context, const Action& action) {
  const auto act = [&action] {
    const auto code = action();
    return code ? *code : report(code.error());
  };
  const auto launch = find_launch();
  if (!launch) return act();
  if (!command.shares_work) return report(not_shared(command, *launch));
  auto messenger = join_ranks(*launch);
  if (!messenger) {
    const int code = report(messenger.error());
    if (launch->rank == 0) return code;
    // Whoever started the ranks may end them all at once: rank 0 speaks first.
    wait_a_while(kSpeakingMilliseconds);
    return kFailed;
  }
  Ranks ranks(*std::move(messenger));
  context.ranks = &ranks;
  if (ranks.rank() == 0) return act();
  ThreadPool pool(context.thread_count());
  ranks.serve([&](std::string_view kind, std::string_view order) {
    return worker_for(context, pool, kind, order);
  });
  return kDone;
}

}  // namespace damier::app
