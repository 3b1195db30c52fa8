#include "output/output.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "values/format.h"

namespace sme {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;
constexpr std::size_t kMostReports = 20;  // of one cycle

constexpr std::int64_t kReadAlongMs = 100;

/// A clock of some milliseconds' grain that costs a few nanoseconds.
std::int64_t roughMs() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

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

FileSink::FileSink(int descriptor, bool lively) : descriptor_(descriptor), lively_(lively) {}

FileSink::FileSink(int descriptor, Owned) : descriptor_(descriptor), owned_(true) {
    if (descriptor_ < 0) problem_ = errno;
}

FileSink::~FileSink() {
    flush();
    if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

void FileSink::write(std::string_view text) {
    if (text.size() >= kBuffer) {
        flush();
        return writeOut(text);
    }
    buffer_.append(text);
    if (buffer_.size() >= kBuffer) flush();
}

void FileSink::endCycle() {
    if (lively_) return flush();
    const std::int64_t now = roughMs();
    if (now - writtenMs_ >= kReadAlongMs) flush();
}

void FileSink::flush() {
    writeOut(buffer_);
    buffer_.clear();
    writtenMs_ = roughMs();
}

void FileSink::writeOut(std::string_view text) {
    while (!text.empty() && problem_ == 0) {
        const ssize_t done = ::write(descriptor_, text.data(), text.size());
        if (done >= 0) {
            text.remove_prefix(static_cast<std::size_t>(done));
        } else if (errno != EINTR) {
            problem_ = errno;
        }
    }
}

std::uint32_t OutputMerger::merge(std::span<ThreadLog* const> logs, std::uint64_t cycle) {
    lines_.clear();
    reports_.clear();
    for (ThreadLog* log : logs)
        collect(log->at(cycle));
    sortByOrder(lines_);
    for (const Entry& line : lines_)
        out_.write(line.text);
    out_.endCycle();
    if (!reports_.empty()) writeReports(cycle);
    for (ThreadLog* log : logs)
        log->at(cycle).clear();
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
