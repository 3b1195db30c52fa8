#include <string>
#include <string_view>
#include <utility>

#include "syntax/builder.h"
#include "syntax/names.h"
#include "syntax/text.h"

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

std::string_view placeName(Place place) {
    switch (place) {
    case Place::Module: return "outside of processes and networks";
    case Place::Network: return "in a network";
    case Place::Process: return "in a process";
    case Place::GenerateInNetwork:
    case Place::GenerateInProcess: return "in a 'generate'";
    }
    return "";
}

}  // namespace

// ---------------------------------------------------------------- ranges and names

SourceRange Builder::rangeOf(const Token* token) const { return rangeOf(token, token); }

SourceRange Builder::rangeOf(const antlr4::ParserRuleContext& context) const {
    return rangeOf(context.start, context.stop);
}

SourceRange Builder::rangeOf(const Token* first, const Token* last) const {
    return {module_.file, static_cast<const SmeToken*>(first)->begin(),
            static_cast<const SmeToken*>(last)->end()};
}

std::string_view Builder::textOf(const Token* token) const {
    const auto* t = static_cast<const SmeToken*>(token);
    return text_.substr(t->begin(), t->end() - t->begin());
}

ast::Identifier Builder::identifier(P::IdentifierContext& context) const {
    return {std::string(textOf(context.start)), rangeOf(context.start)};
}

ast::Identifier Builder::declared(P::IdentifierContext& context, bool mayBeAnonymous) {
    ast::Identifier name = identifier(context);
    if (name.text == "_" && mayBeAnonymous) return name;
    if (std::string_view reason = whyReserved(name.text); !reason.empty())
        diagnostics_.report(DiagId::ReservedName, name.range, clip(name.text), reason);
    return name;
}

std::vector<ast::Identifier> Builder::path(P::QualifiedNameContext& context) const {
    std::vector<ast::Identifier> out;
    out.reserve(context.parts.size());
    for (P::IdentifierContext* part : context.parts)
        out.push_back(identifier(*part));
    return out;
}

// ---------------------------------------------------------------- modules

std::optional<ast::Decl> Builder::item(P::ModuleItemContext& context) {
    if (context.importItem) return ast::Decl{rangeOf(context), import(*context.importItem)};
    if (context.externItem) return externDecl(*context.externItem);
    return declaration(*context.otherItem, Place::Module);
}

ast::Import Builder::import(P::ImportDeclarationContext& context) {
    ast::Import out;
    out.path = path(*context.path);
    if (context.alias) out.alias = declared(*context.alias);
    for (P::IdentifierContext* name : context.names)
        out.names.push_back(identifier(*name));
    return out;
}

ast::Decl Builder::externDecl(P::ExternDeclarationContext& context) {
    SourceRange range = rangeOf(context);
    ast::Identifier name = declared(*context.name);
    if (!context.bodies.empty()) {
        ast::ProcDecl out{ast::ProcKind::Clocked, false, std::move(name), {}, {}, {}, {}};
        out.params = params(context.params);
        ast::ForeignProc& external = out.external.emplace();
        for (P::ForeignBodyContext* body : context.bodies)
            external.bodies.push_back(
                {identifier(*body->language), stringValue(body->file), rangeOf(body->file)});
        for (const ast::Param& param : out.params)
            if (param.kind == ast::ParamKind::Const)
                external.constants.push_back(add(param.name.range, ast::Name{param.name.text}));
        return {range, std::move(out)};
    }
    ast::ExternFunc out{context.serial != nullptr,
                        std::move(name),
                        functionParams(context.functionParams),
                        optionalType(context.result),
                        stringValue(context.header),
                        rangeOf(context.header)};
    return {range, std::move(out)};
}

ast::ProcDecl Builder::processHead(P::ProcessHeadContext& context) {
    ast::ProcKind kind = ast::ProcKind::Clocked;
    std::size_t word = context.kind ? context.kind->getType() : 0;
    if (word == P::Async) kind = ast::ProcKind::Combinational;
    if (word == P::Sim) kind = ast::ProcKind::Simulation;
    ast::ProcDecl out{kind, word == P::Sync, declared(*context.name), {}, {}, {}, {}};
    out.params = params(context.params);
    return out;
}

ast::NetworkDecl Builder::networkHead(P::NetworkHeadContext& context) {
    ast::NetworkDecl out{declared(*context.name), {}, {}};
    out.params = params(context.params);
    return out;
}

// ---------------------------------------------------------------- declarations

std::vector<ast::Decl> Builder::declarations(const std::vector<P::DeclarationContext*>& contexts,
                                             Place place) {
    std::vector<ast::Decl> out;
    out.reserve(contexts.size());
    for (P::DeclarationContext* context : contexts)
        if (std::optional<ast::Decl> decl = declaration(*context, place))
            out.push_back(std::move(*decl));
    return out;
}

std::optional<ast::Decl> Builder::declaration(P::DeclarationContext& context, Place place) {
    if (!belongs(context, place)) return std::nullopt;
    SourceRange range = rangeOf(context);
    if (context.constItem) return ast::Decl{range, constant(*context.constItem)};
    if (context.enumItem) return ast::Decl{range, enumDecl(*context.enumItem)};
    if (context.typeItem) return ast::Decl{range, typeDecl(*context.typeItem)};
    if (context.functionItem) return ast::Decl{range, function(*context.functionItem)};
    if (context.busItem) return ast::Decl{range, bus(*context.busItem)};
    if (context.variableItem) return ast::Decl{range, variable(*context.variableItem)};
    if (context.instanceItem) return ast::Decl{range, instance(*context.instanceItem)};
    return generate(*context.generateItem, place);
}

