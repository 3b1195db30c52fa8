#include "lower/body/texts.h"

#include <algorithm>

#include <fmt/format.h>

#include "lower/body/parts.h"
#include "lower/body/scalars.h"
#include "source/overloaded.h"

// Texts of traces and assertions. Arguments that are constants become part of the text; structs and
// arrays are spelled out:
//   trace("p={:x} {}", p, 3)   ->   "p=(x: {:x}, y: {:x}) 3" with the arguments p.x, p.y

namespace smec::lower {

namespace {

std::string escaped(const std::string& text) {
    std::string result;
    for (char c : text) {
        result += c;
        if (c == '{' || c == '}') result += c;
    }
    return result;
}

std::string placeholderFor(const hir::FormatSpec& spec) {
    std::string inner;
    if (spec.zero) inner += '0';
    if (spec.width != 0) inner += std::to_string(spec.width);
    if (spec.radix != 'd') inner += spec.radix;
    return inner.empty() ? "{}" : "{:" + inner + "}";
}

/// Bytes that a text can hold as they are, in every language that is written.
bool isPlain(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

ir::ArgFormat Texts::formatOf(hir::TypeId type, ir::ExprId value) {
    ir::ArgFormat format = writer_.numberFormat(value);
    if (format.type == ir::ExprType::Int) format.bits = numbers_.widthOf(type);
    format.enumeration = context_.enumerationOf(type);
    return format;
}

void Texts::argument(hir::TypeId type, ir::ExprId value, const hir::FormatSpec& spec,
                     ir::TraceSite& site, std::vector<ir::ExprId>& args) {
    if (spec.radix == 'c' && context_.types().isInteger(type))
        value = builder_.wrap(value, 8, false);
    site.format += placeholderFor(spec);
    site.args.push_back(formatOf(type, value));
    args.push_back(value);
}

void Texts::argument(const Part& part, const hir::FormatSpec& spec, ir::TraceSite& site,
                     std::vector<ir::ExprId>& args) {
    smec::visit(Overloaded{
                    [&](const hir::ArrayType& array) {
                        for (std::uint64_t i = 0; i < array.count; ++i) {
                            site.format += i == 0 ? "[" : ", ";
                            argument(parts_.elementAt(part, i), spec, site, args);
                        }
                        site.format += "]";
                    },
                    [&](const hir::StructType& structure) {
                        for (std::uint32_t i = 0; i < structure.members.size(); ++i) {
                            site.format += fmt::format("{}{}: ", i == 0 ? "(" : ", ",
                                                       structure.members[i].name);
                            argument(parts_.member(part, i), spec, site, args);
                        }
                        site.format += ")";
                    },
                    [&](const hir::WholeType auto&) {
                        argument(part.type, parts_.read(part), spec, site, args);
                    },
                },
                context_.types()[part.type]);
}

/// Of an argument that is a constant and can stand in the text.
std::optional<std::string> Texts::constantText(hir::ExprId id, const hir::FormatSpec& spec) const {
    const auto* constant = std::get_if<hir::Constant>(&source_[id].node);
    if (!constant || !constant->value.valid()) return std::nullopt;
    const hir::TypeId type = source_[id].type;
    const bool isScalar =
        !isAggregate(context_.types(), type) && !context_.types().as<hir::StringType>(type);
    const std::string text = hir::format(
        context_.types(), type, isScalar ? numbers_.widthOf(type) : 1, constant->value, spec);
    if (spec.radix == 'c' && !isPlain(text)) return std::nullopt;
    return escaped(text);
}

ir::TraceSite Texts::text(const hir::Text& text, std::vector<ir::ExprId>& args) {
    ir::TraceSite site{escaped(text.format.pieces.front()), {}};
    for (std::size_t i = 0; i < text.arguments.size(); ++i) {
        const hir::ExprId id = text.arguments[i];
        const hir::TypeId type = source_[id].type;
        const hir::FormatSpec& spec = text.format.specs[i];
        if (const std::optional<std::string> known = constantText(id, spec))
            site.format += *known;
        else if (isAggregate(context_.types(), type))
            argument(parts_.part(id), spec, site, args);
        else
            argument(type, scalars_.scalar(id), spec, site, args);
        site.format += escaped(text.format.pieces[i + 1]);
    }
    return site;
}

void Texts::lower(const hir::Trace& node, SourceRange range) {
    std::vector<ir::ExprId> args;
    ir::TraceSite site = text(node.text, args);
    writer_.emit(range, ir::Trace{writer_.addTrace(std::move(site)), std::move(args)});
}

/// The arguments of the text are evaluated only when the assertion fails.
void Texts::lower(const hir::Assert& node, SourceRange range) {
    const ir::ExprId ok = scalars_.scalar(node.condition);
    const bool* known = builder_.boolean(ok);
    if (known && *known) return;
    ir::FailSite site =
        failSite(node.isAssume ? ir::FailureKind::Assumption : ir::FailureKind::Assertion, range);
    ir::Check failure{ok, 0, {}};
    ir::Block before;
    if (node.text) {
        site.hasText = true;
        before = writer_.capture([&] { site.text = text(*node.text, failure.args); });
    }
    failure.site = writer_.addSite(std::move(site));
    if (before.empty()) return writer_.emit(range, std::move(failure));
    failure.ok = builder_.constant(false);
    before.push_back({range, std::move(failure)});
    writer_.emit(range, ir::If{ok, {}, std::move(before)});
}

}  // namespace smec::lower
