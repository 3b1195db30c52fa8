#include "syntax/build_types.h"

namespace smec::syntax {

// [n][m]T is an array of n arrays of m: built from the inside out.
ast::TypeExpr TypeBuilder::type(P::TypeExpressionContext& context) {
    ast::TypeExpr result = innermostType(context);
    const std::vector<P::ExpressionContext*>& sizes = context.sizes;
    if (!expressions_.mayNest(sizes.size(), in_.rangeOf(context))) return result;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        ast::ArrayType array{expressions_.expression(*sizes[i]), {}};
        array.element.push_back(std::move(result));
        result = {cover(in_.rangeOf(context.opens[i]), array.element[0].range), std::move(array),
                  std::nullopt};
    }
    return result;
}

ast::TypeExpr TypeBuilder::innermostType(P::TypeExpressionContext& context) {
    std::vector<ast::Identifier> name = in_.path(*context.path);
    SourceRange range = in_.rangeOf(*context.path);
    if (!context.argument_) return {range, ast::NamedType{std::move(name)}, std::nullopt};

    range = in_.rangeOf(context.path->start, context.close);
    ast::ExprId argument = expressions_.expression(*context.argument_);
    std::string_view word = name.size() == 1 ? std::string_view(name[0].text) : std::string_view();
    if (word == "type") return {range, ast::TypeOf{argument}, std::nullopt};
    if (word == "u" || word == "i")
        return {range, ast::SizedType{word == "i", argument}, std::nullopt};
    in_.diagnostics.report(DiagId::TypeArgument, range, in_.textOf(context.path->start));
    return {range, ast::NamedType{std::move(name)}, std::nullopt};
}

ast::RangeBound TypeBuilder::rangeBound(P::RangeBoundContext& context) {
    ast::ExprId low = expressions_.expression(*context.low);
    return {low, expressions_.expression(*context.high)};
}

ast::TypeExpr TypeBuilder::bounded(P::BoundedTypeContext& context) {
    ast::TypeExpr result = type(*context.base);
    if (!context.bound) return result;
    result.bound = rangeBound(*context.bound);
    result.range = cover(result.range, in_.rangeOf(*context.bound));
    return result;
}

// The range of a variable or field, whichever of its two places it stands in. The type's own source
// range does not grow: the initialiser may stand between.
ast::TypeExpr TypeBuilder::bounded(P::TypeExpressionContext& context,
                                   const std::vector<P::RangeBoundContext*>& bounds) {
    ast::TypeExpr result = type(context);
    if (bounds.size() > 1)
        in_.diagnostics.report(DiagId::GivenTwice, in_.rangeOf(*bounds[1]), "range");
    if (!bounds.empty()) result.bound = rangeBound(*bounds[0]);
    return result;
}

std::optional<ast::TypeExpr> TypeBuilder::optional(P::TypeExpressionContext* context) {
    if (!context) return std::nullopt;
    return type(*context);
}

std::optional<ast::TypeExpr> TypeBuilder::optional(P::BoundedTypeContext* context) {
    if (!context) return std::nullopt;
    return bounded(*context);
}

std::vector<ast::FieldDecl> TypeBuilder::fields(const std::vector<P::FieldContext*>& contexts,
                                                bool ofStruct) {
    std::vector<ast::FieldDecl> out;
    out.reserve(contexts.size());
    for (P::FieldContext* context : contexts)
        out.push_back(field(*context, ofStruct));
    return out;
}

ast::FieldDecl TypeBuilder::field(P::FieldContext& context, bool ofStruct) {
    ast::FieldDecl out;
    out.range = in_.rangeOf(context);
    for (const Token* word : context.modifiers) {
        in_.setOnce(word->getType() == P::Hold ? out.hold : out.flip, word);
        if (ofStruct)
            in_.diagnostics.report(DiagId::FieldModifier, in_.rangeOf(word), in_.textOf(word));
    }
    out.name = in_.declared(*context.name);
    out.type = bounded(*context.annotation, context.bounds);
    out.init = expressions_.optional(context.init);
    return out;
}

ast::EnumDecl TypeBuilder::enumDecl(P::EnumDeclarationContext& context) {
    ast::EnumDecl out{in_.declared(*context.name), {}};
    out.members.reserve(context.members.size());
    for (P::EnumMemberContext* member : context.members) {
        ast::Identifier name = in_.declared(*member->name);
        out.members.push_back({std::move(name), expressions_.optional(member->value)});
    }
    return out;
}

ast::TypeDecl TypeBuilder::typeDecl(P::TypeDeclarationContext& context) {
    ast::Identifier name = in_.declared(*context.name);
    if (!context.kind) return {std::move(name), ast::AliasType{bounded(*context.target)}};
    if (context.kind->getType() == P::Struct)
        return {std::move(name), ast::StructType{fields(context.fields, true)}};
    return {std::move(name), ast::BusType{fields(context.fields, false)}};
}

}  // namespace smec::syntax
