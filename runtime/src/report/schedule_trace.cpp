// The schedule trace: one complete event ("X") for everything that a thread did, in microseconds
// from the first of them.

#include <algorithm>

#include "report/window.h"
#include "values/json_text.h"

namespace sme {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

/// What an event is called, its category, and what else is told about it.
struct ShownEvent {
    const char* category;
    std::string name;
    std::string args;  ///< members of a JSON object, each after a comma
};

class TimelineWriter {
public:
    TimelineWriter(const Model& model, const ScheduleWindow& window)
        : model_(model), window_(window), names_(model), barriers_(lastAtBarriers(window)) {
        for (const auto& thread : window.events) {
            for (const Event& event : thread)
                start_ = std::min(start_, event.begin);
        }
    }

    std::string write() {
        text_ = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
        text_ += "{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": "
                 + jsonText(model_.name) + "}}";
        for (unsigned thread = 0; thread < window_.events.size(); ++thread) {
            addThread(thread);
            for (const Event& event : window_.events[thread])
                add(thread, event);
        }
        return std::move(text_) + "\n]}\n";
    }

private:
    void addThread(unsigned thread) {
        const char* kind = thread < window_.running ? "thread " : "thread of its own ";
        text_ += ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": " + number(thread)
                 + ", \"name\": \"thread_name\", \"args\": {\"name\": "
                 + jsonText(kind + number(thread)) + "}}";
    }

    void add(unsigned thread, const Event& event) {
        const ShownEvent shown = describe(thread, event);
        text_ += ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": " + number(thread) + ", \"cat\": \""
                 + shown.category + "\", \"name\": " + jsonText(shown.name);
        text_ += printfText(", \"ts\": %.4f, \"dur\": %.4f", micros(start_, event.begin),
                            micros(event.begin, event.end));
        text_ += ", \"args\": {\"cycle\": " + number(event.cycle) + shown.args + "}}";
    }

    double micros(std::uint64_t from, std::uint64_t to) const {
        return static_cast<double>(to - from) * window_.nsPerTick / 1000;
    }

    ShownEvent describe(unsigned thread, const Event& event) {
        switch (event.kind) {
        case Event::Kind::Unit:
            return {"unit", names_.instances(event.work, event.first, event.last),
                    ", \"process\": " + jsonText(names_.processes(event.work))};
        case Event::Kind::Wait: return describeWait(thread, event);
        case Event::Kind::Theft: return describeTheft(event);
        case Event::Kind::Search: break;
        }
        return {"search", "looks for work", ""};
    }

    ShownEvent describeWait(unsigned thread, const Event& event) {
        const LastArrival& last = barriers_.at({event.cycle, event.level});
        if (last.thread == thread) return {"wait", "barrier", ""};
        std::string reason = "thread " + number(last.thread);
        if (last.unit)
            reason += ": " + names_.instances(last.unit->work, last.unit->first, last.unit->last);
        return {"wait", "waits for " + reason, ", \"for\": " + number(last.thread)};
    }

    ShownEvent describeTheft(const Event& event) const {
        const std::uint32_t chunks = event.last - event.first;
        const char* owner = window_.byGroup ? "group " : "thread ";
        return {"theft",
                "steals " + number(chunks) + (chunks == 1 ? " chunk" : " chunks") + " from " + owner
                    + number(event.work),
                ", \"from\": " + number(event.work) + ", \"chunks\": " + number(chunks)};
    }

    const Model& model_;
    const ScheduleWindow& window_;
    WorkNames names_;
    const Barriers barriers_;
    std::uint64_t start_ = ~std::uint64_t{0};
    std::string text_;
};

}  // namespace

std::string traceEvents(const Model& model, const ScheduleWindow& window) {
    return TimelineWriter(model, window).write();
}

}  // namespace sme
