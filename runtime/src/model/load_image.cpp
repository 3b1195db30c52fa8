// From offsets to pointers. Each member of each row is looked at once, by its line of sme/model_rows.h;
// what no line tells, as how many bytes an initial value has, is in row_checks.cpp.

#include "model/load_image.h"

#include <cstring>

#include "model/image_rows.h"
#include "model/row_checks.h"
#include "output/error.h"

namespace sme {
namespace rows {
namespace {

/// Checks the members of a row and makes pointers of its offsets.
class RowLoader {
public:
    RowLoader(const ImageRows& image, const Code& code) : image_(image), code_(code) {}

    template <auto M>
    void operator()(Number<M>, const OwnerOf<M>&) const {}
    template <auto M>
    void operator()(Flag<M>, const OwnerOf<M>& row) const {
        demandLast<M>(row, std::uint64_t{1});
    }
    template <auto M, auto Last>
    void operator()(Choice<M, Last>, const OwnerOf<M>& row) const {
        demandLast<M>(row, static_cast<std::uint64_t>(Last));
    }
    template <auto M, auto Count>
    void operator()(Index<M, Count>, const OwnerOf<M>& row) const {
        demandBelow<M>(row, row.*M, image_.model().*Count);
    }
    template <auto M, auto Count>
    void operator()(MaybeIndex<M, Count>, const OwnerOf<M>& row) const {
        if (row.*M != static_cast<TypeOf<M>>(~TypeOf<M>{0}))
            demandBelow<M>(row, row.*M, image_.model().*Count);
    }
    template <auto M>
    void operator()(Text<M>, OwnerOf<M>& row) const {
        if (offset<M>(row) == 0) image_.fail(&(row.*M), nameOf<M>(), "is missing");
        (*this)(MaybeText<M>(), row);
    }
    template <auto M>
    void operator()(MaybeText<M>, OwnerOf<M>& row) const {
        point<M>(row, image_.places().texts, image_.header().textBytes);
    }
    template <auto M>
    void operator()(Bytes<M>, OwnerOf<M>& row) const {
        point<M>(row, image_.places().constants, image_.header().constantBytes + 1);
    }
    template <auto M, auto Count>
    void operator()(Rows<M, Count>, OwnerOf<M>& row) const {
        pointToRows<M>(row, row.*Count);
    }
    template <auto M>
    void operator()(SomeRows<M>, OwnerOf<M>& row) const {
        if (offset<M>(row) != 0) pointToRows<M>(row, 1);
    }
    template <auto M, auto Table, auto Count>
    void operator()(Function<M, Table, Count>, OwnerOf<M>& row) const {
        const std::uint64_t number = offset<M>(row);
        demandBelow<M>(row, number - 1, code_.*Count);
        row.*M = (code_.*Table)[number - 1];
    }
    template <auto M, auto Table, auto Count>
    void operator()(MaybeFunction<M, Table, Count>, OwnerOf<M>& row) const {
        if (offset<M>(row) != 0) (*this)(Function<M, Table, Count>(), row);
    }
    template <auto M>
    void operator()(Nested<M>, OwnerOf<M>& row) const {
        Of<TypeOf<M>>::forEach(row.*M, *this);
        checkRow(row.*M, image_);
    }
    template <auto M>
    void operator()(Given<M>, OwnerOf<M>& row) const {
        static_assert(std::is_same_v<OwnerOf<M>, Model>);
        row.*M = code_.processor;
    }

private:
    /// A pointer that is still an offset.
    template <auto M>
    std::uint64_t offset(const OwnerOf<M>& row) const {
        return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(row.*M));
    }
    /// What may be no value of its type before it is looked at.
    template <auto M>
    void demandLast(const OwnerOf<M>& row, std::uint64_t last) const {
        std::uint8_t value = 0;
        static_assert(sizeof value == sizeof(row.*M));
        std::memcpy(&value, &(row.*M), sizeof value);
        demandBelow<M>(row, value, last + 1);
    }
    template <auto M>
    void demandBelow(const OwnerOf<M>& row, std::uint64_t value, std::uint64_t limit) const {
        if (value >= limit)
            image_.fail(&(row.*M), nameOf<M>(),
                        "is " + std::to_string(value) + ", of " + std::to_string(limit));
    }
    /// Within `size` bytes at `start`, or null.
    template <auto M>
    void point(OwnerOf<M>& row, std::uint64_t start, std::uint64_t size) const {
        const std::uint64_t to = offset<M>(row);
        if (to == 0) return;
        if (to < start || to - start >= size)
            image_.fail(&(row.*M), nameOf<M>(),
                        "points to byte " + std::to_string(to) + ", which is none of its own");
        row.*M = reinterpret_cast<TypeOf<M>>(image_.at(to));
    }
    template <auto M>
    void pointToRows(OwnerOf<M>& row, std::uint64_t count) const {
        using Row = TargetOf<M>;
        const std::uint64_t start = image_.places().tables[kTable<Row>],
                            known = image_.header().rowCounts[kTable<Row>], to = offset<M>(row);
        if (to == 0 && count == 0) return;
        const std::uint64_t first = (to - start) / sizeof(Row);
        if (to < start || (to - start) % sizeof(Row) != 0 || first > known || known - first < count)
            image_.fail(&(row.*M), nameOf<M>(),
                        "asks for " + std::to_string(count) + " rows at byte " + std::to_string(to)
                            + ", where its table has fewer");
        row.*M = reinterpret_cast<TypeOf<M>>(image_.at(to));
    }

