#include "plan/mirrors.h"

#include <optional>
#include <set>
#include <utility>

#include "ir/references.h"

namespace smec::plan {
namespace {

/// The output and the variable of `output = variable`.
std::optional<std::pair<ir::LocalId, ir::LocalId>> mirroring(const ir::Body& body,
                                                             const ir::Stmt& stmt) {
    const auto* set = std::get_if<ir::Set>(&stmt.node);
    if (set == nullptr || set->index.valid()) return std::nullopt;
    const auto* read = std::get_if<ir::ReadLocal>(&body[set->value].node);
    if (read == nullptr || read->index.valid()) return std::nullopt;
    const ir::Local& from = body.locals[read->local.index];
    const ir::Local& to = body.locals[set->local.index];
    const bool mirrors = from.kind == ir::LocalKind::State && to.kind == ir::LocalKind::Output
                         && from.type == to.type && !from.type.isArray();
    if (!mirrors) return std::nullopt;
    return std::pair{set->local, read->local};
}

}  // namespace

std::map<std::uint32_t, std::uint32_t> mirrorsOf(const ir::Body& body, const BodyUses& uses) {
    std::map<std::uint32_t, std::uint32_t> mirrors;
    if (uses.returns) return mirrors;
    std::set<std::uint32_t> setLater;
    const auto note = [&](const ir::Stmt& stmt) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) { setLater.insert(id.index); });
    };
    for (auto stmt = body.statements.rbegin(); stmt != body.statements.rend(); ++stmt) {
        const auto found = mirroring(body, *stmt);
        if (found && !setLater.contains(found->first.index)
            && !setLater.contains(found->second.index))
            mirrors.try_emplace(found->first.index, found->second.index);
        note(*stmt);
        ir::forEachBlock(*stmt, [&](const ir::Block& inner) { ir::forEachStmt(inner, note); });
    }
    return mirrors;
}

}  // namespace smec::plan
