# An archive of the sources has those of the libraries below libraries/ (packaging/archive.py): they are built once, when the tree is
# configured, and linked in; what the system has is not looked at. As in packages, simulators load the shared runtime, since who links
# the static one needs these libraries again.
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/libraries/grammar/made-of)
    return()
endif()
set(SMEC_PACKAGE ON)
set(SMEC_LIBRARIES ${PROJECT_BINARY_DIR}/libraries/root)
if(NOT EXISTS ${SMEC_LIBRARIES}/lib/cmake/fmt)
    message(STATUS "building the libraries that are linked in")
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/packaging/thirdparty -B ${PROJECT_BINARY_DIR}/libraries -G ${CMAKE_GENERATOR}
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_INSTALL_PREFIX=${SMEC_LIBRARIES} -DSOURCES=${PROJECT_SOURCE_DIR}/libraries
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR}/libraries --parallel ${processors} --target install
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()
list(PREPEND CMAKE_PREFIX_PATH ${SMEC_LIBRARIES})
set(Boost_NO_BOOST_CMAKE ON)
set(Boost_INCLUDE_DIR ${SMEC_LIBRARIES}/include)
link_directories(${SMEC_LIBRARIES}/lib)
