#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "values/instances.h"

namespace sme {

/// What the works of a plan are called in reports: by the paths of the instances that they run, as
/// the source has them, never by what the generated code calls them.
///
///   one process          count
///   neighbours           heavy[0 to 62], light[63 to 99]
///   rows of a grid       p[0][0] … p[3][63]
///   straight-line code   fetch, decode, execute and 9 more
class WorkNames {
public:
    explicit WorkNames(const Model& model) : model_(model), index_(model) {}

    /// Instances [first, last) of a work.
    const std::string& instances(std::uint32_t work, std::uint32_t first, std::uint32_t last);
    /// The names of the processes.
    std::string processes(std::uint32_t work) const;
    /// Whether a process of the work is called so, or an instance of it.
    bool matches(std::uint32_t work, const std::string& glob) const;
    /// The process or instance whose name looks most like `word`; empty when none does.
    std::string suggest(std::string_view word) const;

private:
    /// Instances [first, last) of a run of paths; without a run: of a class that has no paths.
    struct Piece {
        const InstanceRun* run;
        std::uint32_t cls;
        std::uint32_t first;
        std::uint32_t last;
    };
    std::vector<Piece> piecesOf(std::uint32_t work, std::uint32_t first, std::uint32_t last) const;
    std::string nameOf(const Piece& piece) const;
    std::string listOf(std::uint32_t work, const std::vector<Piece>& pieces) const;

    const Model& model_;
    const InstanceIndex index_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::string> known_;
};

}  // namespace sme
