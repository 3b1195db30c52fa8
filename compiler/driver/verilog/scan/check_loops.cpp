#include <algorithm>

#include "driver/verilog/scan/checks.h"

// for (k = 0; k < 4; k = k + 1) y = {k, d};

namespace smec::driver::scan {
namespace {

constexpr std::uint32_t kMostRounds = 1 << 17;  // of all loops of a module, that are counted here

struct LoopHead {
    std::uint32_t variable = 0;
    Span first, condition, step;
};

bool isComparison(const Token& t) {
    static constexpr std::string_view kSigns[] = {"==", "!=", "<", "<=", ">", ">=", "===", "!=="};
    return t.kind == TokenKind::Sign && std::ranges::find(kSigns, t.text) != std::end(kSigns);
}

class Loops {
public:
    explicit Loops(const Context& context)
        : c_(context), source_(context.source), m_(context.module) {}

    void run() {
        forBodies(m_, [&](StatementId body, const Decls* locals) {
            walk(m_, body, [&](StatementId id) {
                if (m_.statements[id].kind == StatementKind::For) loop(id, locals);
            });
        });
    }

private:
    std::optional<LoopHead> headOf(Span span) const {
        const std::uint32_t first = source_.find(span, {";"});
        const std::uint32_t second = source_.find({std::min(first + 1, span.end), span.end}, {";"});
        const std::uint32_t equals = source_.find({span.begin, first}, {"="});
        if (second >= span.end || equals >= first || equals == span.begin
            || !source_[equals - 1].isName())
            return std::nullopt;
        return LoopHead{
            equals - 1, {equals + 1, first}, {first + 1, second}, {second + 1, span.end}};
    }

    void loop(StatementId id, const Decls* locals) {
        const auto head = headOf(m_.statements[id].head);
        if (!head || m_.statements[id].children.empty()) return;
        const std::string_view name = source_[head->variable].text;
        const Decl* decl = c_.find(name, locals);
        const StatementId body = m_.statements[id].children[0];
        bool isWritten = false;
        walk(m_, body, [&](StatementId inner) {
            const Statement& s = m_.statements[inner];
            std::vector<std::uint32_t> targets;
            if (s.kind == StatementKind::Assign) targets = c_.targets(s.left);
            if (s.kind == StatementKind::For)
                if (const auto again = headOf(s.head)) targets.push_back(again->variable);
            for (const std::uint32_t target : targets) {
                if (isWritten || source_[target].text != name) continue;
                isWritten = true;
                c_.report(RuleId::LoopVariable, target, name);
            }
        });
        if (!decl || decl->isInteger || decl->kind == DeclKind::Other
            || decl->kind == DeclKind::Genvar)
            return;
        if (wraps(*head, *decl, locals)) return c_.report(RuleId::LoopWrap, head->variable, name);
        if (decl->width && *decl->width < 32) width(body, name, *decl);
    }

    /// Counts as the loop does.
    bool wraps(const LoopHead& head, const Decl& decl, const Decls* locals) {
        if (!decl.width || *decl.width > 31) return false;
        const std::int64_t half = std::int64_t{1} << (*decl.width - 1);
        const std::int64_t least = decl.isSigned ? -half : 0,
                           most = decl.isSigned ? half - 1 : 2 * half - 1;
        const std::string_view name = source_[head.variable].text;
        std::int64_t now = 0;
        const auto value = [&](Span span) {
            return evaluate(source_.tokens, span,
                            [&](std::string_view word) -> std::optional<std::int64_t> {
                                if (word == name) return now;
                                const Decl* known = c_.find(word, locals);
                                if (!known || known->kind != DeclKind::Parameter)
                                    return std::nullopt;
                                return valueIn(source_, known->value, m_.decls);
                            });
        };
        const auto first = value(head.first);
        if (!first) return false;
        now = *first;
        for (; rounds_ < kMostRounds; ++rounds_) {
            if (now < least || now > most) return true;
            const auto goesOn = value(head.condition);
            if (!goesOn || *goesOn == 0) return false;
            const auto next = stepped(head.step, now, value);
            if (!next) return false;
            now = *next;
        }
        return false;
    }

