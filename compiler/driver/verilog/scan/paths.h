#pragma once

#include "driver/verilog/scan/checks.h"

namespace smec::driver::scan {

/// Which sides of conditions lead to a statement: the condition's number and the side.
using Path = std::vector<std::pair<StatementId, std::uint32_t>>;

/// Whether no run through a block comes to both.
inline bool areExclusive(const Path& a, const Path& b) {
    for (const auto& [statement, side] : a)
        for (const auto& [other, otherSide] : b)
            if (statement == other && side != otherSide) return true;
    return false;
}

/// Visits statements in the order of the text, with the path to each: visit(id, path, loop).
/// `loop`: the outermost one around it, or kNone.
template <class Visit>
void walkPaths(const Module& module, StatementId id, Path& path, StatementId loop, Visit& visit) {
    if (id == kNone) return;
    const Statement& s = module.statements[id];
    visit(id, path, loop);
    const bool isChoice = s.kind == StatementKind::If || s.kind == StatementKind::Case;
    const bool isLoop = s.kind == StatementKind::For || s.kind == StatementKind::Loop;
    for (std::uint32_t i = 0; i < s.children.size(); ++i) {
        if (isChoice) path.emplace_back(id, i);
        walkPaths(module, s.children[i], path, isLoop && loop == kNone ? id : loop, visit);
        if (isChoice) path.pop_back();
    }
}

}  // namespace smec::driver::scan
