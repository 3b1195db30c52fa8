# CMake toolchain: Zig's clang for SMEC_ZIG_PROCESSOR with glibc 2.28. The folder SMEC_ZIG has the programs that ./sme package makes, and
# SMEC_ZIG_ROOT what packaging/thirdparty installs; nothing else of the machine is looked at.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${SMEC_ZIG_PROCESSOR})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SMEC_ZIG SMEC_ZIG_ROOT SMEC_ZIG_PROCESSOR)
set(CMAKE_C_COMPILER ${SMEC_ZIG}/cc)
set(CMAKE_CXX_COMPILER ${SMEC_ZIG}/c++)
set(CMAKE_AR ${SMEC_ZIG}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${SMEC_ZIG}/ranlib CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH ${SMEC_ZIG_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_CXX_FLAGS_INIT "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION")  # Boost 1.74 derives from them
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-L${SMEC_ZIG_ROOT}/lib -s")
endforeach()
