#include "elab/builder.h"

#include <algorithm>

// Connecting one instance, the general way: each argument is evaluated in the round of the
// generates in which the instance was declared.

namespace smec::elab {

// ---------------------------------------------------------------- const parameters

namespace {

std::string describe(const Entity& entity, const ConstParam& param) {
    return fmt::format("parameter '{}' of '{}'", param.ast->name.text, entity.name);
}

}  // namespace

/// Type and default of a parameter that mentions nothing of its entity.
void Builder::resolveParam(const Entity& entity, ConstParam& param) {
    if (param.resolved) return;
    param.resolved = true;
    const sema::Scope& scope = tree_.context.moduleScope(entity.module);
    if (param.ast->type) {
        param.type = tree_.context.resolveType(*param.ast->type, scope);
        param.failed = tree_.design.types.isError(param.type);
    }
    if (!param.ast->defaultValue.valid() || param.failed) return;
    const sema::ExprRef value{entity.module, param.ast->defaultValue};
    if (!param.ast->type) {
        param.fallback = tree_.context.constant(value, scope);
    } else if (auto converted =
                   tree_.context.constantFor(value, scope, param.type, describe(entity, param))) {
        param.fallback = sema::TypedValue{std::move(*converted), param.type};
    }
}

std::optional<sema::TypedValue> Builder::constantValue(NodeId node, ConstParam& param,
                                                       ast::ExprId argument,
                                                       const sema::Scope* outer,
                                                       const sema::Scope* inner) {
    const Entity& entity = *tree_.nodes[node].entity;
    hir::TypeId type;
    if (!param.depends) {
        resolveParam(entity, param);
        if (param.failed) return std::nullopt;
        if (!argument.valid()) return param.fallback;
        type = param.type;
    } else if (param.ast->type) {
        structure_.node = node;
        type = tree_.context.resolveType(*param.ast->type, *inner);
        if (tree_.design.types.isError(type)) return std::nullopt;
    }
    const bool isDefault = !argument.valid();
    const sema::Scope& scope = isDefault ? *inner : *outer;
    const sema::ExprRef expr{scope.module(), isDefault ? param.ast->defaultValue : argument};
    structure_.node = isDefault ? node : tree_.nodes[node].parent;
    if (!param.ast->type) return tree_.context.constant(expr, scope);
    auto value = tree_.context.constantFor(expr, scope, type, describe(entity, param));
    if (!value) return std::nullopt;
    return sema::TypedValue{std::move(*value), type};
}

Builder::Outcome Builder::constants(NodeId id) {
    Entity& entity = const_cast<Entity&>(*tree_.nodes[id].entity);
    const ast::InstanceDecl* decl = tree_.nodes[id].decl;
    Frame& frame = *tree_.frameOf(tree_.nodes[id].parent);
    const Call& call = calls_.of(*decl, moduleOf(frame));
    const bool needsInner = std::ranges::any_of(entity.constants, &ConstParam::depends);
    std::unique_ptr<sema::Scope> inner;
    if (needsInner) inner = makeScope(tree_, id);
    const sema::Scope* outer =
        entity.constants.empty() ? nullptr : &enter(frame, tree_.nodes[id].iteration);
    std::vector<std::uint64_t> tuple;
    bool isGood = true;
    for (std::size_t i = 0; i < entity.constants.size(); ++i) {
        ConstParam& param = entity.constants[i];
        const auto value = constantValue(id, param, call.constants[i], outer, inner.get());
        if (inner) {
            addSymbol(tree_, *inner, param.ast->name, value ? valueSymbol(*value) : failedSymbol());
        }
        isGood = isGood && value;
        if (value) tuple.push_back(tree_.packed(value->value, value->type));
    }
    if (!isGood) return kFailed;
    tree_.nodes[id].constants = tree_.constantTuples.intern(tuple);
    return {};
}

// ---------------------------------------------------------------- ports

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
        structure_.node = id;
        if (!view
            || !checkPort(entity, entity.ports[i], *view, range, inner.get(),
                          tree_.sources.text(range))) {
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
    PathFinder finder(tree_, false, &entity.ports[port], &entity);
    const std::optional<Path> path = finder.parse({moduleOf(frame), call.ports[port]}, scope);
    if (!path) return std::nullopt;
    Resolution found = finder.inStructure(frame, *path, scope);
    outcome.blocked = found.blocked;
    outcome.stage = found.stage;
    return std::move(found.view);
}

void Builder::commitPorts(NodeId id, const std::vector<View>& views) {
    Node& node = tree_.nodes[id];
    node.firstArgument = static_cast<std::uint32_t>(tree_.arguments.size());
    tuple_.clear();
    for (const View& view : views) {
        const bool isArray = !view.dimensions.empty();
        tuple_.push_back(view.shape.index);
        tuple_.push_back(view.dimensions.size() * 2 + (isArray ? 1 : 0));
        tuple_.insert(tuple_.end(), view.dimensions.begin(), view.dimensions.end());
        const std::uint64_t count = view.count();
        for (std::uint64_t i = 0; i < count; ++i)
            tree_.arguments.push_back(view.at(i));
    }
    node.ports = tree_.portTuples.intern(tuple_);
    if (Frame* frame = tree_.frameOf(id)) {  // opened before, by a path into it
        frame->ports = viewsOf(id);
        if (frame->scope) updatePorts(tree_, id, *frame->scope);
    }
}

// ---------------------------------------------------------------- checks

bool Builder::checkPort(const Entity& entity, const PortParam& param, const View& view,
                        SourceRange range, const sema::Scope* inner, std::string_view text) {
    if (!checkArray(entity, param, view, range, inner, text)) return false;
    if (param.isOut && view.readOnly) {
        tree_.diagnostics
            .report(DiagId::InputDriven, range, text, param.ast->name.text, entity.name)
            .note(DiagId::DeclaredHere, param.ast->name.range, param.ast->name.text);
        return false;
    }
    return checkFields(entity, param, view.shape, range, inner, text);
}

bool Builder::checkArray(const Entity& entity, const PortParam& param, const View& view,
                         SourceRange range, const sema::Scope* inner, std::string_view text) {
    const std::string& name = param.ast->name.text;
    const bool isArray = !view.dimensions.empty();
    if (isArray && !param.ast->isArray) {
        tree_.diagnostics.report(DiagId::PortTakesOneBus, range, name, entity.name, text,
                                 counted(view.count(), "bus"));
        return false;
    }
    if (!isArray && param.ast->isArray) {
        tree_.diagnostics.report(DiagId::PortTakesArray, range, name, entity.name, text);
        return false;
    }
    if (!param.ast->arraySize.valid()) return true;
    const sema::Scope& scope = param.depends ? *inner : tree_.context.moduleScope(entity.module);
    const auto size =
        tree_.context.size({entity.module, param.ast->arraySize}, scope, "array port size");
    if (!size) return false;
    if (*size == view.dimensions.front()) return true;
    tree_.diagnostics
        .report(DiagId::PortArraySize, range, name, entity.name, counted(*size, "bus"), text,
                view.dimensions.front())
        .note(DiagId::DeclaredHere, param.ast->name.range, name);
    return false;
}

bool Builder::checkFields(const Entity& entity, const PortParam& param, hir::ShapeId shape,
                          SourceRange range, const sema::Scope* inner, std::string_view text,
                          bool quiet) {
    if (!param.ast->type) return true;
    std::optional<sema::ResolvedBus> own;
    if (param.depends) {
        own = tree_.context.resolveBusType(*param.ast->type, *inner);
    } else {
        const auto [known, isNew] = portTypes_.try_emplace(param.ast);
        if (isNew)
            known->second = tree_.context.resolveBusType(*param.ast->type,
                                                         tree_.context.moduleScope(entity.module));
        own = known->second;
    }
    if (!own) return false;
    if (own->shape == shape) return true;
    const std::vector<hir::FieldShape>& fields = tree_.design.shapes[shape.index].fields;
    const auto isError = [&](hir::TypeId type) { return tree_.design.types.isError(type); };
    bool isGood = true;
    for (const hir::FieldShape& wanted : tree_.design.shapes[own->shape.index].fields) {
        const auto field = std::ranges::find(fields, wanted.name, &hir::FieldShape::name);
        const std::string type = tree_.design.types.name(wanted.type);
        const bool isGoodField =
            field != fields.end()
            && (field->type == wanted.type || isError(field->type) || isError(wanted.type));
        if (isGoodField) continue;
        isGood = false;
        if (quiet) return false;
        if (field == fields.end()) {
            tree_.diagnostics
                .report(DiagId::PortFieldMissing, range, param.ast->name.text, entity.name,
                        wanted.name, type, text)
                .note(DiagId::DeclaredHere, param.ast->name.range, param.ast->name.text);
        } else {
            tree_.diagnostics
                .report(DiagId::PortFieldType, range, wanted.name, text,
                        tree_.design.types.name(field->type), param.ast->name.text, entity.name,
                        type)
                .note(DiagId::DeclaredHere, param.ast->name.range, param.ast->name.text);
        }
    }
    return isGood;
}

}  // namespace smec::elab
