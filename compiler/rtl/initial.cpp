#include "rtl/initial.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "rtl/registers.h"
#include "sme/fnv1a.h"

namespace smec::rtl {
namespace {

/// Bits that are drawn, or all the same. Depends on the seed and on the module's name alone.
class Source {
public:
    Source(const Options& options, std::string_view module)
        : isOne_(options.initial == Unknown::One),
          isDrawn_(options.initial == Unknown::Random),
          state_(sme::fnv1a(module, options.seed)) {}

    char next() {
        if (!isDrawn_) return isOne_ ? '1' : '0';
        state_ += 0x9e3779b97f4a7c15;  // SplitMix64
        std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return (mixed ^ (mixed >> 31)) >> 63 != 0 ? '1' : '0';
    }

private:
    const bool isOne_;
    const bool isDrawn_;
    std::uint64_t state_;
};

std::unordered_set<netlist::Bit> bitsThatStart(const netlist::Module& module) {
    std::unordered_set<netlist::Bit> known;
    for (const netlist::Net& net : module.nets) {
        const std::string_view digits = netlist::valueOf(net.attributes, "init");
        for (std::size_t i = 0; i < std::min(digits.size(), net.bits.size()); ++i) {
            if (digits[digits.size() - 1 - i] != 'x') known.insert(net.bits[i]);
        }
    }
    return known;
}

void setMemory(netlist::Cell& cell, Source& source) {
    std::string& digits = cell.parameters["INIT"];
    const std::size_t size = cell.number("WIDTH") * cell.number("SIZE");
    if (digits.size() < size) digits.insert(0, size - digits.size(), 'x');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        if (*digit == 'x') *digit = source.next();
    }
}

}  // namespace

void setInitialValues(netlist::Module& module, const Options& options) {
    if (options.initial == Unknown::Zero) return;
    Source source(options, module.name);
    const std::unordered_set<netlist::Bit> known = bitsThatStart(module);
    netlist::Net net;
    net.name = "$initial";
    net.isHidden = true;
    std::string& digits = net.attributes["init"];
    for (netlist::Cell& cell : module.cells) {
        if (isMemory(cell)) setMemory(cell, source);
        if (!isRegister(cell)) continue;
        for (const netlist::Bit bit : cell["Q"]) {
            if (known.contains(bit)) continue;
            net.bits.push_back(bit);
            digits += source.next();
        }
    }
    std::ranges::reverse(digits);  // most significant first
    module.nets.push_back(std::move(net));
}

}  // namespace smec::rtl
