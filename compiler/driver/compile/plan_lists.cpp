#include "driver/compile/plan_lists.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "sme/option_words.h"

namespace smec::driver {

namespace {

std::vector<std::string> splitAtCommas(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        words.push_back(text.substr(from, comma - from));
        from = comma + 1;
    }
    return words;
}

/// Those of a simulator's --model.
std::vector<std::string_view> knownModels() {
    const auto option =
        std::find_if(std::begin(sme::kSimulatorOptions), std::end(sme::kSimulatorOptions),
                     [](const sme::SimulatorOption& each) { return each.name == "--model"; });
    return sme::splitWords(option->choices, '|');
}

}  // namespace

std::string parseNumberList(const char* option, const std::string& text, unsigned most,
                            std::vector<unsigned>& numbers) {
    numbers.clear();
    if (text.empty()) return {};
    for (const std::string& word : splitAtCommas(text)) {
        unsigned number = 0;
        const char* end = word.data() + word.size();
        const auto [stop, problem] = std::from_chars(word.data(), end, number);
        if (problem != std::errc() || stop != end || number == 0 || number > most)
            return fmt::format("{} takes numbers from 1 to {} with commas between, not '{}'",
                               option, most, text);
        numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return {};
}

std::string parseThreadList(const std::string& text, std::vector<unsigned>& threads) {
    return parseNumberList("--threads", text, kMostThreads, threads);
}

std::string parseModelList(const std::string& text, std::vector<std::string>& models) {
    models.clear();
    const std::vector<std::string_view> known = knownModels();
    for (const std::string& word : splitAtCommas(text)) {
        if (std::find(known.begin(), known.end(), word) == known.end())
            return fmt::format("--models takes {} and {} with commas between, not '{}'",
                               fmt::join(known.begin(), known.end() - 1, ", "), known.back(), text);
        if (std::find(models.begin(), models.end(), word) == models.end()) models.push_back(word);
    }
    return {};
}

}  // namespace smec::driver
