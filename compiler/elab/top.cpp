#include "elab/top.h"

#include <algorithm>
#include <map>
#include <set>

#include "elab/names_used.h"
#include "elab/paths.h"
#include "elab/scopes.h"

namespace smec::elab {

namespace {

/// Every network that an instance declaration outside of it names. One that only instantiates itself
/// is a top, so that its cycle is found.
std::set<const void*> instantiated(const Tree& tree) {
    std::set<const void*> result;
    const sema::Program& program = tree.context.program();
    for (std::uint32_t i = 0; i < program.modules.size(); ++i) {
        const ast::NetworkDecl* around = nullptr;
        const auto note = [&](const ast::InstanceDecl& instance) {
            const sema::EntitySymbol* symbol = entityNamed(tree, {i}, instance.entity);
            if (symbol && symbol->network && symbol->network != around)
                result.insert(symbol->network);
        };
        for (const ast::Decl& decl : program.modules[i].ast.decls) {
            around = std::get_if<ast::NetworkDecl>(&decl.node);
            if (around) forEachInstance(around->decls, note);
            if (const auto* process = std::get_if<ast::ProcDecl>(&decl.node))
                forEachInstance(process->decls, note);
        }
    }
    return result;
}

/// Nothing has to be known to elaborate it.
bool isComplete(const ast::NetworkDecl& network) {
    return std::ranges::all_of(network.params, [](const ast::Param& param) {
        return param.kind == ast::ParamKind::Const ? param.defaultValue.valid()
                                                   : param.type.has_value();
    });
}

Entity* namedTop(Tree& tree, const std::vector<const ast::NetworkDecl*>& networks) {
    const sema::Symbol* symbol = tree.context.moduleScope({0}).findHere(tree.options.top);
    const auto* entity = symbol ? std::get_if<sema::EntitySymbol>(&symbol->node) : nullptr;
    if (entity && entity->network) return &tree.entities.of(*entity);
    std::vector<std::string> names;
    for (const ast::NetworkDecl* network : networks)
        names.push_back(network->name.text);
    const SourceRange start{tree.module({0}).file, 0, 0};
    tree.diagnostics.report(DiagId::UnknownTop, start, tree.options.top,
                            suggestion(tree.options.top, names));
    return nullptr;
}

}  // namespace

const sema::EntitySymbol* entityNamed(const Tree& tree, sema::ModuleId module, ast::ExprId id) {
    const ast::Expr& expr = tree.module(module)[id];
    const sema::Symbol* symbol = nullptr;
    if (const auto* name = std::get_if<ast::Name>(&expr.node)) {
        symbol = tree.context.moduleScope(module).findHere(name->text);
    } else if (const auto* member = std::get_if<ast::Member>(&expr.node)) {
        const auto* alias = std::get_if<ast::Name>(&tree.module(module)[member->base].node);
        const sema::Symbol* outer =
            alias ? tree.context.moduleScope(module).findHere(alias->text) : nullptr;
        const auto* imported = outer ? std::get_if<sema::ModuleSymbol>(&outer->node) : nullptr;
        if (imported && imported->module.valid())
            symbol = tree.context.moduleScope(imported->module).findHere(member->name.text);
    }
    return symbol ? std::get_if<sema::EntitySymbol>(&symbol->node) : nullptr;
}

Entity* chooseTop(Tree& tree) {
    std::vector<const ast::NetworkDecl*> networks;
    for (const ast::Decl& decl : tree.module({0}).decls) {
        if (const auto* network = std::get_if<ast::NetworkDecl>(&decl.node))
            networks.push_back(network);
    }
    if (!tree.options.top.empty()) return namedTop(tree, networks);
    const std::set<const void*> used = instantiated(tree);
    std::vector<const ast::NetworkDecl*> candidates;
    for (const ast::NetworkDecl* network : networks) {
        if (!used.contains(network) && !(tree.options.checkOnly && !isComplete(*network)))
            candidates.push_back(network);
    }
    const bool allUsed = std::ranges::all_of(
        networks, [&](const ast::NetworkDecl* network) { return used.contains(network); });
    if (candidates.empty() && allUsed && !networks.empty())
        candidates.push_back(networks.front());  // a cycle, reported on the way
    if (candidates.empty()) return nullptr;
    if (candidates.size() > 1) {
        std::string names;
        for (const ast::NetworkDecl* network : candidates)
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", network->name.text);
        tree.diagnostics.report(DiagId::SeveralTops, candidates.back()->name.range, names);
        return nullptr;
    }
    const sema::Symbol* symbol =
        tree.context.moduleScope({0}).findHere(candidates.front()->name.text);
    const auto* entity = symbol ? std::get_if<sema::EntitySymbol>(&symbol->node) : nullptr;
    return entity ? &tree.entities.of(*entity) : nullptr;
}

namespace {

/// Values of const parameters and buses of ports, with the scope in which their types and defaults
/// are looked up.
class TopSetup {
public:
    TopSetup(Tree& tree, BusGroups& groups, Connections& connections, Entity& entity)
        : tree_(tree), groups_(groups), connections_(connections), entity_(entity) {}

