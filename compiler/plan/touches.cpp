#include "plan/touches.h"

#include <algorithm>

#include "ir/reach.h"
#include "ir/references.h"
#include "ir/visit.h"

namespace smec::plan {
namespace {

class Toucher {
public:
    explicit Toucher(const ir::Design& design)
        : design_(design), needsSurroundings_(design.functions.size()) {}

    Touches of(const ir::Class& cls) {
        Touches touches;
        touches.outputs.resize(cls.outputs.size(), false);
        look(cls.body, touches);
        return touches;
    }

private:
    void look(const ir::Body& body, Touches& touches) {
        ir::Reach reach(body);
        ir::forEachStmt(body.statements, [&](const ir::Stmt& stmt) {
            reach.from(stmt, [&](ir::ExprId id) { note(body, body[id], touches); });
            note(body, stmt, touches);
        });
    }

    static void note(const ir::Body& body, const ir::Expr& expr, Touches& touches) {
        if (const auto* input = std::get_if<ir::ReadInput>(&expr.node))
            note(body, *input, touches);
        else if (const auto* local = std::get_if<ir::ReadLocal>(&expr.node))
            touches.hasVariables |= isVariable(body, local->local);
        else if (std::holds_alternative<ir::Cycle>(expr.node)
                 || std::holds_alternative<ir::Seed>(expr.node))
            touches.needsSurroundings = true;
    }

    static void note(const ir::Body& body, const ir::ReadInput& read, Touches& touches) {
        if (const auto element = constantElement(body, read))
            touches.elements.insert({read.input, *element});
        else
            touches.selected.insert(read.input);
    }

    static bool isVariable(const ir::Body& body, ir::LocalId id) {
        return body.locals[id.index].kind == ir::LocalKind::State;
    }

    void note(const ir::Body& body, const ir::Stmt& stmt, Touches& touches) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) {
            const ir::Local& local = body.locals[id.index];
            if (local.kind == ir::LocalKind::Output && local.slot < touches.outputs.size())
                touches.outputs[local.slot] = true;
            touches.hasVariables |= isVariable(body, id);
        });
        if (const ir::LocalId copied = ir::copiedLocal(stmt); copied.valid())
            touches.hasVariables |= isVariable(body, copied);
        if (const auto* copy = std::get_if<ir::CopyArray>(&stmt.node))
            if (const auto* input = std::get_if<ir::ReadInput>(&copy->from))
                note(body, *input, touches);
        std::visit(Overloaded{
                       [&](const ir::AnyOf<ir::Check, ir::CountRound, ir::Trace, ir::Stop> auto&) {
                           touches.needsSurroundings = true;
                       },
                       [&](const ir::Return&) { touches.returns = true; },
                       [&](const ir::Call& n) {
                           touches.needsSurroundings |= functionNeedsSurroundings(n.function);
                       },
                       [](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray, ir::If, ir::For,
                                          ir::Loop, ir::Switch, ir::Break, ir::Continue> auto&) {},
                   },
                   stmt.node);
    }

    /// Functions do not call themselves.
    bool functionNeedsSurroundings(ir::FunctionId id) {
        std::optional<bool>& known = needsSurroundings_[id.index];
        if (!known) {
            Touches touches;
            look(design_.functions[id.index].body, touches);
            known = touches.needsSurroundings;
        }
        return *known;
    }

    const ir::Design& design_;
    std::vector<std::optional<bool>> needsSurroundings_;  ///< by function
};

}  // namespace

std::vector<Touches> touchesOf(const ir::Design& design) {
    Toucher toucher(design);
    std::vector<Touches> touches;
    touches.reserve(design.classes.size());
    for (const ir::Class& cls : design.classes)
        touches.push_back(toucher.of(cls));
    return touches;
}

std::optional<std::uint32_t> constantElement(const ir::Body& body, const ir::ReadInput& read) {
    if (!read.element.valid()) return 0;
    const auto* number = std::get_if<ir::ConstInt>(&body[read.element].node);
    if (number == nullptr) return std::nullopt;
    return static_cast<std::uint32_t>(number->value);
}

}  // namespace smec::plan
