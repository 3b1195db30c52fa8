#include "trace/input.h"

#include <cstring>

namespace sme {
namespace {

std::byte* inSlot(std::byte* slot, const Model& model, const Ref& ref) {
    const Plane& plane = model.planes[ref.plane];
    return slot + plane.offset + ref.element * model.types[plane.type].bytes + ref.offset;
}

}  // namespace

void InputDriver::drive(std::uint64_t cycle) {
    if (cycle >= rows_.count() + 2) return;  // both slots hold what stays
    if (cycle >= rows_.count()) {
        for (const Rows::Column& column : rows_.columns())
            putBack(column, cycle);
        return;
    }
    std::byte* slot = engine_.arena().slotReadIn(cycle);
    const std::byte* row = rows_.row(cycle);
    for (const Rows::Column& column : rows_.columns()) {
        std::memcpy(inSlot(slot, engine_.model(), column.ref), row + column.offset, column.bytes);
    }
}

void InputDriver::release() {
    for (const Rows::Column& column : rows_.columns())
        putBack(column, engine_.cycle());
}

void InputDriver::putBack(const Rows::Column& column, std::uint64_t cycle) {
    const Model& model = engine_.model();
    const Plane& plane = model.planes[column.ref.plane];
    std::byte* target = inSlot(engine_.arena().slotReadIn(cycle), model, column.ref);
    if (plane.hold) {  // what was read the cycle before, in the other slot
        std::memcpy(target, inSlot(engine_.arena().slot(cycle), model, column.ref), column.bytes);
    } else if (const std::byte* initial = initialValue(model, plane, column.ref.element)) {
        std::memcpy(target, initial + column.ref.offset, column.bytes);
    } else {
        std::memset(target, 0, column.bytes);
    }
}

}  // namespace sme
