#include "hdl/linear_place.h"

#include <utility>

#include <fmt/format.h>

namespace smec::hdl {

LinearPlace::LinearPlace(const Instance& instance, Integer first,
                         const std::vector<std::int64_t>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::int64_t step = steps[i];
        if (step == 0) continue;
        first -= Integer(step) * instance.loops[i].first;
        const std::int64_t size = step < 0 ? -step : step;
        if (!text_.empty())
            text_ += step < 0 ? " - " : " + ";
        else if (step < 0)
            text_ += "-";
        text_ += loopVariable(i);
        if (size != 1) text_ += fmt::format(" * {}", size);
    }
    if (text_.empty() || first == 0) return;
    text_ += first < 0 ? " - " : " + ";
    text_ += Integer(first < 0 ? -first : first).str();
}

std::string LinearPlace::operand() const {
    return text_.find(' ') == std::string::npos && text_[0] != '-' ? text_ : "(" + text_ + ")";
}

std::string roundText(const Instance& instance) {
    std::vector<std::int64_t> steps(instance.loops.size(), 1);
    for (std::size_t i = instance.loops.size(); i-- > 1;)
        steps[i - 1] = steps[i] * instance.loops[i].count;
    return LinearPlace(instance, 0, steps).text();
}

}  // namespace smec::hdl
