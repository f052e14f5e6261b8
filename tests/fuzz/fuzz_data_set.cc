// Data sets: a file that is opened can be read to its end, whatever it holds.

#include "tests/fuzz/target.h"
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "damier/learn/rows/data_set.h"

using namespace damier;

DAMIER_FUZZ_TARGET(data_set, input) {
  const int file = memfd_create("data", MFD_CLOEXEC);
  fuzz::require(file >= 0 && write(file, input.data(), input.size()) == std::ssize(input),
                "the input can be held in a file");
  const auto set = learn::DataSet::open(fmt::format("/proc/self/fd/{}", file));
  if (!set) {
    fuzz::require_one_line(set.error().text());
  } else {
    if (const auto status = learn::check_data_set(*set); !status) {
      fuzz::require_one_line(status.error().text());
    }
    for (std::size_t i = 0; i < set->columns().size(); ++i) {
      const auto values = set->values<float>(static_cast<int>(i), {0, set->row_count()});
      if (!values) fuzz::require_one_line(values.error().text());
    }
  }
  close(file);
}
