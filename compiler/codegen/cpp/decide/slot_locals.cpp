#include "codegen/cpp/decide/slot_locals.h"

#include <algorithm>

namespace smec::codegen::cpp {

SlotLocals slotLocalsOf(const ir::Class& cls, const BodyInfo& info) {
    SlotLocals locals{std::vector<std::uint32_t>(cls.outputs.size(), UINT32_MAX),
                      std::vector<std::uint32_t>(cls.state.size(), UINT32_MAX)};
    for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i) {
        const ir::Local& local = cls.body.locals[i];
        if (local.kind == ir::LocalKind::Output && info.locals[i].isWritten)
            locals.outputs[local.slot] = i;
        if (local.kind == ir::LocalKind::State && info.locals[i].isUsed)
            locals.state[local.slot] = i;
    }
    return locals;
}

std::uint32_t logSlot(const ir::Class& cls, const ir::Log& log) {
    const auto at = std::find(cls.state.begin(), cls.state.end(), log.plane);
    return static_cast<std::uint32_t>(at - cls.state.begin());
}

}  // namespace smec::codegen::cpp
