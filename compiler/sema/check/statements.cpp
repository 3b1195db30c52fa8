#include "sema/check/statements.h"

#include "sema/check/assignments.h"
#include "sema/check/conversions.h"
#include "sema/check/expressions.h"
#include "sema/check/judgements.h"
#include "sema/check/switches.h"
#include "sema/check/texts.h"
#include "sema/check/written_types.h"
#include "source/overloaded.h"

namespace smec::sema {

using hir::TypeId;

hir::Block Statements::block(const ast::Block& block) {
    hir::Block out;
    locals_.open();
    for (const ast::Stmt& one : block.statements)
        statement(one, out);
    locals_.close();
    return out;
}

void Statements::statement(const ast::Stmt& statement, hir::Block& out) {
    SourceRange range = statement.range;
    smec::visit(Overloaded{
                    [&](const ast::VarDecl& n) { variable(n, range, out); },
                    [&](const ast::Assign& n) { assignments_.assign(n, range, out); },
                    [&](const ast::If& n) { conditional(n, range, out); },
                    [&](const ast::For& n) { loop(n, range, out); },
                    [&](const ast::While& n) { loop(n, range, out); },
                    [&](const ast::Switch& n) { switches_.choose(n, range, out); },
                    [&](const ast::Break&) { leave(statement, out); },
                    [&](const ast::Continue&) { leave(statement, out); },
                    [&](const ast::Return& n) { giveBack(n, range, out); },
                    [&](const ast::Trace& n) { texts_.trace(n, range, out); },
                    [&](const ast::Assert& n) { texts_.assertion(n, range, out); },
                    [&](const ast::Cover& n) { texts_.cover(n, range, out); },
                    [&](const ast::Stop& n) { stop(n, range, out); },
                    [&](const ast::Wait& n) { wait(n, range, out); },
                    [&](const ast::WaitUntil& n) { waitUntil(n, range, out); },
                    [&](const ast::Block& n) {
                        hir::Block inner = block(n);
                        out.insert(out.end(), std::make_move_iterator(inner.begin()),
                                   std::make_move_iterator(inner.end()));
                    },
                },
                statement.node);
}

void Statements::variable(const ast::VarDecl& decl, SourceRange range, hir::Block& out) {
    TypeId type = writtenTypes_.resolve(decl.type);
    hir::ExprId value;
    if (decl.init.valid()) {
        // The initialiser does not see the variable itself.
        Destination destination{type, "'" + decl.name.text + "'", true, false};
        value = conversions_.store(expressions_.checkFor(decl.init, destination), destination);
    }
    hir::VarId var = locals_.declare(decl.name, type, hir::VarKind::Block);
    out.push_back({range, hir::InitVar{var, value}});
}

void Statements::conditional(const ast::If& node, SourceRange range, hir::Block& out) {
    // elif is an if in the else of the one before; built from the inside out
    std::vector<hir::If> levels;
    for (const ast::IfBranch& branch : node.branches) {
        Operand checked;
        hir::ExprId test = expressions_.condition(branch.condition, &checked);
        judgements_.condition(branch.condition, checked, false);
        levels.push_back({test, block(branch.body), {}});
    }
    hir::Block otherwise;
    if (node.otherwise) otherwise = block(*node.otherwise);
    while (!levels.empty()) {
        hir::If level = std::move(levels.back());
        levels.pop_back();
        level.no = std::move(otherwise);
        SourceRange place =
            levels.empty() ? range : module_[node.branches[levels.size()].condition].range;
        otherwise.clear();
        otherwise.push_back({place, std::move(level)});
    }
    out.push_back(std::move(otherwise.front()));
}

void Statements::leave(const ast::Stmt& statement, hir::Block& out) {
    bool isBreak = std::holds_alternative<ast::Break>(statement.node);
    if (!loops_) {
        reporter_.report(DiagId::OutsideLoop, statement.range, isBreak ? "break" : "continue");
        return;
    }
    if (isBreak)
        out.push_back({statement.range, hir::Break{}});
    else
        out.push_back({statement.range, hir::Continue{}});
}

void Statements::giveBack(const ast::Return& node, SourceRange range, hir::Block& out) {
    if (mode_ != CheckMode::Function) {
        reporter_.report(DiagId::ReturnOutside, range);
        if (node.value.valid()) expressions_.check(node.value);
        return;
    }
    if (!node.value.valid()) {
        reporter_.report(DiagId::ReturnValue, range, types_.name(result_.type));
        out.push_back({range, hir::Return{}});  // so that the end is not missing a return as well
        return;
    }
    Destination destination{result_.type, "the result of '" + result_.function + "'", false, false};
    hir::ExprId value =
        conversions_.store(expressions_.checkFor(node.value, destination), destination);
    out.push_back({range, hir::Return{value}});
}

void Statements::stop(const ast::Stop& node, SourceRange range, hir::Block& out) {
    if (mode_ == CheckMode::Function) {
        reporter_.report(DiagId::NotInFunction, range, "stop");
        return;
    }
    hir::ExprId status;
    if (node.status.valid()) {
        status =
            conversions_.store(expressions_.check(node.status),
                               {types_.integer(8, false), "the status of 'stop'", false, false});
        if (!status.valid()) return;
    }
    build_.body().canStop = true;
    out.push_back({range, hir::Stop{status}});
}

bool Statements::canWait(SourceRange range) {
    if (mode_ == CheckMode::Function)
        reporter_.report(DiagId::CannotWait, range, "a function");
    else if (kind_ == hir::ProcKind::Combinational)
        reporter_.report(DiagId::CannotWait, range, "a combinational process");
    else {
        build_.body().canWait = true;
        return true;
    }
    return false;
}

void Statements::wait(const ast::Wait& node, SourceRange range, hir::Block& out) {
    if (!canWait(range)) return;
    hir::ExprId count;
    if (node.count.valid()) {
        Operand operand = expressions_.check(node.count);
        if (operand.isError() || !operandsAreValues(reporter_, operand, operand)) return;
        if (!types_.isInteger(operand.type)) {
            reporter_.report(DiagId::ConstantType, operand.range, "the count of 'wait'",
                             "an integer", typeName(types_, operand));
            return;
        }
        if (operand.isConstant() && operand.integer() < 1) {
            reporter_.report(DiagId::WaitCount, operand.range, operand.integer().str());
            return;
        }
        SiteNeeds needs;
        needs.use = operand.unsized ? SiteUse::Width : SiteUse::Free;
        needs.nonZero = needs.nonNegative = true;
        build_.demand(operand, kAllBits);
        build_.body().canFail |= !operand.isConstant();
        count = build_.use(operand, std::move(needs));
    }
    out.push_back({range, hir::Wait{count}});
}

void Statements::waitUntil(const ast::WaitUntil& node, SourceRange range, hir::Block& out) {
    if (!canWait(range)) return;
    hir::ExprId test = expressions_.condition(node.condition);
    if (test.valid()) out.push_back({range, hir::WaitUntil{test}});
}

}  // namespace smec::sema
