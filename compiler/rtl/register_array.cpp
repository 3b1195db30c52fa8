#include "rtl/register_array.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>

namespace smec::rtl {
namespace {

using netlist::Cell;

constexpr std::string_view kSlice = "$driver$";  // of the names of cells
constexpr std::size_t kFewestWords = 8;  // fewer registers are chosen faster than words of memory

struct ArrayElement {
    std::string_view array;
    std::uint64_t index;
};

/// `name[7]`
std::optional<ArrayElement> arrayElementOf(std::string_view name) {
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos || open == 0 || name.back() != ']') return std::nullopt;
    ArrayElement made{name.substr(0, open), 0};
    const char* first = name.data() + open + 1;
    const char* end = name.data() + name.size() - 1;
    const auto [stopped, error] = std::from_chars(first, end, made.index);
    if (error != std::errc() || stopped != end) return std::nullopt;
    return made;
}

bool isPlainRegister(const Cell& cell) { return cell.type == "$dff" || cell.type == "$adff"; }

bool isAlike(const Cell& one, const Cell& other) {
    constexpr std::array kPins = std::to_array<std::string_view>({"CLK", "ARST"});
    constexpr std::array kValues =
        std::to_array<std::string_view>({"CLK_POLARITY", "ARST_POLARITY", "ARST_VALUE"});
    return one.type == other.type && one["Q"].size() == other["Q"].size()
           && std::ranges::all_of(kPins, [&](auto pin) { return one[pin] == other[pin]; })
           && std::ranges::all_of(kValues, [&](auto value) {
                  return netlist::valueOf(one.parameters, value)
                         == netlist::valueOf(other.parameters, value);
              });
}

using Elements = std::map<std::uint64_t, const Cell*>;

/// Those that follow one another and are alike, where they are not too few.
void addRuns(std::string_view name, const Elements& elements, bool isSliced,
             std::vector<RegisterArray>& found) {
    RegisterArray run;
    const auto end = [&] {
        if (run.size() >= kFewestWords) found.push_back(std::move(run));
        run = {};
    };
    for (const auto& [index, cell] : elements) {
        const bool goesOn =
            run.size() > 0 && index == run.first + run.size() && isAlike(*run.registers[0], *cell);
        if (!goesOn) {
            end();
            run = {std::string(name), index, isSliced, {}};
        }
        run.registers.push_back(cell);
    }
    end();
}

}  // namespace

std::vector<RegisterArray> findRegisterArrays(const netlist::Module& module) {
    std::unordered_map<netlist::Bit, const Cell*> registers;  // by the lowest bit
    for (const Cell& cell : module.cells) {
        if (isPlainRegister(cell) && !cell["Q"].empty()) registers[cell["Q"][0]] = &cell;
    }
    std::map<std::string_view, Elements> arrays;
    for (const netlist::Net& net : module.nets) {
        if (net.isHidden || net.bits.empty()) continue;
        const auto found = registers.find(net.bits[0]);
        if (found == registers.end() || (*found->second)["Q"] != net.bits) continue;
        if (const std::optional<ArrayElement> element = arrayElementOf(net.name))
            arrays[element->array][element->index] = found->second;
    }
    std::map<std::string_view, Elements> sliced;
    for (const Cell& cell : module.cells) {
        if (!isPlainRegister(cell) || !cell.name.starts_with(kSlice)) continue;
        const std::string_view name = std::string_view(cell.name).substr(kSlice.size());
        if (const std::optional<ArrayElement> element = arrayElementOf(name))
            sliced[element->array][element->index] = &cell;
    }
    std::vector<RegisterArray> found;
    for (const auto& [name, elements] : arrays)
        addRuns(name, elements, false, found);
    for (const auto& [name, elements] : sliced) {
        if (!arrays.contains(name)) addRuns(name, elements, true, found);
    }
    return found;
}

}  // namespace smec::rtl