bool Builder::belongs(P::DeclarationContext& context, Place place) {
    auto misplaced = [&](std::string_view what, std::string_view hint) {
        diagnostics_.report(DiagId::MisplacedDeclaration, rangeOf(context.start), what,
                            placeName(place), hint);
        return false;
    };
    if (context.variableItem && place != Place::Process)
        return misplaced("a variable", "declare it in a process");
    if (place != Place::Module) return true;
    std::string_view hint = "declare it in a network or a process";
    if (context.busItem) return misplaced("a bus", hint);
    if (context.instanceItem) return misplaced("an instance", hint);
    if (context.generateItem)
        return misplaced("a 'generate'", "write it in a network or a process");
    return true;
}

ast::ConstDecl Builder::constant(P::ConstDeclarationContext& context) {
    ast::ConstDecl out{declared(*context.name), optionalType(context.annotation), {}};
    out.value = expression(*context.value);
    return out;
}

ast::VarDecl Builder::variable(P::VariableDeclarationContext& context) {
    ast::VarDecl out{declared(*context.name), boundedType(*context.annotation, context.bounds), {}};
    out.init = optionalExpression(context.init);
    return out;
}

ast::FuncDecl Builder::function(P::FunctionDeclarationContext& context) {
    ast::FuncDecl out{
        declared(*context.name), functionParams(context.params), boundedType(*context.result), {}};
    std::vector<ast::Stmt> statements;
    for (P::VariableDeclarationContext* local : context.vars)
        statements.push_back(variableStatement(*local));
    out.body = block(*context.body);
    out.body.statements.insert(out.body.statements.begin(),
                               std::make_move_iterator(statements.begin()),
                               std::make_move_iterator(statements.end()));
    return out;
}

std::vector<ast::FuncParam>
Builder::functionParams(const std::vector<P::FunctionParameterContext*>& contexts) {
    std::vector<ast::FuncParam> out;
    for (P::FunctionParameterContext* context : contexts) {
        ast::Identifier name = declared(*context->name);
        out.push_back({std::move(name), boundedType(*context->annotation)});
    }
    return out;
}

std::vector<ast::Param> Builder::params(const std::vector<P::ParameterContext*>& contexts) {
    std::vector<ast::Param> out;
    for (P::ParameterContext* context : contexts) {
        ast::Param param{rangeOf(*context), ast::ParamKind::Const, {}, {}, {}, {}};
        if (context->direction->getType() == P::In) param.kind = ast::ParamKind::In;
        if (context->direction->getType() == P::Out) param.kind = ast::ParamKind::Out;
        for (P::PortDimensionContext* dimension : context->dimensions)
            param.dimensions.push_back(optionalExpression(dimension->size));
        param.name = declared(*context->name);
        param.type =
            context->portType ? optionalType(context->portType) : optionalType(context->annotation);
        param.defaultValue = optionalExpression(context->init);
        out.push_back(std::move(param));
    }
    return out;
}

ast::BusDecl Builder::bus(P::BusDeclarationContext& context) {
    ast::BusDecl out;
    for (P::BusModifierContext* modifier : context.modifiers)
        apply(*modifier, out);
    out.name = declared(*context.name);
    out.dimensions = expressions(context.dimensions);
    out.type = optionalType(context.annotation);
    out.fields = fields(context.fields, false);
    return out;
}

void Builder::apply(P::BusModifierContext& context, ast::BusDecl& bus) {
    switch (context.word->getType()) {
    case P::Exposed: return setOnce(bus.exposed, context.word);
    case P::Hold: return setOnce(bus.hold, context.word);
    case P::Unique: return setOnce(bus.unique, context.word);
    default: break;
    }
    bool given = bus.delay.valid();
    setOnce(given, context.word);
    bus.delay = expression(*context.cycles);
}

void Builder::setOnce(bool& flag, const Token* word) {
    if (flag) diagnostics_.report(DiagId::GivenTwice, rangeOf(word), textOf(word));
    flag = true;
}

ast::InstanceDecl Builder::instance(P::InstanceDeclarationContext& context) {
    ast::InstanceDecl out;
    out.name = declared(*context.name, true);
    out.indices = expressions(context.indices);
    out.entity = nameOf(*context.entity);
    out.arguments = arguments(context.arguments);
    return out;
}

ast::Decl Builder::generate(P::GenerateDeclarationContext& context, Place place) {
    SourceRange range = rangeOf(context);
    bool inProcess = place == Place::Process || place == Place::GenerateInProcess;
    Place inside = inProcess ? Place::GenerateInProcess : Place::GenerateInNetwork;
    if (context.condition) {
        ast::GenerateIf out{expression(*context.condition), {}, {}};
        out.yes = declarations(context.body, inside);
        out.no = declarations(context.otherwise, inside);
        return {range, std::move(out)};
    }
    ast::GenerateFor out;
    out.variable = declared(*context.variable);
    out.from = expression(*context.from_);
    out.isUntil = context.direction->getType() == P::Until;
    out.to = expression(*context.to_);
    out.body = declarations(context.body, inside);
    return {range, std::move(out)};
}

}  // namespace smec::syntax
