#pragma once

#include <cstdint>
#include <vector>

#include "interp/network.h"
#include "sme/foreign_object.h"

/// What the next cycles depend on, taken from a network in motion and put back into it.
namespace smec::interp {

/// All that the next cycles depend on, between two of them. Values share their memory with the
/// simulation's as long as nobody writes them. For simulations of one design only.
struct State {
    struct Activity {
        std::vector<Frame> frames;
        std::uint64_t cyclesToWait;
        hir::ExprId waitUntil;
        std::uint64_t randomState;
        std::vector<CoverCount> covers;
    };
    std::uint64_t cycle = 0;
    std::uint64_t seed = 0;
    std::vector<Value> read;
    std::vector<Value> write;
    std::vector<Value> variables;
    std::vector<std::vector<Value>> underway;  ///< by register
    std::vector<Activity> activities;          ///< by process
    /// Of extern processes; where they are in `variables` is 0.
    struct Object {
        std::uint32_t process;
        sme::ForeignObject object;
    };
    std::vector<Object> objects{};
};

/// Between two cycles, without objects of extern processes that can neither be copied nor saved.
State stateOf(const Context& context, const Network& network);
/// `Outside`: what becomes of such objects.
enum class Outside : std::uint8_t { Stays, EndsToo };
void restore(const State& state, Context& context, Network& network, Outside outside);
/// Before cycle 0.
State initialState(const Context& context, std::uint64_t seed);
/// Whether it may be a state of this design.
bool isStateOf(const State& state, const Context& context, const Network& network);

/// Objects of extern processes end.
void releaseObjects(const Context& context, const Network& network);

}  // namespace smec::interp
