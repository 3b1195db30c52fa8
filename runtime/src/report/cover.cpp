#include "report/cover.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "values/instances.h"

namespace sme {
namespace {

struct Line {
    std::uint64_t order;  ///< of the instance
    std::uint32_t cover;
    std::uint32_t instance;
    const InstanceRun* run;
};

std::vector<Line> linesOf(const Model& model) {
    const InstanceIndex index(model);
    std::vector<Line> lines;
    for (std::uint32_t cover = 0; cover < model.coverCount; ++cover) {
        const std::uint32_t cls = model.covers[cover].cls;
        const InstanceRun* hint = nullptr;
        for (std::uint32_t i = 0; i < model.classes[cls].instances; ++i) {
            const InstanceRun* run = index.find(cls, i, hint);
            lines.push_back({orderOf(run, i), cover, i, run});
        }
    }
    std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        return std::tie(a.order, a.cover) < std::tie(b.order, b.cover);
    });
    return lines;
}

}  // namespace

std::vector<CoverCount> coverCounts(const Engine& engine) {
    const Model& model = engine.model();
    std::vector<CoverCount> counts;
    for (const Line& line : linesOf(model)) {
        const Cover& cover = model.covers[line.cover];
        std::uint64_t cycles = 0;
        std::memcpy(&cycles, engine.final(cover.plane, line.instance), sizeof cycles);
        counts.push_back({cover.name, pathOf(line.run, line.instance), cycles});
    }
    return counts;
}

std::string toText(const std::vector<CoverCount>& counts) {
    std::string text;
    for (const CoverCount& count : counts) {
        if (count.cycles == 0) text += "warning: ";
        text += "cover '" + count.name + "' in '" + count.instance + "': "
                + std::to_string(count.cycles) + (count.cycles == 1 ? " cycle\n" : " cycles\n");
    }
    return text;
}

}  // namespace sme
