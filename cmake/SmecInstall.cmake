# The layout smec relies on: bin/smec finds ../include, ../lib and ../share/smec/stdlib.
include(CMakePackageConfigHelpers)

set(smecTargets sme_runtime)
if(TARGET smec)
    list(APPEND smecTargets smec)
endif()
install(TARGETS ${smecTargets} EXPORT smecTargets
    RUNTIME DESTINATION bin
    ARCHIVE DESTINATION lib)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/sme DESTINATION include FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/stdlib/ DESTINATION share/smec/stdlib FILES_MATCHING PATTERN "*.sme")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/smec)

install(EXPORT smecTargets NAMESPACE smec:: DESTINATION lib/cmake/smec)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/smecConfig.cmake.in ${PROJECT_BINARY_DIR}/smecConfig.cmake
    INSTALL_DESTINATION lib/cmake/smec)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/smecConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/smecConfig.cmake ${PROJECT_BINARY_DIR}/smecConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SmeAddSimulator.cmake
    DESTINATION lib/cmake/smec)

configure_file(${PROJECT_SOURCE_DIR}/cmake/smec.pc.in ${PROJECT_BINARY_DIR}/smec.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/smec.pc DESTINATION lib/pkgconfig)
