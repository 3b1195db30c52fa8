#include "formats/trace_scopes.h"

#include <algorithm>
#include <string_view>

namespace sme {

TracePlace placeOf(const TraceSignal& signal) {
    using Kind = TraceScope::Kind;
    TracePlace place;
    const std::string_view name = signal.name;
    const std::string_view whole = name.substr(0, signal.whole - (signal.isBus ? 2 : 0));
    std::size_t from = 0;
    for (std::size_t dot = 0; (dot = whole.find('.', from)) != std::string_view::npos;
         from = dot + 1)
        place.scopes.push_back({std::string(whole.substr(from, dot - from)), Kind::Instance});
    place.leaf = whole.substr(from);
    // the parts after: ".member" or "[index]"
    for (std::size_t at = signal.whole; at < name.size();) {
        const std::size_t end = std::min(name.find_first_of(".[", at + 1), name.size());
        const bool isMember = name[at] == '.';
        place.scopes.push_back({place.leaf, isMember ? Kind::Struct : Kind::Array});
        if (isMember) place.leaf.clear();
        place.leaf.append(name.substr(at + (isMember ? 1 : 0), end - at - (isMember ? 1 : 0)));
        at = end;
    }
    return place;
}

std::string clockName(const TraceDescription& description) {
    std::string name = "clk";
    const auto isIt = [&](const TraceSignal& signal) {
        return signal.name == name || (signal.isBus && signal.name == name + ".v");
    };
    while (std::any_of(description.signals.begin(), description.signals.end(), isIt))
        name.push_back('_');
    return name;
}

}  // namespace sme
