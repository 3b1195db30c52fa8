#include "ir/runs.h"

#include <cstdlib>

namespace smec::ir {

void RunBuilder::add(PlaneId plane, std::uint32_t element) {
    const std::uint32_t instance = next_++;
    Run* last = runs_.empty() ? nullptr : &runs_.back();
    if (last && last->plane == plane) {
        const std::int64_t end =
            last->start + static_cast<std::int64_t>(last->count - 1) * last->stride;
        const std::int64_t step = static_cast<std::int64_t>(element) - end;
        const bool representable = step >= INT32_MIN && step <= INT32_MAX;
        if (last->count == 1 && representable) {
            last->stride = static_cast<std::int32_t>(step);
            last->count = 2;
            return;
        }
        if (step == last->stride) {
            ++last->count;
            return;
        }
        if (last->count == 2 && std::abs(static_cast<std::int64_t>(last->stride)) > 1
            && representable && std::abs(step) <= 1) {
            last->count = 1;
            last->stride = 0;
            runs_.push_back({instance - 1, 2, plane, static_cast<std::uint32_t>(end),
                             static_cast<std::int32_t>(step)});
            return;
        }
    }
    runs_.push_back({instance, 1, plane, element, 0});
}

}  // namespace smec::ir
