# smec_add_unit_test(name [SOURCES file...] [DEPS target...] [TIMEOUT seconds] [LABELS label...])
#   tests/<name>/*.cpp -> test_<name>, linked to smec_<name> (tests/runtime: sme_runtime) and Catch2; each test case is a
#   test of ctest. SMEC_SOURCE_DIR and SMEC_BINARY_DIR are string macros in it.
# smec_add_script_test(name SCRIPT file [ARGS argument...] [TIMEOUT seconds] [LABELS label...] [SAMPLED percent])
#   A .sh or .py file as a test. Its environment has SMEC (the built compiler), SMEC_SOURCE_DIR, SMEC_BINARY_DIR and
#   SMEC_SANITIZE. SAMPLED: in builds with sanitizers a judgement, which chooses this percent of its list (tests/judge/sample.py).
#
# smec_add_judgement(name WHOLE count [FIRST number] [PERCENT percent] SCRIPT file | COMMAND program [ARGS argument...] [TIMEOUT seconds] [LABELS label...])
#   A test that has more to try than a run of the tests has time for. The test is PERCENT (2) of it, from a place that a seed
#   chooses (tests/judge/judge.py); `./sme judge name` is all. In the arguments, {first} and {count} are the numbers to try. WHOLE
#   0: the script chooses from a list by itself (tests/judge/sample.py).
#
# Labels: unit (test cases), e2e (compile and run whole designs), slow (both left out by `./sme test --quick`), threads
# (all that runs under ThreadSanitizer; tests/runtime has it by itself), mpi (what starts ranks of an MPI). The target thread_tests builds what those need.

function(smec_test_timeout variable seconds)
    if(SMEC_SANITIZE OR SMEC_COVERAGE)
        math(EXPR seconds "${seconds} * 4")
    endif()
    set(${variable} ${seconds} PARENT_SCOPE)
endfunction()

