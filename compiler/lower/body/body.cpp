#include "lower/body/body.h"

#include "hir/visit.h"

namespace smec::lower {

namespace {

/// Marks the variables that the block's statements store to.
void collectAssigned(const hir::Block& block, std::vector<bool>& assigned) {
    for (const hir::Stmt& stmt : block) {
        const hir::Place* place = hir::assignedPlace(stmt);
        const auto* var = place ? std::get_if<hir::VarId>(&place->root) : nullptr;
        if (var) assigned[var->index] = true;
        hir::forEachBlock(stmt, [&](const hir::Block& inner) { collectAssigned(inner, assigned); });
    }
}

}  // namespace

BodyLowering::BodyLowering(Context& context, const ClassShape& shape, const hir::Body& source,
                           ir::Body& body, ir::Body& sites, const hir::Function* function,
                           const ir::Leaves& leaves)
    : writer_(context, body, sites, leaves),
      numbers_(context, body, writer_),
      variables_(context, shape, source, body, writer_),
      context_{context,           shape,   source,   function,  body,
               writer_.builder(), writer_, numbers_, variables_},
      sourceTexts_(context_),
      scalars_(context_, parts_, sourceTexts_, calls_),
      parts_(context_, scalars_, sourceTexts_, calls_, stores_),
      calls_(context_, scalars_, parts_),
      stores_(context_, scalars_, parts_, sourceTexts_),
      texts_(context_, scalars_, parts_),
      switches_(context_, scalars_, waits_),
      statements_(context_, scalars_, parts_, stores_, waits_, switches_, texts_),
      waits_(context_, scalars_, statements_) {}

void BodyLowering::run() {
    if (context_.function) {
        variables_.declareForFunction();
        ownAssignedParameters();
    } else {
        variables_.declareForProcess();
        startVariables();
    }
    if (context_.source.canWait)
        waits_.runStates();
    else
        statements_.statements(context_.source.statements);
    writer_.finish();
}

/// Parameters do not change in the IR: what a function assigns to is a variable of its own.
void BodyLowering::ownAssignedParameters() {
    const hir::Body& source = context_.source;
    std::vector<bool> assigned(source.vars.size());
    collectAssigned(source.statements, assigned);
    for (std::uint32_t i = 0; i < context_.function->paramCount; ++i) {
        if (!assigned[i]) continue;
        const hir::Variable& variable = source.vars[i];
        const std::vector<ir::LocalId> given = variables_.replaceParameter(i);
        const Part from{Part::Locals{&given}, variable.type, variable.type, 0, {}, {}};
        stores_.copy(parts_.variable({i}), from, variable.range);
    }
}

/// The variables of a combinational process begin anew at every run.
void BodyLowering::startVariables() {
    const std::vector<ConstantSource>& starts = context_.shape.starts;
    for (std::uint32_t i = 0; i < starts.size(); ++i) {
        const hir::Variable& variable = context_.source.vars[i];
        Part from{Part::PerInstance{&starts[i]}, variable.type, variable.type, 0, {}, {}};
        if (starts[i].uniform) from.root = Part::Fixed{starts[i].uniform};
        stores_.copy(parts_.variable({i}), from, variable.range);
    }
}

}  // namespace smec::lower
