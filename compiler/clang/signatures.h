#pragma once

#include <cstddef>

/// The door of libsmec-signatures.so, which reads C++ headers with libclang. It is loaded only when
/// a design names C++, and only if it was built: libclang is optional, and large.
extern "C" {

/// A function or class that a header should declare. Scalars are written as kind and bytes: "b"
/// (bool), "u4", "i8", "f8"; a pointer to constants as "p" and what it points to.
struct SmecForeignName {
    const char* name;
    const char* result;  ///< null: a class
    const char* const* parameters;
    std::size_t parameterCount;
};

/// Receives what is wrong with name `index` of the list. `text` is valid during the call only.
using SmecReport = void (*)(void* user, std::size_t index, const char* text);

/// Parses `include` ("<math.h>" or "\"/path/dsp.hpp\"") as C++20 and compares. Reports nothing
/// where the header cannot be parsed or the comparison is beyond it (templates): the C++ compiler
/// has the last word. Returns 0, or 1 when the header was not found. Thread-safe.
using SmecCheckSignatures = int (*)(const char* include, const char* const* includeDirs,
                                    std::size_t includeDirCount, const SmecForeignName* names,
                                    std::size_t nameCount, void* user, SmecReport report);
}

namespace smec::clang {
inline constexpr const char* kLibrary = "libsmec-signatures.so";
inline constexpr const char* kEntry = "smec_check_signatures";
}  // namespace smec::clang
