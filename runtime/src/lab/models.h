#pragma once

#include <memory>

#include "schedule/schedule.h"

namespace sme {

/// Model m1: threads take chunks from one list.
std::unique_ptr<Schedule> makeWorkList(const ScheduleInput& input);
/// Model m3: queues of chunks, and threads without work that take from others'.
std::unique_ptr<Schedule> makeStealing(const ScheduleInput& input);

}  // namespace sme
