#include <algorithm>

#include "driver/verilog/scan/paths.h"

namespace smec::driver::scan {
namespace {

constexpr std::size_t kMostPairs = 400;

struct Write {
    std::uint32_t at = 0;
    Span left;
    bool isNonblocking = false;
    Path path;
    StatementId loop = kNone;
};

/// `q <= a; q = b;` in one block
class Mixed {
public:
    explicit Mixed(const Context& context)
        : c_(context), source_(context.source), m_(context.module) {}

    void block(StatementId body, const Decls* locals) {
        writes_.clear();
        locals_ = locals;
        Path path;
        auto visit = [&](StatementId id, const Path& now, StatementId loop) {
            statement(id, now, loop);
        };
        walkPaths(m_, body, path, kNone, visit);
        for (const auto& [name, list] : writes_)
            compare(name, list);
    }

private:
    void statement(StatementId id, const Path& path, StatementId loop) {
        const Statement& s = m_.statements[id];
        if (s.kind == StatementKind::Assign) {
            for (const std::uint32_t target : c_.targets(s.left))
                writes_[source_[target].text].push_back(
                    {target, s.left, s.isNonblocking, path, loop});
        } else if (s.kind == StatementKind::Call && source_[s.word].isName()) {
            call(s, path, loop);
        }
    }

    /// What a task hands back, and what it writes in the module.
    void call(const Statement& s, const Path& path, StatementId loop) {
        const auto found = m_.routines.find(source_[s.word].text);
        if (found == m_.routines.end() || found->second.isFunction) return;
        const Routine& task = found->second;
        const std::vector<Span> arguments = source_.list(s.head);
        for (std::size_t i = 0; i < arguments.size() && i < task.ports.size(); ++i) {
            const auto port = task.locals.find(task.ports[i]);
            if (port == task.locals.end() || !port->second.isOutput) continue;
            for (const std::uint32_t target : c_.targets(arguments[i]))
                writes_[source_[target].text].push_back({target, arguments[i], false, path, loop});
        }
        walk(m_, task.body, [&](StatementId id) {
            const Statement& inner = m_.statements[id];
            if (inner.kind != StatementKind::Assign) return;
            for (const std::uint32_t target : c_.targets(inner.left))
                if (!task.locals.contains(source_[target].text))
                    writes_[source_[target].text].push_back(
                        {s.word, {s.word, s.word + 1}, inner.isNonblocking, path, loop});
        });
    }

    void compare(std::string_view name, const std::vector<Write>& list) {
        std::size_t pairs = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i].isNonblocking) continue;
            for (std::size_t j = 0; j < list.size() && pairs < kMostPairs; ++j) {
                const bool isLater =
                    j > i && (list[j].loop == kNone || list[j].loop != list[i].loop);
                if (!list[j].isNonblocking || isLater) continue;
                ++pairs;
                if (areExclusive(list[i].path, list[j].path)
                    || areApart(list[i].left, list[j].left))
                    continue;
                return c_.report(RuleId::MixedAssignments, list[i].at, name);
            }
        }
    }

    /// q[0] and q[1]
    bool areApart(Span a, Span b) const {
        if (a.size() != 4 || b.size() != 4 || !source_[a.begin].isName()
            || !source_[b.begin].isName())
            return false;
        return source_[a.begin + 2].isNumber() && source_[b.begin + 2].isNumber()
               && source_[a.begin + 2].text != source_[b.begin + 2].text;
    }

    const Context& c_;
    const Source& source_;
    const Module& m_;
    const Decls* locals_ = nullptr;
    std::map<std::string_view, std::vector<Write>> writes_;
};

/// Lists of targets and parts of them that an address chooses.
class Selects {
public:
    explicit Selects(const Context& context)
        : c_(context), source_(context.source), m_(context.module) {}

