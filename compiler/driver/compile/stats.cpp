#include "driver/compile/stats.h"

#include <sys/resource.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace smec::driver {

void Stats::phase(std::string name) {
    const auto now = std::chrono::steady_clock::now();
    if (!current_.empty()) {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        phases_.push_back(
            {current_, std::chrono::duration<double>(now - start_).count(), usage.ru_maxrss});
    }
    current_ = std::move(name);
    start_ = now;
    if (listener_ && !current_.empty()) listener_(current_);
}

std::string Stats::render(bool json) const {
    if (json) {
        nlohmann::json list = nlohmann::json::array();
        for (const Phase& p : phases_)
            list.push_back({{"phase", p.name}, {"seconds", p.seconds}, {"peakKiB", p.peakKiB}});
        return list.dump() + "\n";
    }
    std::string text;
    for (const Phase& p : phases_)
        text += fmt::format("{:<12} {:>9.3f} s  peak {:>7.1f} MiB\n", p.name, p.seconds,
                            static_cast<double>(p.peakKiB) / 1024.0);
    return text;
}

}  // namespace smec::driver
