#include <string>
#include <string_view>
#include <utility>

#include "syntax/build_declarations.h"

#include "syntax/build_literals.h"

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

std::string_view siteName(Site site) {
    switch (site) {
    case Site::Module: return "outside of processes and networks";
    case Site::Network: return "in a network";
    case Site::Process: return "in a process";
    case Site::GenerateInNetwork:
    case Site::GenerateInProcess: return "in a 'generate'";
    }
    return "";
}

}  // namespace

std::optional<ast::Decl> DeclarationBuilder::item(P::ModuleItemContext& context) {
    if (context.importItem) return ast::Decl{in_.rangeOf(context), import(*context.importItem)};
    if (context.externItem) return externDecl(*context.externItem);
    return declaration(*context.otherItem, Site::Module);
}

ast::Import DeclarationBuilder::import(P::ImportDeclarationContext& context) {
    ast::Import out;
    out.path = in_.path(*context.path);
    if (context.alias) out.alias = in_.declared(*context.alias);
    for (P::IdentifierContext* name : context.names)
        out.names.push_back(in_.identifier(*name));
    return out;
}

ast::Decl DeclarationBuilder::externDecl(P::ExternDeclarationContext& context) {
    SourceRange range = in_.rangeOf(context);
    ast::Identifier name = in_.declared(*context.name);
    if (!context.bodies.empty()) {
        ast::ProcDecl out{ast::ProcKind::Clocked, false, std::move(name), {}, {}, {}, {}};
        out.params = params(context.params);
        ast::ForeignProc& external = out.external.emplace();
        for (P::ForeignBodyContext* body : context.bodies)
            external.bodies.push_back({in_.identifier(*body->language),
                                       stringValue(in_, body->file), in_.rangeOf(body->file)});
        for (const ast::Param& param : out.params)
            if (param.kind == ast::ParamKind::Const)
                external.constants.push_back(in_.add(param.name.range, ast::Name{param.name.text}));
        return {range, std::move(out)};
    }
    ast::ExternFunc out{context.serial != nullptr,
                        std::move(name),
                        functionParams(context.functionParams),
                        types_.optional(context.result),
                        stringValue(in_, context.header),
                        in_.rangeOf(context.header)};
    return {range, std::move(out)};
}

ast::ProcDecl DeclarationBuilder::processHead(P::ProcessHeadContext& context) {
    ast::ProcKind kind = ast::ProcKind::Clocked;
    std::size_t word = context.kind ? context.kind->getType() : 0;
    if (word == P::Async) kind = ast::ProcKind::Combinational;
    if (word == P::Sim) kind = ast::ProcKind::Simulation;
    ast::ProcDecl out{kind, word == P::Sync, in_.declared(*context.name), {}, {}, {}, {}};
    out.params = params(context.params);
    return out;
}

ast::NetworkDecl DeclarationBuilder::networkHead(P::NetworkHeadContext& context) {
    ast::NetworkDecl out{in_.declared(*context.name), {}, {}};
    out.params = params(context.params);
    return out;
}

std::vector<ast::Decl>
DeclarationBuilder::declarations(const std::vector<P::DeclarationContext*>& contexts, Site site) {
    std::vector<ast::Decl> out;
    out.reserve(contexts.size());
    for (P::DeclarationContext* context : contexts)
        if (std::optional<ast::Decl> decl = declaration(*context, site))
            out.push_back(std::move(*decl));
    return out;
}

std::optional<ast::Decl> DeclarationBuilder::declaration(P::DeclarationContext& context,
                                                         Site site) {
    if (!belongs(context, site)) return std::nullopt;
    SourceRange range = in_.rangeOf(context);
    if (context.constItem) return ast::Decl{range, constant(*context.constItem)};
    if (context.enumItem) return ast::Decl{range, types_.enumDecl(*context.enumItem)};
    if (context.typeItem) return ast::Decl{range, types_.typeDecl(*context.typeItem)};
    if (context.functionItem) return ast::Decl{range, function(*context.functionItem)};
    if (context.busItem) return ast::Decl{range, bus(*context.busItem)};
    if (context.variableItem) return ast::Decl{range, statements_.variable(*context.variableItem)};
    if (context.instanceItem) return ast::Decl{range, instance(*context.instanceItem)};
    return generate(*context.generateItem, site);
}

bool DeclarationBuilder::belongs(P::DeclarationContext& context, Site site) {
    auto misplaced = [&](std::string_view what, std::string_view hint) {
        in_.diagnostics.report(DiagId::MisplacedDeclaration, in_.rangeOf(context.start), what,
                               siteName(site), hint);
        return false;
    };
    if (context.variableItem && site != Site::Process)
        return misplaced("a variable", "declare it in a process");
    if (site != Site::Module) return true;
    std::string_view hint = "declare it in a network or a process";
    if (context.busItem) return misplaced("a bus", hint);
    if (context.instanceItem) return misplaced("an instance", hint);
    if (context.generateItem)
        return misplaced("a 'generate'", "write it in a network or a process");
    return true;
}

