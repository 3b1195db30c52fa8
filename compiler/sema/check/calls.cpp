#include "sema/check/calls.h"

#include <fmt/format.h>

#include "sema/check/builtins.h"
#include "sema/check/call_arguments.h"
#include "sema/check/conversions.h"
#include "sema/check/expressions.h"
#include "sema/check/function_calls.h"
#include "sema/check/judgements.h"
#include "sema/check/list_builder.h"
#include "sema/check/lists.h"
#include "sema/check/names.h"
#include "syntax/foreign_types.h"

namespace smec::sema {

using hir::TypeId;

Operand Calls::call(const ast::Call& node, SourceRange range) {
    const ast::Expr& callee = module_[node.callee];
    const ast::Name* name = std::get_if<ast::Name>(&callee.node);
    if (name) {
        bool isReserved = false;
        if (auto type = builtinType(types_, name->text, isReserved))
            return cast(node, *type, range);
        if (isReserved) {
            reporter_.report(DiagId::TypeWidth, callee.range, name->text);
            return {};
        }
    }
    bool failed = false;
    Symbol* symbol = name ? in_.scope.find(name->text) : names_.symbolAt(node.callee, failed);
    if (failed) return {};
    if (symbol && std::holds_alternative<FuncSymbol>(symbol->node))
        return functionCalls_.call(*symbol, node, range);
    if (symbol && std::holds_alternative<TypeSymbol>(symbol->node))
        return cast(node, *symbol, range);
    if (name) {
        bool isKnown = false;
        Operand result = builtins_.builtinCall(name->text, node, range, isKnown);
        if (isKnown) return result;
    }
    const bool ofClock = name && !symbol && syntax::looksAtClock(name->text);
    if (!ofClock) expressions_.checkAll(node.arguments);  // there is no clk to complain about
    if (symbol && isUnimported(*symbol)) return {};
    if (!isOtherLanguage(callee, symbol)) reportNoFunction(callee, symbol);
    return {};
}

/// `(int)(x)`, `a.length()`
bool Calls::isOtherLanguage(const ast::Expr& callee, const Symbol* symbol) {
    if (const auto* paren = std::get_if<ast::Paren>(&callee.node)) {
        const std::string type = syntax::nativeType(reporter_.text(module_[paren->inner].range));
        if (type.empty()) return false;
        reporter_.report(DiagId::OtherLanguage, callee.range,
                         fmt::format("the language has no '({0})'; a cast is '{0}(...)'", type));
        return true;
    }
    const auto* member = std::get_if<ast::Member>(&callee.node);
    if (!member || symbol || !syntax::isLength(member->name.text)) return false;
    reporter_.report(DiagId::OtherLanguage, callee.range,
                     fmt::format("the language has no '.{}()'; write 'len({})'", member->name.text,
                                 reporter_.text(module_[member->base].range)));
    return true;
}

void Calls::reportNoFunction(const ast::Expr& callee, const Symbol* symbol) {
    const ast::Name* name = std::get_if<ast::Name>(&callee.node);
    const bool isVariable = name && (in_.locals.find(name->text) || in_.ports.find(name->text));
    if (symbol || isVariable || !name) {
        reporter_.report(DiagId::NotAFunction, callee.range, reporter_.text(callee.range),
                         symbol       ? kindOf(*symbol)
                         : isVariable ? "a variable"
                                      : "an expression");
        return;
    }
    reporter_.reportUnknownWith([&] { return hintFor(name->text); }, DiagId::UnknownFunction,
                                callee.range, name->text);
}

std::string Calls::hintFor(const std::string& unknown) {
    if (unknown == "u" || unknown == "i") return "; name the type with 'type' to cast to it";
    const std::string native = syntax::nativeType(unknown);
    if (!native.empty()) return "; a cast is '" + native + "(...)'";
    return in_.core.hints.importHint(in_.scope.module(), unknown, NameKind::Function,
                                     in_.core.hints.suggestion(in_.scope, unknown));
}

Operand Calls::cast(const ast::Call& node, TypeId type, SourceRange range) {
    if (types_.is<hir::StructType>(type)) return structLiteral(node, type, range);
    if (types_.isError(type)) return {};
    if (node.arguments.size() != 1 || node.arguments[0].name) {
        reporter_.report(DiagId::CallCount, range, types_.name(type), "1 value",
                         areGiven(node.arguments.size()));
        return {};
    }
    const std::size_t mark = in_.uses.named();
    Operand operand = expressions_.check(node.arguments[0].value);
    judgements_.stored(operand, type, mark);
    return conversions_.castTo(std::move(operand), type, range);
}

Operand Calls::cast(const ast::Call& node, Symbol& symbol, SourceRange range) {
    symbol.used = true;
    if (!in_.core.typeSymbols.resolve(symbol)) return {};
    const TypeSymbol& type = std::get<TypeSymbol>(symbol.node);
    if (type.shape) {
        reporter_.report(DiagId::NotAFunction, module_[node.callee].range, symbol.name,
                         "a bus type");
        return {};
    }
    in_.uses.dependOn(type);
    return cast(node, type.type, range);
}

Operand Calls::structLiteral(const ast::Call& node, TypeId type, SourceRange range) {
    const hir::StructType structure = *types_.as<hir::StructType>(type);
    std::vector<std::string> names;
    for (const hir::StructMember& member : structure.members)
        names.push_back(member.name);
    auto ordered = orderArguments(reporter_, module_, node, names, "member", range);
    if (!ordered) {
        expressions_.checkAll(node.arguments);
        return {};
    }
    ListBuilder list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Destination destination{structure.members[i].type,
                                fmt::format("member '{}' of '{}'", names[i], structure.name), true,
                                false};
        list.types.push_back(destination.type);
        Operand operand = expressions_.checkFor((*ordered)[i], destination);
        if (!conversions_.convert(operand, destination))
            list.failed = true;
        else
            list.add(std::move(operand));
    }
    if (names.size() == 1) list.types.push_back(list.types[0]);
    return lists_.finish(list, type, range);
}

}  // namespace smec::sema
