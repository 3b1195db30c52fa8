#include "hdl/recording.h"

#include <algorithm>

#include <fmt/format.h>

#include "hdl/target.h"
#include "ir/arithmetic.h"

namespace smec::hdl {

namespace {

using Group = RecordingLayout::Group;

Group groupOf(const Probe& probe) {
    if (probe.isInput) return Group::Input;
    return probe.isPort ? Group::Port : Group::Inner;
}

void set(std::string& digits, std::uint64_t bit) {
    char& digit = digits[digits.size() - 1 - bit / 4];
    const int value = (digit <= '9' ? digit - '0' : digit - 'a' + 10) | 1 << (bit % 4);
    digit = "0123456789abcdef"[value];
}

}  // namespace

unsigned resetCycles(const Design& design) {
    constexpr unsigned kPlain = 2, kImported = 8;
    const bool hasForeign =
        std::any_of(design.modules.begin(), design.modules.end(),
                    [](const Module& module) { return module.kind == Kind::Foreign; });
    return hasForeign ? kImported : kPlain;
}

RecordingLayout layoutOf(const Design& design, const Recording& recording) {
    RecordingLayout layout;
    layout.places.resize(recording.probes.size());
    for (const Group group : {Group::Input, Group::Port, Group::Inner}) {
        std::uint32_t used = target::kMostWordBits;  // none is begun
        for (std::uint32_t i = 0; i < recording.probes.size(); ++i) {
            const Probe& probe = design.probes[recording.probes[i]];
            if (groupOf(probe) != group) continue;
            if (used + probe.type.width > target::kMostWordBits) {
                layout.words.push_back({group, {}});
                used = 0;
            }
            layout.places[i] = {static_cast<std::uint32_t>(layout.words.size() - 1), used};
            layout.words.back().columns.push_back(i);
            used += probe.type.width;
            layout.width = std::max(layout.width, used);
        }
    }
    return layout;
}

std::string hexLines(const Design& design, const Recording& recording,
                     const RecordingLayout& layout) {
    std::string text;
    for (const std::vector<Integer>& row : recording.rows) {
        std::vector<std::string> lines(std::max<std::size_t>(layout.words.size(), 1),
                                       std::string((layout.width + 3) / 4, '0'));
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Type type = design.probes[recording.probes[i]].type;
            const Integer bits = ir::wrapInteger(row[i], type.width, false);
            for (std::uint32_t b = 0; b < type.width; ++b)
                if (bit_test(bits, b)) set(lines[layout.places[i].word], layout.places[i].low + b);
        }
        for (const std::string& line : lines)
            text += line + '\n';
    }
    return text;
}

std::string nameLines(const Design& design, const Recording& recording,
                      const RecordingLayout& layout) {
    std::string text;
    for (std::size_t i = 0; i < recording.probes.size(); ++i) {
        const Probe& probe = design.probes[recording.probes[i]];
        if (!probe.isInput)
            text += fmt::format("{} {} {} {} {}\n", layout.places[i].word, layout.places[i].low,
                                probe.type.width, probe.type.isSigned ? 1 : 0, probe.name);
    }
    return text;
}

}  // namespace smec::hdl
