// From the innermost blocks outwards: what every path through a block sets, and how often one does at most.
//   n = n + 1;  if (c) { a = 1; b = 1; } else { b = 2; b = b + n; }      n: always, 1; a: 1; b: always, 2
// The smaller of two finds is taken into the larger one, so that long chains of branches cost no more than short ones.

#include "codegen/cpp/decide/set_paths.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/references.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

/// Of the paths through some statements, by local.
struct Sets {
    std::set<std::uint32_t> always;  ///< every one sets it
    std::map<std::uint32_t, std::uint32_t>
        most;  ///< how often one does; of those that are not there 0
};

class Paths {
public:
    explicit Paths(const ir::Body& body) : body_(body) {}

    std::vector<SetOn> run() {
        std::vector<SetOn> found(body_.locals.size(), SetOn::EveryPath);
        const Sets sets = setsIn(body_.statements);
        for (const auto& [local, most] : sets.most)
            if (!sets.always.contains(local))
                found[local] = most > 1 ? SetOn::Again : SetOn::SomePaths;
        return found;
    }

private:
    Sets setsIn(const ir::Block& block) {
        Sets all;
        for (const ir::Stmt& stmt : block)
            follow(all, setsOf(stmt));
        return all;
    }

    Sets setsOf(const ir::Stmt& stmt) {
        return smec::visit(
            Overloaded{
                [&](const ir::If& n) { return eitherOf(setsIn(n.yes), setsIn(n.no)); },
                [&](const ir::Switch& n) {
                    Sets all = setsIn(n.otherwise);
                    for (const ir::SwitchCase& side : n.cases)
                        all = eitherOf(std::move(all), setsIn(side.body));
                    return all;
                },
                [&](const ir::For& n) { return rounds(n.body); },
                [&](const ir::Loop& n) {
                    return n.isStateMachine ? eitherOf(setsIn(n.body), {}) : rounds(n.body);
                },
                [&](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray, ir::Call> auto&) {
                    Sets own;
                    forEachVariable(stmt, [&](std::uint32_t local) {
                        own.always.insert(local);
                        ++own.most[local];
                    });
                    return own;
                },
                [](const ir::AnyOf<ir::Check, ir::CountRound, ir::Break, ir::Continue, ir::Return,
                                   ir::Trace, ir::Stop> auto&) { return Sets{}; },
            },
            stmt.node);
    }

    /// Of a loop, which may run none.
    Sets rounds(const ir::Block& block) {
        Sets all;
        ir::forEachStmt(block, [&](const ir::Stmt& stmt) {
            forEachVariable(stmt, [&](std::uint32_t local) { all.most[local] = 2; });
        });
        return all;
    }

    template <typename F>
    void forEachVariable(const ir::Stmt& stmt, F&& f) {
        ir::forEachAssigned(stmt, [&](ir::LocalId id) {
            const ir::Local& local = body_.locals[id.index];
            if (local.kind == ir::LocalKind::State && !local.type.isArray()) f(id.index);
        });
    }

    static void follow(Sets& all, Sets next) {
        if (all.most.size() < next.most.size()) std::swap(all.most, next.most);
        for (const auto& [local, most] : next.most)
            all.most[local] += most;
        all.always.merge(next.always);
    }

    /// One of them is taken.
    static Sets eitherOf(Sets large, Sets small) {
        if (large.most.size() < small.most.size()) std::swap(large.most, small.most);
        for (const auto& [local, most] : small.most) {
            std::uint32_t& times = large.most[local];
            times = std::max(times, most);
        }
        if (large.always.size() < small.always.size()) std::swap(large.always, small.always);
        std::erase_if(small.always,
                      [&](std::uint32_t local) { return !large.always.contains(local); });
        large.always = std::move(small.always);
        return large;
    }

    const ir::Body& body_;
};

}  // namespace

std::vector<SetOn> setPathsOf(const ir::Body& body) { return Paths(body).run(); }

}  // namespace smec::codegen::cpp
