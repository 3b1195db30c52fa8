#include "engine/rank_choices.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/ahead_pace.h"
#include "output/error.h"

namespace sme {
namespace {

template <typename Value>
struct Word {
    std::string_view word;
    Value value;
};

constexpr Word<CutWay> kCuts[] = {{"lists", CutWay::Lists},
                                  {"each", CutWay::Each},
                                  {"blocks", CutWay::Blocks},
                                  {"graph", CutWay::Graph},
                                  {"metis", CutWay::Metis}};
constexpr Word<Overlap> kOverlaps[] = {{"0", Overlap::Never}, {"1", Overlap::Always}};

[[noreturn]] void refuse(const std::string& variable, std::string_view word,
                         const std::string& choices) {
    wrongUsage(variable + " takes " + choices + ", not '" + std::string(word) + "'");
}

template <typename Value, std::size_t count>
void choose(const char* variable, const Word<Value> (&words)[count], Value& value) {
    const char* const chosen = std::getenv(variable);
    if (!chosen) return;
    std::string choices;
    for (const Word<Value>& each : words) {
        if (each.word == chosen) return void(value = each.value);
        const bool isLast = &each == &words[count - 1];
        choices += (choices.empty() ? "" : isLast ? " or " : ", ") + std::string(each.word);
    }
    refuse(variable, chosen, choices);
}

constexpr const char* kAheadVariable = "SME_RANKS_AHEAD";
constexpr std::string_view kNever = "never";

void chooseAhead(RankChoices& choices) {
    const char* const chosen = std::getenv(kAheadVariable);
    if (!chosen) return;
    const std::string_view word = chosen;
    choices.neverAhead = word == kNever;
    if (choices.neverAhead) return;
    constexpr unsigned most = AheadPace::kLongestAhead;
    unsigned number = 0;
    bool isNumber = !word.empty();
    for (const char digit : word) {
        isNumber = isNumber && digit >= '0' && digit <= '9' && number <= most;
        if (isNumber) number = number * 10 + static_cast<unsigned>(digit - '0');
    }
    if (!isNumber || number > most)
        refuse(kAheadVariable, word, "never or a whole number up to " + std::to_string(most));
    choices.ahead = number;
}

}  // namespace

RankChoices choicesOfEnvironment() {
    RankChoices choices;
    choose("SME_RANKS_CUT", kCuts, choices.cut);
    choose("SME_RANKS_OVERLAP", kOverlaps, choices.overlap);
    chooseAhead(choices);
    return choices;
}

}  // namespace sme
