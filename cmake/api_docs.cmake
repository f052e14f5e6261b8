# `cmake --build build/release --target docs`: the API reference, from the comments of the headers that
# are installed. A warning of doxygen is an error.
find_program(DOXYGEN_PROGRAM doxygen)
if(DOXYGEN_PROGRAM)
  configure_file(cmake/Doxyfile.in Doxyfile @ONLY)
  add_custom_target(docs
    COMMAND ${DOXYGEN_PROGRAM} ${CMAKE_CURRENT_BINARY_DIR}/Doxyfile
    COMMENT "The API reference: ${CMAKE_CURRENT_BINARY_DIR}/api/html/index.html" VERBATIM)
else()
  add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E echo "the API reference needs doxygen: apt-get install doxygen"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