    template <class Value>
    std::optional<std::int64_t> stepped(Span step, std::int64_t now, Value value) const {
        const Token& last = source_[step.end - 1];
        if (step.size() == 2 && (last.is("++") || source_[step.begin].is("++"))) return now + 1;
        if (step.size() == 2 && (last.is("--") || source_[step.begin].is("--"))) return now - 1;
        if (step.size() < 3) return std::nullopt;
        const auto by = value(Span{step.begin + 2, step.end});
        if (!by || source_[step.begin + 1].is("=")) return by;
        if (source_[step.begin + 1].is("+=")) return now + *by;
        if (source_[step.begin + 1].is("-=")) return now - *by;
        return std::nullopt;
    }

    /// The variable where its width counts.
    void width(StatementId body, std::string_view name, const Decl& decl) {
        bool isSaid = false;
        walk(m_, body, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            for (const Span span : {s.head, s.left, s.right}) {
                for (std::uint32_t i = span.begin; i < span.end && !isSaid; ++i) {
                    if (!source_[i].is(name) || source_[i - 1].is(".")) continue;
                    if (isHarmless(i, span, s, decl)) continue;
                    isSaid = true;
                    c_.report(RuleId::LoopWidth, i, name);
                }
            }
        });
    }

    bool isHarmless(std::uint32_t at, Span span, const Statement& s, const Decl& decl) const {
        if (span.size() == 1
            && (s.kind == StatementKind::Case
                || (s.kind == StatementKind::Assign && span.begin == s.right.begin)))
            return true;
        if (const Span index = bracketsAround(at, span); !index.empty()) return isPlainIndex(index);
        const bool isFirst = at == span.begin || isStart(source_[at - 1]);
        const bool isLast = at + 1 == span.end || isStop(source_[at + 1]);
        if (isFirst && at + 1 < span.end && isComparison(source_[at + 1]))
            return isOperand(at + 2, span, decl, true);
        return isLast && at > span.begin + 1 && isComparison(source_[at - 1])
               && isOperand(at - 2, span, decl, false);
    }

    static bool isStart(const Token& t) { return t.is("(") || t.is("&&") || t.is("||"); }
    static bool isStop(const Token& t) {
        return t.is(")") || t.is("&&") || t.is("||") || t.is("?");
    }

    /// A number or a name alone.
    bool isOperand(std::uint32_t at, Span span, const Decl& decl, bool isRight) const {
        if (source_[at].isName() && decl.isSigned) return false;
        if (!source_[at].isName() && !source_[at].isNumber()) return false;
        if (!isRight) return at == span.begin || isStart(source_[at - 1]);
        std::uint32_t behind = at + 1;
        while (behind < span.end && source_[behind].is("["))
            behind = source_.after(behind, span.end);
        return behind >= span.end || isStop(source_[behind]);
    }

    Span bracketsAround(std::uint32_t at, Span span) const {
        Span inner;
        for (std::uint32_t i = span.begin; i < at; ++i) {
            if (source_[i].is("[") && source_.after(i, span.end) > at)
                inner = {i + 1, source_.after(i, span.end) - 1};
        }
        return inner;
    }

    /// The variable alone, or with numbers of 32 bits.
    bool isPlainIndex(Span index) const {
        if (index.size() == 1) return true;
        bool isWide = false;
        for (std::uint32_t i = index.begin; i < index.end; ++i) {
            const Token& t = source_[i];
            if (t.isNumber()) {
                const auto size = literalOf(t.text).size;
                isWide = isWide || !size || *size >= 32;
            } else if (t.isName()) {
                const Decl* decl = c_.find(t.text, nullptr);
                isWide = isWide
                         || (decl
                             && (decl->isInteger
                                 || (decl->kind == DeclKind::Parameter && !decl->width)));
            } else if (!t.is("+") && !t.is("-") && !t.is("*") && !t.is("+:") && !t.is("-:")
                       && !t.is("(") && !t.is(")")) {
                return false;
            }
        }
        return isWide;
    }

    const Context& c_;
    const Source& source_;
    const Module& m_;
    std::uint32_t rounds_ = 0;
};

}  // namespace

void checkLoops(const Context& context) { Loops(context).run(); }

}  // namespace smec::driver::scan
