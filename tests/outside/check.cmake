# The library as a project outside sees it: installed, moved to another place, found there by CMake
# and by pkg-config; and as a subdirectory. Nothing helps it but CMAKE_PREFIX_PATH and
# PKG_CONFIG_PATH.
#   BUILD    the build folder of Damier          DAMIER  its sources
#   WORK     a folder to work in                 SOURCE  the project outside
#   CXX      the compiler                        FLAGS   what the library was compiled with, as sanitizers
file(REMOVE_RECURSE ${WORK})
unset(ENV{LD_LIBRARY_PATH})
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect(REGEX COMMAND…)
function(expect regex)
  run(${ARGN})
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "${ARGN} printed '${output}'; expected ${regex}")
  endif()
endfunction()

set(configure ${CMAKE_COMMAND} -S ${SOURCE} -G Ninja -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${FLAGS})

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
file(RENAME ${WORK}/installed ${prefix})

message("with find_package(damier)")
run(${configure} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK}/build)
expect("^3892\n$" ${WORK}/build/outside)
expect("\n5\n$" ${WORK}/build/outside_app perft fanorona 1)
expect("PASSED" ${WORK}/build/outside_tests)

message("with pkg-config")
file(GLOB_RECURSE pc ${prefix}/damier.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
function(build_with_pkg_config program package source)
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_folder} pkg-config --cflags --libs ${package})
  separate_arguments(options UNIX_COMMAND "${output}")
  run(${CXX} ${source} ${FLAGS} -o ${program} ${options})
endfunction()
build_with_pkg_config(${WORK}/with_library damier ${SOURCE}/main.cc)
expect("^3892\n$" ${WORK}/with_library)
build_with_pkg_config(${WORK}/with_app damier-app ${SOURCE}/app.cc)
expect("\n5\n$" ${WORK}/with_app perft fanorona 1)
run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_folder} pkg-config --exists --print-errors damier-testing)

# Compiling all of it once more takes minutes; examples/my_game does so, in ./test --all.
message("with add_subdirectory")
run(${configure} -B ${WORK}/build-with-sources -DDAMIER_SOURCE=${DAMIER})

message("the installed program")
expect("\n5\n$" ${prefix}/bin/damier perft fanorona 1)
expect("share/damier/models" ${prefix}/bin/damier models --json)
