// From the innermost blocks outwards: how often a path through a block sets a local, at least and at most.
//   n = n + 1;  if (c) { a = 1; b = 1; } else { b = 2; b = b + n; }      n: 1; a: 0 … 1; b: 1 … 2

#include "codegen/cpp/decide/set_paths.h"

#include <algorithm>
#include <map>

#include "ir/references.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

struct Times {
    std::uint32_t least = 0, most = 0;
};

/// By local; of those that are not there 0.
using Counts = std::map<std::uint32_t, Times>;

constexpr Times kRounds{0, 2};  ///< in a loop that may run none

class Paths {
public:
    explicit Paths(const ir::Body& body) : body_(body) {}

    std::vector<SetOn> run() {
        std::vector<SetOn> found(body_.locals.size(), SetOn::EveryPath);
        for (const auto& [local, times] : timesIn(body_.statements))
            if (times.least == 0) found[local] = times.most > 1 ? SetOn::Again : SetOn::SomePaths;
        return found;
    }

private:
    Counts timesIn(const ir::Block& block) {
        Counts all;
        for (const ir::Stmt& stmt : block)
            add(stmt, all);
        return all;
    }

    void add(const ir::Stmt& stmt, Counts& all) {
        smec::visit(
            Overloaded{
                [&](const ir::If& n) {
                    addSides({timesIn(n.yes), timesIn(n.no)}, all);
                },
                [&](const ir::Switch& n) {
                    std::vector<Counts> sides{timesIn(n.otherwise)};
                    for (const ir::SwitchCase& side : n.cases)
                        sides.push_back(timesIn(side.body));
                    addSides(sides, all);
                },
                [&](const ir::For& n) {
                    addTimes(stmt, kRounds, all);
                    addRounds(n.body, all);
                },
                [&](const ir::Loop& n) {
                    if (n.isStateMachine)
                        addSides({timesIn(n.body), {}}, all);
                    else
                        addRounds(n.body, all);
                },
                [&](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray, ir::Call> auto&) {
                    addTimes(stmt, {1, 1}, all);
                },
                [](const ir::AnyOf<ir::Check, ir::CountRound, ir::Break, ir::Continue, ir::Return,
                                   ir::Trace, ir::Stop> auto&) {},
            },
            stmt.node);
    }

    static void addTimes(const ir::Stmt& stmt, const Times& times, Counts& all) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) { addTimes(id.index, times, all); });
    }

    static void addTimes(std::uint32_t local, const Times& times, Counts& all) {
        Times& sum = all[local];
        sum.least += times.least;
        sum.most += times.most;
    }

    static void addRounds(const ir::Block& block, Counts& all) {
        ir::forEachStmt(block, [&](const ir::Stmt& stmt) { addTimes(stmt, kRounds, all); });
    }

    /// One of these is taken.
    static void addSides(const std::vector<Counts>& sides, Counts& all) {
        struct Taken {
            std::size_t sides = 0;
            Times times{UINT32_MAX, 0};
        };
        std::map<std::uint32_t, Taken> taken;
        for (const Counts& side : sides) {
            for (const auto& [local, times] : side) {
                Taken& one = taken[local];
                ++one.sides;
                one.times = {std::min(one.times.least, times.least),
                             std::max(one.times.most, times.most)};
            }
        }
        for (auto& [local, one] : taken) {
            if (one.sides < sides.size()) one.times.least = 0;
            addTimes(local, one.times, all);
        }
    }

    const ir::Body& body_;
};

}  // namespace

std::vector<SetOn> setPathsOf(const ir::Body& body) { return Paths(body).run(); }

}  // namespace smec::codegen::cpp
