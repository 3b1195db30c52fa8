#include "summary.h"

#include <cinttypes>
#include <cstdio>

namespace sme {
namespace {

std::string format(const char* pattern, double value) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

std::string threeDigits(double number) {
    return format(number >= 100 ? "%.0f" : number >= 10 ? "%.1f" : "%.2f", number);
}

void addLine(std::string& text, const char* label, const std::string& value) {
    std::string line = label;
    line.resize(16, ' ');
    text.append(line).append(value).push_back('\n');
}

}  // namespace

std::string withPrefix(double number) {
    const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
    std::size_t i = 0;
    while (number >= 999.5 && i + 1 < std::size(prefixes)) {
        number /= 1000;
        ++i;
    }
    return threeDigits(number) + prefixes[i];
}

std::string toText(const Summary& summary) {
    std::string text;
    const auto cycles = static_cast<double>(summary.cycles);
    const double steps = cycles * static_cast<double>(summary.stepsPerCycle);
    addLine(text, "cycles", std::to_string(summary.cycles));
    addLine(text, "wall time", format("%.6f s", summary.seconds));
    if (summary.cycles > 0 && summary.seconds > 0) {
        addLine(text, "cycles/s", withPrefix(cycles / summary.seconds));
        if (steps > 0) {
            const double ns = summary.seconds * 1e9 / steps;
            addLine(text, "process steps/s",
                    withPrefix(steps / summary.seconds) + ", "
                        + format(ns < 1 ? "%.4f" : "%.2f", ns) + " ns each");
        }
    }
    addLine(text, "threads", summary.threads);
    if (!summary.plan.empty()) addLine(text, "plan", summary.plan);
    if (summary.peakMemory > 0)
        addLine(text, "peak memory",
                format("%.1f MiB", static_cast<double>(summary.peakMemory) / 1048576));
    return text;
}

}  // namespace sme
