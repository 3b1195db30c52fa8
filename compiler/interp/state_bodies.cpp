#include "interp/state_bodies.h"

#include <string>

#include <fmt/format.h>

#include "hir/dump_body.h"
#include "hir/visit.h"
#include "interp/hash.h"
#include "sme/fnv1a.h"

namespace smec::interp {
namespace {

void add(const Blocks::Entry& entry, Blocks& blocks) {
    blocks.numbers.emplace(entry.block, static_cast<std::uint32_t>(blocks.all.size()));
    blocks.all.push_back(entry);
    for (const hir::Stmt& stmt : *entry.block) {
        std::visit(Overloaded{
                       [&](const hir::For& n) {
                           add({&n.body, &n, nullptr, stmt.range}, blocks);
                       },
                       [&](const hir::While& n) {
                           add({&n.body, nullptr, &n, stmt.range}, blocks);
                       },
                       [&](const AnyOf<hir::If, hir::Switch> auto&) {
                           hir::forEachBlock(
                               stmt, [&](const hir::Block& inner) { add({&inner}, blocks); });
                       },
                       [](const AnyOf<hir::Assign, hir::InitVar, hir::Break, hir::Continue,
                                      hir::Return, hir::Trace, hir::Assert, hir::Cover, hir::Stop,
                                      hir::Wait, hir::WaitUntil> auto&) {},
                   },
                   stmt.node);
    }
}

}  // namespace

Blocks::Blocks(const hir::Block& body) { add({&body}, *this); }

std::uint64_t markOf(const hir::Design& design, const hir::Specialisation& spec) {
    const hir::Body& body = spec.body;
    std::string text = fmt::format("{} expressions\n", body.exprs.size());
    for (const hir::Variable& var : body.vars)
        text += fmt::format("{} {}\n", var.name, design.types.name(var.type));
    return sme::fnv1a(text + hir::BodyDumper(design, &spec, body).block(body.statements, 0));
}

}  // namespace smec::interp
