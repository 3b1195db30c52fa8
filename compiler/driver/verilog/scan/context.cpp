#include <algorithm>

#include "driver/verilog/scan/checks.h"

namespace smec::driver::scan {
namespace {

constexpr std::size_t kMostItems = 4096;
constexpr std::uint32_t kWidestCase = 12;

}  // namespace

std::string Context::text(Span span) const {
    std::string text;
    for (std::uint32_t i = span.begin; i < span.end && text.size() < 60; ++i) {
        const bool isApart = i > span.begin && (source[i].isName() || source[i].isNumber())
                             && (source[i - 1].isName() || source[i - 1].isNumber());
        text += (isApart ? " " : "") + std::string(source[i].text);
    }
    return text;
}

const Decl* Context::find(std::string_view name, const Decls* locals) const {
    if (locals) {
        if (const auto own = locals->find(name); own != locals->end()) return &own->second;
    }
    const auto found = module.decls.find(name);
    return found == module.decls.end() ? nullptr : &found->second;
}

std::optional<std::uint32_t> Context::widthAt(std::uint32_t name, std::uint32_t end,
                                              const Decls* locals) const {
    const Decl* decl = find(source[name].text, locals);
    if (!decl) return std::nullopt;
    if (decl->kind == DeclKind::Genvar) return 32;
    if (decl->kind == DeclKind::Parameter && !decl->width) return 32;
    std::uint32_t i = name + 1;
    std::optional<std::uint32_t> width = decl->width;
    if (decl->isArray && i < end && source[i].is("[")) i = source.after(i, end);
    while (i < end && source[i].is("[")) {
        const Span inside{i + 1, source.after(i, end) - 1};
        const std::uint32_t colon = source.find(inside, {":", "+:", "-:"});
        width = 1;
        if (colon < inside.end) {
            const auto left = valueIn(source, {inside.begin, colon}, module.decls);
            const auto right = valueIn(source, {colon + 1, inside.end}, module.decls);
            width = std::nullopt;
            if (right && !source[colon].is(":"))
                width = static_cast<std::uint32_t>(std::clamp<std::int64_t>(*right, 1, 1 << 24));
            if (left && right && source[colon].is(":"))
                width = static_cast<std::uint32_t>(
                    std::clamp<std::int64_t>(std::abs(*left - *right) + 1, 1, 1 << 24));
        }
        i = source.after(i, end);
    }
    return width;
}

std::optional<std::uint32_t> Context::widest(Span span, const Decls* locals) const {
    std::uint32_t widest = 0;
    bool isKnown = true;
    for (std::uint32_t i = span.begin; i < span.end;) {
        const Token& t = source[i];
        if (t.isNumber()) widest = std::max(widest, literalOf(t.text).size.value_or(0));
        if (!t.isName() || (i > span.begin && source[i - 1].is("."))) {
            i = t.is("[") ? source.after(i, span.end) : i + 1;
            continue;
        }
        const auto width = widthAt(i, span.end, locals);
        isKnown = isKnown && width;
        widest = std::max(widest, width.value_or(0));
        ++i;
    }
    if (widest > 32) return widest;
    return isKnown ? std::optional(widest) : std::nullopt;
}

std::vector<std::uint32_t> Context::targets(Span left) const {
    std::vector<std::uint32_t> names;
    for (std::uint32_t i = left.begin; i < left.end;) {
        if (source[i].isName()) {
            if (i == left.begin || !source[i - 1].is(".")) names.push_back(i);
            ++i;
        } else {
            i = source[i].is("[") ? source.after(i, left.end) : i + 1;
        }
    }
    return names;
}

bool Context::isConstantName(std::uint32_t name, const Decls* locals) const {
    const Decl* decl = find(source[name].text, locals);
    return !decl || decl->kind == DeclKind::Parameter || decl->kind == DeclKind::Genvar;
}

std::optional<bool> Context::coversAll(const Statement& statement, const Decls* locals) const {
    const Span head = statement.head;
    if (head.empty() || !source[head.begin].isName() || statement.items.size() > kMostItems)
        return std::nullopt;
    for (std::uint32_t i = head.begin + 1; i < head.end; i = source.after(i, head.end))
        if (!source[i].is("[")) return std::nullopt;
    const auto width = widthAt(head.begin, head.end, locals);
    if (!width || *width > kWidestCase) return std::nullopt;
    std::vector<bool> seen(std::size_t{1} << *width);
    const std::uint64_t all = seen.size() - 1;
    for (const Span item : statement.items) {
        for (const Span label : source.list(item)) {
            if (label.size() == 1 && source[label.begin].isNumber()) {
                const Literal literal = literalOf(source[label.begin].text);
                const std::uint64_t known = literal.known & all;
                if ((literal.value & ~all) != 0) continue;
                for (std::uint64_t value = 0; value <= all; ++value)
                    if ((value & known) == (literal.value & known)) seen[value] = true;
                continue;
            }
            const auto value = valueIn(source, label, module.decls);
            if (!value) return std::nullopt;
            if (*value >= 0 && static_cast<std::uint64_t>(*value) <= all)
                seen[static_cast<std::size_t>(*value)] = true;
        }
    }
    return std::ranges::find(seen, false) == seen.end();
}

}  // namespace smec::driver::scan
