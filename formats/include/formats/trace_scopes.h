#pragma once

#include <string>
#include <vector>

#include "formats/trace_signal.h"

namespace sme {

/// A level of a trace's tree.
struct TraceScope {
    enum class Kind : std::uint8_t { Instance, Struct, Array };
    std::string name;
    Kind kind;
    bool operator==(const TraceScope&) const = default;
};

/// Where a signal hangs: "unit[2].out.pixel.r[3]", a field `pixel`, is `r[3]` in the scopes of the
/// instances unit[2] and out, of the struct pixel and of the array r. The field `v` of a bus is
/// called as the bus: "unit[2].out.v[3]" is `out[3]` in the scope of unit[2] and of the array out.
struct TracePlace {
    std::vector<TraceScope> scopes;
    std::string leaf;
};
TracePlace placeOf(const TraceSignal& signal);

/// What a writer of a tree does: enter(scope), leave(), show(signal's number, leaf) in the order of
/// the signals. A scope may be entered several times.
template <typename Visitor>
void visitScopes(const TraceDescription& description, Visitor&& visitor) {
    std::vector<TraceScope> open;
    for (std::size_t i = 0; i < description.signals.size(); ++i) {
        const TracePlace place = placeOf(description.signals[i]);
        std::size_t shared = 0;
        while (shared < open.size() && shared < place.scopes.size()
               && open[shared] == place.scopes[shared])
            ++shared;
        for (; open.size() > shared; open.pop_back())
            visitor.leave();
        for (; open.size() < place.scopes.size(); open.push_back(place.scopes[open.size()]))
            visitor.enter(place.scopes[open.size()]);
        visitor.show(i, place.leaf);
    }
    for (; !open.empty(); open.pop_back())
        visitor.leave();
}

/// `clk`, or, where a signal has this name, what it may be called beside it.
std::string clockName(const TraceDescription& description);

}  // namespace sme
