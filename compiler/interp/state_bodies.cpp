#include "interp/state_bodies.h"

#include <string>

#include <fmt/format.h>

#include "interp/hash.h"

namespace smec::interp {
namespace {

void add(const Blocks::Entry& entry, Blocks& blocks) {
    blocks.numbers.emplace(entry.block, static_cast<std::uint32_t>(blocks.all.size()));
    blocks.all.push_back(entry);
    for (const hir::Stmt& stmt : *entry.block) {
        if (const auto* loop = std::get_if<hir::For>(&stmt.node))
            add({&loop->body, loop, nullptr, stmt.range}, blocks);
        if (const auto* loop = std::get_if<hir::While>(&stmt.node))
            add({&loop->body, nullptr, loop, stmt.range}, blocks);
        if (const auto* branch = std::get_if<hir::If>(&stmt.node)) {
            add({&branch->yes}, blocks);
            add({&branch->no}, blocks);
        }
        if (const auto* choice = std::get_if<hir::Switch>(&stmt.node)) {
            for (const hir::SwitchCase& each : choice->cases)
                add({&each.body}, blocks);
            if (choice->otherwise) add({&*choice->otherwise}, blocks);
        }
    }
}

}  // namespace

Blocks::Blocks(const hir::Block& body) { add({&body}, *this); }

std::uint64_t markOf(const hir::Design& design) {
    std::string text;
    for (const hir::Specialisation& spec : design.specs)
        text += fmt::format("{} {} {} {};", spec.name, spec.body.exprs.size(),
                            spec.body.vars.size(), Blocks(spec.body.statements).all.size());
    return fnv1a64(text);
}

}  // namespace smec::interp
