#include "elab/expression_paths.h"

#include "elab/paths.h"

namespace smec::elab {

namespace {

sema::ResolvedPath asResolved(const View& view) {
    sema::ResolvedPath result;
    result.shape = view.shape;
    result.dimensions = view.dimensions;
    const std::uint64_t count = view.count();
    for (std::uint64_t i = 0; i < count; ++i)
        result.buses.push_back(view.at(i));
    return result;
}

}  // namespace

std::optional<View> StructurePaths::viewOf(sema::ExprRef expr, const sema::Scope& scope,
                                           bool quiet) {
    PathFinder finder(tree_, quiet);
    const std::optional<Path> path = finder.parse(expr, scope);
    if (!path) return std::nullopt;
    const sema::Symbol* symbol = scope.find(path->root);
    if (symbol && std::holds_alternative<sema::BusSymbol>(symbol->node)) {
        return finder.select(finder.viewOf(std::get<sema::BusSymbol>(symbol->node).group), *path, 0)
            .view;
    }
    if (symbol && std::holds_alternative<sema::PortSymbol>(symbol->node)) {
        const Node& entry = tree_.nodes[node_];
        if (entry.ports == kNone) return std::nullopt;
        std::uint32_t argument = entry.firstArgument;
        const std::uint32_t number = std::get<sema::PortSymbol>(symbol->node).port;
        const std::vector<PortShape> ports = tree_.portsOf(entry);
        for (std::uint32_t i = 0; i < number; ++i)
            argument += static_cast<std::uint32_t>(ports[i].count());
        View view;
        view.shape = ports[number].shape;
        view.dimensions.assign(ports[number].dimensions.begin(), ports[number].dimensions.end());
        const auto first = tree_.arguments.begin() + argument;
        view.list.assign(first, first + static_cast<std::ptrdiff_t>(ports[number].count()));
        return finder.select(std::move(view), *path, 0).view;
    }
    Frame* frame = tree_.frameOf(node_);
    return frame ? finder.inStructure(*frame, *path, scope).view : std::nullopt;
}

std::optional<sema::ResolvedPath> StructurePaths::resolveBus(sema::ExprRef expr,
                                                             const sema::Scope& scope, bool quiet) {
    const std::optional<View> view = viewOf(expr, scope, quiet);
    if (!view) return std::nullopt;
    return asResolved(*view);
}

bool BodyPaths::isInstance(std::string_view root) const {
    for (NodeId at = node_; at != kNone; at = tree_.nodes[at].parent) {
        const Frame* frame = tree_.frameOf(at);
        if (frame && frame->nameIndex.contains(root)) return true;
        if (!tree_.nodes[at].entity->isProcess()) break;
    }
    return false;
}

/// Before indices are evaluated, which may report: an unknown root is the caller's to report.
bool BodyPaths::leadsOutside(std::string_view root, const sema::Scope& scope) const {
    if (isInstance(root)) return true;
    const sema::Symbol* symbol = scope.find(root);
    return symbol
           && (std::holds_alternative<sema::EntitySymbol>(symbol->node)
               || std::holds_alternative<sema::ModuleSymbol>(symbol->node));
}

std::optional<sema::ResolvedPath> BodyPaths::resolveBus(sema::ExprRef expr,
                                                        const sema::Scope& scope, bool quiet) {
    PathFinder finder(tree_, quiet);
    if (!leadsOutside(finder.rootOf(expr), scope)) {
        if (!quiet) finder.notABus(tree_.expr(expr).range);
        return std::nullopt;
    }
    const std::optional<Path> path = finder.parse(expr, scope);
    if (!path) return std::nullopt;
    std::optional<Resolution> found;
    bool ownedByChild = false;
    if (Frame* own = tree_.frameOf(node_)) {
        found = finder.fromInstance(*own, *path);
        ownedByChild = found.has_value();
    }
    for (NodeId outer = tree_.nodes[node_].parent; !found && outer != kNone;
         outer = tree_.nodes[outer].parent) {
        found = finder.fromInstance(*tree_.frameOf(outer), *path);
        if (!found) found = finder.fromEntity(*tree_.frameOf(outer), *path, scope);
        if (!tree_.nodes[outer].entity->isProcess()) break;
    }
    if (!found) {
        if (!quiet)
            tree_.diagnostics.report(DiagId::UnknownBus, path->range, path->root,
                                     suggestion(tree_, path->root, scope));
        return std::nullopt;
    }
    if (!found->view) return std::nullopt;
    sema::ResolvedPath result = asResolved(*found->view);
    result.ownedByChild = ownedByChild;
    return result;
}

}  // namespace smec::elab