ast::ConstDecl DeclarationBuilder::constant(P::ConstDeclarationContext& context) {
    ast::ConstDecl out{in_.declared(*context.name), types_.optional(context.annotation), {}};
    out.value = expressions_.expression(*context.value);
    return out;
}

ast::FuncDecl DeclarationBuilder::function(P::FunctionDeclarationContext& context) {
    ast::FuncDecl out{in_.declared(*context.name),
                      functionParams(context.params),
                      types_.bounded(*context.result),
                      {}};
    std::vector<ast::Stmt> statements;
    for (P::VariableDeclarationContext* local : context.vars)
        statements.push_back(statements_.variableStatement(*local));
    out.body = statements_.block(*context.body);
    out.body.statements.insert(out.body.statements.begin(),
                               std::make_move_iterator(statements.begin()),
                               std::make_move_iterator(statements.end()));
    return out;
}

std::vector<ast::FuncParam>
DeclarationBuilder::functionParams(const std::vector<P::FunctionParameterContext*>& contexts) {
    std::vector<ast::FuncParam> out;
    for (P::FunctionParameterContext* context : contexts) {
        ast::Identifier name = in_.declared(*context->name);
        out.push_back({std::move(name), types_.bounded(*context->annotation)});
    }
    return out;
}

std::vector<ast::Param>
DeclarationBuilder::params(const std::vector<P::ParameterContext*>& contexts) {
    std::vector<ast::Param> out;
    for (P::ParameterContext* context : contexts) {
        ast::Param param{in_.rangeOf(*context), ast::ParamKind::Const, {}, {}, {}, {}};
        if (context->direction->getType() == P::In) param.kind = ast::ParamKind::In;
        if (context->direction->getType() == P::Out) param.kind = ast::ParamKind::Out;
        for (P::PortDimensionContext* dimension : context->dimensions)
            param.dimensions.push_back(expressions_.optional(dimension->size));
        param.name = in_.declared(*context->name);
        param.type = context->portType ? types_.optional(context->portType)
                                       : types_.optional(context->annotation);
        param.defaultValue = expressions_.optional(context->init);
        out.push_back(std::move(param));
    }
    return out;
}

ast::BusDecl DeclarationBuilder::bus(P::BusDeclarationContext& context) {
    ast::BusDecl out;
    for (P::BusModifierContext* modifier : context.modifiers)
        apply(*modifier, out);
    out.name = in_.declared(*context.name);
    out.dimensions = expressions_.list(context.dimensions);
    out.type = types_.optional(context.annotation);
    out.fields = types_.fields(context.fields, false);
    return out;
}

void DeclarationBuilder::apply(P::BusModifierContext& context, ast::BusDecl& bus) {
    switch (context.word->getType()) {
    case P::Exposed: return in_.setOnce(bus.exposed, context.word);
    case P::Hold: return in_.setOnce(bus.hold, context.word);
    case P::Unique: return in_.setOnce(bus.unique, context.word);
    default: break;
    }
    bool given = bus.delay.valid();
    in_.setOnce(given, context.word);
    bus.delay = expressions_.expression(*context.cycles);
}

ast::InstanceDecl DeclarationBuilder::instance(P::InstanceDeclarationContext& context) {
    ast::InstanceDecl out;
    out.name = in_.declared(*context.name, true);
    out.indices = expressions_.list(context.indices);
    out.entity = expressions_.nameOf(*context.entity);
    out.arguments = expressions_.arguments(context.arguments);
    return out;
}

ast::Decl DeclarationBuilder::generate(P::GenerateDeclarationContext& context, Site site) {
    SourceRange range = in_.rangeOf(context);
    bool inProcess = site == Site::Process || site == Site::GenerateInProcess;
    Site inside = inProcess ? Site::GenerateInProcess : Site::GenerateInNetwork;
    if (context.condition) {
        ast::GenerateIf out{expressions_.expression(*context.condition), {}, {}};
        out.yes = declarations(context.body, inside);
        out.no = declarations(context.otherwise, inside);
        return {range, std::move(out)};
    }
    ast::GenerateFor out;
    out.variable = in_.declared(*context.variable);
    out.from = expressions_.expression(*context.from_);
    out.isUntil = context.direction->getType() == P::Until;
    out.to = expressions_.expression(*context.to_);
    out.body = declarations(context.body, inside);
    return {range, std::move(out)};
}

}  // namespace smec::syntax
