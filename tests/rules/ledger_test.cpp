#include "rules/ledger.h"

#include <array>

#include <catch2/catch.hpp>

using namespace smec::rules;
using enum Condition;

namespace {

Choice only(const Ledger& ledger) {
    REQUIRE(ledger.choices().size() == 1);
    return ledger.choices().front();
}

std::string reasonOfOnly(const Ledger& ledger) { return reasonOf(only(ledger)); }

}  // namespace

TEST_CASE("a rule applies where all conditions hold", "[rules]") {
    Ledger ledger;
    const Asker asker(ledger);
    CHECK(asker.ask(Rule::WholeBlock, Subject::design(),
                    {{NoForeignCode, true}, {Statements, 12, 32'000}, {Levels, 3, 4}}));
    const Choice choice = only(ledger);
    CHECK(choice.isTaken);
    CHECK(reasonOf(choice) == "3 levels, at most 4");  // the closest one
}

TEST_CASE("the first condition that fails is told", "[rules]") {
    Ledger ledger;
    const Asker asker(ledger);
    CHECK_FALSE(asker.ask(Rule::WholeBlock, Subject::design(),
                          {{Levels, 3, 4}, {Statements, 41'210, 32'000}, {OneKernel, false}}));
    CHECK_FALSE(only(ledger).isTaken);
    CHECK(reasonOfOnly(ledger) == "41,210 statements, at most 32,000 allowed");
}

TEST_CASE("a rule that is left out does not apply, and the answer says so", "[rules]") {
    Without without;
    without.add(Rule::WholeBlock);
    Ledger ledger(without);
    const Asker asker(ledger);
    CHECK_FALSE(asker.allows(Rule::WholeBlock));
    CHECK_FALSE(asker.ask(Rule::WholeBlock, Subject::design(), {{Levels, 3, 4}}));
    CHECK(reasonOfOnly(ledger) == "left out by --without");
    CHECK(asker.ask(Rule::OneSlot, Subject::ofPlane(3)));

    Ledger draft = asker.draft();
    CHECK_FALSE(Asker(draft).ask(Rule::WholeBlock, Subject::design()));
}

TEST_CASE("without a ledger conditions alone count", "[rules]") {
    const Asker nobody;
    CHECK_FALSE(nobody.isHeard());
    CHECK(nobody.ask(Rule::Lanes, Subject::ofClass(0)));
    CHECK_FALSE(nobody.ask(Rule::Lanes, Subject::ofClass(0), {{Instances, 15, 16}}));
}

TEST_CASE("each sense has its border", "[rules]") {
    struct Border {
        Condition condition;
        bool below, at, above;
    };
    const std::array<Border, 4> borders{{{Statements, true, true, false},
                                         {FewInstances, true, false, false},
                                         {Instances, false, true, true},
                                         {LongStatements, false, false, true}}};
    for (const auto& [condition, below, at, above] : borders) {
        CHECK(Finding(condition, 9, 10).holds() == below);
        CHECK(Finding(condition, 10, 10).holds() == at);
        CHECK(Finding(condition, 11, 10).holds() == above);
    }
}

TEST_CASE("answers come by subject and rule, each once", "[rules]") {
    Ledger ledger;
    const Asker asker(ledger);
    asker.ask(Rule::Lanes, Subject::ofClass(2));
    asker.ask(Rule::SetLogs, Subject::ofClass(2));
    asker.ask(Rule::Lanes, Subject::ofClass(2));
    asker.ask(Rule::Lanes, Subject::ofClass(1), {}, 0);  // nobody's affair
    asker.ask(Rule::WholeBlock, Subject::design());
    std::vector<Rule> rules;
    for (const Choice& choice : ledger.choices())
        rules.push_back(choice.rule);
    CHECK(rules == std::vector<Rule>{Rule::WholeBlock, Rule::Lanes, Rule::SetLogs});
}

TEST_CASE("choices follow classes to their new numbers", "[rules]") {
    Ledger ledger;
    const Asker asker(ledger);
    asker.ask(Rule::Lanes, Subject::ofClass(0));
    asker.ask(Rule::Lanes, Subject::ofClass(1));
    asker.ask(Rule::Lanes, Subject::ofClass(2));
    asker.renumberClasses(std::array<std::uint32_t, 3>{1, UINT32_MAX, 0});
    const std::vector<Choice> choices = ledger.choices();
    REQUIRE(choices.size() == 2);
    CHECK(choices[0].subject == Subject::ofClass(0));
    CHECK(choices[1].subject == Subject::ofClass(1));
}

TEST_CASE("a draft counts once it is added", "[rules]") {
    Ledger ledger;
    const Asker asker(ledger);
    Ledger draft = asker.draft();
    Asker(draft).ask(Rule::LightLevels, Subject::design());
    CHECK(ledger.choices().empty());
    asker.add(draft);
    CHECK(ledger.choices().size() == 1);
}

TEST_CASE("numbers have their thousands apart", "[rules]") {
    CHECK(numberText(0) == "0");
    CHECK(numberText(999) == "999");
    CHECK(numberText(1'000) == "1,000");
    CHECK(numberText(1'234'567.5) == "1,234,567.50");
    CHECK(numberText(0.25) == "0.25");
    CHECK(amountText(1, "statements of all its instances") == "1 statement of all its instances");
    CHECK(amountText(2'000, "bytes") == "2,000 bytes");
}
