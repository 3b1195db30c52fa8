# libsmec-signatures.so compares `extern` declarations with C++ headers. Optional: without libclang (libclang-16-dev or
# another version) it is left out, and the generated C++ alone checks them. bin/smec finds it as ../lib/smec/.
function(smec_add_signatures)
    find_path(SMEC_LIBCLANG_INCLUDE clang-c/Index.h
        PATHS /usr/lib/llvm-19/include /usr/lib/llvm-18/include /usr/lib/llvm-17/include /usr/lib/llvm-16/include
              /usr/lib/llvm-15/include /usr/lib/llvm-14/include)
    if(SMEC_LIBCLANG_INCLUDE)
        get_filename_component(root ${SMEC_LIBCLANG_INCLUDE} DIRECTORY)
        find_library(SMEC_LIBCLANG_LIBRARY NAMES clang libclang PATHS ${root}/lib NO_DEFAULT_PATH)
        find_library(SMEC_LIBCLANG_LIBRARY NAMES clang libclang)
    endif()
    if(NOT SMEC_LIBCLANG_INCLUDE OR NOT SMEC_LIBCLANG_LIBRARY)
        message(STATUS "no libclang: extern signatures are checked by the generated C++ only")
        return()
    endif()
    message(STATUS "extern signatures are checked with ${SMEC_LIBCLANG_LIBRARY}")
    add_library(smec_signatures MODULE ${PROJECT_SOURCE_DIR}/compiler/clang/signatures.cpp)
    target_compile_options(smec_signatures PRIVATE ${SMEC_COVERAGE_FLAGS})
    target_include_directories(smec_signatures PRIVATE ${PROJECT_SOURCE_DIR}/compiler)
    target_include_directories(smec_signatures SYSTEM PRIVATE ${SMEC_LIBCLANG_INCLUDE})
    target_link_libraries(smec_signatures PRIVATE smec_warnings ${SMEC_LIBCLANG_LIBRARY})
    set_target_properties(smec_signatures PROPERTIES
        OUTPUT_NAME smec-signatures PREFIX lib CXX_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/smec)
    add_dependencies(smec smec_signatures)
    add_dependencies(smec_run smec_signatures)
endfunction()
