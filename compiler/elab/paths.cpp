#include "elab/paths.h"

#include <algorithm>
#include <set>

#include "elab/views.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// o.i[3].ticks    root o; steps .i [3] .ticks
// An instance consumes as many [..] as it has indices, the bus at the end whatever is left.

namespace smec::elab {

namespace {

std::string textOf(const Path& path, std::size_t steps) {
    std::string text(path.root);
    for (std::size_t i = 0; i < steps; ++i) {
        const PathStep& step = path.steps[i];
        switch (step.kind) {
        case PathStep::Kind::Member: text += fmt::format(".{}", step.name); break;
        case PathStep::Kind::Index: text += fmt::format("[{}]", step.index); break;
        case PathStep::Kind::Star: text += "[*]"; break;
        }
    }
    return text;
}

SourceRange rangeUpTo(const Path& path, std::size_t steps) {
    return steps == 0 ? path.range : path.steps[steps - 1].range;
}

/// What is wrong with the name of a parameter, a variable or a constant where a bus is named.
std::optional<DiagId> inHead(const Entity& entity, std::string_view name) {
    for (const ast::Param& param : *entity.params)
        if (param.name.text == name)
            return param.kind == ast::ParamKind::Const ? DiagId::PrivateName : DiagId::PortIsNoBus;
    for (const ast::Decl& decl : *entity.decls) {
        const auto* var = std::get_if<ast::VarDecl>(&decl.node);
        const auto* constant = std::get_if<ast::ConstDecl>(&decl.node);
        if ((var && var->name.text == name) || (constant && constant->name.text == name))
            return DiagId::PrivateName;
    }
    return std::nullopt;
}

}  // namespace

ast::ExprId baseOf(const ast::Expr& expr) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<ast::Member, ast::Index, ast::Star> auto& n) { return n.base; },
            [](const AnyOf<ast::IntLiteral, ast::FloatLiteral, ast::BoolLiteral,
                           ast::CharacterLiteral, ast::StringLiteral, ast::Undefined, ast::Name,
                           ast::Slice, ast::IndexedSlice, ast::Unary, ast::Binary, ast::Conditional,
                           ast::ArrayLiteral, ast::Paren, ast::Call> auto&) {
                return ast::ExprId{};
            },
        },
        expr.node);
}

std::string_view PathFinder::rootOf(sema::ExprRef expr) const {
    while (expr.expr.valid()) {
        const ast::Expr& node = tree_.expr(expr);
        if (const auto* name = std::get_if<ast::Name>(&node.node)) return name->text;
        const auto* paren = std::get_if<ast::Paren>(&node.node);
        expr.expr = paren ? paren->inner : baseOf(node);
    }
    return {};
}

std::optional<Path> PathFinder::parse(sema::ExprRef expr, const sema::Scope& scope) {
    Path path;
    path.module = expr.module;
    const SourceRange whole = tree_.expr(expr).range;
    std::vector<ast::ExprId> reversed;
    while (true) {
        const ast::Expr& node = tree_.expr(expr);
        if (const auto* name = std::get_if<ast::Name>(&node.node)) {
            path.root = name->text;
            path.range = node.range;
            break;
        }
        if (const auto* paren = std::get_if<ast::Paren>(&node.node)) {
            expr.expr = paren->inner;
            continue;
        }
        const ast::ExprId base = baseOf(node);
        if (!base.valid()) {
            notABus(whole);
            return std::nullopt;
        }
        reversed.push_back(expr.expr);
        expr.expr = base;
    }
    for (std::size_t i = reversed.size(); i-- > 0;)
        if (!addStep(path, {expr.module, reversed[i]}, scope)) return std::nullopt;
    return path;
}

bool PathFinder::addStep(Path& path, sema::ExprRef step, const sema::Scope& scope) {
    const ast::Expr& node = tree_.expr(step);
    if (const auto* member = std::get_if<ast::Member>(&node.node)) {
        path.steps.push_back({PathStep::Kind::Member, member->name.text, 0, node.range});
    } else if (const auto* index = std::get_if<ast::Index>(&node.node)) {
        const auto value = tree_.context.size({step.module, index->index}, scope, "index");
        if (!value) return false;
        path.steps.push_back({PathStep::Kind::Index, {}, *value, node.range});
    } else if (std::holds_alternative<ast::Star>(node.node)) {
        path.steps.push_back({PathStep::Kind::Star, {}, 0, node.range});
    } else {
        throw InternalError("no step of a path", node.range);
    }
    return true;
}

