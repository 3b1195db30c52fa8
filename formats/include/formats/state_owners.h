#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sme/state_format.h"

/// How a state's values are read by path, for all who read one: sme/state_format.h says how they stand.
namespace sme {

/// `count` paths, which differ in a number from `index` on where there is a suffix: "p[" 3 "].v".
struct PathRun {
    std::string prefix;
    std::optional<std::string> suffix;
    std::uint64_t index;
    std::uint32_t count;

    std::string path(std::uint32_t number) const;
    /// The same into a text whose room is used again.
    void name(std::string& path, std::uint32_t number) const;
};
/// Throws BadState.
PathRun readPathRun(StateReader& in);

/// visit(path, shape, bytes) for the values of runs of names. Throws BadState.
template <typename Visit>
void readValueRuns(StateReader& in, const Visit& visit) {
    std::string path;
    for (auto runs = in.number<std::uint32_t>(); runs > 0; --runs) {
        const PathRun run = readPathRun(in);
        const std::string shape = in.text();
        const auto bytes = in.number<std::uint64_t>();
        // what takes nothing, the file's end does not count
        if (bytes == 0 && run.count > 0) in.failAsDamaged();
        for (std::uint32_t i = 0; i < run.count; ++i) {
            run.name(path, i);
            visit(std::as_const(path), shape, std::span(in.raw(bytes), bytes));
        }
    }
}

/// Whose hidden values are taken from a state: of a process what its body keeps ("p[3]#wait"), of a
/// field what is delayed. A process takes its own where its body is what it was, a field wherever the
/// values are such as it has. Else all of the owner starts anew, which is told once.
///
/// A state of this very design has a place for everything; what has none there is damaged.
class StateOwners {
public:
    /// `in` has to outlive it.
    StateOwners(StateReader& in, bool isSame) : in_(in), isSame_(isSame) {}

    /// Reads which bodies the state's processes had. Throws BadState.
    void readBodies();
    /// Whether readValues() is to know the bodies of this design; addHere() tells them.
    bool comparesBodies() const { return !isSame_; }
    void addHere(std::string path, std::uint64_t body) { here_.emplace(std::move(path), body); }

    /// Reads the values; put(path, bytes) takes one and returns false where there is no such value,
    /// or it has no such bytes. Throws BadState.
    template <typename Put>
    void readValues(const Put& put) {
        readValueRuns(in_, [&](const std::string& path, const std::string&,
                               std::span<const std::byte> bytes) {
            if (isTaken(path) && !put(path, bytes)) refuse(path);
        });
    }
    /// Of this design's hidden values each that was not put. Throws BadState.
    void lack(const std::string& path);

    /// "process 'p' starts from its top"
    std::vector<std::string> takeDifferences() { return std::move(differences_); }

private:
    bool isTaken(const std::string& path);
    void refuse(const std::string& path);
    void startAnew(const std::string& owner, bool isProcess);

    StateReader& in_;
    const bool isSame_;
    std::unordered_map<std::string, std::uint64_t> kept_, here_;  ///< bodies by process
    std::unordered_set<std::string> anew_;                        ///< of whom something differs
    std::vector<std::string> differences_;
};

}  // namespace sme
