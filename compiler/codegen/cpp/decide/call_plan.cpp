// Kernels that call the loops of other ones.

#include <algorithm>
#include <map>
#include <numeric>

#include "codegen/cpp/decide/decide.h"
#include "codegen/cpp/target.h"

namespace smec::codegen::cpp {
OrderedPlan decideOrdered(Program& program, const plan::Kernel& kernel) {
    std::map<ir::ClassId, std::uint32_t> numbers;
    for (const plan::OrderedRow& row : kernel.rows)
        numbers.emplace(row.cls, 0);
    OrderedPlan ordered;
    ordered.loops.resize(numbers.size());
    std::uint32_t count = 0;
    for (auto& [cls, number] : numbers)
        number = count++;
    for (std::uint32_t i = 0; i < program.plan.kernels.size(); ++i) {
        const plan::Kernel& other = program.plan.kernels[i];
        if (other.kind == plan::KernelKind::Loop && numbers.contains(other.cls))
            ordered.loops[numbers[other.cls]] = i;
    }
    std::vector<std::uint32_t> rows;
    for (const plan::OrderedRow& row : kernel.rows)
        rows.insert(rows.end(), {numbers[row.cls], row.begin, row.end});
    ordered.rows = static_cast<std::uint32_t>(kernel.rows.size());
    ordered.offset = program.data.add(wordsAsBytes(rows), 64);
    return ordered;
}

MergedPlan decideMerged(const plan::Kernel& kernel, std::uint32_t index) {
    MergedPlan merged{std::vector<std::uint32_t>(kernel.parts.size()), target::kMergedInstances};
    std::iota(merged.loops.begin(), merged.loops.end(),
              index - static_cast<std::uint32_t>(kernel.parts.size()));
    return merged;
}

}  // namespace smec::codegen::cpp
