#include "rules/rules.h"

#include <algorithm>
#include <array>

namespace smec::rules {
namespace {

struct Row {
    std::string_view name;
    std::string_view text;
    std::string_view taken;
    std::string_view refused;
    Leaves leaves;
};

constexpr std::array<Row, static_cast<std::size_t>(Rule::Count)> kRows{{
#define RULE(id, name, text, taken, refused, leaves) {name, text, taken, refused, Leaves::leaves},
#include "rules/rules.def"
#undef RULE
}};

}  // namespace

std::string_view nameOf(Rule rule) { return kRows[static_cast<std::size_t>(rule)].name; }

std::string_view textOf(Rule rule) { return kRows[static_cast<std::size_t>(rule)].text; }

std::string_view outcomeOf(Rule rule, bool isTaken) {
    const Row& row = kRows[static_cast<std::size_t>(rule)];
    return isTaken ? row.taken : row.refused;
}

Leaves leavesOf(Rule rule) { return kRows[static_cast<std::size_t>(rule)].leaves; }

std::vector<Rule> all() {
    std::vector<Rule> rules;
    for (std::size_t i = 0; i < kRows.size(); ++i)
        rules.push_back(static_cast<Rule>(i));
    return rules;
}

std::optional<Rule> ruleOf(std::string_view name) {
    const auto found = std::ranges::find(kRows, name, &Row::name);
    if (found == kRows.end()) return std::nullopt;
    return static_cast<Rule>(found - kRows.begin());
}

std::vector<std::string> Without::names() const {
    std::vector<std::string> names;
    for (const Rule rule : all())
        if (!allows(rule)) names.emplace_back(nameOf(rule));
    return names;
}

}  // namespace smec::rules
