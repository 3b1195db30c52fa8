#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smec::driver {

class Cache;
struct Toolchain;

/// What a C++ compiler may say of its macros: bytes.
inline constexpr std::size_t kMostMacros = std::size_t{1} << 22;

/// What a C++ compiler says of itself when it is asked. Its name says nothing: `c++` may be any, and
/// wrappers have names of their own.
struct CxxFacts {
    bool isClang = false;      ///< its macros say so; else it is like g++
    std::string unusable{};    ///< why it cannot compile generated C++, behind its name; or empty
    std::string subcommand{};  ///< of a program that is more than a compiler: Zig's `c++`
    std::vector<std::string> refused;  ///< flags that it does not take, of those that smec gives

    bool takes(std::string_view flag) const;
};

/// Asks the compiler, once for each `Toolchain::identity` that the cache has not seen. Where it does not even
/// start, what is said of g++: the build will tell.
CxxFacts askCompiler(const Toolchain& toolchain, const Cache& cache);

}  // namespace smec::driver
