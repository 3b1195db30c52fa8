#pragma once

#include "schedule/scheduling.h"
#include "schedule/workers.h"

namespace sme {

/// Processors that the calling thread could run on before it was bound here; empty: it is not.
const std::vector<unsigned>& processorsBeforeBinding();

/// Processors that share a last-level cache, for each such cache.
using ProcessorGroups = std::vector<std::vector<unsigned>>;

/// Those of the calling thread's affinity mask, of a bound one's before that. `root` is apart for tests. Processors whose cache
/// is unknown are one group.
ProcessorGroups processorGroups(const std::string& root = "/sys/devices/system/cpu");

/// Binds each thread to one processor: compact in their order, scatter in turn over the groups,
/// from the `first` one of that order on. Where the system refuses, threads stay unbound.
void bindThreads(Workers& workers, const ProcessorGroups& groups, Bind how, unsigned first);

/// Binds the calling thread to one of them, in their order and around.
void bindThread(const ProcessorGroups& groups, unsigned place);

/// Lets all threads run on all of them.
void unbindThreads(Workers& workers, const ProcessorGroups& groups);

/// Lets the calling thread run on all of them again, whatever the one that started it is bound to.
void unbindThread(const ProcessorGroups& groups);

/// Pages of [start, start + bytes) that are touched later go to the memory nodes in turn. Where
/// there is one node, or the system refuses, nothing happens.
void interleavePages(void* start, std::size_t bytes);

}  // namespace sme
