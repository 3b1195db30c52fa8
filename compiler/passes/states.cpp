#include <algorithm>
#include <map>

#include "ir/visit.h"
#include "passes/body.h"
#include "source/graph.h"
#include "source/overloaded.h"

// The states of a process that waits come one after the other, each after a test, in an order in
// which an activation can go through them:
//
//   states switch (state) {                       at = state;
//     case 0: a(); state = 1; return;             if (at == 0) { a(); state = 1; }
//     case 1: if (w) { return; }                  if (at == 1) { if (w) { } else { state = 2; at =
//     2; } }
//             state = 2; continue;                if (at == 2) { b(); state = 1; }
//     case 2: b(); state = 1; return; }
//
// That order is not there where an activation may go round in circles.

namespace smec::passes {

using namespace ir;

namespace {

class Sequencer {
public:
    Sequencer(Body& body, Switch& machine) : body_(body), machine_(machine) {}

    /// The statements instead of the machine's loop; empty: gave up.
    Block run() {
        const auto* subject = std::get_if<ReadLocal>(&body_[machine_.subject].node);
        if (!subject || !takeStates()) return {};
        state_ = subject->local;
        for (std::uint32_t from = 0; from < states_.size(); ++from)
            if (!alwaysLeaves(states_[from]) || !look(from, states_[from])) return {};
        const std::vector<std::uint32_t> order = longestPaths(Graph(count(), edges_));
        if (std::find(order.begin(), order.end(), kEndless) != order.end()) return {};
        std::vector<std::uint32_t> numbers(count());
        for (std::uint32_t i = 0; i < count(); ++i)
            numbers[i] = i;
        std::stable_sort(numbers.begin(), numbers.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return order[a] < order[b]; });
        roundsInAll_ = mostRounds(numbers);
        if (roundsInAll_ > target::kMostUncounted) return {};
        return sequence(numbers);
    }

    std::uint32_t rounds() const { return roundsInAll_; }

private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(states_.size()); }

    bool takeStates() {
        for (std::size_t i = 0; i < machine_.cases.size(); ++i) {
            if (machine_.cases[i].labels != std::vector<Integer>{Integer(i)}) return false;
            states_.push_back(std::move(machine_.cases[i].body));
        }
        states_.push_back(std::move(machine_.otherwise));
        rounds_.resize(states_.size(), 0);
        return true;
    }

    static bool alwaysLeaves(const Block& block) {
        return std::any_of(block.begin(), block.end(),
                           [](const Stmt& stmt) { return leaves(stmt); });
    }

    static bool leaves(const Stmt& stmt) {
        return smec::visit(
            Overloaded{
                [](const If& n) { return alwaysLeaves(n.yes) && alwaysLeaves(n.no); },
                [](const Switch& n) {
                    return alwaysLeaves(n.otherwise)
                           && std::all_of(
                               n.cases.begin(), n.cases.end(),
                               [](const SwitchCase& one) { return alwaysLeaves(one.body); });
                },
                [](const AnyOf<Return, Continue> auto&) { return true; },
                [](const AnyOf<Set, CopyArray, FillArray, Check, For, Loop, CountRound, Break, Call,
                               Trace, Stop> auto&) { return false; },
            },
            stmt.node);
    }

    /// Finds where a state goes to, and how many rounds it counts; false: something is not as
    /// lowering leaves it.
    bool look(std::uint32_t from, Block& block) {
        for (std::size_t i = 0; i < block.size(); ++i) {
            const bool isGood = smec::visit(
                Overloaded{
                    [&](const AnyOf<For, Loop> auto&) { return !holdsReturn(block[i]); },
                    [&](const Continue&) {
                        return goesOn(from,
                                      i == 0 ? nullptr : std::get_if<Set>(&block[i - 1].node));
                    },
                    [&](If& n) { return look(from, n.yes) && look(from, n.no); },
                    [&](Switch& n) {
                        return std::all_of(n.cases.begin(), n.cases.end(),
                                           [&](SwitchCase& one) { return look(from, one.body); })
                               && look(from, n.otherwise);
                    },
                    [](const Break&) { return false; },
                    [](const AnyOf<Set, CopyArray, FillArray, Check, CountRound, Call, Return,
                                   Trace, Stop> auto&) { return true; },
                },
                block[i].node);
            if (!isGood) return false;
            if (leaves(block[i])) block.resize(i + 1);  // nothing comes here
        }
        rounds_[from] += static_cast<std::uint32_t>(std::erase_if(
            block, [](const Stmt& stmt) { return std::holds_alternative<CountRound>(stmt.node); }));
        return true;
    }

