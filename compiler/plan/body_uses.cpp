#include "plan/body_uses.h"

#include <algorithm>

#include "ir/reach.h"
#include "ir/references.h"
#include "ir/visit.h"
#include "plan/facts.h"
#include "source/overloaded.h"

namespace smec::plan {
namespace {

class UsesFinder {
public:
    UsesFinder(const ir::Body& body, const std::vector<BodyFacts>& functions)
        : body_(body), functions_(functions) {}

    BodyUses run() {
        ir::Reach reach(body_);
        ir::forEachStmt(body_.statements, [&](const ir::Stmt& stmt) {
            reach.from(stmt, [&](ir::ExprId id) { note(body_[id]); });
            note(stmt);
        });
        return std::move(uses_);
    }

private:
    void note(const ir::Expr& expr) {
        if (const auto* input = std::get_if<ir::ReadInput>(&expr.node))
            note(*input);
        else if (const auto* local = std::get_if<ir::ReadLocal>(&expr.node))
            uses_.hasVariables |= isVariable(local->local);
        else if (std::holds_alternative<ir::Cycle>(expr.node)
                 || std::holds_alternative<ir::Seed>(expr.node))
            uses_.needsSurroundings = true;
    }

    void note(const ir::ReadInput& read) {
        if (const auto element = constantElement(body_, read))
            uses_.elements.insert({read.input, *element});
        else
            uses_.selected.insert(read.input);
    }

    bool isVariable(ir::LocalId id) const {
        return body_.locals[id.index].kind == ir::LocalKind::State;
    }

    void note(const ir::Stmt& stmt) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) {
            const ir::Local& local = body_.locals[id.index];
            if (local.kind == ir::LocalKind::Output) uses_.outputs.insert(local.slot);
            uses_.hasVariables |= isVariable(id);
        });
        if (const ir::LocalId copied = ir::copiedLocal(stmt); copied.valid())
            uses_.hasVariables |= isVariable(copied);
        if (const auto* copy = std::get_if<ir::CopyArray>(&stmt.node))
            if (const auto* input = std::get_if<ir::ReadInput>(&copy->from)) note(*input);
        smec::visit(Overloaded{
                        [&](const ir::AnyOf<ir::Check, ir::CountRound, ir::Trace, ir::Stop> auto&) {
                            uses_.needsSurroundings = true;
                        },
                        [&](const ir::Return&) { uses_.returns = true; },
                        [&](const ir::Call& n) {
                            uses_.needsSurroundings |=
                                functions_[n.function.index].uses.needsSurroundings;
                        },
                        [](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray, ir::If, ir::For,
                                           ir::Loop, ir::Switch, ir::Break, ir::Continue> auto&) {},
                    },
                    stmt.node);
    }

    const ir::Body& body_;
    const std::vector<BodyFacts>& functions_;
    BodyUses uses_;
};

}  // namespace

BodyUses usesOf(const ir::Body& body, const std::vector<BodyFacts>& functions) {
    return UsesFinder(body, functions).run();
}

std::optional<std::uint32_t> constantElement(const ir::Body& body, const ir::ReadInput& read) {
    if (!read.element.valid()) return 0;
    const auto* number = std::get_if<ir::ConstInt>(&body[read.element].node);
    if (number == nullptr) return std::nullopt;
    return static_cast<std::uint32_t>(number->value);
}

}  // namespace smec::plan
