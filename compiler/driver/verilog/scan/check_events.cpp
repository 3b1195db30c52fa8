#include <algorithm>

#include "driver/verilog/scan/checks.h"

// What wakes a block: lists of names, and resets beside a clock.

namespace smec::driver::scan {
namespace {

class Events {
public:
    explicit Events(const Context& context)
        : c_(context), source_(context.source), m_(context.module) {}

    void run() {
        for (const Always& always : m_.always) {
            if (always.body == kNone || always.isInitial) continue;
            if (!always.hasList) {
                readByFunctions(always);
                continue;
            }
            const std::uint32_t edges = edgesOf(always.list);
            if (edges == 0) {
                incompleteList(always);
                readByFunctions(always);
            }
            if (edges > 1) asynchronous(always, edges);
        }
        forBodies(m_, [&](StatementId body, const Decls* locals) {
            walk(m_, body, [&](StatementId id) { unique(m_.statements[id], locals); });
        });
    }

private:
    std::uint32_t edgesOf(Span list) const {
        std::uint32_t count = 0;
        for (std::uint32_t i = list.begin; i < list.end; ++i)
            count += source_[i].is("posedge") || source_[i].is("negedge") ? 1 : 0;
        return count;
    }

    /// "[3:0]" behind a name.
    std::string selectOf(std::uint32_t name, std::uint32_t end) const {
        std::uint32_t behind = name + 1;
        while (behind < end && source_[behind].is("["))
            behind = source_.after(behind, end);
        return c_.text({name + 1, behind});
    }

    void incompleteList(const Always& always) {
        std::map<std::string_view, std::set<std::string>> listed;
        for (std::uint32_t i = always.list.begin; i < always.list.end; ++i)
            if (source_[i].isName() && !source_[i].is("or"))
                listed[source_[i].text].insert(selectOf(i, always.list.end));
        std::set<std::string_view> written, said;
        walk(m_, always.body, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            if (s.kind == StatementKind::Assign)
                for (const std::uint32_t target : c_.targets(s.left))
                    written.insert(source_[target].text);
            if (s.kind == StatementKind::For)
                if (const std::uint32_t equals = source_.find(s.head, {"="});
                    equals > s.head.begin && equals < s.head.end)
                    written.insert(source_[equals - 1].text);
            if (s.kind == StatementKind::Call && !s.head.empty() && source_[s.word].isName())
                forNames(source_, s.head,
                         [&](std::uint32_t i) { written.insert(source_[i].text); });
        });
        const auto read = [&](Span span) {
            forNames(source_, span, [&](std::uint32_t i) {
                const std::string_view name = source_[i].text;
                if (written.contains(name) || (i + 1 < span.end && source_[i + 1].is("("))) return;
                const Decl* decl = c_.find(name, nullptr);
                if (!decl || decl->isArray
                    || (decl->kind != DeclKind::Net && decl->kind != DeclKind::Variable))
                    return;
                const auto known = listed.find(name);
                if (known != listed.end()
                    && (known->second.contains("")
                        || known->second.contains(selectOf(i, span.end))))
                    return;
                if (said.insert(name).second) c_.report(RuleId::Sensitivity, i, name);
            });
        };
        walk(m_, always.body, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            if (s.kind != StatementKind::Call || source_[s.word].isName()) read(s.head);
            read(s.right);
            for (std::uint32_t i = s.left.begin; i < s.left.end; ++i)
                if (source_[i].is("[")) read({i + 1, source_.after(i, s.left.end) - 1});
            for (const Span item : s.items)
                read(item);
        });
    }