Resolution PathFinder::notABus(SourceRange range) {
    const std::string subject =
        port_ ? fmt::format("port '{}' of '{}'", port_->ast->name.text, entity_->name)
              : "this place";
    return fail(DiagId::NotABus, range, subject, tree_.sources.text(range));
}

View PathFinder::viewOf(std::uint32_t group) const {
    const hir::BusGroup& entry = tree_.design.busGroups[group];
    View view;
    view.first = entry.first;
    view.dimensions = entry.dimensions;
    view.shape = tree_.groups[group].shape;
    return view;
}

Resolution PathFinder::inStructure(Frame& frame, const Path& path, const sema::Scope& scope) {
    const sema::Symbol* symbol = scope.find(path.root);
    if (symbol) symbol->used = true;
    if (symbol && std::holds_alternative<sema::BusSymbol>(symbol->node)) {
        return select(viewOf(std::get<sema::BusSymbol>(symbol->node).group), path, 0);
    }
    if (symbol && std::holds_alternative<sema::PortSymbol>(symbol->node)) {
        Node& node = tree_.nodes[frame.node];
        const Node::State state = node.state(Stage::Ports);
        if (state == Node::Failed) return {};
        if (state != Node::Done) return {std::nullopt, frame.node, Stage::Ports};
        return select(frame.ports[std::get<sema::PortSymbol>(symbol->node).port], path, 0);
    }
    if (auto found = fromInstance(frame, path)) return *found;
    if (auto found = fromEntity(frame, path, scope)) return *found;
    return unknown(path, scope);
}

Resolution PathFinder::unknown(const Path& path, const sema::Scope& scope) {
    const sema::Symbol* symbol = scope.find(path.root);
    if (!symbol && !quiet_ && !tree_.context.isNews(path.range, path.root)) return {};
    if (!symbol)
        return fail(DiagId::UnknownBus, path.range, path.root, suggestion(tree_, path.root, scope));
    if (sema::isUnimported(*symbol)) return {};
    if (const auto* constant = std::get_if<sema::ConstSymbol>(&symbol->node)) {
        if (constant->state == sema::ConstSymbol::State::Failed) return {};
    }
    return notABus(path.range);
}

std::optional<Resolution> PathFinder::fromInstance(Frame& frame, const Path& path) {
    const auto found = frame.nameIndex.find(path.root);
    if (found == frame.nameIndex.end()) return std::nullopt;
    return instances(frame.names[found->second], path, 0);
}

std::optional<Resolution> PathFinder::fromEntity(Frame& frame, const Path& path,
                                                 const sema::Scope& scope) {
    const sema::Symbol* symbol = scope.find(path.root);
    std::size_t step = 0;
    if (symbol && std::holds_alternative<sema::ModuleSymbol>(symbol->node)) {
        if (path.steps.empty() || path.steps[0].kind != PathStep::Kind::Member) return std::nullopt;
        if (sema::isUnimported(*symbol)) return std::nullopt;
        symbol = tree_.context.moduleScope(std::get<sema::ModuleSymbol>(symbol->node).module)
                     .findHere(path.steps[0].name);
        step = 1;
    }
    if (!symbol || !std::holds_alternative<sema::EntitySymbol>(symbol->node)) return std::nullopt;
    symbol->used = true;
    const Entity& entity = tree_.entities.of(std::get<sema::EntitySymbol>(symbol->node));
    const auto found = frame.byEntity.find(&entity);
    const std::uint32_t count = found == frame.byEntity.end() ? 0 : found->second.first;
    if (count == 0 && tree_.nodes[frame.node].entity->isProcess())
        return std::nullopt;  // the network around it may hold one
    const std::string_view network = tree_.nodes[frame.node].entity->name;
    if (count != 1)
        return fail(DiagId::NotOneInstance, path.range, network, counted(count, "instance"),
                    entity.name);
    return member(found->second.second, path, step);
}

