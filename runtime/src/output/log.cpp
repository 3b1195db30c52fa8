// What kernels call. The text is made here, by the thread that runs the instance; thread 0 only
// puts the lines in order.

#include "output/log.h"

#include <limits>

#include "output/report.h"
#include "values/format.h"

namespace sme {
namespace {

constexpr std::size_t kMostText = std::numeric_limits<std::uint32_t>::max();

/// Runs `append` on the log of the current cycle. Nothing is thrown at a kernel: a log that cannot
/// grow ends the run instead.
template <typename Append>
void record(const Thread& thread, const Slots& slots, std::uint32_t flags, const Append& append) {
    ThreadLog& log = *thread.log;
    try {
        append(log, log.at(slots.cycle));
        log.flags |= flags | kHasOutput;
    } catch (...) {
        log.flags |= kNoMemory;
    }
}

const InstanceRun* runOf(ThreadLog& log, std::uint32_t cls, std::uint32_t instance) {
    return log.instances.find(cls, instance, log.hints[cls]);
}

void close(const std::string& text, std::size_t begin, std::uint64_t order,
           std::vector<LogLine>& lines) {
    if (text.size() > kMostText) throw std::bad_alloc();
    lines.push_back({order, static_cast<std::uint32_t>(begin),
                     static_cast<std::uint32_t>(text.size() - begin)});
}

}  // namespace

void CycleLog::clear() {
    text.clear();
    lines.clear();
    reportText.clear();
    reports.clear();
    stopped = false;
}

void trace(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t site,
           std::uint32_t instance, const Arg* args) {
    record(thread, slots, 0, [&](ThreadLog& log, CycleLog& cycle) {
        const std::size_t begin = cycle.text.size();
        const Model& model = log.model;
        appendText(cycle.text, model, sitesOf(model.classes[cls], instance).traces[site], args);
        cycle.text.push_back('\n');
        close(cycle.text, begin, orderOf(runOf(log, cls, instance), instance), cycle.lines);
    });
}

void fail(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t site,
          std::uint32_t instance, const Arg* args) {
    record(thread, slots, kFailed, [&](ThreadLog& log, CycleLog& cycle) {
        const std::size_t begin = cycle.reportText.size();
        const Model& model = log.model;
        const InstanceRun* run = runOf(log, cls, instance);
        appendReport(cycle.reportText, model, sitesOf(model.classes[cls], instance).fails[site],
                     args, thread.setup->loopLimit);
        appendPlace(cycle.reportText, pathOf(run, instance), slots.cycle);
        close(cycle.reportText, begin, orderOf(run, instance), cycle.reports);
    });
    thread.log->flags |= kFailed;  // also where the report could not be kept
}

void stop(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t instance,
          std::uint8_t status) {
    record(thread, slots, kStopped, [&](ThreadLog& log, CycleLog& cycle) {
        const std::uint64_t order = orderOf(runOf(log, cls, instance), instance);
        if (cycle.stopped && cycle.stopOrder <= order) return;  // the first of an instance, too
        cycle.stopped = true;
        cycle.stopOrder = order;
        cycle.stopStatus = status;
    });
}

bool hasSaid(const Thread& thread) { return thread.log->flags != 0; }

}  // namespace sme