    /// What functions read of the module wakes nobody who waits for @* or for a list without it.
    void readByFunctions(const Always& always) {
        const Token& word = source_[always.word];
        if (!word.is("always") || !source_[always.word + 1].is("@")) return;
        std::set<std::string_view> known, functions;
        const auto take = [&](Span span, bool wakes) {
            forNames(source_, span, [&](std::uint32_t i) {
                if (wakes) known.insert(source_[i].text);
                functions.insert(source_[i].text);
            });
        };
        take(always.list, true);
        walk(m_, always.body, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            take(s.left, true);
            take(s.head, !always.hasList);
            take(s.right, !always.hasList);
            for (const Span item : s.items)
                take(item, !always.hasList);
        });
        std::vector<std::string_view> todo(functions.begin(), functions.end());
        for (std::size_t i = 0; i < todo.size(); ++i) {
            const auto routine = m_.routines.find(todo[i]);
            if (routine == m_.routines.end() || !routine->second.isFunction) continue;
            for (const std::string_view name : outside(routine->second, always, known))
                if (functions.insert(name).second) todo.push_back(name);
        }
    }

    /// Reports what a function reads that nobody waits for; the routines that it names.
    std::vector<std::string_view> outside(const Routine& function, const Always& always,
                                          std::set<std::string_view>& known) {
        std::vector<std::string_view> called;
        const auto read = [&](Span span) {
            forNames(source_, span, [&](std::uint32_t i) {
                const std::string_view name = source_[i].text;
                if (function.locals.contains(name)) return;
                if (m_.routines.contains(name)) called.push_back(name);
                const Decl* decl = c_.find(name, nullptr);
                if (!decl || decl->isArray
                    || (decl->kind != DeclKind::Net && decl->kind != DeclKind::Variable)
                    || !known.insert(name).second)
                    return;
                c_.report(always.hasList ? RuleId::Sensitivity : RuleId::FunctionRead, i, name);
            });
        };
        walk(m_, function.body, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            if (s.kind == StatementKind::Assign)
                for (const std::uint32_t target : c_.targets(s.left))
                    known.insert(source_[target].text);
            if (s.kind != StatementKind::For) read(s.head);
            read(s.right);
            for (const Span item : s.items)
                read(item);
        });
        return called;
    }

    /// The first condition of a block.
    const Statement* firstIf(StatementId id) const {
        for (int depth = 0; depth < 8; ++depth) {
            const Statement& s = m_.statements[id];
            if (s.kind == StatementKind::If) return &s;
            if (s.kind != StatementKind::Block || s.children.empty()) return nullptr;
            const auto next = std::ranges::find_if(s.children, [&](StatementId child) {
                const Statement& c = m_.statements[child];
                return c.kind != StatementKind::Block || !c.children.empty();
            });
            if (next == s.children.end()) return nullptr;
            id = *next;
        }
        return nullptr;
    }

    void asynchronous(const Always& always, std::uint32_t edges) {
        const Statement* first = firstIf(always.body);
        if (!first || first->children.empty()) return;
        if (isMixed(first->head, always.list)) return;
        loads(first->children[0]);
        if (edges < 3 || first->children.size() < 2) return;
        const Statement* second = firstIf(first->children[1]);
        if (second && !second->children.empty()) twoResets(first->children[0], second->children[0]);
    }

    /// if (rst || clear)
    bool isMixed(Span head, Span list) {
        bool hasBoth = false;
        for (std::uint32_t i = head.begin; i < head.end; ++i)
            hasBoth = hasBoth || source_[i].is("||") || source_[i].is("|") || source_[i].is("&&")
                      || source_[i].is("&");
        if (!hasBoth) return false;
        bool isSaid = false;
        forNames(source_, head, [&](std::uint32_t i) {
            bool isListed = false;
            for (std::uint32_t k = list.begin; k < list.end; ++k)
                isListed = isListed || source_[k].is(source_[i].text);
            if (isSaid || isListed || c_.isConstantName(i, nullptr)) return;
            isSaid = true;
            c_.report(RuleId::AsyncCondition, i, source_[i].text);
        });
        return isSaid;
    }

    void loads(StatementId reset) {
        bool isSaid = false;
        walk(m_, reset, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            if (s.kind != StatementKind::Assign || isSaid) return;
            forNames(source_, s.right, [&](std::uint32_t i) {
                const Decl* decl = c_.find(source_[i].text, nullptr);
                if (isSaid || !decl || decl->isInteger
                    || (decl->kind != DeclKind::Net && decl->kind != DeclKind::Variable))
                    return;
                isSaid = true;
                c_.report(RuleId::AsyncLoad, s.left.begin, source_[s.left.begin].text);
            });
        });
    }

    void twoResets(StatementId first, StatementId second) {
        std::map<std::string, Span> values;
        walk(m_, first, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            if (s.kind == StatementKind::Assign) values[c_.text(s.left)] = s.right;
        });
        bool isSaid = false;
        walk(m_, second, [&](StatementId id) {
            const Statement& s = m_.statements[id];
            if (s.kind != StatementKind::Assign || isSaid) return;
            const auto other = values.find(c_.text(s.left));
            if (other != values.end() && valueText(other->second) == valueText(s.right)) return;
            isSaid = true;
            const bool isInOrder = other != values.end() && firstClears(other->second, s.right);
            c_.report(isInOrder ? RuleId::TwoResetsEnd : RuleId::TwoResets, s.left.begin,
                      source_[s.left.begin].text);
        });
    }

    /// No bit that the first one sets and the second one clears: there, old ones turn them round.
    bool firstClears(Span first, Span second) const {
        for (const Span span : {first, second})
            if (source_[span.begin].text.starts_with('\'')) return false;  // '1: as wide as it gets
        const auto one = valueIn(source_, first, m_.decls);
        const auto other = valueIn(source_, second, m_.decls);
        return one && other && (*one & ~*other) == 0;
    }

    std::string valueText(Span right) const {
        const auto value = valueIn(source_, right, m_.decls);
        return value ? std::to_string(*value) : c_.text(right);
    }

    void unique(const Statement& s, const Decls* locals) {
        if (s.unique == 0 || s.kind != StatementKind::Case) return;
        if (std::ranges::any_of(s.items, [](Span item) { return item.empty(); })) return;
        const std::optional<bool> covers = c_.coversAll(s, locals);
        if (covers == true) return;
        const bool isPlain = source_[s.unique + 1].is("case") && source_[s.unique].is("unique");
        const std::string about = c_.text({s.unique, s.unique + 2});
        if (!covers)
            c_.report(RuleId::UniqueCaseMaybe, s.unique, about);
        else
            c_.report(isPlain ? RuleId::UniqueCase : RuleId::UniqueCaseX, s.unique, about);
    }

    const Context& c_;
    const Source& source_;
    const Module& m_;
};

}  // namespace

void checkEvents(const Context& context) { Events(context).run(); }

}  // namespace smec::driver::scan
