# Settings that hold for every target: C++20, warnings as errors, one portable instruction set.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# The rooms and the tests ask for more or less than this.
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

# Two levels: what must run fast is compiled with -O3, everything else with what compiles quickly.
set(DAMIER_QUICK_BUILD $<$<CONFIG:Release>:-O1>)

# Most of a compiler's time goes into reading headers. These are read once for a level; none of ours
# is among them, so that a change of ours does not rebuild everything.
function(damier_precompiled_headers target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <filesystem> <functional> <map>
    <memory> <mutex> <optional> <span> <string> <string_view> <thread> <utility> <variant> <vector>
    <fmt/format.h> ${ARGN})
  # GCC 12 finds faults in std::string and std::vector when their headers are precompiled.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
endfunction()

# Compiles the named files as one: each template that they share is then instantiated and optimised
# once. Not in debug and sanitizer builds: they compile every file alone, and so show one that lacks
# an include. Names in anonymous namespaces must differ within a group.
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(together OFF)
else()
  set(together ON)
endif()
option(DAMIER_TOGETHER "Compile groups of files as one" ${together})
function(damier_together group)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
endfunction()

# Does so for all files of a target, by folder, at most `size` at a time. With FOLDERS_MIX all folders
# but those of games, in which the same names come again, count as one: every group reads the
# headers that its files share once, and they are the larger part of a small group's time.
function(damier_folders_together target size)
  if(NOT DAMIER_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(group ${source} UNITY_GROUP)
    get_source_file_property(alone ${source} COMPILE_OPTIONS)
    if(group OR alone OR NOT source MATCHES "^[a-z]")
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    if("FOLDERS_MIX" IN_LIST ARGN AND NOT folder MATCHES "^(${DAMIER_GAME_FOLDERS})$")
      set(folder "")
    endif()
    string(MAKE_C_IDENTIFIER "${target}_${folder}" name)
    math(EXPR number "${count_${name}} + 0")
    math(EXPR count_${name} "${number} + 1")
    math(EXPR part "${number} / ${size}")
    damier_together(${name}_${part} ${source})
  endforeach()
endfunction()

# Every source below this folder; the build is configured anew when one comes or goes. (A glob with
# CONFIGURE_DEPENDS would leave Ninja work to do every time.)
function(damier_sources_below variable pattern)
  file(GLOB_RECURSE found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} LIST_DIRECTORIES true *)
  set(folders ${CMAKE_CURRENT_SOURCE_DIR})
  set(sources "")
  foreach(path IN LISTS found)
    if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${path})
      list(APPEND folders ${CMAKE_CURRENT_SOURCE_DIR}/${path})
    elseif(path MATCHES "${pattern}")
      list(APPEND sources ${path})
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folders})
  list(SORT sources)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# The options of a file for wider instructions than the rest, by the ending of its name. It is called
# only after asking can_run(); it may define functions of external or internal linkage, but no
# shared inline ones (the test PortableObjects checks it).
set(damier_wide_bmi2 -mpopcnt -mbmi -mbmi2)
set(damier_wide_sse42 -msse4.2)
set(damier_wide_avx2 -mavx2)
set(damier_wide_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)

# A room of src/: the object library damier_room_NAME of all sources below this folder, `fast` or
# `quick` to compile, with what was GENERATED, without the sources whose path matches EXCEPT.
function(damier_room name level)
  cmake_parse_arguments(arg "" "EXCEPT" "GENERATED" ${ARGN})
  damier_sources_below(sources "\\.cc$")
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
  endif()
  set(wide "_(bmi2|sse42|avx2|avx512)\\.cc$")
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER sources EXCLUDE REGEX "${wide}")
  endif()
  add_library(damier_room_${name} OBJECT ${sources} ${arg_GENERATED})
  foreach(source IN LISTS sources)
    if(source MATCHES "${wide}")
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS ${damier_wide_${CMAKE_MATCH_1}})
      set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
  target_link_libraries(damier_room_${name} PRIVATE damier_sources)
  target_precompile_headers(damier_room_${name} REUSE_FROM damier_${level}_headers)
  target_compile_options(damier_room_${name} PRIVATE
    $<TARGET_PROPERTY:damier_${level}_headers,COMPILE_OPTIONS>)
  damier_folders_together(damier_room_${name} 12 FOLDERS_MIX)
endfunction()

# The files of a folder become a table of name and text in the library, so that they are found by
# name wherever it is installed.
function(damier_text_table folder template)
  set(patterns ${ARGN})
  if(NOT patterns)
    set(patterns *.json *.txt)
  endif()
  list(TRANSFORM patterns PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  file(GLOB files ${patterns})
  list(SORT files)
  set(TEXT_TABLE "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND TEXT_TABLE "    {\"${name}\", R\"DATA(${text})DATA\"},\n")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files} ${PROJECT_SOURCE_DIR}/${folder})
  get_filename_component(source ${template} NAME_WLE)
  configure_file(${template} ${source} @ONLY)
endfunction()
