#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ir.h"
#include "plan/facts.h"
#include "plan/plan.h"
#include "rules/ledger.h"
#include "source/function_ref.h"
#include "source/source_manager.h"

/// What the choices of a ledger say of a design, in words.
namespace smec::plan {

/// Whom a choice is about.
struct ToldSubject {
    std::string kind;         ///< "design", "process", "function", "kernel", "unit", "field"
    std::string name;         ///< of the first process that was asked for, where it is of several
    std::uint64_t alike = 1;  ///< processes, or fields, of which it is one
    SourceRange range{};      ///< of the process; may be invalid
};

class ChoiceTeller {
public:
    /// Of a path of a process: whether it was asked for.
    using Matches = FunctionRef<bool(std::string_view path)>;

    /// `plan`: null where none was made. All outlive it.
    ChoiceTeller(const ir::Design& design, const Plan* plan) : design_(design), plan_(plan) {}

    /// Nothing: no process of it was asked for. The design is there for whoever asks for a process.
    std::optional<ToldSubject> subject(const rules::Choice& choice, Matches matches) const;

    /// Estimated work of a cycle that a choice is about, in additions, as BodyFacts::cost has it: of all
    /// instances, and of what several do at once that of one.
    double work(const rules::Choice& choice, const Facts& facts) const;
    double workInAll(const Facts& facts) const;

private:
    std::optional<ToldSubject> ofClass(std::uint32_t index, Matches matches) const;
    /// The first of these classes that has a process of such a path.
    std::optional<ToldSubject> ofFirst(const std::vector<std::uint32_t>& classes,
                                       Matches matches) const;
    std::vector<std::uint32_t> classesOf(const Kernel& kernel) const;
    std::vector<std::uint32_t> classesOf(const TranslationUnit& unit) const;
    double workOfClass(std::uint32_t index, const Facts& facts) const;
    double workOfKernel(const Kernel& kernel, const Facts& facts) const;
    double workOfUnit(const TranslationUnit& unit, const Facts& facts) const;

    const ir::Design& design_;
    const Plan* plan_;
};

/// Calls `f(path)` for each process of a class, in order, until it returns false.
void forEachPath(const ir::Class& cls, FunctionRef<bool(const std::string& path)> f);

/// The refused choices that leave work which a rule would have saved (rules::Leaves), by how much of a cycle's
/// estimated work they are about, the dearest first: a line for each of the first three, with the place of its
/// process. What is left out by --without is not there; empty: there are none. What would be gained nobody
/// knows.
std::string dearestRefusals(const ir::Design& design, const Plan& plan, const Facts& facts,
                            const SourceManager& sources,
                            const std::vector<rules::Choice>& choices);

/// "'top.cpu' is not one block of straight-line code: 41,210 statements, at most 32,000".
std::string sentence(const ToldSubject& subject, const rules::Choice& choice);

}  // namespace smec::plan
