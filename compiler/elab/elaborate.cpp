#include "elab/elaborate.h"

#include "elab/builder.h"
#include "elab/count.h"
#include "elab/drivers.h"
#include "elab/specialise.h"
#include "elab/top.h"
#include "elab/uninstantiated.h"

namespace smec::elab {

namespace {

/// The tree, then the bodies, then who drives what. False when there is no design.
bool elaborateTop(Tree& tree, Entity& entity) {
    if (leastInstances(tree, entity) > tree.options.maxInstances) {
        tree.diagnostics.report(DiagId::TooManyInstances, entity.range, tree.options.maxInstances);
        tree.isFull = true;
        return false;
    }
    BusGroups groups(tree);
    Connections connections(tree);
    const std::optional<NodeId> top = addTop(tree, groups, connections, entity);
    if (!top) return false;
    Builder(tree, groups, connections).build(*top);
    if (tree.isFull) return false;
    const std::vector<NodeId> nodes = fillInstances(tree, *top);
    findDrivers(tree, nodes);
    checkCombinational(tree, nodes);
    return true;
}

}  // namespace

std::optional<hir::Design> elaborate(const sema::Program& program, const SourceManager& sources,
                                     const Options& options, Diagnostics& diagnostics) {
    hir::Design design;
    sema::Context context(program, sources, diagnostics, design, options.rules, options.limits);
    context.checkModules();
    Tree tree(context, sources, options);
    Entity* top = chooseTop(tree);
    const bool isComplete = top && elaborateTop(tree, *top);
    if (!tree.isFull) checkUninstantiated(tree, top, top != nullptr);
    if (!diagnostics.hasErrors()) {
        context.warnUnused(top != nullptr);
        context.reportVerdicts();
    }
    if (!top && !options.checkOnly && !diagnostics.hasErrors()) {
        const FileId file = tree.module({0}).file;
        diagnostics.report(DiagId::NoNetwork, SourceRange{file, 0, 0}, sources.path(file));
    }
    if (!isComplete || diagnostics.hasErrors()) return std::nullopt;
    warnAboutFields(tree);
    if (diagnostics.hasErrors()) return std::nullopt;  // -Werror
    return design;
}

}  // namespace smec::elab
