#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What smec may do or leave without changing a result. Each planner asks before it applies one (rules/ledger.h).
namespace smec::rules {

enum class Rule : std::uint8_t {
#define RULE(id, name, text, taken, refused, leaves) id,
#include "rules/rules.def"
#undef RULE
    Count
};

/// What a refusal leaves.
enum class Leaves : std::uint8_t {
    Work,    ///< what the rule would have saved
    Nothing  ///< another way that is as good
};

/// As on the command line: "whole-block".
std::string_view nameOf(Rule rule);
/// What it does, half a sentence.
std::string_view textOf(Rule rule);
/// What becomes of who it was asked for: "is one block of straight-line code".
std::string_view outcomeOf(Rule rule, bool isTaken);
Leaves leavesOf(Rule rule);
/// All, in the order in which they are asked.
std::vector<Rule> all();
std::optional<Rule> ruleOf(std::string_view name);

/// Those that are switched off; none at first. A value.
class Without {
public:
    void add(Rule rule) { off_.set(static_cast<std::size_t>(rule)); }
    bool allows(Rule rule) const { return !off_.test(static_cast<std::size_t>(rule)); }
    bool isEmpty() const { return off_.none(); }
    /// Their names, in the order of all().
    std::vector<std::string> names() const;
    bool operator==(const Without&) const = default;

private:
    std::bitset<static_cast<std::size_t>(Rule::Count)> off_;
};

}  // namespace smec::rules
