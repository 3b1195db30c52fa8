#include "driver/compile/stats.h"

#include <algorithm>

#include <sys/resource.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace smec::driver {

namespace {

constexpr std::size_t kMostLines = 30;  // of modules, as text

double costOf(const std::vector<ModuleShare>& shares) {
    double all = 0;
    for (const ModuleShare& share : shares)
        all += share.cost;
    return all;
}

double partOf(double all, const ModuleShare& share) { return all > 0 ? share.cost / all : 0; }

}  // namespace

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

std::string Stats::render(bool json) const { return json ? this->json() : text(); }

std::string Stats::json() const {
    nlohmann::json list = nlohmann::json::array();
    for (const Phase& p : phases_)
        list.push_back({{"phase", p.name}, {"seconds", p.seconds}, {"peakKiB", p.peakKiB}});
    for (const std::string& reader : readers_)
        list.push_back({{"verilog", reader}});
    const double all = costOf(shares_);
    for (const ModuleShare& share : shares_)
        list.push_back({{"module", share.name},
                        {"share", partOf(all, share)},
                        {"cost", share.cost},
                        {"statements", share.statements},
                        {"instances", share.instances}});
    return list.dump(-1, ' ', false, decltype(list)::error_handler_t::replace) + "\n";
}

std::string Stats::text() const {
    std::string text;
    for (const Phase& p : phases_)
        text += fmt::format("{:<12} {:>9.3f} s  peak {:>7.1f} MiB\n", p.name, p.seconds,
                            static_cast<double>(p.peakKiB) / 1024.0);
    for (const std::string& reader : readers_)
        text += fmt::format("verilog      {}\n", reader);
    return shares_.empty() ? text : text + "\n" + shareLines();
}

std::string Stats::shareLines() const {
    const double all = costOf(shares_);
    std::string text =
        "  share   statements  instances  module (share of a cycle's estimated cost)\n";
    const auto line = [&](const ModuleShare& share) {
        text += fmt::format("{:>5.1f} % {:>12} {:>10}  {}\n", 100 * partOf(all, share),
                            share.statements, share.instances, share.name);
    };
    const std::size_t shown = shares_.size() <= kMostLines ? shares_.size() : kMostLines - 1;
    std::for_each_n(shares_.begin(), shown, line);
    if (shown == shares_.size()) return text;
    ModuleShare others{fmt::format("({} others)", shares_.size() - shown)};
    for (std::size_t i = shown; i < shares_.size(); ++i) {
        others.cost += shares_[i].cost;
        others.statements += shares_[i].statements;
        others.instances += shares_[i].instances;
    }
    line(others);
    return text;
}

}  // namespace smec::driver
