# What the compiler links. Debian ships the ANTLR runtime's CMake files incomplete and none at all for xxHash and METIS, so
# those three are found by hand.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Threads REQUIRED)

find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
add_library(xxhash UNKNOWN IMPORTED)
set_target_properties(xxhash PROPERTIES
    IMPORTED_LOCATION ${XXHASH_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${XXHASH_INCLUDE_DIR})

find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
if(NOT METIS_INCLUDE_DIR OR NOT METIS_LIBRARY)
    message(FATAL_ERROR "METIS (metis.h and its library) is missing; on Debian, install libmetis-dev")
endif()
add_library(metis UNKNOWN IMPORTED)
set_target_properties(metis PROPERTIES
    IMPORTED_LOCATION ${METIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})

find_path(ANTLR4_INCLUDE_DIR antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
find_library(ANTLR4_LIBRARY antlr4-runtime REQUIRED)
if(NOT SMEC_LIBRARIES)  # else the parser is written
    find_program(ANTLR4_TOOL NAMES antlr4 antlr REQUIRED)
endif()
add_library(antlr4_runtime UNKNOWN IMPORTED)
set_target_properties(antlr4_runtime PROPERTIES
    IMPORTED_LOCATION ${ANTLR4_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ANTLR4_INCLUDE_DIR})
target_link_libraries(antlr4_runtime INTERFACE Threads::Threads)
