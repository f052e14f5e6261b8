# install rules, find_package(damier) and pkg-config. Everything installed finds the rest from where it
# lies, so that a prefix can be moved.

include(CMakePackageConfigHelpers)

set_target_properties(damier_app PROPERTIES EXPORT_NAME app)
set_target_properties(damier_testing PROPERTIES EXPORT_NAME testing)
install(TARGETS damier damier_app damier_testing EXPORT damier-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(damier_program PROPERTIES INSTALL_RPATH $ORIGIN/${libraries})
install(TARGETS damier_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET damier_mpi)
  install(TARGETS damier_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/damier)
endif()
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/damier
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

file(RELATIVE_PATH DAMIER_PREFIX_FROM_PC
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(name damier damier-app damier-testing)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
