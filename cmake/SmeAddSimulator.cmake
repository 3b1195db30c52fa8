# sme_add_simulator(target file.sme [TOP name] [DEFINES name=value...] [OPTIONS option...])
#
# Compiles file.sme to the simulator bin/<target> in the current binary directory, as part of `all`. It is compiled again
# when the file, a module it imports or a file it reads changes. DEFINES are constants of the top network, OPTIONS go to
# `smec compile` as they are. The path of the simulator is the target's property SME_SIMULATOR.

function(sme_add_simulator target file)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "TOP" "DEFINES;OPTIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sme_add_simulator: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    set(options ${arg_OPTIONS})
    foreach(define IN LISTS arg_DEFINES)
        list(APPEND options -G "${define}")
    endforeach()
    if(arg_TOP)
        list(PREPEND options --top "${arg_TOP}")
    endif()

    set(simulator "${CMAKE_CURRENT_BINARY_DIR}/bin/${target}")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bin")
    set(buildDir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.sme")
    add_custom_command(
        OUTPUT "${simulator}"
        COMMAND smec::smec compile "${file}" -o "${simulator}" --build-dir "${buildDir}"
                -MMD -MF "${buildDir}.d" ${options}
        DEPENDS "${file}" smec::smec
        DEPFILE "${buildDir}.d"
        COMMENT "Compiling ${target} with smec"
        VERBATIM)
    add_custom_target(${target} ALL DEPENDS "${simulator}")
    set_target_properties(${target} PROPERTIES SME_SIMULATOR "${simulator}")
endfunction()
