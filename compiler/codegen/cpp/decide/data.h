#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/ir.h"

namespace smec::codegen::cpp {

/// Bytes that the assembler takes in, as the constants of model.bin (constant columns, index columns,
/// initial values) or as tables.bin. Little endian.
class DataFile {
public:
    /// Appends at a multiple of `alignment`; pieces that are there already are shared. Returns the
    /// offset.
    std::uint64_t add(const std::string& bytes, std::uint32_t alignment);
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
    std::unordered_multimap<std::size_t, std::uint64_t> places_;  ///< of pieces, by hash
};

/// As stored: see sme::Type.
void appendStored(std::string& bytes, const ir::Constant& constant, const ir::Scalar& scalar);
std::string storedBytes(const std::vector<ir::Constant>& constants, const ir::Scalar& scalar);
std::string storedBytes(const ir::Constants& constants, const ir::Scalar& scalar);
std::string wordsAsBytes(std::span<const std::uint32_t> words);

}  // namespace smec::codegen::cpp
