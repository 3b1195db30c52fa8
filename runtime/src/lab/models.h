#pragma once

#include <memory>

#include "schedule/schedule.h"

namespace sme {

#define PLAIN_SCHEDULER(NAME, KIND, TAKES, WORDS)
#define SCHEDULER(NAME, KIND, TAKES, WORDS) \
    std::unique_ptr<Schedule> make##KIND(const ScheduleInput& input);
#include "sme/schedulers.def"

}  // namespace sme