    const ImageRows& image_;
    const Code& code_;
};

}  // namespace
}  // namespace rows

namespace {

void checkHeader(std::span<const std::byte> image, const std::string& name, ImageCheck check) {
    const auto fail = [&](std::size_t offset, const std::string& what) {
        throw Error(ErrorKind::Data,
                    "'" + name + "' is damaged at byte " + std::to_string(offset) + ": " + what);
    };
    ImageHeader header;
    if (image.size() < sizeof header) return fail(image.size(), "it ends within its header");
    std::memcpy(&header, image.data(), sizeof header);
    if (header.magic != kImageMagic) return fail(0, "it is no model");
    if (header.order != kImageOrder || header.version != kModelVersion
        || header.layout != layoutHash())
        throw Error(ErrorKind::Data, "'" + name + "' is of model version "
                                         + std::to_string(header.version) + ", and this runtime of "
                                         + std::to_string(kModelVersion)
                                         + ", or of another machine; compile the design again");
    if (header.isLoaded != 0)
        return fail(offsetof(ImageHeader, isLoaded), "it is no file, but one in memory");
    for (const std::uint64_t rows : header.rowCounts)
        if (rows > image.size())
            return fail(offsetof(ImageHeader, rowCounts), "it has fewer rows than it says");
    if (header.rowCounts[rows::kTable<Model>] != 1)
        return fail(offsetof(ImageHeader, rowCounts), "it has not one model");
    if (header.textBytes > image.size() || header.constantBytes > image.size())
        return fail(offsetof(ImageHeader, textBytes), "it has fewer bytes than it says");
    const ImagePlaces places = placesOf(header);
    if (header.bytes != image.size() || places.end != header.bytes)
        return fail(offsetof(ImageHeader, bytes), "it has " + std::to_string(image.size())
                                                      + " bytes, not "
                                                      + std::to_string(header.bytes));
    if (header.textBytes == 0 || image[places.texts + header.textBytes - 1] != std::byte{0})
        return fail(places.texts + header.textBytes, "a text does not end");
    if (check == ImageCheck::PlacesAndHash
        && header.hash != imageHash(image.subspan(sizeof header)))
        return fail(sizeof header, "it is not what was written");
}

/// Before a row is looked at: those of another version may well suit the code.
void checkCode(const ImageRows& image, const Code& code, const ImageNames& names) {
    if (image.header().code == *code.identity) return;
    const auto text = static_cast<std::uint64_t>(
        reinterpret_cast<std::uintptr_t>(image.model().name) - image.places().texts);
    const std::string name =
        text < image.header().textBytes
            ? reinterpret_cast<const char*>(image.at(image.places().texts + text))
            : "";
    if (name != code.name)
        throw Error(ErrorKind::Data, "'" + names.image + "' is the model of '" + name + "', but "
                                         + names.code + " is of '" + code.name + "'");
    throw Error(ErrorKind::Data, "'" + names.image + "' is of another version of '" + name
                                     + "' than " + names.code + "; compile the design again");
}

/// Stages are all levels, one behind the other.
void checkStages(const ImageRows& image) {
    const Model& model = image.model();
    std::uint64_t levels = 0;
    for (const Stage& stage : std::span(model.stages, model.stageCount)) {
        if (stage.first != levels)
            image.fail(&stage.first, "Stage::first", "is not behind the stage before");
        if (stage.clocked < stage.first || stage.clocked >= model.levels)
            image.fail(&stage.clocked, "Stage::clocked", "is no level of its own");
        levels = std::uint64_t{stage.clocked} + 1;
    }
    if (levels == 0 || levels != model.levels)
        image.fail(&model.levels, "Model::levels", "are not those of its stages");
}

/// What no row of the model alone knows.
void checkModel(const ImageRows& image) {
    const Model& model = image.model();
    const std::byte* const start = image.at(image.places().constants);
    if (model.constants != start)
        image.fail(&model.constants, "Model::constants", "is not where they are");
    const auto left = static_cast<std::uint64_t>(
        model.reads == nullptr
            ? 0
            : image.header().constantBytes - static_cast<std::uint64_t>(model.reads - start));
    if (model.readCount > left / sizeof(Read))
        image.fail(&model.readCount, "Model::readCount", "is more than there are");
    if (model.version != kModelVersion) image.fail(&model.version, "Model::version", "is none");
    if (model.typeCount != image.table<Type>().size())
        image.fail(&model.typeCount, "Model::typeCount", "is not that of its table");
    checkStages(image);
}

}  // namespace

const Model& loadImage(std::span<std::byte> image, const Code& code, const ImageNames& names,
                       ImageCheck check) {
    auto& header = *reinterpret_cast<ImageHeader*>(image.data());
    checkHeader(image, names.image, check);
    const ImageRows tables(image, names.image);
    checkCode(tables, code, names);
    const rows::RowLoader loader(tables, code);
    rows::forEachTable([&]<typename Row>(std::type_identity<Row>) {
        if constexpr (!std::is_integral_v<Row>) {
            for (Row& row : tables.table<Row>()) {
                rows::Of<Row>::forEach(row, loader);
                checkRow(row, tables);
            }
        }
        if constexpr (std::is_same_v<Row, Model>) checkModel(tables);
    });
    header.isLoaded = 1;
    return tables.model();
}

}  // namespace sme
