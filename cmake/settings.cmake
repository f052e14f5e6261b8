# Settings that hold for every target: C++20, warnings as errors, one portable instruction set.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# What gains from -O3, by up to a tenth, asks for it: it costs as much in compiling.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# GCC collects its garbage above 128 MB, which takes a twelfth of its time and saves little memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1000000)
endif()

option(DAMIER_WERROR "Treat warnings as errors" ON)
set(DAMIER_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, such as address,undefined")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)  # ccache cannot see into precompiled headers otherwise
  endif()
endif()

add_library(damier_settings INTERFACE)
target_compile_options(damier_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${DAMIER_WERROR}>:-Werror>
  # GCC 12 takes designated initialisers that rely on default member values for an oversight.
  -Wno-missing-field-initializers
  # GCC 12 sees overlaps in std::string's operator+ that are not there (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Which variants and optionals GCC takes for uninitialised changes with every version.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized>)
if(DAMIER_SANITIZE)
  target_compile_options(damier_settings INTERFACE
    -fsanitize=${DAMIER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(damier_settings INTERFACE -fsanitize=${DAMIER_SANITIZE})
endif()

# What a build saves is worth more than speed: for code that nobody waits for, and for tests and
# examples, which search and learn with games of their own.
set(DAMIER_QUICK_BUILD $<$<CONFIG:Release>:-Og>)
set(DAMIER_TEST_BUILD $<$<CONFIG:Release>:-O1>)

# Most of a compiler's time goes into reading headers. These are read once for a target; none of
# ours is among them, so that a change of ours does not rebuild everything.
function(damier_precompiled_headers target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <map>
    <memory> <mutex> <optional> <span> <string> <string_view> <thread> <utility> <variant> <vector>
    <fmt/format.h> ${ARGN})
  # GCC 12 finds faults in std::string and std::vector when their headers are precompiled.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
endfunction()

# Compiles the named files of a target as one: each template that they share is then instantiated and
# optimised once. Not in debug and sanitizer builds: they compile every file alone, and so show one
# that lacks an include. Names in anonymous namespaces must differ within a group.
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(together OFF)
else()
  set(together ON)
endif()
option(DAMIER_TOGETHER "Compile groups of files as one" ${together})
function(damier_together target group)
  if(DAMIER_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()

# Does so for all files of a target, by folder, at most `size` at a time.
function(damier_folders_together target size)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(group ${source} UNITY_GROUP)
    if(group OR NOT source MATCHES "^[a-z]")
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${target}_${folder}" name)
    math(EXPR number "${count_${name}} + 0")
    math(EXPR count_${name} "${number} + 1")
    math(EXPR part "${number} / ${size}")
    damier_together(${target} ${name}_${part} ${source})
  endforeach()
endfunction()

# Compiles a file for a wider instruction set than the rest. It is called only after asking
# cpu_features(); it may define functions of external or internal linkage, but no shared inline
# ones (the test PortableObjects checks it).
function(damier_wide_sources target source)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_sources(${target} PRIVATE ${source})
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${ARGN})
    set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    target_compile_definitions(${target} PRIVATE DAMIER_HAVE_WIDE_KERNELS)
  endif()
endfunction()
