#include "schedule/topology.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "schedule/machine.h"

namespace sme {
namespace {

constexpr unsigned kMostProcessors = 1024;

thread_local std::vector<unsigned> beforeBinding;

std::vector<unsigned> allowedProcessors() {
    if (!beforeBinding.empty()) return beforeBinding;
    std::vector<unsigned> result;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return result;
    for (unsigned i = 0; i < CPU_SETSIZE && i < kMostProcessors; ++i) {
        if (CPU_ISSET(i, &set)) result.push_back(i);
    }
    return result;
}

void runOn(unsigned processor) {
    if (beforeBinding.empty()) beforeBinding = allowedProcessors();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/// What names the last-level cache of a processor: the list of those that share it.
std::string lastLevelCache(const std::string& root, unsigned processor) {
    std::string shared;
    int highest = 0;
    for (int index = 0; index < 8; ++index) {
        const std::string folder =
            root + "/cpu" + std::to_string(processor) + "/cache/index" + std::to_string(index);
        const int level = std::atoi(firstLine(folder + "/level").c_str());
        if (level <= highest) continue;
        highest = level;
        shared = firstLine(folder + "/shared_cpu_list");
    }
    return shared;
}

}  // namespace

const std::vector<unsigned>& processorsBeforeBinding() { return beforeBinding; }

ProcessorGroups processorGroups(const std::string& root) {
    ProcessorGroups groups;
    std::map<std::string, std::size_t> known;
    for (const unsigned processor : allowedProcessors()) {
        const auto [place, isNew] =
            known.try_emplace(lastLevelCache(root, processor), groups.size());
        if (isNew) groups.emplace_back();
        groups[place->second].push_back(processor);
    }
    return groups;
}

void bindThreads(Workers& workers, const ProcessorGroups& groups, Bind how, unsigned first) {
    std::vector<unsigned> processors;
    if (how == Bind::Compact) {
        for (const auto& group : groups)
            processors.insert(processors.end(), group.begin(), group.end());
    } else {
        for (std::size_t i = 0; i < kMostProcessors; ++i) {
            for (const auto& group : groups) {
                if (i < group.size()) processors.push_back(group[i]);
            }
        }
    }
    if (processors.empty()) return;
    const auto begin = static_cast<std::ptrdiff_t>(first % processors.size());
    std::ranges::rotate(processors, processors.begin() + begin);
    workers.run(
        [](void* list, unsigned thread) {
            const auto& all = *static_cast<const std::vector<unsigned>*>(list);
            runOn(all[thread % all.size()]);
        },
        &processors);
}

void bindThread(const ProcessorGroups& groups, unsigned place) {
    std::vector<unsigned> processors;
    for (const auto& group : groups)
        processors.insert(processors.end(), group.begin(), group.end());
    if (processors.empty()) return;
    runOn(processors[place % processors.size()]);
}

void unbindThreads(Workers& workers, const ProcessorGroups& groups) {
    workers.run(
        [](void* all, unsigned) { unbindThread(*static_cast<const ProcessorGroups*>(all)); },
        const_cast<ProcessorGroups*>(&groups));
}

void unbindThread(const ProcessorGroups& groups) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const auto& group : groups) {
        for (const unsigned processor : group)
            CPU_SET(processor, &set);
    }
    if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof set, &set);
    beforeBinding.clear();
}

void interleavePages(void* start, std::size_t bytes) {
    constexpr int kInterleave = 3;  // MPOL_INTERLEAVE
    constexpr unsigned long kMostNodes = 1024;
    unsigned long nodes[kMostNodes / (8 * sizeof(unsigned long))] = {};
    unsigned count = 0;
    for (unsigned node = 0; node < kMostNodes; ++node) {
        const std::string folder = "/sys/devices/system/node/node" + std::to_string(node);
        if (access(folder.c_str(), F_OK) != 0) continue;
        nodes[node / (8 * sizeof(unsigned long))] |= 1ul << (node % (8 * sizeof(unsigned long)));
        ++count;
    }
    if (count < 2) return;
    syscall(SYS_mbind, start, bytes, kInterleave, nodes, kMostNodes, 0);
}

}  // namespace sme
