#include "codegen/cpp/decide/touched.h"

#include <algorithm>

namespace smec::codegen::cpp {

namespace {

/// Whether a log begins with how many indices follow: else each word is one. What counts reads it.
bool isCounted(const ir::Body& body, ir::LocalId log) {
    return std::ranges::any_of(body.exprs, [&](const ir::Expr& expr) {
        const auto* read = std::get_if<ir::ReadLocal>(&expr.node);
        return read != nullptr && read->local == log;
    });
}

}  // namespace

Touched touchedBy(const ir::Class& cls, const BodyInfo& info) {
    Touched touched{std::vector<std::uint32_t>(cls.outputs.size(), UINT32_MAX),
                    std::vector<std::uint32_t>(cls.state.size(), UINT32_MAX)};
    for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i) {
        const ir::Local& local = cls.body.locals[i];
        if (local.kind == ir::LocalKind::Output && info.locals[i].isWritten)
            touched.outputs[local.slot] = i;
        if (local.kind == ir::LocalKind::State && info.locals[i].isUsed)
            touched.state[local.slot] = i;
    }
    return touched;
}

Replay replayOf(const ir::Class& cls, const Touched& touched, const ir::Output& output,
                Access last) {
    const auto at = std::find(cls.state.begin(), cls.state.end(), *output.log);
    const auto slot = static_cast<std::uint32_t>(at - cls.state.begin());
    return {last, slot, isCounted(cls.body, {touched.state[slot]})};
}

}  // namespace smec::codegen::cpp
