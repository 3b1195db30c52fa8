#include "sema/anew.h"

#include <map>
#include <vector>

#include "ast/names.h"
#include "sema/type_symbols.h"
#include "source/overloaded.h"

// Variables that start anew in every run, used as if they remembered: a single assignment gives
// them a value that follows from their first one alone, so that it is the same in every run.
//
//     async proc p(out y) var n: u8 = 0; { n = n + 1; y.v = n; }    n is always 1
//     proc p(out y) { var n: u8 = 0; n = n + 1; y.v = n; }          so it is here

namespace smec::sema {

namespace {

class AnewJudge {
public:
    AnewJudge(Reporter& reporter, hir::TypeTable& types, const ast::Module& module,
              const Scope& scope, const ast::ProcDecl& process)
        : reporter_(reporter), types_(types), scope_(scope), module_(module), process_(process) {}

    void run() {
        if (process_.kind == ast::ProcKind::Combinational)
            for (const ast::Decl& decl : process_.decls)
                if (const auto* var = std::get_if<ast::VarDecl>(&decl.node)) declare(*var, false);
        walk(process_.body);
        for (const auto& [name, variable] : variables_)
            judge(name, variable);
    }

private:
    struct Variable {
        const ast::VarDecl* decl = nullptr;
        bool isLocal = false;
        int declarations = 0;
        int loops = 0;  ///< around the declaration
        int assignments = 0;
        const ast::Assign* assignment = nullptr;
        int loopsAround = 0;  ///< the assignment
        SourceRange range;
    };

    void declare(const ast::VarDecl& decl, bool isLocal) {
        Variable& variable = variables_[decl.name.text];
        ++variable.declarations;
        variable.decl = &decl;
        variable.isLocal = isLocal;
        variable.loops = loops_;
    }

    void walk(const ast::Block& block) {
        for (const ast::Stmt& statement : block.statements)
            walk(statement);
    }

    void walk(const ast::Stmt& statement) {
        smec::visit(
            Overloaded{
                [&](const ast::VarDecl& n) { declare(n, true); },
                [&](const ast::Assign& n) { assign(n, statement.range); },
                [&](const ast::If& n) {
                    for (const ast::IfBranch& branch : n.branches)
                        walk(branch.body);
                    if (n.otherwise) walk(*n.otherwise);
                },
                [&](const ast::For& n) {
                    ++variables_[n.variable.text].declarations;
                    inLoop(n.body);
                },
                [&](const ast::While& n) { inLoop(n.body); },
                [&](const ast::Switch& n) {
                    for (const ast::Case& one : n.cases)
                        walk(one.body);
                    if (n.otherwise) walk(*n.otherwise);
                },
                [&](const ast::Block& n) { walk(n); },
                [](const AnyOf<ast::Break, ast::Continue, ast::Return, ast::Trace, ast::Assert,
                               ast::Cover, ast::Stop, ast::Wait, ast::WaitUntil> auto&) {}},
            statement.node);
    }

    void inLoop(const ast::Block& body) {
        ++loops_;
        walk(body);
        --loops_;
    }

    /// An assignment to a part counts, but is none that is judged.
    void assign(const ast::Assign& node, SourceRange range) {
        bool isWhole = false;
        ast::forEachName(module_, node.target, [&](std::string_view name) {
            isWhole = std::holds_alternative<ast::Name>(module_[node.target].node);
            Variable& variable = variables_[std::string(name)];
            ++variable.assignments;
            variable.assignment = isWhole ? &node : nullptr;
            variable.loopsAround = loops_;
            variable.range = range;
        });
    }

    void judge(const std::string& name, const Variable& variable) {
        const bool isOne = variable.declarations == 1 && variable.assignments == 1;
        if (!variable.decl || !isOne || !variable.assignment) return;
        if (variable.loopsAround != variable.loops) return;
        bool readsItself = variable.assignment->op.has_value();
        if (!isFixed(variable.assignment->value, name, readsItself) || !readsItself) return;
        bool isUsed = false;
        if (variable.decl->init.valid() && !isFixed(variable.decl->init, {}, isUsed)) return;
        reporter_.report(DiagId::StartsAnew, variable.range, name,
                         variable.isLocal
                             ? "declare it in front of the body, and it keeps its value"
                             : "an 'async proc' has no memory, a 'proc' has");
    }

    /// Whether an expression mentions nothing but constants, types, and the variable itself.
    bool isFixed(ast::ExprId expr, std::string_view variable, bool& readsItself) {
        bool isFixed = true;
        ast::forEachName(module_, expr, [&](std::string_view name) {
            bool isType = false;
            const Symbol* symbol = scope_.find(name);
            if (name == variable)
                readsItself = true;
            else if (symbol)
                isFixed &= std::holds_alternative<ConstSymbol>(symbol->node)
                           || std::holds_alternative<TypeSymbol>(symbol->node);
            else
                isFixed &= builtinType(types_, name, isType).has_value();
        });
        return isFixed;
    }

    Reporter& reporter_;
    hir::TypeTable& types_;
    const Scope& scope_;
    const ast::Module& module_;
    const ast::ProcDecl& process_;
    std::map<std::string, Variable> variables_;
    int loops_ = 0;
};

}  // namespace

void warnStartsAnew(Reporter& reporter, hir::TypeTable& types, const ast::Module& module,
                    const Scope& scope, const ast::ProcDecl& process) {
    AnewJudge(reporter, types, module, scope, process).run();
}

}  // namespace smec::sema
