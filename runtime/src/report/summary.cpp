#include "report/summary.h"

#include "formats/progress_text.h"
#include "values/json_text.h"

namespace sme {
namespace {

void addLine(std::string& text, const char* label, const std::string& value) {
    std::string line = label;
    line.resize(16, ' ');
    text.append(line).append(value).push_back('\n');
}

/// A list of objects, one a line.
std::string coverJson(const std::vector<CoverCount>& counts) {
    std::string text;
    for (const CoverCount& count : counts) {
        text += (text.empty() ? "[\n    {\"name\": " : ",\n    {\"name\": ") + jsonText(count.name)
                + ", \"instance\": " + jsonText(count.instance)
                + ", \"cycles\": " + std::to_string(count.cycles) + "}";
    }
    return text.empty() ? "[]" : text + "\n  ]";
}

}  // namespace

std::string toText(const Summary& summary) {
    std::string text;
    const auto cycles = static_cast<double>(summary.cycles - summary.resumedAt);
    const double steps = cycles * static_cast<double>(summary.stepsPerCycle);
    std::string count = std::to_string(summary.cycles);
    if (summary.resumedAt > 0) count += ", resumed at " + std::to_string(summary.resumedAt);
    addLine(text, "cycles", count);
    addLine(text, "wall time", printfText("%.6f s", summary.seconds));
    if (cycles > 0 && summary.seconds > 0) {
        addLine(text, "cycles/s", withPrefix(cycles / summary.seconds));
        if (steps > 0) {
            const double ns = summary.seconds * 1e9 / steps;
            addLine(text, "process steps/s",
                    withPrefix(steps / summary.seconds) + ", "
                        + printfText(ns < 1 ? "%.4f" : "%.2f", ns) + " ns each");
        }
    }
    addLine(text, "threads", summary.threads);
    if (!summary.plan.empty()) addLine(text, "plan", summary.plan);
    if (summary.peakMemory > 0)
        addLine(text, "peak memory",
                printfText("%.1f MiB", static_cast<double>(summary.peakMemory) / 1048576));
    return text;
}

std::string toJson(const Summary& summary, const std::string& factored) {
    std::string text = "{\n";
    const auto add = [&](const char* name, const std::string& value) {
        text.append(text.size() > 2 ? ",\n" : "").append("  \"").append(name).append("\": ");
        text.append(value);
    };
    const double steps = static_cast<double>(summary.cycles - summary.resumedAt)
                         * static_cast<double>(summary.stepsPerCycle);
    add("design", jsonText(summary.design));
    add("cycles", std::to_string(summary.cycles));
    if (summary.resumedAt > 0) add("resumedAt", std::to_string(summary.resumedAt));
    add("processSteps", printfText("%.0f", steps));
    add("seconds", printfText("%.9f", summary.seconds));
    add("nsPerStep", printfText("%.6g", steps > 0 ? summary.seconds * 1e9 / steps : 0));
    add("threads", std::to_string(summary.running));
    add("processors", std::to_string(summary.processors));
    add("why", jsonText(summary.threads));
    if (!summary.plan.empty()) add("plan", jsonText(summary.plan));
    add("peakMemoryBytes", std::to_string(summary.peakMemory));
    add("cover", coverJson(summary.cover));
    if (!factored.empty()) add("factored", factored);
    return text + "\n}\n";
}

}  // namespace sme
