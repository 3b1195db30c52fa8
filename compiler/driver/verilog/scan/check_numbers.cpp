#include <algorithm>

#include "driver/verilog/scan/checks.h"

namespace smec::driver::scan {
namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 31;

class Numbers {
public:
    explicit Numbers(const Context& context) : c_(context), source_(context.source) {}

    void run() {
        for (const Span assign : c_.module.assigns)
            expression(assign, nullptr);
        for (const Instance& instance : c_.module.instances)
            for (const Span part : source_.list(instance.connections))
                expression(part, nullptr);
        forBodies(c_.module, [&](StatementId body, const Decls* locals) {
            walk(c_.module, body,
                 [&](StatementId id) { statement(c_.module.statements[id], locals); });
        });
        for (const auto& [name, decl] : c_.module.decls)
            if (decl.kind != DeclKind::Parameter && decl.kind != DeclKind::Real
                && !decl.value.empty())
                expression({decl.name, decl.value.end}, nullptr);
    }

private:
    void statement(const Statement& s, const Decls* locals) {
        if (s.kind == StatementKind::Assign) {
            expression({s.left.begin, std::max(s.left.end, s.right.end)}, locals);
            return;
        }
        if (s.kind == StatementKind::For) return;
        if (s.kind != StatementKind::Case) return expression(s.head, locals);
        if (s.head.empty()) return;
        const bool isWide = c_.widest(s.head, locals).value_or(64) > 32;
        expression(s.head, locals);
        const bool isZ = source_[s.word].is("casez") || source_[s.word + 1].is("casez");
        const bool isPlain = (source_[s.word].is("case") || source_[s.word + 1].is("case"))
                             && !source_[s.head.end + 1].is("inside");
        for (const Span item : s.items) {
            unsizedIn(item, isWide ? c_.widest(s.head, locals) : 32, locals);
            for (std::uint32_t i = item.begin; (isPlain || isZ) && i < item.end; ++i)
                unknownItem(i, isPlain, locals);
        }
    }

    /// z is a value of its own in a plain `case`, and x in a `casez`, too; also by the name of a
    /// constant.
    void unknownItem(std::uint32_t at, bool isPlain, const Decls* locals) {
        Span value{at, at + 1};
        if (source_[at].isName()) {
            const Decl* decl = c_.find(source_[at].text, locals);
            if (!decl || decl->kind != DeclKind::Parameter) return;
            value = decl->value;
        }
        for (std::uint32_t i = value.begin; i < value.end; ++i) {
            if (!source_[i].isNumber()) continue;
            const Literal literal = literalOf(source_[i].text);
            if (isPlain && literal.hasZ) return c_.report(RuleId::CaseOfZ, at, source_[at].text);
            if (literal.hasX) return c_.report(RuleId::CaseOfX, at, source_[at].text);
        }
    }

    void expression(Span span, const Decls* locals) {
        if (span.empty()) return;
        for (std::uint32_t i = span.begin; i < span.end; ++i) {
            if (source_[i].kind == TokenKind::Sign && source_[i].text.size() >= 2) {
                shift(i, span, locals);
                equality(i, span, locals);
            }
            if (i > span.begin && source_[i - 1].is("#")) continue;
            const bool isReal = source_[i].isNumber()
                                    ? literalOf(source_[i].text).isReal
                                    : source_[i].isName() && isRealName(i, locals);
            if (isReal) c_.report(RuleId::RealNumber, i, source_[i].text);
        }
        const bool hasUnsized = std::ranges::any_of(
            source_.tokens.begin() + span.begin, source_.tokens.begin() + span.end,
            [&](const Token& t) { return isUnsized(t, locals); });
        if (hasUnsized) unsizedIn(span, c_.widest(span, locals), locals);
    }

    bool isRealName(std::uint32_t i, const Decls* locals) const {
        const Decl* decl = c_.find(source_[i].text, locals);
        return decl && decl->kind == DeclKind::Real;
    }

    bool isUnsized(const Token& t, const Decls* locals) const {
        if (t.isName()) {
            const Decl* decl = c_.find(t.text, locals);
            return decl && decl->hasUnsizedNumber;
        }
        if (!t.isNumber() || t.text.find('\'') == std::string_view::npos) return false;
        const Literal literal = literalOf(t.text);
        return literal.hasBase && !literal.size && !literal.isSigned && !literal.isLarge
               && literal.value >= kSignBit && literal.value < 2 * kSignBit;
    }

