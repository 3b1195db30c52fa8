#pragma once

#include <string>

#include "driver/verilog/scan/model.h"
#include "driver/verilog/scan/rules.h"

namespace smec::driver::scan {

struct Finding {
    RuleId rule;
    Token at;
    std::string about;
};

/// All modules by name.
using ModulesByName = std::map<std::string_view, const Module*>;

/// A module that is looked at.
struct Context {
    const Source& source;
    const Module& module;
    const ModulesByName& modules;
    bool isSystemVerilog = false;  ///< by the name of its file
    std::vector<Finding>& findings;

    void report(RuleId rule, std::uint32_t at, std::string_view about) const {
        findings.push_back({rule, source[at], std::string(about)});
    }
    /// As a text on one line.
    std::string text(Span span) const;
    /// What a name is in a routine, or in the module; null: nobody has declared it.
    const Decl* find(std::string_view name, const Decls* locals) const;
    /// How many bits what stands in a span has at most; none: not known.
    std::optional<std::uint32_t> widest(Span span, const Decls* locals) const;
    /// Of a name and what is selected of it.
    std::optional<std::uint32_t> widthAt(std::uint32_t name, std::uint32_t end,
                                         const Decls* locals) const;
    /// The names that an assignment's left side writes.
    std::vector<std::uint32_t> targets(Span left) const;
    bool isConstantName(std::uint32_t name, const Decls* locals) const;
    /// Whether a case without a default has an item for each value; nothing: not known.
    std::optional<bool> coversAll(const Statement& statement, const Decls* locals) const;
};

/// Each looks for what its file is called after.
void checkNames(const Context& context);
void checkNumbers(const Context& context);
void checkLoops(const Context& context);
void checkTargets(const Context& context);
void checkMemories(const Context& context);
void checkRoutines(const Context& context);
void checkEvents(const Context& context);

/// Visits a statement and all below it, parents first: visit(id).
template <class Visit>
void walk(const Module& module, StatementId id, Visit visit) {
    if (id == kNone) return;
    std::vector<StatementId> todo{id};
    while (!todo.empty()) {
        const StatementId now = todo.back();
        todo.pop_back();
        visit(now);
        const auto& children = module.statements[now].children;
        todo.insert(todo.end(), children.rbegin(), children.rend());
    }
}

/// Each body of a module, with the locals of its routine (or null).
template <class Visit>
void forBodies(const Module& module, Visit visit) {
    for (const Always& always : module.always)
        visit(always.body, static_cast<const Decls*>(nullptr));
    for (const auto& [name, routine] : module.routines)
        visit(routine.body, &routine.locals);
}

}  // namespace smec::driver::scan
