// Two kinds of cells that differ in a constant, and a third one:
//
//   a:  o.v = (n.v + s.v) >> 2;        a, b:  o.v = (n.v + s.v) >> constant;     a column, 2 or 3
//   b:  o.v = (n.v + s.v) >> 3;
//   c:  o.v = n.v ^ 1;                 all:   if kind == 0 { o.v = (n.v + s.v) >> constant; }
//                                             else { o.v = n.v ^ 1; }
//
// c has no input s; it gets one, which it does not look at.

#include "passes/kinds.h"

#include <algorithm>

#include "ir/arithmetic.h"
#include "ir/references.h"
#include "ir/visit.h"
#include "passes/body.h"

namespace smec::passes {

using namespace ir;

namespace {

/// A state or output local of each place.
class Variables {
public:
    Variables(Body& body, const Layout& layout)
        : body_(body), state_(layout.state.donors.size()), outputs_(layout.outputs.donors.size()) {}

    LocalId add(const Local& local, const Layout& layout, std::size_t kind) {
        if (local.kind == LocalKind::State)
            return at(state_[layout.state.places[kind][local.slot]], local,
                      layout.state.places[kind][local.slot]);
        if (local.kind == LocalKind::Output)
            return at(outputs_[layout.outputs.places[kind][local.slot]], local,
                      layout.outputs.places[kind][local.slot]);
        body_.locals.push_back(local);
        return last();
    }

private:
    LocalId last() const { return {static_cast<std::uint32_t>(body_.locals.size() - 1)}; }

    LocalId at(LocalId& known, const Local& local, std::uint32_t slot) {
        if (known.valid()) {
            std::optional<Interval>& range = body_.locals[known.index].range;
            range = range && local.range ? std::optional(hull(*range, *local.range)) : std::nullopt;
            return known;
        }
        body_.locals.push_back(local);
        body_.locals.back().slot = slot;
        return known = last();
    }

