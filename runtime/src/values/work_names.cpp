// A class is numbered in source order, so a unit of it is a stretch of paths, one piece for each
// run of the model's table of instances; a unit of straight-line code has pieces of several
// classes.

#include "values/work_names.h"

#include <algorithm>

#include "values/names.h"
#include "values/work_parts.h"

namespace sme {
namespace {

constexpr std::size_t kMostNamed = 4;  // "and 1 more" would be no shorter

/// a, b, c and 9 more
std::string listed(const std::vector<std::string>& names, std::uint64_t more) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
}

}  // namespace

std::vector<WorkNames::Piece> WorkNames::piecesOf(std::uint32_t number, std::uint32_t first,
                                                  std::uint32_t last) const {
    const Work& work = model_.work[number];
    std::vector<Piece> pieces;
    for (std::uint32_t i = 0; i < work.partCount; ++i) {
        const WorkPart& part = work.parts[i];
        const InstanceRange range = instancesIn(work, part, {first, last});
        for (std::uint32_t at = range.begin; at < range.end;) {
            const InstanceRun* run = index_.find(part.cls, at);
            const std::uint32_t to = run ? std::min(range.end, run->first + run->count) : range.end;
            pieces.push_back({run, part.cls, at, to});
            at = to;
        }
    }
    return pieces;
}

std::string WorkNames::nameOf(const Piece& piece) const {
    if (!piece.run) return model_.classes[piece.cls].name;
    if (piece.last - piece.first == 1) return pathOf(piece.run, piece.first);
    const std::uint64_t index = piece.run->index + (piece.first - piece.run->first);
    const std::uint64_t last = index + (piece.last - piece.first) - 1;
    return piece.run->prefix + std::to_string(index) + " to " + std::to_string(last)
           + piece.run->suffix;
}

std::string WorkNames::listOf(std::uint32_t work, const std::vector<Piece>& pieces) const {
    if (pieces.empty()) return model_.work[work].name;
    const Piece& front = pieces.front();
    const Piece& back = pieces.back();
    const bool isLong = pieces.size() > kMostNamed;
    if (isLong && model_.work[work].partCount == 1 && front.run && back.run)
        return pathOf(front.run, front.first) + " … " + pathOf(back.run, back.last - 1);
    std::vector<std::string> names;
    std::uint64_t more = 0;
    for (const Piece& piece : pieces) {
        if (names.size() < (isLong ? kMostNamed - 1 : kMostNamed))
            names.push_back(nameOf(piece));
        else
            more += piece.last - piece.first;
    }
    return listed(names, more);
}

std::string WorkNames::processes(std::uint32_t number) const {
    const Work& work = model_.work[number];
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < work.partCount; ++i) {
        const char* name = model_.classes[work.parts[i].cls].name;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
    if (names.empty()) return work.name;
    if (names.size() <= kMostNamed) return listed(names, 0);
    const std::size_t more = names.size() - (kMostNamed - 1);
    names.resize(kMostNamed - 1);
    return listed(names, more);
}

const std::string& WorkNames::instances(std::uint32_t work, std::uint32_t first,
                                        std::uint32_t last) {
    std::string& name = known_[{work, first, last}];
    if (name.empty()) name = listOf(work, piecesOf(work, first, last));
    return name;
}

std::string WorkNames::suggest(std::string_view word) const {
    constexpr std::uint32_t kMostAsked = 1000;  // instances of a run: the others differ by a number
    Nearest nearest(word);
    for (std::uint32_t i = 0; i < model_.workCount; ++i) {
        for (const Piece& piece : piecesOf(i, 0, model_.work[i].count)) {
            nearest.consider(model_.classes[piece.cls].name);
            const std::uint32_t end = std::min(piece.last, piece.first + kMostAsked);
            for (std::uint32_t at = piece.first; piece.run && at < end; ++at)
                nearest.consider(pathOf(piece.run, at));
        }
    }
    return nearest.best();
}

bool WorkNames::matches(std::uint32_t number, const std::string& glob) const {
    const Work& work = model_.work[number];
    for (const Piece& piece : piecesOf(number, 0, work.count)) {
        if (globMatches(glob, model_.classes[piece.cls].name)) return true;
        for (std::uint32_t i = piece.first; piece.run && i < piece.last; ++i) {
            if (globMatches(glob, pathOf(piece.run, i))) return true;
        }
    }
    return false;
}

}  // namespace sme
