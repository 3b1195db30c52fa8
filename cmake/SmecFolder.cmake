# smec_add_folder(name [ROOMS folder...] [AS library] [PCH] [HOT] [FUZZED] [DEPS target...])
#   compiler/<name>/**/*.cpp -> library smec_<name>. A folder without sources is an interface library, so that folders
#   can name each other in any state of completion. Files called *main.cpp belong to programs alone.
#   ROOMS: these of its folders alone; AS: the library is smec_<library>, so that a folder can be several libraries.
#   FUZZED: tests/fuzz has a fuzzer that runs it (SMEC_FUZZ_FLAGS).
#   HOT: users wait for what it does, so it is compiled at -O2; the others at the preset's level (-O1 takes a fifth off the
#   first build, and adds 8 % to smec's own part of compiling). Not with PCH: g++ 12 crashes over one of another level.
# smec_embed_text(target file name)
#   Gives the target's sources `extern const std::string_view smec::NAME`, the content of the file.
# smec_add_program(name main library)
#   compiler/<main> -> bin/<name>, linked to the library.
# smec_add_paths()
#   Beside the programs smec-paths.txt, which tells them where this build tree keeps the runtime and the standard library.

# precompiled.h leaves a template to fmt's own library. Clang gives it another name than g++, which made that library.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    add_library(smec_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt_of_clang.cpp)
    target_link_libraries(smec_fmt PUBLIC fmt::fmt)
else()
    add_library(smec_fmt INTERFACE)
    target_link_libraries(smec_fmt INTERFACE fmt::fmt)
endif()

# One precompiled header serves every folder that asks; it is not worth a place in ccache (some 150 MB).
function(smec_precompile)
    if(TARGET smec_precompiled)
        return()
    endif()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "int smecPrecompiled;\n")
    add_library(smec_precompiled STATIC ${PROJECT_BINARY_DIR}/precompiled.cpp)
    set_target_properties(smec_precompiled PROPERTIES CXX_COMPILER_LAUNCHER "")
    target_link_libraries(smec_precompiled PRIVATE smec_warnings Boost::headers fmt::fmt)
    target_precompile_headers(smec_precompiled PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.h)
    target_compile_options(smec_precompiled PRIVATE -Wpedantic ${SMEC_FEWER_PASSES_FLAGS} ${SMEC_COVERAGE_FLAGS} $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# Puts those sources together that include the same one of the headers that cost most, so that in a unity build few batches
# read them and compile what is inline in them.
function(smec_gather variable)
    set(left ${${variable}})
    set(gathered)
    foreach(header CLI/CLI.hpp nlohmann/json.hpp regex)
        foreach(source IN LISTS left)
            file(STRINGS ${source} includes REGEX "^#include <${header}>" LIMIT_COUNT 1)
            if(includes)
                list(APPEND gathered ${source})
                list(REMOVE_ITEM left ${source})
            endif()
        endforeach()
    endforeach()
    set(${variable} ${gathered} ${left} PARENT_SCOPE)
endfunction()

function(smec_add_folder name)
    cmake_parse_arguments(arg "PCH;HOT;FUZZED" "AS" "ROOMS;DEPS" ${ARGN})
    set(target smec_${name})
    if(arg_AS)
        set(target smec_${arg_AS})
    endif()
    set(globs ${PROJECT_SOURCE_DIR}/compiler/${name}/*.cpp)
    if(arg_ROOMS)
        list(TRANSFORM arg_ROOMS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/compiler/${name}/\\1/*.cpp" OUTPUT_VARIABLE globs)
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${globs})
    list(FILTER sources EXCLUDE REGEX "main\\.cpp$")
    smec_gather(sources)

    if(NOT sources)
        add_library(${target} INTERFACE)
        target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/compiler)
        target_link_libraries(${target} INTERFACE ${arg_DEPS})
        return()
    endif()

    add_library(${target} STATIC ${sources})
    smec_batch(${target} 64 ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/compiler)
    # pages of documentation are in texts as long as they are
    target_compile_options(${target} PRIVATE -Wpedantic $<$<CXX_COMPILER_ID:Clang>:-Wno-overlength-strings> ${SMEC_COVERAGE_FLAGS})
    if(arg_FUZZED)
        target_compile_options(${target} PRIVATE ${SMEC_FUZZ_FLAGS})
    endif()
    if(arg_HOT)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
    else()
        target_compile_options(${target} PRIVATE ${SMEC_FEWER_PASSES_FLAGS})
    endif()
    target_link_libraries(${target} PUBLIC ${arg_DEPS} PRIVATE smec_warnings)
    if(arg_PCH AND SMEC_PCH)
        smec_precompile()
        target_link_libraries(${target} PUBLIC smec_fmt)
        target_precompile_headers(${target} REUSE_FROM smec_precompiled)
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    endif()
    if(SMEC_COVERAGE)  # in strict C++, g++ does not see that the counts have to be written before `smec run` becomes the simulator
        set_source_files_properties(${PROJECT_SOURCE_DIR}/compiler/driver/compile/run_command.cpp PROPERTIES
            COMPILE_DEFINITIONS execv=__gcov_execv SKIP_PRECOMPILE_HEADERS ON)
    endif()
endfunction()

function(smec_embed_text target file name)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL STATIC_LIBRARY)
        return()
    endif()
    set(output ${PROJECT_BINARY_DIR}/embedded/${name}.cpp)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DNAME=${name}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
        DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()

function(smec_add_program name main library)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/compiler/${main})
        message(STATUS "compiler/${main} is missing: no program ${name}")
        return()
    endif()
    string(REPLACE "-" "_" target ${name})
    add_executable(${target} ${PROJECT_SOURCE_DIR}/compiler/${main})
    target_compile_options(${target} PRIVATE ${SMEC_COVERAGE_FLAGS})
    target_link_libraries(${target} PRIVATE ${library} smec_warnings)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    add_dependencies(${target} sme_runtime)
endfunction()

function(smec_add_paths)
    list(JOIN SMEC_SANITIZE_FLAGS " " flags)
    set(static "lib=${PROJECT_BINARY_DIR}/lib/libsme_runtime.a\n")
    if(SMEC_PACKAGE)
        set(static)
    endif()
    set(compiler)  # sanitizers of two compilers do not go together
    if(SMEC_SANITIZE)
        set(compiler "cxx=${CMAKE_CXX_COMPILER}\n")
    endif()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/bin/smec-paths.txt CONTENT
"include=${PROJECT_SOURCE_DIR}/contract/include
include=${PROJECT_SOURCE_DIR}/runtime/include
${static}shared=${PROJECT_BINARY_DIR}/lib/libsme_runtime.so
host=${PROJECT_BINARY_DIR}/lib/sme_host
stdlib=${PROJECT_SOURCE_DIR}/stdlib
script=${PROJECT_SOURCE_DIR}/sme
${compiler}cxxflags=${flags}
")
endfunction()