    Body& body_;
    std::vector<LocalId> state_, outputs_;
};

/// Puts the failure sites of a part of `body` after those that it has.
void appendSites(Body& body, Body& part) {
    const auto offset = static_cast<std::uint32_t>(body.fails.size());
    const Overloaded visitor{
        [&](AnyOf<Check, CountRound> auto& n) { n.site += offset; },
        [](const AnyOf<Trace, LocalId, TableId, FunctionId, ReadInput> auto&) {},
    };
    forEachStmt(part.statements, [&](Stmt& stmt) { forEachReference(stmt, visitor); });
    body.fails.insert(body.fails.end(), part.fails.begin(), part.fails.end());
}

/// Puts the body of a kind after what `body` has; its statements.
Block append(Body& body, Variables& variables, const Layout& layout, const Kind& from,
             std::size_t kind) {
    const auto offset = static_cast<std::uint32_t>(body.exprs.size());
    Body part = from.body;
    std::vector<LocalId> locals;
    for (const Local& local : part.locals)
        locals.push_back(variables.add(local, layout, kind));
    forEachReference<LocalId>(part, [&](LocalId& id) { id = locals[id.index]; });
    forEachReference<ReadInput>(
        part, [&](ReadInput& n) { n.input = layout.inputs.places[kind][n.input]; });
    forEachReference<ReadColumn>(part,
                                 [&](ReadColumn& n) { n.column += layout.firstColumn[kind]; });
    appendSites(body, part);
    for (Expr& expr : part.exprs) {
        forEachOperand(expr, [&](ExprId& id) { id.index += offset; });
        body.exprs.push_back(std::move(expr));
    }
    forEachStmt(part.statements,
                [&](Stmt& stmt) { forEachExpr(stmt, [&](ExprId& id) { id.index += offset; }); });
    return std::move(part.statements);
}

std::vector<std::pair<Key, std::string>> planeForms(const Design& design,
                                                    const std::vector<PlaneId>& planes) {
    std::vector<std::pair<Key, std::string>> forms;
    for (const PlaneId id : planes) {
        const Plane& plane = design.planes[id.index];
        forms.emplace_back(keyOf(design, plane, 0, {.names = false, .instances = false}),
                           plane.name);
    }
    return forms;
}

}  // namespace

std::optional<Kind> kindOf(const Design& design, std::vector<ClassId> members) {
    const Class& first = design.classes[members.front().index];
    Kind kind{std::move(members), first.body, first.columns, {}};
    const auto bodyAt = [&](ClassId id) -> const Body& { return design.classes[id.index].body; };
    for (std::size_t i = 0; i < first.body.exprs.size(); ++i) {
        const auto* constant = std::get_if<ConstInt>(&first.body.exprs[i].node);
        if (constant == nullptr) continue;
        Interval range{constant->value, constant->value};
        std::vector<Constant> values;
        for (const ClassId member : kind.members) {
            values.push_back({std::get<ConstInt>(bodyAt(member).exprs[i].node).value});
            const auto& value = std::get<Integer>(values.back().value);
            range = hull(range, {value, value});
        }
        if (range.low == range.high) continue;
        const std::optional<Scalar> type = smallestType(range);
        if (!type) return std::nullopt;
        const auto column = static_cast<std::uint32_t>(kind.columns.size());
        kind.body.exprs[i].node = ReadColumn{column};
        kind.columns.push_back({"constant", *type, {}, range});
        kind.constants.push_back(std::move(values));
    }
    for (std::size_t i = 0; i < kind.body.locals.size(); ++i) {
        std::optional<Interval>& range = kind.body.locals[i].range;
        for (const ClassId member : kind.members) {
            const std::optional<Interval>& other = bodyAt(member).locals[i].range;
            range = range && other ? std::optional(hull(*range, *other)) : std::nullopt;
        }
    }
    for (std::size_t i = 0; i < first.columns.size(); ++i) {
        for (const ClassId member : kind.members)
            kind.columns[i].range =
                hull(kind.columns[i].range, design.classes[member.index].columns[i].range);
    }
    for (Column& column : kind.columns)
        column.values.clear();
    return kind;
}

std::uint32_t SideBySide::ownAt(std::uint32_t kind, std::uint32_t place) const {
    const auto found = std::find(places[kind].begin(), places[kind].end(), place);
    return found == places[kind].end() ? kNone
                                       : static_cast<std::uint32_t>(found - places[kind].begin());
}

SideBySide sideBySide(const std::vector<std::vector<std::pair<Key, std::string>>>& forms) {
    SideBySide result;
    const auto formAt = [&](std::size_t place) -> const std::pair<Key, std::string>& {
        const SideBySide::Donor& donor = result.donors[place];
        return forms[donor.kind][donor.own];
    };
    for (std::uint32_t kind = 0; kind < forms.size(); ++kind) {
        std::vector<std::uint32_t>& places =
            result.places.emplace_back(forms[kind].size(), SideBySide::kNone);
        std::vector<bool> isTaken(result.donors.size());
        const auto take = [&](std::uint32_t own, bool byName) {
            for (std::uint32_t place = 0; place < isTaken.size(); ++place) {
                const bool fits = byName ? formAt(place) == forms[kind][own]
                                         : formAt(place).first == forms[kind][own].first;
                if (isTaken[place] || places[own] != SideBySide::kNone || !fits) continue;
                isTaken[place] = true;
                places[own] = place;
            }
        };
        for (const bool byName : {true, false})
            for (std::uint32_t own = 0; own < places.size(); ++own)
                take(own, byName);
        for (std::uint32_t own = 0; own < places.size(); ++own) {
            if (places[own] != SideBySide::kNone) continue;
            places[own] = static_cast<std::uint32_t>(result.donors.size());
            result.donors.push_back({kind, own});
        }
    }
    return result;
}

Layout layOut(const Design& design, const std::vector<Kind>& kinds) {
    std::vector<std::vector<std::pair<Key, std::string>>> inputs, outputs, state;
    Layout layout;
    for (const Kind& kind : kinds) {
        const Class& cls = design.classes[kind.members.front().index];
        inputs.emplace_back();
        for (const Input& input : cls.inputs)
            inputs.back().emplace_back(
                keyOf(design, input, 0, {.names = false, .instances = false}), input.name);
        std::vector<PlaneId> driven;
        for (const Output& output : cls.outputs)
            driven.push_back(output.plane);
        outputs.push_back(planeForms(design, driven));
        state.push_back(planeForms(design, cls.state));
        layout.firstColumn.push_back(layout.kindColumn);
        layout.kindColumn += static_cast<std::uint32_t>(kind.columns.size());
    }
    layout.inputs = sideBySide(inputs);
    layout.outputs = sideBySide(outputs);
    layout.state = sideBySide(state);
    return layout;
}

Body bodyOf(const std::vector<Kind>& kinds, const Layout& layout) {
    if (kinds.size() == 1) return kinds.front().body;
    Body body;
    Variables variables(body, layout);
    std::vector<Block> blocks;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        blocks.push_back(append(body, variables, layout, kinds[kind], kind));
    const ExprId own = addExpr(body, {ExprType::Int, ReadColumn{layout.kindColumn}});
    Block chosen = std::move(blocks.back());
    for (std::size_t kind = kinds.size() - 1; kind-- > 0;) {
        const SourceRange range = blocks[kind].empty() ? SourceRange{} : blocks[kind].front().range;
        const ExprId number = addExpr(body, {ExprType::Int, ConstInt{Integer(kind)}});
        const ExprId isKind = addExpr(body, {ExprType::Bool, Binary{BinaryOp::Eq, own, number}});
        Block outer;
        outer.push_back({range, If{isKind, std::move(blocks[kind]), std::move(chosen)}});
        chosen = std::move(outer);
    }
    body.statements = std::move(chosen);
    return body;
}

}  // namespace smec::passes
