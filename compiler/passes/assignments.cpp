#include "passes/assignments.h"

#include <algorithm>

#include "ir/references.h"

namespace smec::passes {

using namespace ir;

Assignments::Assignments(const Body& body) : places_(body.locals.size()) {
    walk(body.statements);
    firsts_.push_back(static_cast<std::uint32_t>(assigned_.size()));
}

void Assignments::walk(const Block& block) {
    for (const Stmt& stmt : block) {
        const auto number = static_cast<Number>(ends_.size());
        ends_.push_back(0);
        firsts_.push_back(static_cast<std::uint32_t>(assigned_.size()));
        forEachAssigned(stmt, [&](LocalId local) {
            if (!local.valid()) return;
            assigned_.push_back(local);
            places_[local.index].push_back(number);
        });
        forEachBlock(stmt, [this](const Block& inner) { walk(inner); });
        ends_[number] = static_cast<Number>(ends_.size());
    }
}

std::span<const LocalId> Assignments::in(Number statement) const {
    const std::uint32_t from = firsts_[statement], to = firsts_[ends_[statement]];
    return std::span(assigned_).subspan(from, to - from);
}

bool Assignments::assigns(Number statement, LocalId local) const {
    const std::vector<Number>& places = places_[local.index];
    const auto first = std::lower_bound(places.begin(), places.end(), statement);
    return first != places.end() && *first < ends_[statement];
}

}  // namespace smec::passes