# Most of a unit test's compilation is reading Catch2 and what tests calculate with: they share one precompiled header.
# It belongs to a program, since programs are compiled with -fPIE and libraries with -fPIC.
function(smec_precompile_test target)
    if(NOT SMEC_PCH)
        return()
    endif()
    if(NOT TARGET smec_test_precompiled)
        file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_precompiled.cpp CONTENT "int main() {}\n")
        add_executable(smec_test_precompiled ${PROJECT_BINARY_DIR}/test_precompiled.cpp)
        set_target_properties(smec_test_precompiled PROPERTIES CXX_COMPILER_LAUNCHER "")
        target_link_libraries(smec_test_precompiled PRIVATE smec_warnings Boost::headers fmt::fmt Catch2::Catch2)
        target_precompile_headers(smec_test_precompiled PRIVATE <catch2/catch.hpp> ${PROJECT_SOURCE_DIR}/cmake/precompiled.h)
        target_compile_options(smec_test_precompiled PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    endif()
    target_link_libraries(${target} PRIVATE Boost::headers smec_fmt)  # they are given the same macros
    target_precompile_headers(${target} REUSE_FROM smec_test_precompiled)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

function(smec_add_unit_test name)
    cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    smec_test_timeout(timeout ${arg_TIMEOUT})
    if(NOT arg_SOURCES)
        file(GLOB arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    endif()
    if(NOT arg_SOURCES OR NOT TARGET smec_test_main)
        return()
    endif()

    add_executable(test_${name} ${arg_SOURCES})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(test_${name} PRIVATE smec_test_main smec_warnings ${arg_DEPS})
    smec_precompile_test(test_${name})
    if(TARGET smec_${name})
        target_link_libraries(test_${name} PRIVATE smec_${name})
    elseif(TARGET sme_${name})
        target_link_libraries(test_${name} PRIVATE sme_${name})
    endif()
    if(name STREQUAL runtime)
        target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/runtime/src ${PROJECT_SOURCE_DIR}/formats/include)
        list(APPEND arg_LABELS threads)
    elseif(name STREQUAL codegen)  # simulators without the runtime
        target_link_libraries(test_${name} PRIVATE sme_model)
        list(JOIN SMEC_SANITIZE_FLAGS " " sanitizing)  # which the library was made with
        target_compile_definitions(test_${name} PRIVATE SME_MODEL_LIBRARY="${sanitizing} $<TARGET_FILE:sme_model>")
    elseif(name STREQUAL formats)
        target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/formats/src)
    endif()
    if(threads IN_LIST arg_LABELS)
        add_dependencies(thread_tests test_${name})
    endif()
    target_compile_definitions(test_${name} PRIVATE
        SMEC_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SMEC_BINARY_DIR="${PROJECT_BINARY_DIR}")

    # ctest asks the executable for its test cases each time it starts.
    set(include ${CMAKE_CURRENT_BINARY_DIR}/test_${name}.cmake)
    file(GENERATE OUTPUT ${include} CONTENT
"include([==[${PROJECT_SOURCE_DIR}/cmake/DiscoverTests.cmake]==])
discoverTests([==[${name}]==] [==[$<TARGET_FILE:test_${name}>]==] ${timeout} [==[unit;${arg_LABELS}]==])
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()

# Seconds of the longest tests on two processors: ctest starts them first, so that none is left at the end alone.
set(smecLongTests lang=90 ranks=80 nodes=60 bench.quick=50 python.package=45 tools.injection=40 hdl.export=35 tools.extern=30 verilog.arrays=30
    fuzz=30 rank_metis=25 hdl.memories=25 hdl.estimate=25 tools.checkpoints=20 tools.linear=20 fuzz_unseen=20 fuzz_failing=20 rank_states=20
    rank_blocks=20 hdl.networks_v2005=20 hdl.networks_vhdl=18 experiments.thesis=20 stdlib=20 hdl.fusesoc=20 scheduler.stress=15 cores.tiny=15
    determinism=15 bench.twists=15 verilog.resets=15 verilog.choices=15 tools.cache=15 python.examples=15 fuzz_horrors=12 python.sanitized=35)

function(smec_add_script_test name)
    cmake_parse_arguments(arg "" "SCRIPT;TIMEOUT;SAMPLED" "ARGS;LABELS" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    if(arg_SAMPLED AND SMEC_SANITIZE)
        smec_add_judgement(${name} WHOLE 0 PERCENT ${arg_SAMPLED} SCRIPT ${arg_SCRIPT} TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABELS} ARGS ${arg_ARGS})
        return()
    endif()
    smec_test_timeout(timeout ${arg_TIMEOUT})
    cmake_path(ABSOLUTE_PATH arg_SCRIPT BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set(interpreter bash)
    if(arg_SCRIPT MATCHES "\\.py$")
        set(interpreter python3)
    endif()
    add_test(NAME ${name} COMMAND ${interpreter} ${arg_SCRIPT} ${arg_ARGS})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} LABELS "${arg_LABELS}" ENVIRONMENT
        "SMEC=${PROJECT_BINARY_DIR}/bin/smec;SMEC_SOURCE_DIR=${PROJECT_SOURCE_DIR};SMEC_BINARY_DIR=${PROJECT_BINARY_DIR};SMEC_SANITIZE=${SMEC_SANITIZE}")
    foreach(long IN LISTS smecLongTests)
        if(long MATCHES "^(.+)=([0-9]+)$" AND CMAKE_MATCH_1 STREQUAL name)
            set_tests_properties(${name} PROPERTIES COST ${CMAKE_MATCH_2})
        endif()
    endforeach()
endfunction()

function(smec_add_judgement name)
    cmake_parse_arguments(arg "" "WHOLE;FIRST;PERCENT;SCRIPT;COMMAND;TIMEOUT" "ARGS;LABELS" ${ARGN})
    if(NOT DEFINED arg_FIRST)
        set(arg_FIRST 1)
    endif()
    if(NOT arg_PERCENT)
        set(arg_PERCENT 2)
    endif()
    set(words ${arg_COMMAND})
    if(arg_SCRIPT)
        cmake_path(ABSOLUTE_PATH arg_SCRIPT BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        set(words python3 ${arg_SCRIPT})
    endif()
    list(APPEND words ${arg_ARGS})
    list(JOIN words "\", \"" words)
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/judgements/${name}.json CONTENT
"{\"name\": \"${name}\", \"whole\": ${arg_WHOLE}, \"first\": ${arg_FIRST}, \"percent\": ${arg_PERCENT}, \"command\": [\"${words}\"]}
")
    smec_add_script_test(${name} SCRIPT ${PROJECT_SOURCE_DIR}/tests/judge/judge.py TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABELS}
        ARGS --build ${PROJECT_BINARY_DIR} --sample ${name})
endfunction()
