#include "rtl/register_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/registers.h"

namespace smec::rtl {
namespace {

constexpr std::size_t kMostNamedParts = 8;  // a word whose bits are in another order stays one

/// How many of the bits lie in a row from a place on.
std::size_t lengthAt(const netlist::Net& net, std::size_t offset, const netlist::Bits& bits,
                     std::size_t first) {
    std::size_t length = 0;
    while (first + length < bits.size() && offset + length < net.bits.size()
           && net.bits[offset + length] == bits[first + length])
        ++length;
    return length;
}

struct NamedPart {
    std::size_t first;
    std::size_t width;
};

std::vector<NamedPart> partsOf(const netlist::Bits& bits, const NetNames& names) {
    std::vector<NamedPart> parts;
    bool isNamed = true;
    for (std::size_t at = 0; at < bits.size(); at += parts.back().width) {
        const std::size_t length = names.inARow(bits, at);
        if (length == 0 && !isNamed) {  // with those before it that have no name
            const std::size_t first = parts.back().first;
            parts.back() = {first, at + 1 - first};
            at = first;
            continue;
        }
        isNamed = length > 0;
        parts.push_back({at, std::max<std::size_t>(length, 1)});
    }
    return parts;
}

void cut(std::string& digits, const NamedPart& part, std::size_t width) {
    digits.insert(0, width - std::min(width, digits.size()), '0');
    digits = digits.substr(digits.size() - part.first - part.width, part.width);
}

netlist::Cell partOf(const netlist::Cell& cell, const NamedPart& part) {
    netlist::Cell made = cell;
    made.name += fmt::format("_{}", part.first);
    for (const char* port : {"D", "Q"}) {
        const netlist::Bits& whole = cell[port];
        const auto first = whole.begin() + static_cast<std::ptrdiff_t>(part.first);
        made.connections[port] = {first, first + static_cast<std::ptrdiff_t>(part.width)};
    }
    for (const char* value : {"ARST_VALUE", "SRST_VALUE"}) {
        const auto found = made.parameters.find(value);
        if (found != made.parameters.end()) cut(found->second, part, cell["Q"].size());
    }
    made.parameters["WIDTH"] = fmt::format("{:b}", part.width);
    return made;
}

}  // namespace

NetNames::NetNames(const netlist::Module& module) {
    for (const netlist::Net& net : module.nets) {
        if (net.isHidden) continue;
        for (std::size_t i = 0; i < net.bits.size(); ++i)
            places_[net.bits[i]].emplace_back(&net, i);
    }
}

std::string NetNames::of(const netlist::Bits& bits) const {
    const auto found = bits.empty() ? places_.end() : places_.find(bits[0]);
    if (found == places_.end()) return {};
    const Place* best = nullptr;
    for (const Place& place : found->second) {
        const bool isIn = lengthAt(*place.first, place.second, bits, 0) == bits.size();
        if (isIn && (!best || place.first->bits.size() < best->first->bits.size())) best = &place;
    }
    if (!best) return {};
    const auto& [net, offset] = *best;
    return net->bits.size() == bits.size() ? net->name : fmt::format("{}_{}", net->name, offset);
}

std::size_t NetNames::inARow(const netlist::Bits& bits, std::size_t first) const {
    const auto found = places_.find(bits[first]);
    if (found == places_.end()) return 0;
    std::size_t longest = 0;
    for (const auto& [net, offset] : found->second)
        longest = std::max(longest, lengthAt(*net, offset, bits, first));
    return longest;
}

void splitScatteredRegisters(netlist::Module& module) {
    const NetNames names(module);
    std::vector<netlist::Cell> added;
    std::erase_if(module.cells, [&](const netlist::Cell& cell) {
        if (!isRegister(cell)) return false;
        const std::vector<NamedPart> parts = partsOf(cell["Q"], names);
        if (parts.size() < 2 || parts.size() > kMostNamedParts) return false;
        for (const NamedPart& part : parts)
            added.push_back(partOf(cell, part));
        return true;
    });
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace smec::rtl
