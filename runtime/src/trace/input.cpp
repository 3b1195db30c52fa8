#include "trace/input.h"

#include <cstring>

namespace sme {
namespace {

std::byte* inSlot(std::byte* slot, const Model& model, const Ref& ref) {
    const Plane& plane = model.planes[ref.plane];
    return slot + plane.offset + ref.element * model.types[plane.type].bytes + ref.offset;
}

}  // namespace

Rows::Found InputDriver::drive(std::uint64_t cycle) {
    const bool bothStay = rows_.count() && cycle >= *rows_.count() + 2;  // slots
    const Rows::Found found = bothStay ? Rows::Found::End : rows_.seek(cycle);
    if (found == Rows::Found::End && !bothStay) {
        for (const Rows::Column& column : rows_.columns())
            putBack(column, cycle);
    }
    if (found != Rows::Found::Row) return found;
    const Model& model = engine_.model();
    for (const Rows::Column& column : rows_.columns()) {
        const ClockGroup group = model.planes[column.ref.plane].group;
        std::memcpy(inSlot(engine_.arena().slots(cycle, group).read, model, column.ref),
                    rows_.values() + column.offset, column.bytes);
    }
    return found;
}

void InputDriver::release() {
    for (const Rows::Column& column : rows_.columns())
        putBack(column, engine_.cycle());
}

void InputDriver::putBack(const Rows::Column& column, std::uint64_t cycle) {
    const Model& model = engine_.model();
    const Plane& plane = model.planes[column.ref.plane];
    const Slots slots = engine_.arena().slots(cycle, plane.group);
    std::byte* target = inSlot(slots.read, model, column.ref);
    if (plane.hold) {  // what was read the cycle before, in the other slot
        std::memcpy(target, inSlot(slots.write, model, column.ref), column.bytes);
    } else if (const std::byte* initial = initialValue(model, plane, column.ref.element)) {
        std::memcpy(target, initial + column.ref.offset, column.bytes);
    } else {
        std::memset(target, 0, column.bytes);
    }
}

}  // namespace sme