    void unsizedIn(Span span, std::optional<std::uint32_t> width, const Decls* locals) {
        if (width && *width <= 32) return;
        for (std::uint32_t i = span.begin; i < span.end; ++i) {
            if (!isUnsized(source_[i], locals)) continue;
            c_.report(width ? RuleId::UnsizedNumber : RuleId::UnsizedNumberMaybe, i,
                      source_[i].text);
            return;
        }
    }

    /// `==` and `!=` with x or z in a number on one side, or in a constant by its name.
    void equality(std::uint32_t sign, Span span, const Decls* locals) {
        if (!source_[sign].is("==") && !source_[sign].is("!=")) return;
        std::uint32_t left = sign, right = sign + 1;
        while (left > span.begin && source_[left - 1].is(")"))
            --left;
        while (right < span.end && source_[right].is("("))
            ++right;
        if (left > span.begin && unknownSide(left - 1, locals)) return;
        if (right < span.end) unknownSide(right, locals);
    }

    bool unknownSide(std::uint32_t at, const Decls* locals) {
        Span value{at, at + 1};
        if (source_[at].isName()) {
            const Decl* decl = c_.find(source_[at].text, locals);
            if (!decl || decl->kind != DeclKind::Parameter || decl->value.size() != 1) return false;
            value = decl->value;
        }
        const Token& number = source_[value.begin];
        if (!number.isNumber()) return false;
        const Literal literal = literalOf(number.text);
        if (!literal.hasX && !literal.hasZ) return false;
        c_.report(RuleId::EqualX, at, source_[at].text);
        return true;
    }

    /// A count that is a constant of 2^31 and more, or has more than 32 bits.
    void shift(std::uint32_t sign, Span span, const Decls* locals) {
        const std::string_view text = source_[sign].text;
        if (text != "<<" && text != ">>" && text != "<<<" && text != ">>>") return;
        Span count{sign + 1, span.end};
        while (!count.empty() && source_[count.begin].is("("))
            count = {count.begin + 1,
                     std::max(count.begin + 1, source_.after(count.begin, count.end) - 1)};
        if (count.empty()) return;
        const Token& first = source_[count.begin];
        if ((first.is("-") || first.is("~")) && count.size() > 1
            && source_[count.begin + 1].isNumber())
            return c_.report(RuleId::LargeShift, count.begin,
                             c_.text({count.begin, count.begin + 2}));
        if (first.is("{")) {
            const Span inside{count.begin + 1, source_.after(count.begin, count.end) - 1};
            if (sum(inside, locals) > 32)
                c_.report(RuleId::LargeShift, count.begin, c_.text({count.begin, inside.end + 1}));
            return;
        }
        const bool isLiteral = first.isNumber() && !literalOf(first.text).isReal;
        bool isLarge = isLiteral
                       && (literalOf(first.text).isLarge || literalOf(first.text).value >= kSignBit
                           || literalOf(first.text).size.value_or(0) > 64);
        if (first.isName()) {
            const Decl* decl = c_.find(first.text, locals);
            if (!decl || decl->kind == DeclKind::Other) return;
            if (decl->kind == DeclKind::Parameter) {
                const auto value = valueIn(source_, decl->value, c_.module.decls);
                isLarge = decl->hasUnsizedNumber
                          || (value && *value >= static_cast<std::int64_t>(kSignBit));
            } else {
                isLarge = c_.widthAt(count.begin, count.end, locals).value_or(0) > 32;
            }
        }
        if (isLarge) c_.report(RuleId::LargeShift, count.begin, first.text);
    }

    /// Bits of a list in braces.
    std::uint64_t sum(Span span, const Decls* locals) const {
        std::uint64_t bits = 0;
        for (const Span part : source_.list(span))
            bits += c_.widest(part, locals).value_or(0);
        return bits;
    }

    const Context& c_;
    const Source& source_;
};

}  // namespace

void checkNumbers(const Context& context) { Numbers(context).run(); }

}  // namespace smec::driver::scan
