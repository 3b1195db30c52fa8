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

# The manual page and the completion scripts are what the built compiler prints about itself.
function(smec_install_printed file folder)
    set(path ${PROJECT_BINARY_DIR}/printed/${file})
    add_custom_command(OUTPUT ${path} COMMAND smec ${ARGN} > ${path} DEPENDS smec VERBATIM)
    set_property(TARGET smec_printed APPEND PROPERTY SOURCES ${path})
    install(FILES ${path} DESTINATION ${folder})
endfunction()
if(TARGET smec)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/printed)
    add_custom_target(smec_printed ALL)
    smec_install_printed(smec.1 share/man/man1 man)
    smec_install_printed(smec share/bash-completion/completions completion bash)
    smec_install_printed(_smec share/zsh/site-functions completion zsh)
    smec_install_printed(smec.fish share/fish/vendor_completions.d completion fish)
endif()

install(EXPORT smecTargets NAMESPACE smec:: DESTINATION lib/cmake/smec)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/smecConfig.cmake.in ${PROJECT_BINARY_DIR}/smecConfig.cmake
    INSTALL_DESTINATION lib/cmake/smec)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/smecConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/smecConfig.cmake ${PROJECT_BINARY_DIR}/smecConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/SmeAddSimulator.cmake
    DESTINATION lib/cmake/smec)

configure_file(${PROJECT_SOURCE_DIR}/cmake/smec.pc.in ${PROJECT_BINARY_DIR}/smec.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/smec.pc DESTINATION lib/pkgconfig)
