#include "rules/ledger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace smec::rules {
namespace {

struct ConditionRow {
    Sense sense;
    std::string_view text;
};

constexpr std::array<ConditionRow, static_cast<std::size_t>(Condition::Count)> kConditions{{
#define CONDITION(id, sense, text) {Sense::sense, text},
#include "rules/conditions.def"
#undef CONDITION
}};

std::string_view joint(Sense sense) {
    switch (sense) {
    case Sense::Is: return "";
    case Sense::AtMost: return ", at most ";
    case Sense::Below: return ", less than ";
    case Sense::AtLeast: return ", at least ";
    case Sense::Above: return ", more than ";
    }
    return "";
}

auto keyOf(const Choice& choice) {
    return std::tuple(choice.subject, choice.rule, choice.isTaken, choice.hasFinding, choice.count,
                      choice.because.condition, choice.because.found, choice.because.threshold);
}

/// What is told of an answer.
Finding tellingOf(std::span<const Finding> findings, bool isAllowed) {
    const auto failed = std::ranges::find_if_not(findings, &Finding::holds);
    if (failed != findings.end()) return *failed;
    if (!isAllowed) return {Condition::SwitchedOff, false};
    return *std::ranges::max_element(findings, {}, &Finding::closeness);
}

}  // namespace

Sense senseOf(Condition condition) {
    return kConditions[static_cast<std::size_t>(condition)].sense;
}

std::string_view textOf(Condition condition) {
    return kConditions[static_cast<std::size_t>(condition)].text;
}

bool Finding::holds() const {
    switch (senseOf(condition)) {
    case Sense::Is: return found != 0;
    case Sense::AtMost: return found <= threshold;
    case Sense::Below: return found < threshold;
    case Sense::AtLeast: return found >= threshold;
    case Sense::Above: return found > threshold;
    }
    return false;
}

double Finding::closeness() const {
    const auto part = [](double a, double b) { return b == 0 ? 0 : a / b; };
    switch (senseOf(condition)) {
    case Sense::Is: return -1;
    case Sense::AtMost:
    case Sense::Below: return part(found, threshold);
    case Sense::AtLeast:
    case Sense::Above: return part(threshold, found);
    }
    return 0;
}

std::string numberText(double number) {
    std::array<char, 64> digits{};
    const bool isWhole = number == std::floor(number);
    std::snprintf(digits.data(), digits.size(), isWhole ? "%.0f" : "%.2f", number);
    std::string text = digits.data();
    const std::size_t end = std::min(text.find('.'), text.size());
    const std::size_t begin = text.starts_with('-') ? 1 : 0;
    for (std::size_t at = end; at > begin + 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

std::string amountText(double number, std::string_view unit) {
    const std::string text = numberText(number) + " ";
    const std::size_t end = std::min(unit.find(' '), unit.size());
    if (number != 1 || end == 0 || unit[end - 1] != 's') return text + std::string(unit);
    return text + std::string(unit.substr(0, end - 1)) + std::string(unit.substr(end));
}

std::string reasonOf(const Choice& choice) {
    if (!choice.hasFinding) return {};
    const Finding& because = choice.because;
    const Sense sense = senseOf(because.condition);
    const std::string_view text = textOf(because.condition);
    if (sense == Sense::Is) return because.holds() ? std::string() : std::string(text);
    const bool isUpper = sense == Sense::AtMost || sense == Sense::Below;
    return amountText(because.found, text) + std::string(joint(sense))
           + numberText(because.threshold)
           + (because.holds() ? ""
              : isUpper       ? " allowed"
                              : " needed");
}

bool Ledger::ask(Rule rule, Subject subject, std::span<const Finding> findings,
                 std::uint32_t count) {
    const bool isAllowed = allows(rule);
    const bool isTaken = isAllowed && std::ranges::all_of(findings, &Finding::holds);
    if (count == 0) return isTaken;
    const bool hasFinding = !isAllowed || !findings.empty();
    const Finding because =
        hasFinding ? tellingOf(findings, isAllowed) : Finding{Condition::SwitchedOff, true};
    choices_.push_back({rule, isTaken, hasFinding, subject, count, because});
    return isTaken;
}

void Ledger::add(const Ledger& draft) {
    choices_.insert(choices_.end(), draft.choices_.begin(), draft.choices_.end());
}

void Ledger::renumberClasses(std::span<const std::uint32_t> numbers) {
    for (Choice& choice : choices_)
        if (choice.subject.kind == Subject::Kind::Class)
            choice.subject.index = numbers[choice.subject.index];
    std::erase_if(choices_, [](const Choice& choice) {
        return choice.subject == Subject::ofClass(UINT32_MAX);
    });
}

std::vector<Choice> Ledger::choices() const {
    std::vector<Choice> sorted = choices_;
    std::ranges::sort(sorted, {}, keyOf);
    const auto same = std::ranges::unique(sorted, {}, keyOf);
    sorted.erase(same.begin(), same.end());
    return sorted;
}

bool Asker::ask(Rule rule, Subject subject, std::initializer_list<Finding> findings,
                std::uint32_t count) const {
    if (ledger_ != nullptr) return ledger_->ask(rule, subject, findings, count);
    return std::ranges::all_of(findings, &Finding::holds);
}

}  // namespace smec::rules
