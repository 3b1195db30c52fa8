#include "driver/verilog/extern_layout.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace smec::driver {
namespace {

/// "[1][2]" of element 5 of [2][3]
std::string indexText(std::uint64_t element, const std::vector<std::uint64_t>& dimensions) {
    std::string text;
    for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
        text.insert(0, fmt::format("[{}]", element % *dimension));
        element /= *dimension;
    }
    return text;
}

class Layout {
public:
    explicit Layout(const hir::Design& design) : types_(design.types) {}

    void add(std::uint32_t number, const hir::Port& port, const hir::ForeignPort& outside) {
        port_ = number;
        for (const hir::ForeignPort::Field& field : outside.fields) {
            whole_ = port.name + "_" + field.name;
            for (std::uint64_t element = 0; element < port.elements; ++element) {
                std::string place = port.name;
                if (port.isArray) place += indexText(element, port.dimensions);
                take({whole_, port.name + "." + field.name, place + "." + field.name}, field.type,
                     field.written);
            }
        }
    }
    std::vector<Wire> wires;

private:
    struct Named {
        std::string wire;
        std::string field;
        std::string place;
    };

    /// What of a value goes where. Types nest no deeper than somebody has written.
    void take(const Named& named, hir::TypeId type, bool isWritten) {
        if (const auto* array = types_.as<hir::ArrayType>(type)) {
            for (std::uint64_t i = 0; i < array->count; ++i)
                take({named.wire, named.field, fmt::format("{}[{}]", named.place, i)},
                     array->element, isWritten);
            return;
        }
        if (const auto* structure = types_.as<hir::StructType>(type)) {
            for (const hir::StructMember& member : structure->members)
                take({named.wire + "_" + member.name, named.field + "." + member.name,
                      named.place + "." + member.name},
                     member.type, isWritten);
            return;
        }
        Wire& wire = wireOf(named, isWritten);
        wire.parts.push_back({named.place, type, widthOf(type)});
        wire.width += wire.parts.back().width;
    }

    Wire& wireOf(const Named& named, bool isWritten) {
        const auto found = std::ranges::find(wires, named.wire, &Wire::name);
        if (found != wires.end()) return *found;
        wires.push_back({named.wire, named.field, whole_, port_, isWritten, {}, 0});
        return wires.back();
    }

    std::uint32_t widthOf(hir::TypeId type) const {
        if (const auto* integer = types_.as<hir::IntType>(type)) return integer->width;
        if (const auto* enumeration = types_.as<hir::EnumType>(type)) return enumeration->width;
        if (const auto* number = types_.as<hir::FloatType>(type)) return number->width;
        return 1;
    }

    const hir::TypeTable& types_;
    std::uint32_t port_ = 0;
    std::string whole_;
};

}  // namespace

std::vector<Wire> wiresOf(const hir::Design& design, const hir::Specialisation& spec) {
    Layout layout(design);
    const hir::Foreign& foreign = *design.functions[spec.foreign.index].external;
    for (std::uint32_t i = 0; i < foreign.ports.size(); ++i)
        layout.add(i, spec.ports[i], foreign.ports[i]);
    return std::move(layout.wires);
}

}  // namespace smec::driver
