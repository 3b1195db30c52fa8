# Compiler, linker and warning settings. Flags travel on two interface targets, never on global variables, so that
# generated code (the grammar) can go without the warnings.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Many files of a folder include the same headers and instantiate the same templates; a whole folder at a time does it once
# (of sema, 22 s of processor and 30 for two dozen at a time). This asks for names in anonymous namespaces that are unique in a folder.
# The size here is that of what says none of its own.
if(SMEC_UNITY)
    set(CMAKE_UNITY_BUILD ON)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
endif()

# g++ collects garbage from 128 MB on, which touches every page of a precompiled header: a tenth of the time. Compilations
# take up to 1.7 GB; those of clang for AddressSanitizer, 0.8.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1400000>)

# ccache: without the working directory in the key, build trees of the same sources share their objects. The
# sloppiness is what precompiled headers need.
find_program(SMEC_CCACHE ccache)
if(SMEC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${SMEC_CCACHE})
endif()

# Passes that -O1 runs and that take more of a build than they give smec: a twelfth of the time of a file, for 3 % of smec's own part of compiling.
set(SMEC_FEWER_PASSES_FLAGS)
if(SMEC_FEWER_PASSES AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    foreach(pass tree-pta tree-loop-optimize ivopts split-wide-types tree-slsr tree-bit-ccp tree-sink tree-phiprop compare-elim cprop-registers
            tree-reassoc if-conversion if-conversion2)
        list(APPEND SMEC_FEWER_PASSES_FLAGS -fno-${pass})
    endforeach()
endif()

include(CheckLinkerFlag)
find_program(SMEC_MOLD mold)
if(SMEC_MOLD)
    check_linker_flag(CXX -fuse-ld=mold SMEC_MOLD_WORKS)
    if(SMEC_MOLD_WORKS)
        add_link_options(-fuse-ld=mold)
    endif()
endif()

add_library(smec_warnings INTERFACE)
# -Wshadow=local: in full, g++ also objects to a scoped enumerator named like a type.
target_compile_options(smec_warnings INTERFACE
    -Wall -Wextra $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow> -Wundef -Wcast-align -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
    $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # found with the optimizer's help, and seldom right
if(SMEC_WERROR STREQUAL KNOWN)
    set(areWarningsErrors FALSE)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        set(areWarningsErrors TRUE)
    endif()
else()
    set(areWarningsErrors ${SMEC_WERROR})
endif()
if(areWarningsErrors)
    # What g++ finds only with the optimizer's help depends on its level and is sometimes wrong: never an error.
    target_compile_options(smec_warnings INTERFACE -Werror
        $<$<CXX_COMPILER_ID:GNU>:-Wno-error=restrict>
        $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds>
        $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overflow>
        $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overread>
        $<$<CXX_COMPILER_ID:GNU>:-Wno-error=free-nonheap-object>
        $<$<CXX_COMPILER_ID:GNU>:-Wno-error=dangling-pointer>)
endif()

# A generated simulator links the runtime, so it has to be built with the same sanitizer: smec-paths.txt says so.
set(SMEC_SANITIZE_FLAGS)
if(SMEC_SANITIZE)
    set(SMEC_SANITIZE_FLAGS -fsanitize=${SMEC_SANITIZE} -fno-omit-frame-pointer)
    if(SMEC_SANITIZE MATCHES undefined)
        list(APPEND SMEC_SANITIZE_FLAGS -fno-sanitize-recover=all)
    endif()
    add_compile_options(${SMEC_SANITIZE_FLAGS})
    add_link_options(${SMEC_SANITIZE_FLAGS})
    # UBSan has a place in the source for each check, 60 MB of data in smec, which would all be relocated at each of the thousands
    # of starts of programs.
    if(SMEC_SANITIZE MATCHES address)
        add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    endif()
endif()
# Only compiler/ is instrumented: simulators link the runtime as it is, and tests count nobody's lines.
set(SMEC_COVERAGE_FLAGS)
if(SMEC_COVERAGE)
    set(SMEC_COVERAGE_FLAGS --coverage)
    add_link_options(--coverage)
endif()
# What the fuzzers run counts its edges: the front end, and in the preset for them the runtime, too. It is what -fsanitize=fuzzer-no-link
# stands for, by other words, since a precompiled header goes with and without them. All of smec took half as long again to compile.
set(SMEC_FUZZ_FLAGS)
if(SMEC_FUZZ)
    set(SMEC_FUZZ_FLAGS -fsanitize-coverage=inline-8bit-counters,pc-table,indirect-calls,trace-cmp,stack-depth
        -fno-builtin-memcmp -fno-builtin-strncmp -fno-builtin-strcmp -fno-builtin-strncasecmp -fno-builtin-strcasecmp
        -fno-builtin-strstr -fno-builtin-strcasestr -fno-builtin-memmem)
    if(NOT SMEC_SANITIZE)  # else its library has what instrumented code calls
        execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
        string(APPEND CMAKE_CXX_STANDARD_LIBRARIES
            " ${resources}/lib/linux/libclang_rt.fuzzer_no_main-${CMAKE_SYSTEM_PROCESSOR}.a -lpthread")
    endif()
endif()