Resolution PathFinder::instances(NamedInstances& named, const Path& path, std::size_t step) {
    std::size_t given = 0;
    bool hasStar = false;
    while (given < named.indexCount && step + given < path.steps.size()) {
        const PathStep::Kind kind = path.steps[step + given].kind;
        if (kind == PathStep::Kind::Member) break;
        hasStar = hasStar || kind == PathStep::Kind::Star;
        ++given;
    }
    if (named.failed && named.nodes.empty()) return {};
    if (!hasStar && given == named.indexCount) return single(named, path, step);
    if (given == 0) {
        return fail(DiagId::InstanceNeedsIndex, rangeUpTo(path, step), textOf(path, step),
                    counted(named.indexCount, "index"));
    }
    return collect(named, matching(named, path, step), path, step + given);
}

Resolution PathFinder::single(const NamedInstances& named, const Path& path, std::size_t step) {
    std::vector<std::uint64_t> indices;
    for (std::size_t i = 0; i < named.indexCount; ++i)
        indices.push_back(path.steps[step + i].index);
    const NodeId node = findElement(tree_, named, indices);
    const std::size_t next = step + named.indexCount;
    if (node != kNone) return member(node, path, next);
    if (named.failed) return {};
    return fail(DiagId::NotGenerated, rangeUpTo(path, next), textOf(path, next));
}

std::vector<NodeId> PathFinder::matching(const NamedInstances& named, const Path& path,
                                         std::size_t step) const {
    std::vector<NodeId> nodes;
    for (const NodeId node : named.nodes) {
        const auto indices = indicesOf(tree_, node);
        bool fits = true;
        for (std::size_t i = 0; i < named.indexCount && step + i < path.steps.size(); ++i) {
            const PathStep& selector = path.steps[step + i];
            if (selector.kind == PathStep::Kind::Member) break;
            fits = fits && (selector.kind == PathStep::Kind::Star || selector.index == indices[i]);
        }
        if (fits) nodes.push_back(node);
    }
    if (!named.isAscending) {
        std::ranges::sort(nodes, [&](NodeId a, NodeId b) {
            return std::ranges::lexicographical_compare(indicesOf(tree_, a), indicesOf(tree_, b));
        });
    }
    return nodes;
}

/// One dimension per star where the elements fill a rectangle, else a single one.
std::vector<std::uint64_t> PathFinder::starDimensions(const NamedInstances& named,
                                                      const std::vector<NodeId>& nodes,
                                                      const Path& path, std::size_t step) const {
    std::vector<std::uint64_t> result;
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < named.indexCount; ++i) {
        const bool given =
            step + i < path.steps.size() && path.steps[step + i].kind == PathStep::Kind::Index;
        if (given) continue;
        std::set<std::uint64_t> distinct;
        if (named.indexCount == 1) return {nodes.size()};
        for (const NodeId node : nodes)
            distinct.insert(indicesOf(tree_, node)[i]);
        result.push_back(distinct.size());
        product *= distinct.size();
    }
    if (product != nodes.size()) return {nodes.size()};
    return result;
}

Resolution PathFinder::collect(const NamedInstances& named, const std::vector<NodeId>& nodes,
                               const Path& path, std::size_t step) {
    if (nodes.empty()) {
        if (named.failed) return {};
        return fail(DiagId::NotGenerated, rangeUpTo(path, step), textOf(path, step));
    }
    std::size_t first = step;
    while (first > 0 && path.steps[first - 1].kind != PathStep::Kind::Member)
        --first;
    const std::string whole = textOf(path, path.steps.size());
    const SourceRange range = rangeUpTo(path, path.steps.size());
    View all;
    for (const NodeId node : nodes) {
        Resolution one = member(node, path, step);
        if (!one.view) return one;
        const auto text = [&](NodeId element) {
            return withIndices(textOf(path, first), indicesOf(tree_, element))
                   + whole.substr(textOf(path, step).size());
        };
        if (node != nodes.front() && all.dimensions != one.view->dimensions) {
            return fail(DiagId::ListRagged, range, text(nodes.front()), shapeText(all.dimensions),
                        text(node), shapeText(one.view->dimensions));
        }
        append(all, *one.view, range, [&] { return text(node); });
    }
    const auto stars = starDimensions(named, nodes, path, first);
    all.dimensions.insert(all.dimensions.begin(), stars.begin(), stars.end());
    return {std::move(all)};
}

