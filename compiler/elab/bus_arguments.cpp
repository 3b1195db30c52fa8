#include "elab/bus_arguments.h"

#include "elab/paths.h"
#include "elab/scopes.h"
#include "elab/views.h"

// Bus arguments, the general way: a path, `c ? a : b`, or a list of arguments.
//   [l[y][x + 1], [a, b][0]]   the elements in order, a dimension in front of theirs
//   (c ? a : b)[i]             what is chosen, and then on

namespace smec::elab {

/// Where an argument stands and what it is for.
struct BusArguments::Target {
    Frame& frame;
    const sema::Scope& scope;
    const PortParam& param;
    const Entity& entity;
};

Outcome BusArguments::connect(NodeId id) {
    const Entity& entity = *tree_.nodes[id].entity;
    std::unique_ptr<sema::Scope> inner;
    if (entity.portsDepend()) inner = makeScope(tree_, id);
    const sema::ModuleId module = tree_.moduleOf(*tree_.frameOf(tree_.nodes[id].parent));
    const Call& call = calls_.of(*tree_.nodes[id].decl, module);
    std::vector<View> views;
    bool isGood = true;
    for (std::size_t i = 0; i < entity.ports.size(); ++i) {
        Outcome outcome;
        std::optional<View> view = portView(id, i, outcome);
        if (outcome.blocked != kNone) return outcome;
        const SourceRange range = tree_.expr({module, call.ports[i]}).range;
        const PortCheck check{entity, entity.ports[i], inner.get(), range,
                              tree_.sources.text(range)};
        if (!view || !checks_.check(check, *view)) {
            isGood = false;
            continue;
        }
        views.push_back(std::move(*view));
    }
    if (!isGood) return kStageFailed;
    connections_.commit(id, views);
    return {};
}

std::optional<View> BusArguments::portView(NodeId id, std::size_t port, Outcome& outcome) {
    Frame& frame = *tree_.frameOf(tree_.nodes[id].parent);
    const Call& call = calls_.of(*tree_.nodes[id].decl, tree_.moduleOf(frame));
    const sema::Scope& scope = rounds_.enter({frame, tree_.nodes[id].iteration});
    const Entity& entity = *tree_.nodes[id].entity;
    return argument({frame, scope, entity.ports[port], entity}, call.ports[port], outcome);
}

ast::ExprId chosenFrom(const Tree& tree, sema::ExprRef expr, std::vector<ast::ExprId>& steps) {
    const std::size_t known = steps.size();
    while (expr.expr.valid()) {
        const ast::Expr& node = tree.expr(expr);
        if (std::holds_alternative<ast::Conditional>(node.node)
            || std::holds_alternative<ast::ArrayLiteral>(node.node))
            return expr.expr;
        const auto* paren = std::get_if<ast::Paren>(&node.node);
        if (!paren) steps.push_back(expr.expr);
        expr.expr = paren ? paren->inner : baseOf(node);
    }
    steps.resize(known);
    return {};
}

/// A choice is followed in a loop: `a ? b : c ? d : …` may be long. Lists are as deep as brackets
/// are.
std::optional<View> BusArguments::argument(const Target& target, ast::ExprId expr,
                                           Outcome& outcome) {
    const sema::ModuleId module = tree_.moduleOf(target.frame);
    std::vector<ast::ExprId> steps;
    while (true) {
        const ast::Expr& node = tree_.expr({module, expr});
        if (const auto* paren = std::get_if<ast::Paren>(&node.node)) {
            expr = paren->inner;
        } else if (const auto* choice = std::get_if<ast::Conditional>(&node.node)) {
            const auto isYes = tree_.context.condition({module, choice->condition}, target.scope);
            if (!isYes) return std::nullopt;
            expr = *isYes ? choice->yes : choice->no;
        } else if (const auto* elements = std::get_if<ast::ArrayLiteral>(&node.node)) {
            if (steps.empty()) return list(target, *elements, outcome);
            const auto element = elementOf(target, *elements, node.range, steps.back());
            if (!element) return std::nullopt;
            steps.pop_back();
            expr = *element;
        } else if (const ast::ExprId from = chosenFrom(tree_, {module, expr}, steps);
                   from.valid()) {
            expr = from;
        } else {
            return path(target, expr, steps, outcome);
        }
    }
}

/// `[a, b][i]`
std::optional<ast::ExprId> BusArguments::elementOf(const Target& target,
                                                   const ast::ArrayLiteral& list, SourceRange range,
                                                   ast::ExprId step) {
    const sema::ModuleId module = tree_.moduleOf(target.frame);
    const auto* index = std::get_if<ast::Index>(&tree_.expr({module, step}).node);
    if (!index) {
        PathFinder(tree_, false, &target.param, &target.entity)
            .notABus(tree_.expr({module, step}).range);
        return std::nullopt;
    }
    const auto value = tree_.context.size({module, index->index}, target.scope, "index");
    if (!value) return std::nullopt;
    if (*value < list.elements.size()) return list.elements[*value];
    tree_.diagnostics.report(DiagId::BusIndex, tree_.expr({module, index->index}).range, *value,
                             tree_.sources.text(range), counted(list.elements.size(), "element"));
    return std::nullopt;
}

std::optional<View> BusArguments::list(const Target& target, const ast::ArrayLiteral& node,
                                       Outcome& outcome) {
    View all;
    bool isGood = true;
    SourceRange first;
    for (const ast::ExprId element : node.elements) {
        const SourceRange range = tree_.expr({tree_.moduleOf(target.frame), element}).range;
        const std::optional<View> view = argument(target, element, outcome);
        if (outcome.blocked != kNone) return std::nullopt;
        isGood = isGood && view;
        if (!isGood) continue;
        if (first.valid() && view->dimensions != all.dimensions) {
            tree_.diagnostics.report(DiagId::ListRagged, range, tree_.sources.text(first),
                                     shapeText(all.dimensions), tree_.sources.text(range),
                                     shapeText(view->dimensions));
            isGood = false;
            continue;
        }
        append(all, *view, range, [&] { return std::string(tree_.sources.text(range)); });
        if (!first.valid()) first = range;
    }
    if (!isGood) return std::nullopt;
    all.dimensions.insert(all.dimensions.begin(), node.elements.size());
    return all;
}

std::optional<View> BusArguments::path(const Target& target, ast::ExprId expr,
                                       std::span<const ast::ExprId> steps, Outcome& outcome) {
    PathFinder finder(tree_, false, &target.param, &target.entity);
    const sema::ModuleId module = tree_.moduleOf(target.frame);
    std::optional<Path> path = finder.parse({module, expr}, target.scope);
    for (std::size_t i = steps.size(); path && i-- > 0;)
        if (!finder.addStep(*path, {module, steps[i]}, target.scope)) return std::nullopt;
    if (!path) return std::nullopt;
    Resolution found = finder.inStructure(target.frame, *path, target.scope);
    outcome.blocked = found.blocked;
    outcome.stage = found.stage;
    if (!found.view || !target.param.isOut || !found.view->readOnly) return std::move(found.view);
    const SourceRange range = tree_.expr({module, expr}).range;
    tree_.diagnostics
        .report(DiagId::InputDriven, range, tree_.sources.text(range), target.param.ast->name.text,
                target.entity.name)
        .note(DiagId::DeclaredHere, target.param.ast->name.range, target.param.ast->name.text);
    return std::nullopt;
}

}  // namespace smec::elab
