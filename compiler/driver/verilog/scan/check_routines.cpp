#include <algorithm>

#include "driver/verilog/scan/checks.h"

// A static function or task keeps what it has in its variables: which may be read, or handed back,
// before they are written?

namespace smec::driver::scan {
namespace {

using Set = std::set<std::string_view>;

Set common(const Set& a, const Set& b) {
    Set both;
    std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
    return both;
}

class Kept {
public:
    Kept(const Context& context, const Routine& routine)
        : c_(context), source_(context.source), m_(context.module), routine_(routine) {}

    void run() {
        Set set;
        for (const auto& [name, decl] : routine_.locals)
            if (decl.isInput || decl.isArray || decl.kind != DeclKind::Variable)
                isLocalWithout_.insert(name);
        statement(routine_.body, set);
        for (const auto& [name, decl] : routine_.locals) {
            if (!decl.isOutput || decl.isInput || set.contains(name) || said_.contains(name)
                || decl.kind != DeclKind::Variable)
                continue;
            if (!isEverWritten_.contains(name)) continue;
            c_.report(maybe_.contains(name) ? RuleId::StaticResultMaybe : RuleId::StaticLocal,
                      decl.name, name);
        }
    }

private:
    bool isKept(std::string_view name) const {
        return routine_.locals.contains(name) && !isLocalWithout_.contains(name);
    }

    void read(Span span, const Set& set) {
        forNames(source_, span, [&](std::uint32_t i) {
            const std::string_view name = source_[i].text;
            if (!isKept(name) || set.contains(name) || (i + 1 < span.end && source_[i + 1].is("(")))
                return;
            if (said_.insert(name).second)
                c_.report(maybe_.contains(name) ? RuleId::StaticResultMaybe : RuleId::StaticLocal,
                          i, name);
        });
    }

    void write(std::uint32_t target, Set& set) {
        set.insert(source_[target].text);
        isEverWritten_.insert(source_[target].text);
    }

    void all(Set& set) const {
        for (const auto& [name, decl] : routine_.locals)
            set.insert(name);
    }

    void statement(StatementId id, Set& set) {
        if (id == kNone) return;
        const Statement& s = m_.statements[id];
        switch (s.kind) {
        case StatementKind::Assign: {
            read(s.right, set);
            const std::vector<std::uint32_t> targets = c_.targets(s.left);
            for (std::uint32_t i = s.left.begin; i < s.left.end; ++i)
                if (source_[i].is("[")) read({i + 1, source_.after(i, s.left.end) - 1}, set);
            for (const std::uint32_t target : targets)
                write(target, set);
            return;
        }
        case StatementKind::If: return choice(s, set);
        case StatementKind::Case: return cases(s, set);
        case StatementKind::For: {
            const std::uint32_t equals = source_.find(s.head, {"="});
            if (equals > s.head.begin && equals < s.head.end) write(equals - 1, set);
            break;
        }
        case StatementKind::Call: return call(s, set);
        case StatementKind::Unread: return all(set);
        default: break;
        }
        if (s.kind == StatementKind::Loop) read(s.head, set);
        for (const StatementId child : s.children)
            statement(child, set);
    }

    void choice(const Statement& s, Set& set) {
        read(s.head, set);
        if (const auto value = valueIn(source_, s.head, m_.decls)) {
            const std::size_t side = *value != 0 ? 0 : 1;
            if (side < s.children.size()) statement(s.children[side], set);
            return;
        }
        Set yes = set, no = set;
        if (!s.children.empty()) statement(s.children[0], yes);
        if (s.children.size() > 1) statement(s.children[1], no);
        set = common(yes, no);
    }

    void cases(const Statement& s, Set& set) {
        read(s.head, set);
        const bool hasDefault =
            std::ranges::any_of(s.items, [](Span item) { return item.empty(); });
        const std::optional<bool> covers =
            hasDefault ? std::optional(true) : c_.coversAll(s, &routine_.locals);
        std::optional<Set> both;
        for (const StatementId child : s.children) {
            Set own = set;
            statement(child, own);
            both = both ? common(*both, own) : own;
        }
        if (!both) return;
        if (covers == true) {
            set = std::move(*both);
            return;
        }
        if (covers) return;
        for (const std::string_view name : *both)
            if (!set.contains(name)) maybe_.insert(name);
    }

    void call(const Statement& s, Set& set) {
        if (source_[s.word].is("return")) return all(set);
        if (source_[s.word].is("break") || source_[s.word].is("continue")) return;
        if (source_[s.word].kind == TokenKind::SystemName) return;
        forNames(source_, s.head, [&](std::uint32_t i) { write(i, set); });
    }

    const Context& c_;
    const Source& source_;
    const Module& m_;
    const Routine& routine_;
    Set isLocalWithout_, said_, maybe_, isEverWritten_;
};

}  // namespace

void checkRoutines(const Context& context) {
    for (const auto& [name, routine] : context.module.routines) {
        if (!routine.isAutomatic) Kept(context, routine).run();
        if (routine.isFunction) continue;
        for (const std::string_view port : routine.ports) {
            const auto decl = routine.locals.find(port);
            if (decl != routine.locals.end() && decl->second.isInput && decl->second.isOutput)
                context.report(RuleId::TaskInout, decl->second.name, port);
        }
    }
}

}  // namespace smec::driver::scan
