# sme_add_library(target file [TOP name] [DEFINES name=value...] [SOURCES file...] [WORKING_DIRECTORY folder] [OPTIONS option...])
#
# Compiles the file to a library with the headers <target>.h (C) and <target>.hpp (C++), which `target_link_libraries(mine PRIVATE
# <target>)` links and finds. Who loads it by dlopen finds it at $<TARGET_FILE:<target>>. docs/cmake.md has the options.

function(sme_add_library target file)
    sme_design_words(options files directory sme_add_library "${file}" ${ARGN})
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.sme")
    set(library "${folder}/lib${target}.so")
    file(MAKE_DIRECTORY "${folder}")  # an imported target's folders exist
    set(buildDir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.sme")
    add_custom_command(
        OUTPUT "${library}"
        BYPRODUCTS "${folder}/${target}.h" "${folder}/${target}.hpp"
        COMMAND smec::smec compile --lib ${files} -o "${library}" --build-dir "${buildDir}"
                -MMD -MF "${buildDir}.d" ${options}
        DEPENDS ${files} smec::smec
        DEPFILE "${buildDir}.d"
        WORKING_DIRECTORY "${directory}"
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
