# The layout smec relies on: bin/smec finds ../include, ../lib and ../share/smec/stdlib. The target smec builds all that is
# installed; where only smec-run was built (./sme run), installing says so and copies nothing.
include(CMakePackageConfigHelpers)

# Where its users have another C++ compiler than built it (SMEC_PACKAGE), simulators link the shared runtime alone.
if(SMEC_PACKAGE)
    set(runtimeTarget sme_runtime_shared)
    set_target_properties(sme_runtime PROPERTIES EXPORT_NAME static_runtime)
    set_target_properties(sme_runtime_shared PROPERTIES EXPORT_NAME runtime)
    target_include_directories(sme_runtime_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set(SME_LINK_WORDS " -Wl,-rpath,\${libdir}")
    if(SMEC_NINJA)
        install(PROGRAMS ${SMEC_NINJA} DESTINATION lib/smec)
    endif()
else()
    set(runtimeTarget sme_runtime)
endif()
set(smecTargets ${runtimeTarget})
if(TARGET smec)
    list(APPEND smecTargets smec)
endif()

# What the build makes: looked for before anything is copied, lest half of it arrives.
set(builtFiles "$<TARGET_FILE:${runtimeTarget}>")
foreach(target smec smec_signatures)
    if(TARGET ${target})
        list(APPEND builtFiles "$<TARGET_FILE:${target}>")
    endif()
endforeach()
if(TARGET smec)
    foreach(file smec.1 smec _smec smec.fish)
        list(APPEND builtFiles ${PROJECT_BINARY_DIR}/printed/${file})
    endforeach()
endif()
install(CODE "foreach(file IN ITEMS [==[$<JOIN:${builtFiles},]==] [==[>]==])
    if(NOT EXISTS \"\${file}\")
        message(FATAL_ERROR \"nothing was installed, since \${file} is not built; first: cmake --build ${PROJECT_BINARY_DIR}\")
    endif()
endforeach()")

install(TARGETS ${smecTargets} EXPORT smecTargets
    RUNTIME DESTINATION bin
    LIBRARY DESTINATION lib
    ARCHIVE DESTINATION lib)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/contract/include/sme ${PROJECT_SOURCE_DIR}/runtime/include/sme DESTINATION include FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.def")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/stdlib/ DESTINATION share/smec/stdlib FILES_MATCHING PATTERN "*.sme")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/smec)

if(TARGET smec_signatures)
    install(TARGETS smec_signatures LIBRARY DESTINATION lib/smec)
endif()

# The manual page and the completion scripts are what the built compiler prints about itself.
function(smec_install_printed file folder)
    set(path ${PROJECT_BINARY_DIR}/printed/${file})
    add_custom_command(TARGET smec POST_BUILD COMMAND smec ${ARGN} > ${path} BYPRODUCTS ${path} VERBATIM)
    install(FILES ${path} DESTINATION ${folder})
endfunction()
if(TARGET smec)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/printed)
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
              ${PROJECT_SOURCE_DIR}/cmake/SmeAddSimulator.cmake ${PROJECT_SOURCE_DIR}/cmake/SmeAddLibrary.cmake
    DESTINATION lib/cmake/smec)

configure_file(${PROJECT_SOURCE_DIR}/cmake/smec.pc.in ${PROJECT_BINARY_DIR}/smec.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/smec.pc DESTINATION lib/pkgconfig)
