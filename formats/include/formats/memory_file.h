#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sme {

/// PATH=FILE: what is loaded, and from where. Nothing where it is not of this form.
struct MemoryOption {
    std::string path;
    std::string file;
};
std::optional<MemoryOption> readMemoryOption(std::string_view text);

/// So many words of so many bits.
struct MemoryShape {
    std::uint64_t words;
    std::uint32_t bits;
};

/// Why nothing, or not all, was loaded. Status 1: the text is wrong, and the message starts with the
/// place in it; 3: it cannot be read.
struct MemoryProblem {
    int status = 0;  ///< 0: none
    std::string message;
    explicit operator bool() const { return status != 0; }
};

/// Stores a word, the lowest 64 bits first; false: it is no value of the memory's type.
using StoreWord = std::function<bool(std::uint64_t address, std::span<const std::uint64_t> limbs)>;

/// Reads a file as $readmemh does, or $readmemb where its name ends in `.bin`: words between white
/// space, with `_`, comments of both kinds, and `@address` in hexadecimal. Ends at the first problem.
MemoryProblem readMemoryFile(const std::string& path, const MemoryShape& shape,
                             const StoreWord& store);

}  // namespace sme
