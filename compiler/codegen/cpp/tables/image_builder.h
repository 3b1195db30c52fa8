#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sme/model_image.h"

namespace smec::codegen::cpp {

/// Puts a model.bin together from rows that are structs of sme/model.h. What they point to is added
/// first; the pointers that the builder gives for it are places in the file, for members of rows and
/// for arithmetic within a table, and must not be followed.
class ImageBuilder {
public:
    /// Appends rows to their table. Null where there are none.
    template <typename Row>
    const Row* add(std::span<const Row> rows) {
        if (rows.empty()) return nullptr;
        std::vector<Row>& table = std::get<std::vector<Row>>(tables_);
        const std::uint64_t first = table.size();
        table.insert(table.end(), rows.begin(), rows.end());
        return placeOf<Row>((first + 1) * sizeof(Row));
    }
    template <typename Row>
    const Row* add(const std::vector<Row>& rows) {
        return add(std::span<const Row>(rows));
    }
    /// The rows of a table so far, which follow one another in the file.
    template <typename Row>
    std::uint32_t count() const {
        return static_cast<std::uint32_t>(std::get<std::vector<Row>>(tables_).size());
    }
    /// Equal texts are stored once.
    const char* text(std::string_view text);
    /// A byte of the constants.
    static const std::byte* constant(std::uint64_t offset) {
        return placeOf<std::byte>(offset + 1);
    }
    /// The function at a place of a table of sme::Code.
    template <typename Function>
    static Function function(std::uint64_t place) {
        return reinterpret_cast<Function>(static_cast<std::uintptr_t>(place + 1));
    }

    /// The file, for the code of that identity. Ends the builder.
    std::string finish(const sme::Model& model, std::string_view constants, std::uint64_t code);

private:
    template <typename Row>
    static const Row* placeOf(std::uint64_t place) {
        return reinterpret_cast<const Row*>(static_cast<std::uintptr_t>(place));
    }
    template <typename... Rows>
    static std::tuple<std::vector<Rows>...> vectorsOf(sme::rows::List<Rows...>);

    decltype(vectorsOf(sme::rows::Tables())) tables_;
    std::string texts_;
    std::unordered_map<std::string, std::uint64_t> known_;  ///< text -> place
};

}  // namespace smec::codegen::cpp