    /// To the state that was set in front of `continue`.
    bool goesOn(std::uint32_t from, const Set* next) {
        const ConstInt* to = next && next->local == state_
                                 ? std::get_if<ConstInt>(&body_[next->value].node)
                                 : nullptr;
        if (!to || to->value < 0 || to->value >= count()) return false;
        edges_.push_back({from, static_cast<std::uint32_t>(to->value)});
        return true;
    }

    static bool holdsReturn(const Stmt& stmt) {
        bool found = false;
        forEachBlock(stmt, [&](const Block& block) {
            forEachStmt(block, [&](const Stmt& inner) {
                found = found || std::holds_alternative<Return>(inner.node);
            });
        });
        return found;
    }

    /// Of any way through the states. `numbers`: sources first.
    std::uint32_t mostRounds(const std::vector<std::uint32_t>& numbers) const {
        std::vector<std::uint32_t> before(states_.size(), 0);
        std::uint32_t most = 0;
        for (const std::uint32_t from : numbers) {
            const std::uint32_t after = before[from] + rounds_[from];
            most = std::max(most, after);
            for (const Edge& edge : edges_)
                if (edge.from == from) before[edge.to] = std::max(before[edge.to], after);
        }
        return most;
    }

    Block sequence(const std::vector<std::uint32_t>& numbers) {
        const SourceRange range{};
        at_ = {static_cast<std::uint32_t>(body_.locals.size())};
        const Local& state = body_.locals[state_.index];
        body_.locals.push_back({"at", LocalKind::Temp, state.type, 0, state.range});
        Block result;
        result.push_back({range, Set{at_, {}, read(state_)}});
        for (const std::uint32_t number : numbers) {
            Block block = withoutExits(body_, std::move(states_[number]), Exit::Return);
            block = withoutExits(body_, std::move(block), Exit::Continue, [this](const Stmt& stmt) {
                return Block{{stmt.range, Set{at_, {}, read(state_)}}};
            });
            const ExprId label = add({ExprType::Int, ConstInt{Integer(number)}});
            const ExprId isIt = add({ExprType::Bool, Binary{BinaryOp::Eq, read(at_), label}});
            result.push_back({range, If{isIt, std::move(block), {}}});
        }
        return result;
    }

    ExprId add(Expr expr) { return addExpr(body_, std::move(expr)); }
    ExprId read(LocalId local) { return add({ExprType::Int, ReadLocal{local, {}}}); }

    Body& body_;
    Switch& machine_;
    LocalId state_, at_;
    std::vector<Block> states_;
    std::vector<std::uint32_t> rounds_;  ///< by state
    std::vector<Edge> edges_;            ///< between states, within an activation
    std::uint32_t roundsInAll_ = 0;
};

}  // namespace

bool unrollStates(Body& body, std::uint32_t& rounds) {
    const auto at = std::find_if(body.statements.begin(), body.statements.end(), isStateMachine);
    if (at == body.statements.end()) return true;
    Loop& loop = std::get<Loop>(at->node);
    auto* machine = loop.body.size() == 1 ? std::get_if<Switch>(&loop.body.front().node) : nullptr;
    if (!machine || at + 1 != body.statements.end()) return false;
    Sequencer sequencer(body, *machine);
    Block states = sequencer.run();
    if (states.empty()) return false;
    rounds = sequencer.rounds();
    body.statements.pop_back();
    std::move(states.begin(), states.end(), std::back_inserter(body.statements));
    return true;
}

}  // namespace smec::passes
