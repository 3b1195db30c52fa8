# sme_add_simulator(target file [TOP name] [DEFINES name=value...] [SOURCES file...] [WORKING_DIRECTORY folder] [OPTIONS option...])
#
# Compiles the file to the simulator bin/<target> in the current binary directory, as part of `all`. Its path is the target's
# property SME_SIMULATOR. docs/cmake.md has the options.

# sme_design_words(words files directory caller argument...): what `smec compile` is given of a function's options, the files by their
# whole names, and the folder where it is called.
function(sme_design_words words files directory caller)
    cmake_parse_arguments(PARSE_ARGV 4 arg "" "TOP;WORKING_DIRECTORY" "DEFINES;SOURCES;OPTIONS")
    list(POP_FRONT arg_UNPARSED_ARGUMENTS file)
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${caller}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "${caller}: nothing stands behind ${arg_KEYWORDS_MISSING_VALUES}")
    endif()
    set(given)
    if(arg_TOP)
        list(APPEND given --top "${arg_TOP}")
    endif()
    foreach(define IN LISTS arg_DEFINES)
        list(APPEND given -G "${define}")
    endforeach()
    set(${words} ${given} ${arg_OPTIONS} PARENT_SCOPE)

    set(found)
    foreach(each IN LISTS file arg_SOURCES)
        cmake_path(ABSOLUTE_PATH each BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        list(APPEND found "${each}")
    endforeach()
    set(${files} ${found} PARENT_SCOPE)

    set(folder "${arg_WORKING_DIRECTORY}")
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT IS_DIRECTORY "${folder}")
        message(FATAL_ERROR "${caller}: WORKING_DIRECTORY ${folder} is no folder")
    endif()
    set(${directory} "${folder}" PARENT_SCOPE)
endfunction()

function(sme_add_simulator target file)
    sme_design_words(options files directory sme_add_simulator "${file}" ${ARGN})
    set(simulator "${CMAKE_CURRENT_BINARY_DIR}/bin/${target}")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/bin")
    set(buildDir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.sme")
    add_custom_command(
        OUTPUT "${simulator}"
        COMMAND smec::smec compile ${files} -o "${simulator}" --build-dir "${buildDir}"
                -MMD -MF "${buildDir}.d" ${options}
        DEPENDS ${files} smec::smec
        DEPFILE "${buildDir}.d"
        WORKING_DIRECTORY "${directory}"
        COMMENT "Compiling ${target} with smec"
        VERBATIM)
    add_custom_target(${target} ALL DEPENDS "${simulator}")
    set_target_properties(${target} PROPERTIES SME_SIMULATOR "${simulator}")
endfunction()

function(sme_add_executable target file)
    sme_add_simulator("${target}" "${file}" ${ARGN})
endfunction()
