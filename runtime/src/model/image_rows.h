#pragma once

#include <span>
#include <string>
#include <string_view>

#include <sme/model_image.h>

namespace sme {

/// The tables of a model.bin in memory whose header is right.
class ImageRows {
public:
    ImageRows(std::span<std::byte> image, const std::string& name)
        : image_(image),
          name_(name),
          header_(*reinterpret_cast<const ImageHeader*>(image.data())),
          places_(placesOf(header_)) {}

    const ImageHeader& header() const { return header_; }
    const ImagePlaces& places() const { return places_; }
    std::byte* at(std::uint64_t offset) const { return image_.data() + offset; }
    const Model& model() const { return table<Model>()[0]; }

    template <typename Row>
    std::span<Row> table() const {
        return {reinterpret_cast<Row*>(at(places_.tables[rows::kTable<Row>])),
                header_.rowCounts[rows::kTable<Row>]};
    }
    /// How many rows there are from one on. `row`: in its table, or null.
    template <typename Row>
    std::uint64_t rowsFrom(const Row* row) const {
        const std::span<Row> all = table<Row>();
        return row == nullptr ? 0 : static_cast<std::uint64_t>(all.data() + all.size() - row);
    }
    /// How many bytes the constants have from one on.
    std::uint64_t bytesFrom(const std::byte* constant) const {
        return constant == nullptr ? 0
                                   : static_cast<std::uint64_t>(at(places_.constants)
                                                                + header_.constantBytes - constant);
    }

    /// Throws what is wrong with the member at a place.
    [[noreturn]] void fail(const void* place, std::string_view member,
                           const std::string& what) const;

private:
    std::span<std::byte> image_;
    const std::string& name_;
    const ImageHeader& header_;
    ImagePlaces places_;
};

}  // namespace sme
