#include "image_lister.h"

#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "sme/model_image.h"

namespace smec::test {
namespace {

using namespace sme::rows;

class RowLister {
public:
    RowLister(const std::string& file, const sme::ImagePlaces& places, std::string& line)
        : file_(file), places_(places), line_(line) {}

    template <auto M>
    void operator()(Number<M>, const OwnerOf<M>& row) const {
        if (row.*M != TypeOf<M>{}) add<M>(fmt::format("{}", row.*M));
    }
    template <auto M>
    void operator()(Flag<M>, const OwnerOf<M>& row) const {
        if (row.*M) add<M>("true");
    }
    template <auto M, auto Last>
    void operator()(Choice<M, Last>, const OwnerOf<M>& row) const {
        add<M>(fmt::format("{}", static_cast<unsigned>(row.*M)));
    }
    template <auto M, auto Count>
    void operator()(Index<M, Count>, const OwnerOf<M>& row) const {
        add<M>(fmt::format("{}", row.*M));
    }
    template <auto M, auto Count>
    void operator()(MaybeIndex<M, Count>, const OwnerOf<M>& row) const {
        if (row.*M != static_cast<TypeOf<M>>(~TypeOf<M>{0})) add<M>(fmt::format("{}", row.*M));
    }
    template <auto M>
    void operator()(Text<M>, const OwnerOf<M>& row) const {
        add<M>(fmt::format("\"{}\"", file_.c_str() + offset(row.*M)));
    }
    template <auto M>
    void operator()(MaybeText<M>, const OwnerOf<M>& row) const {
        if (row.*M) (*this)(Text<M>(), row);
    }
    template <auto M, auto Count>
    void operator()(Rows<M, Count>, const OwnerOf<M>& row) const {
        (*this)(SomeRows<M>(), row);
    }
    template <auto M>
    void operator()(SomeRows<M>, const OwnerOf<M>& row) const {
        const std::uint64_t table = places_.tables[kTable<TargetOf<M>>];
        if (row.*M) add<M>(fmt::format("@{}", (offset(row.*M) - table) / sizeof(TargetOf<M>)));
    }
    template <auto M>
    void operator()(Bytes<M>, const OwnerOf<M>& row) const {
        if (row.*M) add<M>(fmt::format("+{}", offset(row.*M) - places_.constants));
    }
    template <auto M, auto Table, auto Count>
    void operator()(Function<M, Table, Count>, const OwnerOf<M>& row) const {
        add<M>(fmt::format("{}", reinterpret_cast<std::uintptr_t>(row.*M)));
    }
    template <auto M, auto Table, auto Count>
    void operator()(MaybeFunction<M, Table, Count>, const OwnerOf<M>& row) const {
        if (row.*M) add<M>(fmt::format("{}", reinterpret_cast<std::uintptr_t>(row.*M)));
    }
    template <auto M>
    void operator()(Nested<M>, const OwnerOf<M>& row) const {
        Of<TypeOf<M>>::forEach(row.*M, *this);
    }
    template <auto M>
    void operator()(Given<M>, const OwnerOf<M>&) const {}

private:
    static std::uint64_t offset(const void* pointer) {
        return reinterpret_cast<std::uintptr_t>(pointer);
    }
    template <auto M>
    void add(const std::string& value) const {
        const std::string_view name = nameOf<M>();
        line_ += fmt::format(" {}={}", name.substr(name.find("::") + 2), value);
    }

    const std::string& file_;
    const sme::ImagePlaces& places_;
    std::string& line_;
};

/// Any member of a struct tells its name.
struct StructName {
    std::string& name;
    template <template <auto...> typename Kind, auto Member, auto... Rest, typename Row>
    void operator()(Kind<Member, Rest...>, const Row&) const {
        const std::string_view all = nameOf<Member>();
        name = all.substr(0, all.find("::"));
    }
};

template <typename Row>
std::string nameOfRow(const Row& row) {
    std::string name = "number";
    if constexpr (!std::is_integral_v<Row>) Of<Row>::forEach(row, StructName{name});
    return name;
}

}  // namespace

std::string listImage(const std::string& file) {
    sme::ImageHeader header;
    std::memcpy(&header, file.data(), sizeof header);
    const sme::ImagePlaces places = placesOf(header);
    std::string text;
    forEachTable([&]<typename Row>(std::type_identity<Row>) {
        for (std::uint64_t i = 0; i < header.rowCounts[kTable<Row>]; ++i) {
            Row row{};
            std::memcpy(static_cast<void*>(&row),
                        file.data() + places.tables[kTable<Row>] + i * sizeof row, sizeof row);
            std::string line = fmt::format("{} {}:", nameOfRow(row), i);
            if constexpr (std::is_integral_v<Row>)
                line += fmt::format(" {}", row);
            else
                Of<Row>::forEach(row, RowLister(file, places, line));
            text += line + "\n";
        }
    });
    return text + fmt::format("{} bytes of constants\n", header.constantBytes);
}

}  // namespace smec::test
