#include "interp/indices.h"

#include <fmt/format.h>

#include "interp/arithmetic.h"

namespace smec::interp {

std::optional<std::uint64_t> positionBelow(const Value& index, std::uint64_t length) {
    const auto position = toUnsigned(index);
    return position && *position < length ? position : std::nullopt;
}

Value bitOutside(const Value& low, std::uint32_t width) {
    if (compareIntegers(low, small(0)) < 0) return low;
    return binary(hir::BinaryOp::Add, low, small(width - 1));
}

void outOfRange(const Settings& settings, const Value& index, std::uint64_t length,
                const std::string& subject, SourceRange range) {
    if (settings.unchecked) return;
    throw Failure{fmt::format("index {} is out of range for '{}' of length {}",
                              toInteger(index).str(), subject, length),
                  range};
}

std::uint32_t fieldIndex(const Activation& on, std::uint32_t port, std::uint32_t field,
                         std::uint64_t element) {
    const hir::Design& design = on.context.design;
    const hir::BusId bus =
        design.bindings[on.process.instance->firstBus + on.prepared.portStart[port] + element];
    return design.fieldOf(bus, on.process.spec->ports[port].shape, field);
}

TypeId fieldType(const Activation& on, std::uint32_t port, std::uint32_t field) {
    return on.context.design.shapes[on.process.spec->ports[port].shape.index].fields[field].type;
}

}  // namespace smec::interp
