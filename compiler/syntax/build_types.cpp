#include <string_view>
#include <utility>

#include "syntax/builder.h"

namespace smec::syntax {

// [n][m]T is an array of n arrays of m: built from the inside out.
ast::TypeExpr Builder::type(P::TypeExpressionContext& context) {
    ast::TypeExpr result = innermostType(context);
    const std::vector<P::ExpressionContext*>& sizes = context.sizes;
    if (!deeper(sizes.size(), rangeOf(context))) return result;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        ast::ArrayType array{expression(*sizes[i]), {}};
        array.element.push_back(std::move(result));
        result = {cover(rangeOf(context.opens[i]), array.element[0].range), std::move(array),
                  std::nullopt};
    }
    return result;
}

ast::TypeExpr Builder::innermostType(P::TypeExpressionContext& context) {
    std::vector<ast::Identifier> name = path(*context.path);
    SourceRange range = rangeOf(*context.path);
    if (!context.argument_) return {range, ast::NamedType{std::move(name)}, std::nullopt};

    range = rangeOf(context.path->start, context.close);
    ast::ExprId argument = expression(*context.argument_);
    std::string_view word = name.size() == 1 ? std::string_view(name[0].text) : std::string_view();
    if (word == "type") return {range, ast::TypeOf{argument}, std::nullopt};
    if (word == "u" || word == "i")
        return {range, ast::SizedType{word == "i", argument}, std::nullopt};
    diagnostics_.report(DiagId::TypeArgument, range, textOf(context.path->start));
    return {range, ast::NamedType{std::move(name)}, std::nullopt};
}

ast::RangeBound Builder::rangeBound(P::RangeBoundContext& context) {
    ast::ExprId low = expression(*context.low);
    return {low, expression(*context.high)};
}

ast::TypeExpr Builder::boundedType(P::BoundedTypeContext& context) {
    ast::TypeExpr result = type(*context.base);
    if (!context.bound) return result;
    result.bound = rangeBound(*context.bound);
    result.range = cover(result.range, rangeOf(*context.bound));
    return result;
}

// The range of a variable or field, whichever of its two places it stands in. The type's own source
// range does not grow: the initialiser may stand between.
ast::TypeExpr Builder::boundedType(P::TypeExpressionContext& context,
                                   const std::vector<P::RangeBoundContext*>& bounds) {
    ast::TypeExpr result = type(context);
    if (bounds.size() > 1) diagnostics_.report(DiagId::GivenTwice, rangeOf(*bounds[1]), "range");
    if (!bounds.empty()) result.bound = rangeBound(*bounds[0]);
    return result;
}

std::optional<ast::TypeExpr> Builder::optionalType(P::TypeExpressionContext* context) {
    if (!context) return std::nullopt;
    return type(*context);
}

std::optional<ast::TypeExpr> Builder::optionalType(P::BoundedTypeContext* context) {
    if (!context) return std::nullopt;
    return boundedType(*context);
}

std::vector<ast::FieldDecl> Builder::fields(const std::vector<P::FieldContext*>& contexts,
                                            bool ofStruct) {
    std::vector<ast::FieldDecl> out;
    out.reserve(contexts.size());
    for (P::FieldContext* context : contexts)
        out.push_back(field(*context, ofStruct));
    return out;
}

ast::FieldDecl Builder::field(P::FieldContext& context, bool ofStruct) {
    ast::FieldDecl out;
    out.range = rangeOf(context);
    for (const Token* word : context.modifiers) {
        setOnce(word->getType() == P::Hold ? out.hold : out.flip, word);
        if (ofStruct) diagnostics_.report(DiagId::FieldModifier, rangeOf(word), textOf(word));
    }
    out.name = declared(*context.name);
    out.type = boundedType(*context.annotation, context.bounds);
    out.init = optionalExpression(context.init);
    return out;
}

ast::EnumDecl Builder::enumDecl(P::EnumDeclarationContext& context) {
    ast::EnumDecl out{declared(*context.name), {}};
    out.members.reserve(context.members.size());
    for (P::EnumMemberContext* member : context.members) {
        ast::Identifier name = declared(*member->name);
        out.members.push_back({std::move(name), optionalExpression(member->value)});
    }
    return out;
}

ast::TypeDecl Builder::typeDecl(P::TypeDeclarationContext& context) {
    ast::Identifier name = declared(*context.name);
    if (!context.kind) return {std::move(name), ast::AliasType{boundedType(*context.target)}};
    if (context.kind->getType() == P::Struct)
        return {std::move(name), ast::StructType{fields(context.fields, true)}};
    return {std::move(name), ast::BusType{fields(context.fields, false)}};
}

}  // namespace smec::syntax
