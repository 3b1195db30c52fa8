#include <nlohmann/json.hpp>

#include "formats/opened_input.h"
#include "output/output_file.h"
#include "sme/whole_number.h"
#include "tuning/trial.h"
#include "values/work_names.h"

namespace sme {
namespace {

using Json = nlohmann::json;

/// Designs with the same hash have the same works.
std::string hashOf(const Model& model) {
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(model.hash));
    return text;
}

Json timesJson(const Engine& engine) {
    const Model& model = engine.model();
    WorkNames names(model);
    Json levels = Json::array();
    for (const std::vector<Piece>& pieces : engine.runner().plan().times()) {
        Json list = Json::array();
        for (const Piece& piece : pieces) {
            list.push_back(
                {{"process", names.processes(piece.unit.work)},
                 {"instances", names.instances(piece.unit.work, piece.unit.begin, piece.unit.end)},
                 {"work", piece.unit.work},
                 {"first", piece.unit.begin},
                 {"last", piece.unit.end},
                 {"ns", piece.cost}});
        }
        levels.push_back(std::move(list));
    }
    return {{"design", model.name}, {"hash", hashOf(model)}, {"levels", std::move(levels)}};
}

/// Where a reader is, in the terms of the file: JSON has no bytes of what it has parsed.
struct Place {
    std::uint32_t level = 0;
    std::size_t piece = 0;
    std::string text() const {
        return "levels[" + std::to_string(level) + "][" + std::to_string(piece) + "]";
    }
};

/// Checks that the pieces are those that a list can be cut into: all of it, in order, at legal
/// places.
std::string readLevel(const Engine& engine, const Json& list, std::vector<Piece>& pieces,
                      Place& place) {
    const Model& model = engine.model();
    std::vector<Unit> whole;
    const LevelList works(model, place.level, engine.config().isApart);
    works.append(works.begin(), works.end(), whole);
    std::size_t at = 0;
    std::uint32_t next = 0;
    for (const Json& each : list) {
        const Piece piece{{{},
                           wholeNumber<std::uint32_t>(each.at("first")),
                           wholeNumber<std::uint32_t>(each.at("last")),
                           wholeNumber<std::uint32_t>(each.at("work"))},
                          each.at("ns").get<double>()};
        const Unit& unit = piece.unit;
        const bool isNext = at < whole.size() && unit.work == whole[at].work && unit.begin == next
                            && unit.end > next && unit.end <= whole[at].end && piece.cost >= 0;
        if (!isNext) return "its pieces are not those of this design";
        const std::uint32_t granularity = std::max(1u, model.work[unit.work].granularity);
        const bool isWhole = unit.end == whole[at].end;
        if (!isWhole && unit.end % granularity != 0) return "a piece ends where none may";
        pieces.push_back(piece);
        pieces.back().unit.entry = whole[at].entry;
        next = isWhole ? 0 : unit.end;
        if (isWhole) ++at;
        ++place.piece;
    }
    return at == whole.size() ? "" : "pieces are missing";
}

}  // namespace

std::string saveTimes(const Engine& engine, const std::string& path) {
    const int problem = writeOutput(path, timesJson(engine).dump(1) + "\n");
    return problem == 0 ? "" : "cannot write '" + path + "': " + reasonOf(problem);
}

std::string loadTimes(Engine& engine, const std::string& path) {
    std::string text;
    if (const int why = readAll(path, text)) return "cannot read " + path + ": " + reasonOf(why);
    Place place;
    try {
        const Json json = Json::parse(text);
        const Model& model = engine.model();
        if (json.at("hash") != hashOf(model))
            return path + ": these are the times of another design, or of another version of it";
        const Json& levels = json.at("levels");
        Times times(model.levels);
        if (levels.size() != times.size()) return path + ": it has another number of levels";
        for (; place.level < model.levels; ++place.level) {
            place.piece = 0;
            const std::string why =
                readLevel(engine, levels[place.level], times[place.level], place);
            if (!why.empty()) return path + ": " + why + " (" + place.text() + ")";
        }
        engine.runner().plan().setTimes(std::move(times));
    } catch (const Json::parse_error& problem) {
        return path + ": not a file of times at byte " + std::to_string(problem.byte) + ": "
               + problem.what();
    } catch (const Json::exception& problem) {
        return path + ": not a file of times: " + problem.what() + " (" + place.text() + ")";
    }
    return {};
}

}  // namespace sme
