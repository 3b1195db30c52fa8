#include "codegen/cpp/decide/data.h"

#include <bit>
#include <cmath>
#include <limits>

#include "ir/arithmetic.h"
#include "plan/plan.h"

namespace smec::codegen::cpp {
namespace {

void appendBits(std::string& bytes, std::uint64_t bits, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
        bytes += static_cast<char>(bits >> (8 * i) & 0xff);
}

double numberOf(const ir::Constant& constant) {
    if (const auto* number = std::get_if<double>(&constant.value)) return *number;
    return std::get<ir::Integer>(constant.value).convert_to<double>();
}

}  // namespace

std::uint64_t DataFile::add(const std::string& bytes, std::uint32_t alignment) {
    const std::size_t hash = std::hash<std::string>{}(bytes);
    const auto [first, last] = places_.equal_range(hash);
    for (auto place = first; place != last; ++place) {
        const bool isEqual = bytes_.compare(place->second, bytes.size(), bytes) == 0;
        if (isEqual && place->second % alignment == 0) return place->second;
    }
    while (bytes_.size() % alignment != 0)
        bytes_ += '\0';
    const std::uint64_t offset = bytes_.size();
    bytes_ += bytes;
    places_.emplace(hash, offset);
    return offset;
}

void appendStored(std::string& bytes, const ir::Constant& constant, const ir::Scalar& scalar) {
    if (scalar.kind == ir::ScalarKind::F32) {
        const auto number = static_cast<float>(numberOf(constant));
        appendBits(bytes, std::isnan(number) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(number),
                   4);
    } else if (scalar.kind == ir::ScalarKind::F64) {
        const double number = numberOf(constant);
        appendBits(bytes,
                   std::isnan(number) ? 0x7ff8000000000000U : std::bit_cast<std::uint64_t>(number),
                   8);
    } else {
        const std::uint32_t count = plan::storageBytes(scalar);
        const ir::Integer pattern =
            ir::wrapInteger(std::get<ir::Integer>(constant.value), 8 * count, false);
        for (std::uint32_t done = 0; done < count; done += 8) {
            appendBits(
                bytes,
                static_cast<std::uint64_t>((pattern >> (8 * done)) & ir::Integer(UINT64_MAX)),
                std::min(count - done, 8U));
        }
    }
}

std::string storedBytes(const std::vector<ir::Constant>& constants, const ir::Scalar& scalar) {
    std::string bytes;
    bytes.reserve(constants.size() * plan::storageBytes(scalar));
    for (const ir::Constant& constant : constants)
        appendStored(bytes, constant, scalar);
    return bytes;
}

std::string storedBytes(const ir::Constants& constants, const ir::Scalar& scalar) {
    std::string bytes, ofPage;
    bytes.reserve(constants.size() * plan::storageBytes(scalar));
    const ir::Constants::Page* last = nullptr;
    for (const auto& page : constants.pages()) {
        if (page.get() != last) ofPage = storedBytes(*page, scalar);
        last = page.get();
        bytes += ofPage;
    }
    return bytes;
}

std::string wordsAsBytes(std::span<const std::uint32_t> words) {
    std::string bytes;
    bytes.reserve(words.size() * 4);
    for (const std::uint32_t word : words)
        appendBits(bytes, word, 4);
    return bytes;
}

}  // namespace smec::codegen::cpp
