#pragma once

// The outer form of model.bin, for who writes it and who loads it: docs/model-format.md. In front the
// header, then the tables in the order of rows::Tables, the texts, and at the end the constants.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <sme/fnv1a.h>
#include <sme/model_rows.h>

namespace sme {

/// Of a file in memory, and of its constants in the file.
inline constexpr std::size_t kImageAlignment = 64;
/// Of each table, and of the texts.
inline constexpr std::size_t kTableAlignment = 8;

inline constexpr std::array<char, 8> kImageMagic{'S', 'M', 'E', 'M', 'O', 'D', 'E', 'L'};
/// As the writing machine stores it.
inline constexpr std::uint32_t kImageOrder = 0x01020304;

struct ImageHeader {
    std::array<char, 8> magic;
    std::uint32_t order;     ///< kImageOrder
    std::uint32_t version;   ///< kModelVersion
    std::uint64_t layout;    ///< layoutHash()
    std::uint64_t bytes;     ///< of the whole file, a multiple of kTableAlignment
    std::uint64_t hash;      ///< imageHash() of all behind the header
    std::uint64_t code;      ///< *Code::identity of the code that it is for
    std::uint64_t isLoaded;  ///< 0 in the file; 1 in memory, once pointers are pointers
    std::uint64_t textBytes;
    std::uint64_t constantBytes;
    std::array<std::uint64_t, rows::kTables> rowCounts;
};

/// Where the parts of a file begin; all of them follow from its header.
struct ImagePlaces {
    std::array<std::uint64_t, rows::kTables> tables;
    std::uint64_t texts;
    std::uint64_t constants;
    std::uint64_t end;
};

constexpr std::uint64_t alignedTo(std::uint64_t offset, std::uint64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

/// No part may have more bytes, so that sums of them are numbers.
inline constexpr std::uint64_t kMostImageBytes = std::uint64_t{1} << 56;

/// Of a header whose counts are within kMostImageBytes.
inline ImagePlaces placesOf(const ImageHeader& header) {
    ImagePlaces places{};
    std::uint64_t end = sizeof(ImageHeader);
    rows::forEachTable([&]<typename Row>(std::type_identity<Row>) {
        static_assert(alignof(Row) <= kTableAlignment);
        places.tables[rows::kTable<Row>] = end;
        end = alignedTo(end + header.rowCounts[rows::kTable<Row>] * sizeof(Row), kTableAlignment);
    });
    places.texts = end;
    places.constants = alignedTo(end + header.textBytes, kImageAlignment);
    places.end = alignedTo(places.constants + header.constantBytes, kTableAlignment);
    return places;
}

/// Of bytes in words of 8, the rest as one word.
inline std::uint64_t imageHash(std::span<const std::byte> bytes) {
    std::uint64_t hash = kFnv1aStart;
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, bytes.size() - at < 8 ? bytes.size() - at : 8);
        hash = fnv1aStep(hash, word);
    }
    return hash;
}

/// Of where each member of each struct is, those that code and runtime hand to one another among them: two
/// builds with one hash mean one thing by a file, and by a call.
inline std::uint64_t layoutHash() {
    std::uint64_t hash = fnv1aStep(kFnv1aStart, kModelVersion);
    const auto add = [&]<typename Row>(std::type_identity<Row>) {
        hash = fnv1aStep(hash, sizeof(Row));
        if constexpr (!std::is_integral_v<Row>) {
            const Row row{};
            rows::Of<Row>::forEach(row, [&](auto kind, const Row& of) {
                hash = fnv1aStep(hash, rows::placeOf(kind, of));
            });
        }
    };
    rows::forEachTable(add);
    rows::forEachOf(rows::Others(), add);
    return hash;
}

}  // namespace sme
