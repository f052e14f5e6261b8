# Installs Damier into WORK/prefix and builds the outside project against it, twice.
file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_perft program)
  run(${program})
  if(NOT output STREQUAL "3892\n")
    message(FATAL_ERROR "${program} printed '${output}'; expected 3892")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

message("with find_package(damier)")
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
expect_perft(${WORK}/build/outside)

message("with pkg-config")
file(GLOB_RECURSE pc ${prefix}/damier.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
# The prefix is where the build was told to install; this test put it elsewhere.
run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_folder}
    pkg-config --define-variable=prefix=${prefix} --cflags --libs damier)
separate_arguments(options UNIX_COMMAND "${output}")
run(${CXX} ${SOURCE}/main.cc ${FLAGS} -o ${WORK}/outside-pkg-config ${options})
expect_perft(${WORK}/outside-pkg-config)

message("the installed program")
run(${prefix}/bin/damier perft fanorona 1)
if(NOT output MATCHES "\n5\n$")
  message(FATAL_ERROR "the installed program printed '${output}'")
endif()
