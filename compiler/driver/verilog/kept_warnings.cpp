#include "driver/verilog/kept_warnings.h"

#include <algorithm>
#include <map>

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
        if (isNew) {
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

void repeatWarnings(const json& kept, SourceManager& sources, Diagnostics& diagnostics) {
    if (!kept.is_array()) return;
    KeptPlaces places(sources);
    for (const json& one : kept) {
        try {
            for (std::size_t i = 0; i < static_cast<std::size_t>(DiagId::Count); ++i) {
                const auto id = static_cast<DiagId>(i);
                if (info(id).severity != Severity::Warning || info(id).name != one.at("name"))
                    continue;
                SourceRange range;
                if (one.contains("place")) {
                    const json& place = one.at("place");
                    range = places.of(place.at(0), place.at(1), place.at(2));
                }
                diagnostics.repeat({id, Severity::Warning, range, one.at("message"), {}});
            }
        } catch (const json::exception&) {  // of another version
        }
    }
}

}  // namespace smec::driver
