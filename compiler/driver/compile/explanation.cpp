#include "driver/compile/explanation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/system/suggestion.h"
#include "formats/names.h"
#include "plan/choices.h"

namespace smec::driver {
namespace {

constexpr std::size_t kMostSuggested = 10'000;  // names among which a near one is looked for

/// A number as JSON writes it, without a fraction that is none.
nlohmann::json jsonNumber(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return static_cast<std::int64_t>(number);
    return number;
}

const char* wordOf(rules::Sense sense) {
    switch (sense) {
    case rules::Sense::Is: return "is";
    case rules::Sense::AtMost: return "at most";
    case rules::Sense::Below: return "less than";
    case rules::Sense::AtLeast: return "at least";
    case rules::Sense::Above: return "more than";
    }
    return "";
}

void addFinding(const rules::Choice& choice, nlohmann::json& row) {
    for (const char* field : {"found", "threshold", "sense", "unit"})
        row[field] = nullptr;
    row["because"] = rules::reasonOf(choice);
    if (!choice.hasFinding) return;
    const rules::Finding& because = choice.because;
    const rules::Sense sense = rules::senseOf(because.condition);
    const bool isFact = sense == rules::Sense::Is;
    row["found"] = isFact ? nlohmann::json(because.holds()) : jsonNumber(because.found);
    row["threshold"] = isFact ? nlohmann::json(true) : jsonNumber(because.threshold);
    row["sense"] = wordOf(sense);
    if (!isFact) row["unit"] = std::string(rules::textOf(because.condition));
}

class Explainer {
public:
    Explainer(const ir::Design& design, const plan::Plan* plan, const SourceManager& sources,
              const CompileOptions& options)
        : design_(design),
          sources_(sources),
          options_(options),
          teller_(design, plan),
          isUsed_(options.explained.size(), false) {}

    Explanation run(const rules::Ledger& ledger) {
        for (const ir::Class& cls : design_.classes)
            plan::forEachPath(cls, [&](const std::string& path) { return !notePath(path); });
        Explanation result;
        result.warnings = warnings();
        const bool asksForNone =
            !isUsed_.empty() && std::ranges::find(isUsed_, true) == isUsed_.end();
        nlohmann::json rows = nlohmann::json::array();
        for (const rules::Choice& choice : ledger.choices()) {
            if (asksForNone) break;
            const auto subject =
                teller_.subject(choice, [&](std::string_view path) { return isAskedFor(path); });
            if (!subject) continue;
            const std::string sentence = plan::sentence(*subject, choice);
            if (!options_.explained.empty()) result.text += sentence + "\n";
            if (!options_.explanation.empty()) rows.push_back(rowOf(choice, *subject, sentence));
        }
        if (!options_.explanation.empty())
            result.json =
                nlohmann::json{{"design", design_.name}, {"choices", std::move(rows)}}.dump(
                    1, ' ', false, nlohmann::json::error_handler_t::replace)
                + "\n";
        return result;
    }

private:
    bool isAskedFor(std::string_view path) const {
        return options_.explained.empty()
               || std::ranges::any_of(options_.explained, [&](const std::string& glob) {
                      return sme::globMatches(glob, path);
                  });
    }

    /// Whether all globs have matched something by now.
    bool notePath(const std::string& path) {
        bool areAllUsed = true;
        for (std::size_t i = 0; i < isUsed_.size(); ++i) {
            isUsed_[i] = isUsed_[i] || sme::globMatches(options_.explained[i], path);
            areAllUsed = areAllUsed && isUsed_[i];
        }
        return areAllUsed;
    }

    std::string warnings() const {
        std::string text;
        for (std::size_t i = 0; i < isUsed_.size(); ++i) {
            if (isUsed_[i]) continue;
            std::vector<std::string> names;
            for (const ir::Class& cls : design_.classes)
                plan::forEachPath(cls, [&](const std::string& path) {
                    names.push_back(path);
                    return names.size() < kMostSuggested;
                });
            text += fmt::format(
                "smec: warning: --explain '{}' matches no process{}\n", options_.explained[i],
                didYouMean(options_.explained[i], names, "'smec graph' draws them"));
        }
        return text;
    }

    nlohmann::json rowOf(const rules::Choice& choice, const plan::ToldSubject& subject,
                         const std::string& sentence) const {
        nlohmann::json about{
            {"kind", subject.kind}, {"name", subject.name}, {"alike", subject.alike}};
        if (subject.range.valid()) {
            about["file"] = sources_.path(subject.range.file);
            about["line"] = sources_.lineNumber(subject.range.file, subject.range.begin);
        }
        nlohmann::json row{{"rule", std::string(rules::nameOf(choice.rule))},
                           {"subject", std::move(about)},
                           {"taken", choice.isTaken},
                           {"count", choice.count},
                           {"sentence", sentence}};
        addFinding(choice, row);
        return row;
    }

    const ir::Design& design_;
    const SourceManager& sources_;
    const CompileOptions& options_;
    const plan::ChoiceTeller teller_;
    std::vector<bool> isUsed_;  ///< by glob
};

}  // namespace

bool isExplained(const CompileOptions& options) {
    return !options.explained.empty() || !options.explanation.empty();
}

Explanation explanationOf(const ir::Design& design, const plan::Plan* plan,
                          const rules::Ledger& ledger, const SourceManager& sources,
                          const CompileOptions& options) {
    return Explainer(design, plan, sources, options).run(ledger);
}

}  // namespace smec::driver
