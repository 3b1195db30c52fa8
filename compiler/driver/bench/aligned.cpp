#include "driver/bench/aligned.h"

#include <algorithm>

#include <fmt/format.h>

namespace smec::driver {

std::string aligned(const std::vector<Cells>& lines) {
    std::vector<std::size_t> widths(lines.front().size(), 0);
    for (const Cells& cells : lines) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], cells[i].size());
    }
    std::string text;
    for (const Cells& cells : lines) {
        std::string line = fmt::format("{:<{}}", cells[0], widths[0]);
        for (std::size_t i = 1; i < cells.size(); ++i)
            line += fmt::format("  {:>{}}", cells[i], widths[i]);
        text += line + "\n";
    }
    return text;
}

}  // namespace smec::driver
