// The queue of the server's thoughts ends whatever is thought about.

#include "damier/app/serve/searches.h"

#include <latch>

#include <gtest/gtest.h>

#include "damier/base/files/interrupt.h"

namespace damier::app::serve {
namespace {

TEST(SearchQueue, EndsWithThoughtsInProgressAndWaiting) {
  for (int i = 0; i < 200; ++i) {
    EventLog events;
    std::latch thinking(2);
    std::atomic<int> answers = 0;
    {
      SearchQueue queue({.threads = 2}, events);
      for (int search = 0; search < 3; ++search) {
        queue.add({.page = {},
                   .task = {},
                   .think =
                       [&](search::Watch&) {
                         thinking.count_down();
                         while (!interrupted()) std::this_thread::yield();
                         return HttpReply{};
                       },
                   .respond = [&](HttpReply) { ++answers; }});
      }
      thinking.wait();
    }
    EXPECT_EQ(answers, 2);  // who still waits is not thought for
  }
}

}  // namespace
}  // namespace damier::app::serve
