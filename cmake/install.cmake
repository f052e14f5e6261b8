# install rules, find_package(damier) and pkg-config.

include(CMakePackageConfigHelpers)

install(TARGETS damier EXPORT damier-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS damier_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/base src/nn src/games src/search src/solve src/learn src/arena src/lab src/report
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/damier
  FILES_MATCHING PATTERN "*.h" PATTERN "*_kernel.h" EXCLUDE PATTERN "*_body.h" EXCLUDE)

install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/damier)

set(DAMIER_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/damier)
install(EXPORT damier-targets NAMESPACE damier:: DESTINATION ${DAMIER_CMAKE_DIR})
configure_package_config_file(cmake/damier-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/damier-config.cmake INSTALL_DESTINATION ${DAMIER_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/damier-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/damier-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/damier-config-version.cmake
  DESTINATION ${DAMIER_CMAKE_DIR})

configure_file(cmake/damier.pc.in damier.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/damier.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
