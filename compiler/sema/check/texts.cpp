#include "sema/check/texts.h"

#include <fmt/format.h>

#include "sema/check/expressions.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

namespace {

/// `%d`, `%02x`, as in C and Verilog.
std::string percentHint(std::string_view text) {
    for (std::size_t at = text.find('%'); at != std::string_view::npos;
         at = text.find('%', at + 1)) {
        const std::size_t end = text.find_first_not_of("0123456789", at + 1);
        if (end != std::string_view::npos
            && std::string_view("dDuixXhbcsf").find(text[end]) != std::string_view::npos)
            return fmt::format("; a value stands at '{{}}', not at '{}'",
                               text.substr(at, end + 1 - at));
    }
    return "; a value stands at '{}'";
}

}  // namespace

bool Texts::placeholderFits(const hir::FormatSpec& spec, const Operand& argument) {
    if (spec.radix == 'd') return true;
    const TypeTable& types = types_;
    TypeId type = argument.declared;
    while (const hir::ArrayType* array = types.as<hir::ArrayType>(type))
        type = array->element;
    if (types.isInteger(argument.type) || types.isInteger(type) || types.is<hir::StructType>(type))
        return true;
    reporter_.report(DiagId::TraceType, argument.range, spec.radix, typeName(types_, argument));
    return false;
}

std::optional<hir::Text> Texts::text(ast::ExprId format, const std::vector<ast::ExprId>& arguments,
                                     SourceRange) {
    std::vector<Operand> operands;
    bool ok = true;
    for (ast::ExprId id : arguments) {
        operands.push_back(expressions_.check(id));
        Operand& operand = operands.back();
        bool isText = operand.isValue() && operand.type == TypeTable::kString;
        ok &= !operand.isError() && (isText || operandsAreValues(reporter_, operand, operand));
    }
    const ast::StringLiteral* literal = std::get_if<ast::StringLiteral>(&module_[format].node);
    SourceRange place = module_[format].range;
    if (!literal) return std::nullopt;  // the parser takes nothing else
    std::string error;
    auto parsed = hir::parseFormat(literal->value, error);
    if (!parsed) {
        reporter_.report(DiagId::TraceFormat, place, error);
        return std::nullopt;
    }
    if (parsed->specs.size() != operands.size()) {
        std::size_t given = operands.size();
        reporter_.report(
            DiagId::TraceArguments, place, counted(parsed->specs.size(), "placeholder"),
            fmt::format("{} {}", counted(given, "argument"), given == 1 ? "is" : "are"),
            parsed->specs.size() < given ? percentHint(literal->value) : "");
        return std::nullopt;
    }
    if (!ok) return std::nullopt;
    hir::Text result{std::move(*parsed), {}};
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!placeholderFits(result.format.specs[i], operands[i])) return std::nullopt;
        build_.demand(operands[i], kAllBits);
        result.arguments.push_back(build_.leaf(operands[i]));
    }
    return result;
}

void Texts::trace(const ast::Trace& node, SourceRange range, hir::Block& out) {
    auto content = text(node.format, node.arguments, range);
    build_.body().canTrace = true;
    if (content) out.push_back({range, hir::Trace{std::move(*content)}});
}

void Texts::assertion(const ast::Assert& node, SourceRange range, hir::Block& out) {
    Operand operand;
    {
        const Depth::Inside inside = nesting_.assertion.enter();
        operand = expressions_.check(node.condition);
    }
    bool isTest = !operand.isError() && operandsAreValues(reporter_, operand, operand);
    if (isTest && operand.type != TypeTable::kBool) {
        reporter_.report(DiagId::ConditionType, operand.range, typeName(types_, operand),
                         types_.isInteger(operand.type) ? "; write '!= 0'" : "");
        isTest = false;
    }
    std::optional<hir::Text> content;
    bool hasText = node.message.valid();
    if (hasText) content = text(node.message, node.arguments, range);
    if (!isTest || (hasText && !content)) return;
    SiteNeeds needs;
    needs.use = SiteUse::Value;  // a constant false one ends its path
    hir::ExprId test = build_.use(operand, std::move(needs));
    build_.body().canFail = true;
    out.push_back({range, hir::Assert{node.isAssume, test, std::move(content)}});
}

void Texts::cover(const ast::Cover& node, SourceRange range, hir::Block& out) {
    if (mode_ == CheckMode::Function) {
        reporter_.report(DiagId::NotInFunction, range, "cover");
        return;
    }
    hir::ExprId test = expressions_.condition(node.condition);
    const ast::StringLiteral* name = std::get_if<ast::StringLiteral>(&module_[node.name].node);
    if (!name) return;  // the parser takes nothing else
    if (test.valid()) out.push_back({range, hir::Cover{test, name->value, covers_++}});
}

}  // namespace smec::sema
