#include "sema/checker.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

hir::Block Checker::block(const ast::Block& block) {
    hir::Block out;
    std::size_t begin = locals_.size();
    scopeStarts_.push_back(begin);
    for (const ast::Stmt& one : block.statements)
        statement(one, out);
    scopeStarts_.pop_back();
    leaveScope(begin);
    return out;
}

void Checker::leaveScope(std::size_t begin) {
    for (std::size_t i = begin; i < locals_.size(); ++i) {
        const Local& local = locals_[i];
        bool isWanted =
            !local.used && !local.isLoop && body_.vars[local.var.index].kind == hir::VarKind::Block;
        if (isWanted) core_.report(DiagId::Unused, local.range, "variable", local.name);
    }
    locals_.resize(begin);
}

hir::VarId Checker::declare(const ast::Identifier& name, TypeId type, hir::VarKind kind) {
    for (std::size_t i = scopeStarts_.empty() ? 0 : scopeStarts_.back(); i < locals_.size(); ++i) {
        if (locals_[i].name != name.text) continue;
        core_.report(DiagId::DuplicateName, name.range, name.text)
            .note(DiagId::FirstDeclared, locals_[i].range, name.text);
    }
    hir::VarId var{static_cast<std::uint32_t>(body_.vars.size())};
    body_.vars.push_back({name.text, name.range, kind, type});
    locals_.push_back({name.text, var, name.range, false, kind == hir::VarKind::Loop});
    return var;
}

void Checker::statement(const ast::Stmt& statement, hir::Block& out) {
    SourceRange range = statement.range;
    std::visit(Overloaded{
                   [&](const ast::VarDecl& n) { variable(n, range, out); },
                   [&](const ast::Assign& n) { assign(n, range, out); },
                   [&](const ast::If& n) { conditional(n, range, out); },
                   [&](const ast::For& n) { loop(n, range, out); },
                   [&](const ast::While& n) { loop(n, range, out); },
                   [&](const ast::Switch& n) { choose(n, range, out); },
                   [&](const ast::Break&) { leave(statement, out); },
                   [&](const ast::Continue&) { leave(statement, out); },
                   [&](const ast::Return& n) { giveBack(n, range, out); },
                   [&](const ast::Trace& n) { trace(n, range, out); },
                   [&](const ast::Assert& n) { assertion(n, range, out); },
                   [&](const ast::Cover& n) { cover(n, range, out); },
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

void Checker::variable(const ast::VarDecl& decl, SourceRange range, hir::Block& out) {
    TypeId type = resolveType(decl.type);
    hir::ExprId value;
    if (decl.init.valid()) {
        // The initialiser does not see the variable itself.
        Destination destination{type, "'" + decl.name.text + "'", true, false};
        value = store(checkFor(decl.init, destination), destination);
    }
    hir::VarId var = declare(decl.name, type, hir::VarKind::Block);
    out.push_back({range, hir::InitVar{var, value}});
}

hir::ExprId Checker::condition(ast::ExprId expr, Operand* checked) {
    Operand operand = check(expr);
    if (checked) *checked = operand;
    if (operand.isError() || !operandsAreValues(operand, operand)) return {};
    if (operand.type != TypeTable::kBool) {
        core_.report(DiagId::ConditionType, operand.range, typeName(operand),
                     core_.types().isInteger(operand.type) ? "; write '!= 0'" : "");
        return {};
    }
    return use(operand);
}

void Checker::conditional(const ast::If& node, SourceRange range, hir::Block& out) {
    // elif is an if in the else of the one before; built from the inside out
    std::vector<hir::If> levels;
    for (const ast::IfBranch& branch : node.branches) {
        Operand checked;
        hir::ExprId test = condition(branch.condition, &checked);
        judgeCondition(branch.condition, checked, false);
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

void Checker::leave(const ast::Stmt& statement, hir::Block& out) {
    bool isBreak = std::holds_alternative<ast::Break>(statement.node);
    if (loopDepth_ == 0) {
        core_.report(DiagId::OutsideLoop, statement.range, isBreak ? "break" : "continue");
        return;
    }
    if (isBreak)
        out.push_back({statement.range, hir::Break{}});
    else
        out.push_back({statement.range, hir::Continue{}});
}

void Checker::giveBack(const ast::Return& node, SourceRange range, hir::Block& out) {
    if (mode_ != Mode::Function) {
        core_.report(DiagId::ReturnOutside, range);
        if (node.value.valid()) check(node.value);
        return;
    }
    if (!node.value.valid()) {
        core_.report(DiagId::ReturnValue, range, core_.types().name(result_));
        out.push_back({range, hir::Return{}});  // so that the end is not missing a return as well
        return;
    }
    Destination destination{result_, "the result of '" + functionName_ + "'", false, false};
    hir::ExprId value = store(checkFor(node.value, destination), destination);
    out.push_back({range, hir::Return{value}});
}

// ---------------------------------------------------------------- stop and wait

void Checker::stop(const ast::Stop& node, SourceRange range, hir::Block& out) {
    if (mode_ == Mode::Function) {
        core_.report(DiagId::NotInFunction, range, "stop");
        return;
    }
    hir::ExprId status;
    if (node.status.valid()) {
        status = store(check(node.status),
                       {core_.types().integer(8, false), "the status of 'stop'", false, false});
        if (!status.valid()) return;
    }
    body_.canStop = true;
    out.push_back({range, hir::Stop{status}});
}

bool Checker::canWait(SourceRange range) {
    if (mode_ == Mode::Function)
        core_.report(DiagId::CannotWait, range, "a function");
    else if (kind_ == hir::ProcKind::Combinational)
        core_.report(DiagId::CannotWait, range, "a combinational process");
    else {
        body_.canWait = true;
        return true;
    }
    return false;
}

void Checker::wait(const ast::Wait& node, SourceRange range, hir::Block& out) {
    if (!canWait(range)) return;
    hir::ExprId count;
    if (node.count.valid()) {
        Operand operand = check(node.count);
        if (operand.isError() || !operandsAreValues(operand, operand)) return;
        if (!core_.types().isInteger(operand.type)) {
            core_.report(DiagId::ConstantType, operand.range, "the count of 'wait'", "an integer",
                         typeName(operand));
            return;
        }
        if (operand.isConstant() && operand.integer() < 1) {
            core_.report(DiagId::WaitCount, operand.range, operand.integer().str());
            return;
        }
        SiteNeeds needs;
        needs.use = operand.unsized ? SiteUse::Width : SiteUse::Free;
        needs.nonZero = needs.nonNegative = true;
        demand(operand, kAllBits);
        body_.canFail |= !operand.isConstant();
        count = use(operand, std::move(needs));
    }
    out.push_back({range, hir::Wait{count}});
}

void Checker::waitUntil(const ast::WaitUntil& node, SourceRange range, hir::Block& out) {
    if (!canWait(range)) return;
    hir::ExprId test = condition(node.condition);
    if (test.valid()) out.push_back({range, hir::WaitUntil{test}});
}

}  // namespace smec::sema
