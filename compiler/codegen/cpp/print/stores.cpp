#include "codegen/cpp/print/stores.h"

#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

bool isFloat(const ir::Scalar& scalar) {
    return scalar.kind == ir::ScalarKind::F32 || scalar.kind == ir::ScalarKind::F64;
}

/// What outlives the activation holds one form of NaN.
bool isStorage(const ir::Local& local) {
    return local.kind == ir::LocalKind::State || local.kind == ir::LocalKind::Output;
}

}  // namespace

Value Stores::stored(ir::ExprId id, const ir::Local& local) const {
    Value value =
        expr_.as(id, local.type.isArray() && local.type.scalar.kind == ir::ScalarKind::Bool
                         ? kBool
                         : variableWord(local.type.scalar));
    if (isStorage(local) && isFloat(local.type.scalar))
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
    const Value value = stored(s.value, local);
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
        std::visit(Overloaded{
                       [&](const ir::LocalId& local) { return nameOfLocal(local); },
                       [&](const ir::ReadInput& input) {
                           expr_.prepare({input.element});
                           return expr_.reads().arrayOf(input);
                       },
                       [&](const ir::TableId& table) { return expr_.reads().arrayOf(table); },
                   },
                   s.from);
    const bool isFloatStorage =
        isStorage(to) && isFloat(to.type.scalar) && std::holds_alternative<ir::LocalId>(s.from);
    const char* copy = isFloatStorage ? "copyCanonical" : "copyArray";
    out_.line("sme::{}<{}>({}, {}, {});", copy, nameOf(storedWord(to.type.scalar)),
              nameOfLocal(s.to), from, to.type.length);
}

void Stores::print(const ir::FillArray& s) {
    const ir::Local& to = info_.body->locals[s.to.index];
    expr_.prepare({s.value});
    out_.line("sme::fillArray<{}>({}, {}, {});", nameOf(storedWord(to.type.scalar)),
              nameOfLocal(s.to), to.type.length, stored(s.value, to).text);
}

}  // namespace smec::codegen::cpp
