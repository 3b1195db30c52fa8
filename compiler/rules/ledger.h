#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.h"

/// What rules said of a design, and why.
namespace smec::rules {

enum class Condition : std::uint8_t {
#define CONDITION(id, sense, text) id,
#include "rules/conditions.def"
#undef CONDITION
    Count
};

enum class Sense : std::uint8_t {
    Is,       ///< a fact
    AtMost,   ///< of a number, as the others: no more than the threshold
    Below,    ///< less than it
    AtLeast,  ///< no less than it
    Above     ///< more than it
};

Sense senseOf(Condition condition);
/// The unit of a number; of a fact what is so where it is not fulfilled.
std::string_view textOf(Condition condition);

/// What was found where a condition was looked at.
struct Finding {
    Finding(Condition is, bool holds) : condition(is), found(holds ? 1 : 0) {}
    template <typename Found, typename Threshold>
    Finding(Condition is, Found number, Threshold most)
        : condition(is), found(static_cast<double>(number)), threshold(static_cast<double>(most)) {}

    bool holds() const;
    /// How near a number is to where it would no longer hold, or to where it would: 1 is the threshold.
    double closeness() const;

    Condition condition;
    double found;
    double threshold = 1;
};

/// Whom a rule was asked for.
struct Subject {
    enum class Kind : std::uint8_t { Design, Class, Function, Kernel, Unit, Plane };
    Kind kind = Kind::Design;
    std::uint32_t index = 0;

    static Subject design() { return {}; }
    static Subject ofClass(std::uint32_t index) { return {Kind::Class, index}; }
    static Subject ofFunction(std::uint32_t index) { return {Kind::Function, index}; }
    static Subject ofKernel(std::uint32_t index) { return {Kind::Kernel, index}; }
    static Subject ofUnit(std::uint32_t index) { return {Kind::Unit, index}; }
    static Subject ofPlane(std::uint32_t index) { return {Kind::Plane, index}; }
    auto operator<=>(const Subject&) const = default;
};

/// One row: numbers alone, texts are made by who shows it.
struct Choice {
    Rule rule;
    bool isTaken;
    bool hasFinding;  ///< else nothing had to be found
    Subject subject;
    std::uint32_t count;  ///< things of the subject that the row speaks of: arrays, levels, classes
    Finding because;  ///< the first condition that failed, or the one that was closest to failing
};

/// Why, as people read it: "41,210 statements, at most 32,000 allowed"; "40 instances, at least 16"; "it traces". Empty where nothing had to
/// be found.
std::string reasonOf(const Choice& choice);
/// "41,210", "0.25".
std::string numberText(double number);
/// "41,210 statements", "1 instance": units begin with a word in the plural, or with "of".
std::string amountText(double number, std::string_view unit);

/// Obeys `--without`, and notes each answer. Of one compilation, and one thread.
class Ledger {
public:
    explicit Ledger(Without without = {}) : without_(without) {}

    /// Whether a rule applies: it is not left out, and all conditions hold. The answer is noted; of `count` 0 not.
    bool ask(Rule rule, Subject subject, std::span<const Finding> findings, std::uint32_t count);
    /// Whether it is left out nowhere. For who asks about each subject, or in front of what takes time.
    bool allows(Rule rule) const { return without_.allows(rule); }
    /// Takes in what a draft was told.
    void add(const Ledger& draft);
    const Without& without() const { return without_; }
    /// Classes have other numbers from now on: `numbers`, by the old one; UINT32_MAX: it is gone.
    void renumberClasses(std::span<const std::uint32_t> numbers);
    /// By subject, then in the order of the rules; a question that was asked again is there once.
    std::vector<Choice> choices() const;

private:
    Without without_;
    std::vector<Choice> choices_;
};

/// How planners reach a ledger: a value in their options. Without one all is allowed, and nothing noted.
class Asker {
public:
    Asker() = default;
    Asker(Ledger& ledger)
        : ledger_(&ledger) {}  // NOLINT(google-explicit-constructor): it stands for the ledger

    bool ask(Rule rule, Subject subject, std::initializer_list<Finding> findings = {},
             std::uint32_t count = 1) const;
    bool allows(Rule rule) const { return ledger_ == nullptr || ledger_->allows(rule); }
    /// Whether somebody hears the answers: what is looked at for their sake alone need not be otherwise.
    bool isHeard() const { return ledger_ != nullptr; }
    /// So far; none without a ledger.
    std::vector<Choice> choices() const {
        return ledger_ == nullptr ? std::vector<Choice>() : ledger_->choices();
    }
    /// For a plan that may come to nothing: empty, and obeys the same. add() makes it count.
    Ledger draft() const { return Ledger(ledger_ == nullptr ? Without() : ledger_->without()); }
    void add(const Ledger& draft) const {
        if (ledger_ != nullptr) ledger_->add(draft);
    }
    void renumberClasses(std::span<const std::uint32_t> numbers) const {
        if (ledger_ != nullptr) ledger_->renumberClasses(numbers);
    }

private:
    Ledger* ledger_ = nullptr;
};

}  // namespace smec::rules