    void block(StatementId body, const Decls* locals) {
        locals_ = locals;
        loopVariables_.clear();
        walk(m_, body, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            if (s.kind == StatementKind::For && !s.head.empty()) {
                const std::uint32_t equals = source_.find(s.head, {"="});
                if (equals > s.head.begin && equals < s.head.end)
                    loopVariables_.insert(source_[equals - 1].text);
            }
            if (s.kind != StatementKind::Assign || s.left.empty()) return;
            if (source_[s.left.begin].is("{"))
                targetList(s.left);
            else
                part(s);
        });
    }

private:
    bool isChosen(Span index) const {
        bool isChosen = false;
        forNames(source_, index, [&](std::uint32_t i) {
            isChosen =
                isChosen
                || (!c_.isConstantName(i, locals_) && !loopVariables_.contains(source_[i].text));
        });
        return isChosen;
    }

    void targetList(Span left) {
        for (const std::uint32_t target : c_.targets(left)) {
            for (std::uint32_t i = target + 1; i < left.end && source_[i].is("[");
                 i = source_.after(i, left.end)) {
                if (!isChosen({i + 1, source_.after(i, left.end) - 1})) continue;
                return c_.report(RuleId::TargetList, target, source_[target].text);
            }
        }
    }

    void part(const Statement& s) {
        const Decl* decl = c_.find(source_[s.left.begin].text, locals_);
        if (!decl) return;
        for (std::uint32_t i = s.left.begin + 1; i < s.left.end && source_[i].is("[");
             i = source_.after(i, s.left.end)) {
            const Span inside{i + 1, source_.after(i, s.left.end) - 1};
            const std::uint32_t sign = source_.find(inside, {"+:", "-:"});
            if (sign >= inside.end || inside.empty()) continue;
            const bool isChosenHere = isChosen({inside.begin, sign});
            if (decl->isUpward && isChosenHere)
                c_.report(RuleId::UpwardSelect, s.left.begin, source_[s.left.begin].text);
            const auto width = valueIn(source_, {sign + 1, inside.end}, m_.decls);
            if (isChosenHere && isNarrowAndSigned(s.right, width))
                c_.report(RuleId::SignedSelect, s.left.begin, source_[s.left.begin].text);
        }
    }

    /// All operands have signs, and none is as wide as what is written.
    bool isNarrowAndSigned(Span right, std::optional<std::int64_t> width) const {
        bool isSized = false;
        for (std::uint32_t i = right.begin; i < right.end;
             i = source_[i].is("[") ? source_.after(i, right.end) : i + 1) {
            const Token& t = source_[i];
            if (t.is("{") || t.is("$unsigned")) return false;
            if (t.is("$signed")) return true;
            if (t.isNumber()) {
                const Literal literal = literalOf(t.text);
                if (!literal.isSigned) return false;
                if (literal.size && (!width || *literal.size < *width)) isSized = true;
                // a count of a shift is no operand whose width counts
                const bool isCount = i > right.begin
                                     && (source_[i - 1].is(">>>") || source_[i - 1].is("<<<")
                                         || source_[i - 1].is(">>") || source_[i - 1].is("<<"));
                if (!literal.size && !isCount) return false;
            } else if (t.isName()) {
                const Decl* decl = c_.find(t.text, locals_);
                if (!decl || !decl->isSigned
                    || (i + 1 < right.end && source_[i + 1].is("[") && !decl->isArray))
                    return false;
                if (!width || !decl->width || *decl->width < *width) isSized = true;
            }
        }
        return isSized;
    }

    const Context& c_;
    const Source& source_;
    const Module& m_;
    const Decls* locals_ = nullptr;
    std::set<std::string_view> loopVariables_;
};

}  // namespace

void checkTargets(const Context& context) {
    Mixed mixed(context);
    Selects selects(context);
    forBodies(context.module, [&](StatementId body, const Decls* locals) {
        mixed.block(body, locals);
        selects.block(body, locals);
    });
}

}  // namespace smec::driver::scan
