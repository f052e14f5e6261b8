// What is known of other processes before any of them is spoken to.

#include "damier/base/parallel/messenger.h"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>

#include "damier/base/parallel/isa.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"

namespace damier {

namespace {

std::optional<int> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return parse_number<int>(text);
}

// The module stands where the program was built, or where it was installed.
OpenMpi find_mpi_module() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const std::filesystem::path& folder :
       {program / DAMIER_MODULES_INSTALLED, std::filesystem::path(DAMIER_MODULES_BUILT)}) {
    const auto file = folder / "damier_mpi.so";
    if (!std::filesystem::exists(file, ignored)) continue;
    // MPI loads modules of its own, which look for its names.
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) continue;
    return reinterpret_cast<OpenMpi>(dlsym(module, kOpenMpiName));
  }
  return nullptr;
}

}  // namespace

std::optional<Launch> find_launch() {
  // Open MPI's mpirun; those of MPICH and Intel, and srun --mpi=pmi2; srun itself. What sbatch sets
  // is not among them: the script that it runs is one process.
  constexpr const char* kVariables[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                           {"PMI_SIZE", "PMI_RANK"},
                                           {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
  for (const auto& [size_name, rank_name] : kVariables) {
    const auto size = number_in_environment(size_name), rank = number_in_environment(rank_name);
    if (!size || !rank) continue;
    if (*size > 1) return Launch{*rank, *size};
    return std::nullopt;
  }
  return std::nullopt;
}

Result<std::unique_ptr<Messenger>> join_ranks(const Launch& launch) {
  const OpenMpi open = find_mpi_module();
  if (open == nullptr) {
    return Error{fmt::format(
        "started as one of {} processes, but without MPI; expected to run alone, or libopenmpi-dev "
        "and openmpi-bin when Damier is built",
        launch.size)};
  }
  constexpr Isa kVectorIsas[] = {Isa::sse42, Isa::avx2, Isa::avx512};
  MpiJoin join = {launch.size,
                  fmt::format("{} by {}", version_text(), build_compiler()),
                  {can_run(Isa::sse42), can_run(Isa::avx2), can_run(Isa::avx512)}};
  std::unique_ptr<Messenger> messenger(open(join));
  if (messenger == nullptr) return Error{join.error};
  for (std::size_t i = 0; i < std::size(kVectorIsas); ++i) {
    if (join.vector_instructions[i] == 0) do_without(kVectorIsas[i]);
  }
  return messenger;
}

}  // namespace damier
