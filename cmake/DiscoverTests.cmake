# Included by ctest. Catch2's own script splits its output into a CMake list and so loses test cases whose names hold
# brackets or semicolons ("slices [3:0]"); this one cuts lines.

function(discoverTests folder executable timeout labels)
    if(NOT EXISTS "${executable}")
        add_test("${folder}: not built" "${executable}")
        return()
    endif()
    execute_process(COMMAND "${executable}" --list-test-names-only OUTPUT_VARIABLE names ERROR_VARIABLE errors
        RESULT_VARIABLE status)
    if(status LESS 0 OR NOT status MATCHES "^[0-9]+$")  # the status is the number of test cases
        add_test("${folder}: cannot list its test cases" "${executable}")
        return()
    endif()
    while(NOT names STREQUAL "")
        string(FIND "${names}" "\n" end)
        string(SUBSTRING "${names}" 0 ${end} name)
        math(EXPR end "${end} + 1")
        string(SUBSTRING "${names}" ${end} -1 names)
        if(name STREQUAL "")
            continue()
        endif()
        string(REGEX REPLACE "([],[\"\\])" "\\\\\\1" pattern "${name}")
        add_test("${folder}: ${name}" "${executable}" --warn NoTests "${pattern}")
        set_tests_properties("${folder}: ${name}" PROPERTIES TIMEOUT ${timeout} LABELS "${labels}")
    endwhile()
endfunction()
