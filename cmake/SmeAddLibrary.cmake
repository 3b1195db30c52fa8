# sme_add_library(target file.sme [TOP name] [DEFINES name=value...] [OPTIONS option...])
#
# Compiles file.sme to a library with the headers <target>.h (C) and <target>.hpp (C++). `target_link_libraries(mine PRIVATE
# <target>)` links it and finds the headers; who loads it by dlopen finds it at $<TARGET_FILE:<target>>. It is compiled again
# when the file, a module it imports or a file it reads changes. DEFINES are constants of the top network, OPTIONS go to
# `smec compile` as they are.
#
# sme_add_executable(target file.sme [TOP name] [DEFINES name=value...] [OPTIONS option...])
#
# The simulator of file.sme, as sme_add_simulator makes it.

function(sme_add_library target file)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "TOP" "DEFINES;OPTIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sme_add_library: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    set(options ${arg_OPTIONS})
    if(arg_TOP)
        list(PREPEND options --top "${arg_TOP}")
    endif()
    foreach(define IN LISTS arg_DEFINES)
        list(APPEND options -G "${define}")
    endforeach()

    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.sme")
    set(library "${folder}/lib${target}.so")
    file(MAKE_DIRECTORY "${folder}")  # an imported target's folders exist
    set(buildDir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.sme")
    add_custom_command(
        OUTPUT "${library}"
        BYPRODUCTS "${folder}/${target}.h" "${folder}/${target}.hpp"
        COMMAND smec::smec compile --lib "${file}" -o "${library}" --build-dir "${buildDir}"
                -MMD -MF "${buildDir}.d" ${options}
        DEPENDS "${file}" smec::smec
        DEPFILE "${buildDir}.d"
        COMMENT "Compiling the library ${target} with smec"
        VERBATIM)
    add_custom_target(${target}.build ALL DEPENDS "${library}")
    add_library(${target} SHARED IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${library}" IMPORTED_NO_SONAME TRUE)
    get_target_property(include smec::runtime INTERFACE_INCLUDE_DIRECTORIES)
    target_include_directories(${target} INTERFACE "${folder}" ${include})
    target_link_libraries(${target} INTERFACE ${CMAKE_DL_LIBS})
    add_dependencies(${target} ${target}.build)
endfunction()

function(sme_add_executable target file)
    sme_add_simulator("${target}" "${file}" ${ARGN})
endfunction()