    std::optional<NodeId> run() {
        addNode();
        scope_ = makeScope(tree_, node_);
        const bool isRead = readParameters();  // first: setConstants() wants what it found
        const bool isSet = setConstants();
        if (!isRead || !isSet || !addPorts()) return std::nullopt;
        Node& node = tree_.nodes[node_];
        node.state(Stage::Constants) = Node::Done;
        node.state(Stage::Ports) = Node::Done;
        return node_;
    }

private:
    void addNode() {
        node_ = static_cast<NodeId>(tree_.nodes.size());
        Node& node = tree_.nodes.emplace_back();
        node.entity = &entity_;
        node.name = tree_.context.internString(entity_.name);
    }

    /// Splits -G name=value.
    bool readParameters() {
        bool isGood = true;
        std::vector<std::string> names;
        for (const ConstParam& param : entity_.constants)
            names.push_back(param.ast->name.text);
        for (const std::string& text : tree_.options.parameters) {
            const std::size_t equals = text.find('=');
            const std::string name = text.substr(0, equals);
            if (equals == std::string::npos) {
                tree_.diagnostics.report(DiagId::TopParameterForm, entity_.range, text);
                isGood = false;
            } else if (std::ranges::find(names, name) == names.end()) {
                tree_.diagnostics.report(DiagId::TopParameterUnknown, entity_.range, entity_.name,
                                         name, suggestion(name, names));
                isGood = false;
            } else {
                given_[name] = text.substr(equals + 1);
            }
        }
        return isGood;
    }

    bool setConstants() {
        std::vector<std::uint64_t> tuple;
        bool isGood = true;
        for (const ConstParam& param : entity_.constants) {
            const std::optional<sema::TypedValue> value = valueOf(*param.ast);
            if (value) tuple.push_back(tree_.packed(value->value, value->type));
            isGood = isGood && value;
            addSymbol(tree_, *scope_, param.ast->name,
                      value ? valueSymbol(*value) : failedSymbol());
        }
        if (isGood) tree_.nodes[node_].constants = tree_.constantTuples.intern(tuple);
        return isGood;
    }

    std::optional<sema::TypedValue> valueOf(const ast::Param& param) {
        hir::TypeId type;
        if (param.type) {
            type = tree_.context.resolveType(*param.type, *scope_);
            if (tree_.design.types.isError(type)) return std::nullopt;
        }
        const auto given = given_.find(param.name.text);
        if (given != given_.end()) {
            auto value = parseParameter(tree_.design.types, type, given->second);
            if (!value) {
                tree_.diagnostics.report(
                    DiagId::TopParameterValue, param.name.range, given->second, param.name.text,
                    param.type ? tree_.design.types.name(type) : "number or bool");
            }
            return value;
        }
        if (!param.defaultValue.valid()) {
            tree_.diagnostics.report(DiagId::TopConstantMissing, param.name.range, param.name.text,
                                     entity_.name, param.name.text);
            return std::nullopt;
        }
        const sema::ExprRef expr{entity_.module, param.defaultValue};
        if (!param.type) return tree_.context.constant(expr, *scope_);
        auto value = tree_.context.constantFor(
            expr, *scope_, type,
            fmt::format("parameter '{}' of '{}'", param.name.text, entity_.name));
        return value ? std::optional(sema::TypedValue{std::move(*value), type}) : std::nullopt;
    }

    bool addPorts() {
        std::vector<View> views;
        bool isGood = true;
        for (const PortParam& port : entity_.ports) {
            std::optional<View> view = addPort(*port.ast);
            isGood = isGood && view;
            if (view) views.push_back(std::move(*view));
        }
        if (isGood) connections_.commit(node_, views);
        return isGood;
    }

    std::optional<View> addPort(const ast::Param& param) {
        const std::string& name = param.name.text;
        if (!param.type) {
            tree_.diagnostics.report(DiagId::TopPortUntyped, param.name.range, name, entity_.name,
                                     name);
            return std::nullopt;
        }
        if (!std::ranges::all_of(param.dimensions, &ast::ExprId::valid)) {
            tree_.diagnostics.report(DiagId::TopPortSize, param.name.range, name, entity_.name);
            return std::nullopt;
        }
        auto dimensions = tree_.context.sizes(param.dimensions, *scope_, "array port size");
        if (!dimensions) return std::nullopt;
        auto resolved = tree_.context.resolveBusType(*param.type, *scope_);
        if (!resolved) return std::nullopt;
        if (tree_.options.rules.unwrittenHold) resolved->shape = holding(resolved->shape);
        const BusTemplate bus = groups_.templateOf(*resolved, std::move(*dimensions));
        const GroupInfo info{nullptr, entity_.module, bus.shape, false};
        const auto group = groups_.add(name, param.name.range, node_, bus, info, true, {});
        return group ? std::optional(PathFinder(tree_, false).viewOf(*group)) : std::nullopt;
    }

    /// As `--unwritten hold` has it for buses declared in the user's files.
    hir::ShapeId holding(hir::ShapeId id) {
        hir::BusShape shape = tree_.design.shapes[id.index];
        for (hir::FieldShape& field : shape.fields) {
            field.holdImplied = field.holdImplied || !field.hold;
            field.hold = true;
        }
        return tree_.context.internShape(std::move(shape));
    }

    Tree& tree_;
    BusGroups& groups_;
    Connections& connections_;
    Entity& entity_;
    NodeId node_ = kNone;
    std::unique_ptr<sema::Scope> scope_;
    std::map<std::string, std::string> given_;
};

}  // namespace

std::optional<NodeId> addTop(Tree& tree, BusGroups& groups, Connections& connections,
                             Entity& entity) {
    return TopSetup(tree, groups, connections, entity).run();
}

}  // namespace smec::elab