std::vector<std::string> PathFinder::namesIn(NodeId node) const {
    std::vector<std::string> names;
    for (const ast::BusDecl* bus : tree_.nodes[node].entity->buses)
        names.push_back(bus->name.text);
    if (tree_.nodes[node].frame == kNone) return names;
    for (const NamedInstances& named : tree_.frames[tree_.nodes[node].frame]->names)
        names.emplace_back(named.name);
    return names;
}

Resolution PathFinder::member(NodeId id, const Path& path, std::size_t step) {
    const Node& node = tree_.nodes[id];
    if (node.state(Stage::Open) == Node::Failed || node.state(Stage::Constants) == Node::Failed)
        return {};
    if (node.state(Stage::Open) != Node::Done) return {std::nullopt, id, Stage::Open};
    if (step >= path.steps.size())
        return fail(DiagId::InstanceIsNoBus, rangeUpTo(path, step), textOf(path, step),
                    node.entity->name);
    const PathStep& selector = path.steps[step];
    if (selector.kind != PathStep::Kind::Member) {
        return fail(DiagId::InstanceIndices, selector.range, textOf(path, step),
                    counted(node.indexCount, "index"));
    }
    const auto& buses = node.entity->buses;
    for (std::size_t i = 0; i < buses.size(); ++i) {
        if (buses[i]->name.text == selector.name)
            return select(viewOf(node.firstGroup + static_cast<std::uint32_t>(i)), path, step + 1);
    }
    if (Frame* frame = tree_.frameOf(id)) {
        const auto found = frame->nameIndex.find(selector.name);
        if (found != frame->nameIndex.end())
            return instances(frame->names[found->second], path, step + 1);
    }
    if (const auto own = inHead(*node.entity, selector.name))
        return fail(*own, selector.range, textOf(path, step + 1), node.entity->name);
    return fail(DiagId::NoSuchBus, selector.range, node.entity->name, selector.name,
                suggestion(selector.name, namesIn(id)));
}

Resolution PathFinder::select(View view, const Path& path, std::size_t step) {
    const std::size_t count = path.steps.size() - step;
    const std::size_t dimensions = view.dimensions.size();
    for (std::size_t i = 0; i < count; ++i) {
        const PathStep& selector = path.steps[step + i];
        if (selector.kind == PathStep::Kind::Member)
            return fail(DiagId::FieldIsNoBus, selector.range, textOf(path, step + i),
                        selector.name);
        if (i >= dimensions) {
            return fail(DiagId::BusDimensions, selector.range, textOf(path, step),
                        dimensions == 0
                            ? "a single bus"
                            : fmt::format("an array of {}", counted(dimensions, "dimension")));
        }
        if (selector.kind == PathStep::Kind::Index && selector.index >= view.dimensions[i]) {
            return fail(DiagId::BusIndex, selector.range, selector.index, textOf(path, step + i),
                        counted(view.dimensions[i], "element"));
        }
    }
    if (count != 0) scatter(view, path, step, count);
    return {std::move(view)};
}

/// Keeps the elements that the indices select. Leading indices leave them consecutive.
void PathFinder::scatter(View& view, const Path& path, std::size_t step, std::size_t count) {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint64_t> kept;
    std::uint64_t stride = view.count();
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t size = view.dimensions[i];
        stride = size == 0 ? 0 : stride / size;
        const PathStep& selector = path.steps[step + i];
        if (selector.kind == PathStep::Kind::Index) {
            for (std::uint64_t& offset : offsets)
                offset += selector.index * stride;
            continue;
        }
        kept.push_back(size);
        std::vector<std::uint64_t> all;
        for (const std::uint64_t offset : offsets) {
            for (std::uint64_t k = 0; k < size; ++k)
                all.push_back(offset + k * stride);
        }
        offsets = std::move(all);
    }
    kept.insert(kept.end(), view.dimensions.begin() + static_cast<std::ptrdiff_t>(count),
                view.dimensions.end());
    View result;
    result.shape = view.shape;
    result.readOnly = view.readOnly;
    result.dimensions = std::move(kept);
    if (offsets.size() == 1 && view.list.empty()) {
        result.first = view.at(offsets[0]);
    } else {
        for (const std::uint64_t offset : offsets) {
            for (std::uint64_t k = 0; k < stride; ++k)
                result.list.push_back(view.at(offset + k));
        }
        if (!result.list.empty()) result.first = result.list.front();
    }
    view = std::move(result);
}

}  // namespace smec::elab
