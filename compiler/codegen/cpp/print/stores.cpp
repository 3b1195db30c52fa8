#include "codegen/cpp/print/stores.h"

#include "source/overloaded.h"

namespace smec::codegen::cpp {

Value Stores::stored(ir::ExprId id, ir::LocalId to) const {
    const ir::Local& local = info_.body->locals[to.index];
    Value value =
        expr_.as(id, local.type.isArray() && local.type.scalar.kind == ir::ScalarKind::Bool
                         ? kBool
                         : variableWord(local.type.scalar));
    if (info_.locals[to.index].isCanonical)
        value.text =
            expr_.selects() == Selects::Masks
                ? fmt::format("sme::canonicalInLanes<{}>({})", nameOf(value.type), value.text)
                : fmt::format("sme::canonical({})", value.text);
    return value;
}

void Stores::print(const ir::Set& s, const ir::Stmt& stmt) {
    const ir::Local& local = info_.body->locals[s.local.index];
    const Place& place = leaves_.locals[s.local.index];
    // checks do not depend on what the array holds (passes/spread.cpp)
    if (place.isBounded) return;
    expr_.prepare({s.value, s.index});
    const Value value = stored(s.value, s.local);
    if (s.index.valid()) {
        out_.line("{} = {};", expr_.reads().element(place, s.index, local.type.length), value.text);
    } else if (isDeclaredBy(info_, stmt, s.local)) {
        out_.line("{} {} = {};", nameOf(place.type), nameOfLocal(s.local), value.text);
    } else {
        out_.line("{} = {};", nameOfLocal(s.local), value.text);
    }
}

void Stores::print(const ir::CopyArray& s) {
    const ir::Local& to = info_.body->locals[s.to.index];
    if (const auto* local = std::get_if<ir::LocalId>(&s.from); local && *local == s.to) return;
    const std::string from =
        smec::visit(Overloaded{
                        [&](const ir::LocalId& local) { return nameOfLocal(local); },
                        [&](const ir::ReadInput& input) {
                            expr_.prepare({input.element});
                            return expr_.reads().arrayOf(input);
                        },
                        [&](const ir::TableId& table) { return expr_.reads().arrayOf(table); },
                    },
                    s.from);
    // what else it may be copied from is canonical
    const bool isCanonical =
        info_.locals[s.to.index].isCanonical && std::holds_alternative<ir::LocalId>(s.from);
    const char* copy = isCanonical ? "copyCanonical" : "copyArray";
    out_.line("sme::{}<{}>({}, {}, {});", copy, nameOf(storedWord(to.type.scalar)),
              nameOfLocal(s.to), from, to.type.length);
}

void Stores::print(const ir::FillArray& s) {
    const ir::Local& to = info_.body->locals[s.to.index];
    expr_.prepare({s.value});
    out_.line("sme::fillArray<{}>({}, {}, {});", nameOf(storedWord(to.type.scalar)),
              nameOfLocal(s.to), to.type.length, stored(s.value, s.to).text);
}

}  // namespace smec::codegen::cpp
