#include "codegen/cpp/decide/block_fields.h"

namespace smec::codegen::cpp {

std::optional<AtElement> BlockFields::variableOf(ir::PlaneId plane, std::uint32_t element) const {
    const auto* mirror = upkeepOf<plan::Mirror>(plane, element);
    if (mirror == nullptr) return std::nullopt;
    return AtElement{Base::State, elementIndex(program_, mirror->variable, element)};
}

bool BlockFields::isForLookers(ir::PlaneId plane, std::uint32_t element) const {
    return upkeepOf<plan::Mirror>(plane, element) != nullptr
           || upkeepOf<plan::Recomputed>(plane, element) != nullptr;
}

bool BlockFields::isOfBlock(ir::PlaneId plane, std::uint32_t element) const {
    const auto* recomputed = upkeepOf<plan::Recomputed>(plane, element);
    return recomputed != nullptr && recomputed->isRead;
}

bool BlockFields::isKept(ir::PlaneId plane, std::uint32_t element) const {
    return isOfBlock(plane, element) && upkeepOf<plan::Recomputed>(plane, element)->acrossCycles;
}

}  // namespace smec::codegen::cpp
