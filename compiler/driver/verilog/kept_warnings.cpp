#include "driver/verilog/kept_warnings.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sme/whole_number.h"
#include "source/read_text.h"

namespace smec::driver {
namespace {

using nlohmann::json;

/// Files by their names, each once.
class KeptPlaces {
public:
    explicit KeptPlaces(SourceManager& sources) : sources_(sources) {}

    SourceRange of(const std::string& path, std::uint32_t begin, std::uint32_t end) {
        const auto [known, isNew] = known_.try_emplace(path);
        if (isNew && whyNoFile(path).empty()) {  // reading another thing might wait
            ReadText read = readText(path);
            if (read.problem.empty()) known->second = sources_.add(path, std::move(read.text));
        }
        if (!known->second.valid()) return {};
        const auto size = static_cast<std::uint32_t>(sources_.text(known->second).size());
        return {known->second, std::min(begin, size), std::clamp(end, std::min(begin, size), size)};
    }

private:
    SourceManager& sources_;
    std::map<std::string, FileId> known_;
};

std::optional<DiagId> warningCalled(std::string_view name) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(DiagId::Count); ++i) {
        const auto id = static_cast<DiagId>(i);
        if (info(id).severity == Severity::Warning && info(id).name == name) return id;
    }
    return std::nullopt;
}

}  // namespace

json keptWarnings(const Diagnostics& found, const SourceManager& sources) {
    json list = json::array();
    for (const Diagnostic& one : found.all()) {
        if (one.severity != Severity::Warning) continue;
        json kept = {{"name", info(one.id).name}, {"message", one.message}};
        if (one.range.valid())
            kept["place"] = {sources.path(one.range.file), one.range.begin, one.range.end};
        list.push_back(std::move(kept));
    }
    return list;
}

std::optional<std::vector<KeptWarning>> readWarnings(const json& kept) {
    if (!kept.is_array()) return std::nullopt;
    std::vector<KeptWarning> warnings;
    try {
        for (const json& one : kept) {
            const std::optional<DiagId> id = warningCalled(one.at("name").get<std::string>());
            if (!id) return std::nullopt;
            KeptWarning warning{*id, one.at("message").get<std::string>(), {}, 0, 0};
            if (one.contains("place")) {
                const json& place = one.at("place");
                warning.path = place.at(0).get<std::string>();
                warning.begin = sme::wholeNumber<std::uint32_t>(place.at(1));
                warning.end = sme::wholeNumber<std::uint32_t>(place.at(2));
            }
            warnings.push_back(std::move(warning));
        }
    } catch (const json::exception&) {
        return std::nullopt;
    }
    return warnings;
}

void repeatWarnings(const std::vector<KeptWarning>& kept, SourceManager& sources,
                    Diagnostics& diagnostics) {
    KeptPlaces places(sources);
    for (const KeptWarning& one : kept) {
        SourceRange range;
        if (!one.path.empty()) range = places.of(one.path, one.begin, one.end);
        diagnostics.repeat({one.id, Severity::Warning, range, one.message, {}});
    }
}

}  // namespace smec::driver
