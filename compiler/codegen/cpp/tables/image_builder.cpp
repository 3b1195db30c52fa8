// Rows are written member by member, as sme/model_rows.h lists them, into zeroed memory: padding has
// no bytes of its own. A place of the builder becomes an offset from the start of the file here.

#include "codegen/cpp/tables/image_builder.h"

#include <cstring>

namespace smec::codegen::cpp {
namespace {

using namespace sme::rows;

/// Writes a row to where it is in the file.
class RowWriter {
public:
    RowWriter(const sme::ImagePlaces& places, char* to) : places_(places), to_(to) {}

    template <auto M>
    void operator()(Number<M>, const OwnerOf<M>& row) const {
        put<M>(row, row.*M);
    }
    template <auto M>
    void operator()(Flag<M>, const OwnerOf<M>& row) const {
        put<M>(row, row.*M);
    }
    template <auto M, auto Last>
    void operator()(Choice<M, Last>, const OwnerOf<M>& row) const {
        put<M>(row, row.*M);
    }
    template <auto M, auto Count>
    void operator()(Index<M, Count>, const OwnerOf<M>& row) const {
        put<M>(row, row.*M);
    }
    template <auto M, auto Count>
    void operator()(MaybeIndex<M, Count>, const OwnerOf<M>& row) const {
        put<M>(row, row.*M);
    }
    template <auto M>
    void operator()(Text<M>, const OwnerOf<M>& row) const {
        putPlace<M>(row, places_.texts, 1);
    }
    template <auto M>
    void operator()(MaybeText<M>, const OwnerOf<M>& row) const {
        putPlace<M>(row, places_.texts, 1);
    }
    template <auto M, auto Count>
    void operator()(Rows<M, Count>, const OwnerOf<M>& row) const {
        putRows<M>(row);
    }
    template <auto M>
    void operator()(SomeRows<M>, const OwnerOf<M>& row) const {
        putRows<M>(row);
    }
    template <auto M>
    void operator()(Bytes<M>, const OwnerOf<M>& row) const {
        putPlace<M>(row, places_.constants, 1);
    }
    template <auto M, auto Table, auto Count>
    void operator()(Function<M, Table, Count>, const OwnerOf<M>& row) const {
        put<M>(row, reinterpret_cast<std::uintptr_t>(row.*M));
    }
    template <auto M, auto Table, auto Count>
    void operator()(MaybeFunction<M, Table, Count>, const OwnerOf<M>& row) const {
        put<M>(row, reinterpret_cast<std::uintptr_t>(row.*M));
    }
    template <auto M>
    void operator()(Nested<M>, const OwnerOf<M>& row) const {
        const RowWriter inner(places_, to_ + offsetOf<M>(row));
        Of<TypeOf<M>>::forEach(row.*M, inner);
    }
    template <auto M>
    void operator()(Given<M>, const OwnerOf<M>&) const {}

private:
    template <auto M, typename Value>
    void put(const OwnerOf<M>& row, const Value& value) const {
        static_assert(sizeof value == sizeof(row.*M));
        std::memcpy(to_ + offsetOf<M>(row), &value, sizeof value);
    }
    template <auto M>
    void putRows(const OwnerOf<M>& row) const {
        putPlace<M>(row, places_.tables[kTable<TargetOf<M>>], sizeof(TargetOf<M>));
    }
    /// `first`: the place, to the builder, of what lies at `base`.
    template <auto M>
    void putPlace(const OwnerOf<M>& row, std::uint64_t base, std::uint64_t first) const {
        const auto place = reinterpret_cast<std::uintptr_t>(row.*M);
        put<M>(row, place == 0 ? std::uintptr_t{0} : base + place - first);
    }

    const sme::ImagePlaces& places_;
    char* to_;
};

}  // namespace

const char* ImageBuilder::text(std::string_view text) {
    const auto [known, isNew] = known_.try_emplace(std::string(text), texts_.size() + 1);
    if (isNew) {
        texts_ += text;
        texts_ += '\0';
    }
    return placeOf<char>(known->second);
}

std::string ImageBuilder::finish(const sme::Model& model, std::string_view constants,
                                 std::uint64_t code) {
    add(std::span<const sme::Model>(&model, 1));
    sme::ImageHeader header{};
    header.magic = sme::kImageMagic;
    header.order = sme::kImageOrder;
    header.version = sme::kModelVersion;
    header.layout = sme::layoutHash();
    header.code = code;
    header.textBytes = texts_.size();
    header.constantBytes = constants.size();
    forEachTable([&]<typename Row>(std::type_identity<Row>) {
        header.rowCounts[kTable<Row>] = count<Row>();
    });
    const sme::ImagePlaces places = placesOf(header);
    header.bytes = places.end;
    std::string file(places.end, '\0');
    forEachTable([&]<typename Row>(std::type_identity<Row>) {
        char* to = file.data() + places.tables[kTable<Row>];
        for (const Row& row : std::get<std::vector<Row>>(tables_)) {
            if constexpr (std::is_integral_v<Row>)
                std::memcpy(to, &row, sizeof row);
            else
                Of<Row>::forEach(row, RowWriter(places, to));
            to += sizeof(Row);
        }
    });
    std::memcpy(file.data() + places.texts, texts_.data(), texts_.size());
    std::memcpy(file.data() + places.constants, constants.data(), constants.size());
    header.hash = sme::imageHash(std::as_bytes(std::span(file)).subspan(sizeof header));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

}  // namespace smec::codegen::cpp
