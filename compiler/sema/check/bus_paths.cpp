#include "sema/check/bus_paths.h"

#include <algorithm>

#include "sema/check/buses.h"
#include "sema/check/names.h"
#include "sema/check/selections.h"
#include "source/overloaded.h"

namespace smec::sema {

const ast::Name* BusPaths::rootOf(ast::ExprId id) const {
    const ast::Name* root = nullptr;
    while (id.valid()) {
        id = smec::visit(
            Overloaded{
                [&](const ast::Name& n) {
                    root = &n;
                    return ast::ExprId{};
                },
                [](const AnyOf<ast::Member, ast::Index> auto& n) { return n.base; },
                [](const AnyOf<ast::IntLiteral, ast::FloatLiteral, ast::BoolLiteral,
                               ast::CharacterLiteral, ast::StringLiteral, ast::Undefined, ast::Star,
                               ast::Slice, ast::IndexedSlice, ast::Unary, ast::Binary,
                               ast::Conditional, ast::ArrayLiteral, ast::Paren, ast::Call> auto&) {
                    return ast::ExprId{};
                },
            },
            module_[id].node);
    }
    return root;
}

bool BusPaths::startsOutside(ast::ExprId id) {
    const ast::Name* root = rootOf(id);
    if (!root || locals_.find(root->text) || ports_.find(root->text)) return false;
    Symbol* symbol = scope_.find(root->text);
    if (!symbol) return typeSymbols_.enumMembers(scope_, root->text).empty();
    if (std::holds_alternative<ModuleSymbol>(symbol->node)) {
        // alias.process.bus: the second part decides
        const std::vector<ast::ExprId> chain = chainOf(id);
        const ast::ExprId second = chain[chain.size() > 1 ? chain.size() - 2 : 0];
        bool failed = false;
        Reporter::Quiet quiet(reporter_);
        Symbol* target = names_.symbolAt(second, failed);
        return target && std::holds_alternative<EntitySymbol>(target->node);
    }
    return std::holds_alternative<EntitySymbol>(symbol->node)
           || std::holds_alternative<InstanceSymbol>(symbol->node)
           || std::holds_alternative<BusSymbol>(symbol->node)
           || std::holds_alternative<PortSymbol>(symbol->node);
}

/// The path and all that it starts with, down to the name: a.b[i], a.b, a.
std::vector<ast::ExprId> BusPaths::chainOf(ast::ExprId id) const {
    std::vector<ast::ExprId> chain{id};
    while (!std::holds_alternative<ast::Name>(module_[chain.back()].node)) {
        const auto& node = module_[chain.back()].node;
        chain.push_back(std::holds_alternative<ast::Member>(node)
                            ? std::get<ast::Member>(node).base
                            : std::get<ast::Index>(node).base);
    }
    return chain;
}

Operand BusPaths::busPath(ast::ExprId id, std::vector<ast::ExprId>& rest) {
    const std::vector<ast::ExprId> chain = chainOf(id);
    const auto& root = std::get<ast::Name>(module_[chain.back()].node);
    SourceRange rootRange = module_[chain.back()].range;
    Symbol* symbol = scope_.find(root.text);
    if (symbol && isUnimported(*symbol)) return {};
    if (!paths_) {
        if (!symbol)
            names_.reportUnknown(root.text, rootRange);
        else if (mode_ == CheckMode::Function)
            reporter_.report(DiagId::FunctionScope, rootRange, root.text, kindOf(*symbol));
        else
            reporter_.report(DiagId::NotConstant, rootRange, root.text, kindOf(*symbol));
        return {};
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
        auto path = paths_->resolveBus({scope_.module(), chain[i]}, scope_, true);
        if (!path) continue;
        rest.assign(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(i));
        return referenceTo(chain[i], *path);
    }
    reportNoBus(chain, symbol);
    return {};
}

void BusPaths::reportNoBus(const std::vector<ast::ExprId>& chain, const Symbol* symbol) {
    const auto& root = std::get<ast::Name>(module_[chain.back()].node);
    const SourceRange rootRange = module_[chain.back()].range;
    const std::size_t errors = reporter_.reportedErrors();
    const auto isMember = [&](ast::ExprId part) {
        return std::holds_alternative<ast::Member>(module_[part].node);
    };
    // The last of several members is a field, a single one was to be a bus.
    const bool endsInField = isMember(chain.front()) && std::ranges::count_if(chain, isMember) > 1;
    const ast::ExprId shown = endsInField ? chain[1] : chain.front();
    if (chain.size() > 1 && (symbol || paths_->isInstance(root.text)))
        paths_->resolveBus({scope_.module(), shown}, scope_, reporter_.isQuiet());
    if (reporter_.reportedErrors() != errors) return;
    if (!symbol)
        names_.reportUnknown(root.text, rootRange);
    else
        reporter_.report(DiagId::NotAValue, rootRange, root.text, kindOf(*symbol), "");
}

Operand BusPaths::pathOperand(ast::ExprId id) {
    std::vector<ast::ExprId> rest;
    Operand operand = busPath(id, rest);
    for (; !rest.empty() && !operand.isError(); rest.pop_back()) {
        const ast::Expr& expr = module_[rest.back()];
        if (const auto* member = std::get_if<ast::Member>(&expr.node))
            operand = selections_.memberOf(std::move(operand), member->name, expr.range);
        else
            operand = selections_.indexOf(std::move(operand), std::get<ast::Index>(expr.node).index,
                                          expr.range);
        operand.range = expr.range;
    }
    return operand;
}

Operand BusPaths::referenceTo(ast::ExprId id, const ResolvedPath& path) {
    std::string text;
    for (char c : reporter_.sources().text(module_[id].range))
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r') text += c;
    const std::uint32_t port =
        ports_.addReference(text, path, {scope_.module(), id}, module_[id].range);
    return busOperand(port, module_[id].range);
}

}  // namespace smec::sema
