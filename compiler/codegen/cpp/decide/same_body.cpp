#include "codegen/cpp/decide/same_body.h"

#include <algorithm>

#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {

bool BodyMatch::same(const ir::Block& a, const ir::Block& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const ir::Stmt& x, const ir::Stmt& y) { return same(x, y); });
}

bool BodyMatch::same(const ir::Stmt& a, const ir::Stmt& b) {
    if (lines_ == SourceLines::Count && a.range != b.range) return false;
    if (a.node.index() != b.node.index() || !sameCounter(a, b)) return false;
    return smec::visit(
        [&](const auto& x) { return same(x, std::get<std::remove_cvref_t<decltype(x)>>(b.node)); },
        a.node);
}

bool BodyMatch::same(const ir::Set& a, const ir::Set& b) {
    return exprs_.pairLocals(a.local, b.local) && exprs_.same(a.value, b.value)
           && exprs_.same(a.index, b.index)
           && exprs_.sameBounds(a.index, b.index, exprs_.lengthOf(a.local));
}

bool BodyMatch::same(const ir::CopyArray& a, const ir::CopyArray& b) {
    if (!exprs_.pairLocals(a.to, b.to) || a.from.index() != b.from.index()) return false;
    return smec::visit(
        Overloaded{
            [&](const ir::LocalId& x) {
                return exprs_.pairLocals(x, std::get<ir::LocalId>(b.from));
            },
            [&](const ir::TableId& x) { return x == std::get<ir::TableId>(b.from); },
            [&](const ir::ReadInput& x) { return exprs_.same(x, std::get<ir::ReadInput>(b.from)); },
        },
        a.from);
}

bool BodyMatch::same(const ir::FillArray& a, const ir::FillArray& b) {
    return exprs_.pairLocals(a.to, b.to) && exprs_.same(a.value, b.value);
}

bool BodyMatch::same(const ir::Check& a, const ir::Check& b) {
    return exprs_.same(a.ok, b.ok) && exprs_.same(a.args, b.args) && a.site == b.site;
}

bool BodyMatch::same(const ir::If& a, const ir::If& b) {
    return exprs_.same(a.condition, b.condition) && same(a.yes, b.yes) && same(a.no, b.no);
}

bool BodyMatch::same(const ir::For& a, const ir::For& b) {
    return a.kind == b.kind && exprs_.same(a.from, b.from) && exprs_.same(a.to, b.to)
           && exprs_.pairLocals(a.var, b.var) && same(a.body, b.body);
}

bool BodyMatch::same(const ir::Switch& a, const ir::Switch& b) {
    return exprs_.same(a.subject, b.subject)
           && std::equal(a.cases.begin(), a.cases.end(), b.cases.begin(), b.cases.end(),
                         [&](const ir::SwitchCase& x, const ir::SwitchCase& y) {
                             return x.labels == y.labels && same(x.body, y.body);
                         })
           && same(a.otherwise, b.otherwise);
}

bool BodyMatch::same(const ir::Call& a, const ir::Call& b) {
    return a.function == b.function && exprs_.same(a.args, b.args)
           && std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                         [&](ir::LocalId x, ir::LocalId y) { return exprs_.pairLocals(x, y); });
}

bool BodyMatch::same(const ir::Trace& a, const ir::Trace& b) {
    return a.site == b.site && exprs_.same(a.args, b.args);
}

bool BodyMatch::sameCounter(const ir::Stmt& a, const ir::Stmt& b) const {
    const auto counterA = a_.counters.find(a.id);
    return counterA == a_.counters.end() || counterA->second == b_.counters.at(b.id);
}

}  // namespace smec::codegen::cpp
