#include "elab/builder.h"
#include "elab/views.h"

// Bus arguments, the general way: a path, `c ? a : b`, or a list of arguments.
//   [l[y][x + 1], [a, b][0]]   the elements in order, a dimension in front of theirs
//   (c ? a : b)[i]             what is chosen, and then on

namespace smec::elab {

/// Where an argument stands and what it is for.
struct Builder::Place {
    Frame& frame;
    const sema::Scope& scope;
    const PortParam& param;
    const Entity& entity;
};

/// A port's type or size mentions a declaration of the entity: then the constants come first.
bool Builder::portsDepend(const Entity& entity) const {
    return std::ranges::any_of(entity.ports, [](const PortParam& port) { return port.depends; });
}

Builder::Outcome Builder::ports(NodeId id) {
    const Entity& entity = *tree_.nodes[id].entity;
    std::unique_ptr<sema::Scope> inner;
    if (portsDepend(entity)) inner = makeScope(tree_, id);
    const sema::ModuleId module = moduleOf(*tree_.frameOf(tree_.nodes[id].parent));
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
        if (!view || !checkPort(check, *view)) {
            isGood = false;
            continue;
        }
        views.push_back(std::move(*view));
    }
    if (!isGood) return kFailed;
    commitPorts(id, views);
    return {};
}

std::optional<View> Builder::portView(NodeId id, std::size_t port, Outcome& outcome) {
    Frame& frame = *tree_.frameOf(tree_.nodes[id].parent);
    const Call& call = calls_.of(*tree_.nodes[id].decl, moduleOf(frame));
    const sema::Scope& scope = enter(frame, tree_.nodes[id].iteration);
    const Entity& entity = *tree_.nodes[id].entity;
    return argument({frame, scope, entity.ports[port], entity}, call.ports[port], outcome);
}

/// Of `(c ? a : b)[i].x` the choice, or the list that stands in its place, and in `steps` what
/// stands behind it, the last one first. Invalid where it is a path from a name on.
ast::ExprId Builder::chosenFrom(sema::ExprRef expr, std::vector<ast::ExprId>& steps) const {
    const std::size_t known = steps.size();
    while (expr.expr.valid()) {
        const ast::Expr& node = tree_.expr(expr);
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
std::optional<View> Builder::argument(const Place& place, ast::ExprId expr, Outcome& outcome) {
    const sema::ModuleId module = moduleOf(place.frame);
    std::vector<ast::ExprId> steps;
    while (true) {
        const ast::Expr& node = tree_.expr({module, expr});
        if (const auto* paren = std::get_if<ast::Paren>(&node.node)) {
            expr = paren->inner;
        } else if (const auto* choice = std::get_if<ast::Conditional>(&node.node)) {
            const auto isYes = tree_.context.condition({module, choice->condition}, place.scope);
            if (!isYes) return std::nullopt;
            expr = *isYes ? choice->yes : choice->no;
        } else if (const auto* elements = std::get_if<ast::ArrayLiteral>(&node.node)) {
            if (steps.empty()) return list(place, *elements, outcome);
            const auto element = elementOf(place, *elements, node.range, steps.back());
            if (!element) return std::nullopt;
            steps.pop_back();
            expr = *element;
        } else if (const ast::ExprId from = chosenFrom({module, expr}, steps); from.valid()) {
            expr = from;
        } else {
            return path(place, expr, steps, outcome);
        }
    }
}

/// `[a, b][i]`
std::optional<ast::ExprId> Builder::elementOf(const Place& place, const ast::ArrayLiteral& list,
                                              SourceRange range, ast::ExprId step) {
    const sema::ModuleId module = moduleOf(place.frame);
    const auto* index = std::get_if<ast::Index>(&tree_.expr({module, step}).node);
    if (!index) {
        PathFinder(tree_, false, &place.param, &place.entity)
            .notABus(tree_.expr({module, step}).range);
        return std::nullopt;
    }
    const auto value = tree_.context.size({module, index->index}, place.scope, "index");
    if (!value) return std::nullopt;
    if (*value < list.elements.size()) return list.elements[*value];
    tree_.diagnostics.report(DiagId::BusIndex, tree_.expr({module, index->index}).range, *value,
                             tree_.sources.text(range), counted(list.elements.size(), "element"));
    return std::nullopt;
}

std::optional<View> Builder::list(const Place& place, const ast::ArrayLiteral& node,
                                  Outcome& outcome) {
    View all;
    bool isGood = true;
    SourceRange first;
    for (const ast::ExprId element : node.elements) {
        const SourceRange range = tree_.expr({moduleOf(place.frame), element}).range;
        const std::optional<View> view = argument(place, element, outcome);
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

std::optional<View> Builder::path(const Place& place, ast::ExprId expr,
                                  std::span<const ast::ExprId> steps, Outcome& outcome) {
    PathFinder finder(tree_, false, &place.param, &place.entity);
    const sema::ModuleId module = moduleOf(place.frame);
    std::optional<Path> path = finder.parse({module, expr}, place.scope);
    for (std::size_t i = steps.size(); path && i-- > 0;)
        if (!finder.addStep(*path, {module, steps[i]}, place.scope)) return std::nullopt;
    if (!path) return std::nullopt;
    Resolution found = finder.inStructure(place.frame, *path, place.scope);
    outcome.blocked = found.blocked;
    outcome.stage = found.stage;
    if (!found.view || !place.param.isOut || !found.view->readOnly) return std::move(found.view);
    const SourceRange range = tree_.expr({module, expr}).range;
    tree_.diagnostics
        .report(DiagId::InputDriven, range, tree_.sources.text(range), place.param.ast->name.text,
                place.entity.name)
        .note(DiagId::DeclaredHere, place.param.ast->name.range, place.param.ast->name.text);
    return std::nullopt;
}

}  // namespace smec::elab
