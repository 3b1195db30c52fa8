#include "output/output.h"

#include <algorithm>

#include "values/format.h"

namespace sme {
namespace {

constexpr std::size_t kMostReports = 20;  // of one cycle

template <typename Entry>
void sortByOrder(std::vector<Entry>& entries) {
    // An instance runs on one thread, so that equal orders stand in the order in which things
    // happened: stable keeps it.
    const auto before = [](const Entry& a, const Entry& b) { return a.order < b.order; };
    if (!std::is_sorted(entries.begin(), entries.end(), before)) {
        std::stable_sort(entries.begin(), entries.end(), before);
    }
}

}  // namespace

std::uint32_t OutputMerger::merge(std::span<ThreadLog* const> logs, std::uint64_t cycle) {
    lines_.clear();
    reports_.clear();
    for (ThreadLog* log : logs)
        collect(log->at(cycle));
    for (const CycleLog& log : others_)
        collect(log);
    sortByOrder(lines_);
    for (const Entry& line : lines_)
        out_.write(line.text);
    out_.endCycle();
    if (!reports_.empty()) writeReports(cycle);
    for (ThreadLog* log : logs)
        log->at(cycle).clear();
    others_.clear();
    return out_.problem() != 0 ? std::uint32_t{kNoOutput} : 0;
}

std::uint32_t OutputMerger::drop(std::span<ThreadLog* const> logs, std::uint64_t cycle) {
    for (ThreadLog* log : logs)
        log->at(cycle).clear();
    return 0;
}

void OutputMerger::collect(const CycleLog& log) {
    const auto add = [](std::vector<Entry>& entries, const std::vector<LogLine>& lines,
                        const std::string& text) {
        for (const LogLine& line : lines) {
            entries.push_back({line.order, std::string_view(text).substr(line.begin, line.length)});
        }
    };
    add(lines_, log.lines, log.text);
    add(reports_, log.reports, log.reportText);
    if (log.stopped && (!stopped_ || log.stopOrder < stopOrder_)) {
        stopped_ = true;
        stopOrder_ = log.stopOrder;
        stopStatus_ = log.stopStatus;
    }
}

void OutputMerger::writeReports(std::uint64_t cycle) {
    out_.flush();  // what led to the failure stands before it where both go to one terminal
    sortByOrder(reports_);
    failures_ += reports_.size();
    const std::size_t shown = std::min(reports_.size(), kMostReports);
    for (std::size_t i = 0; i < shown; ++i)
        err_.write(reports_[i].text);
    if (reports_.size() > shown) {
        std::string rest;
        appendUnsigned(rest, reports_.size() - shown);
        rest.append(" more failures in cycle ");
        appendUnsigned(rest, cycle);
        rest.push_back('\n');
        err_.write(rest);
    }
    err_.flush();
}

}  // namespace sme
