#pragma once

#include <cstring>
#include <span>
#include <string>

#include "sealed_text.h"

/// Files of states have a hash over what stands in them: for damage that it would not tell.
namespace smec::test {

constexpr std::size_t kBytesOfMark = 8;

inline std::uint32_t versionOf(const std::string& file) {
    std::uint32_t version = 0;
    std::memcpy(&version, file.data() + kBytesOfMark, sizeof version);
    return version;
}

inline std::string contentOf(const std::string& file) {
    const auto bytes = sme::unsealed(file.substr(0, kBytesOfMark), versionOf(file),
                                     std::as_bytes(std::span(file)));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// With mark and version of `file`.
inline std::string sealedLike(const std::string& file, const std::string& content) {
    return sme::sealed(file.substr(0, kBytesOfMark), versionOf(file),
                       std::as_bytes(std::span(content)));
}

}  // namespace smec::test
