// The smallest runtime that the contract allows, for tests of generated code alone: ./sim CYCLES
// [whole|chunks|unobserved|silent]. Runs the work list level by level, as a whole or in pieces of its
// granularity from the end to the start; nobody looks between the first and the last cycle, or ever,
// and up to three cycles run in one call then. Prints traces and failures as they come and every named value at the
// end.

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sme/code.h>

namespace sme {
namespace {

struct Memory {
    std::vector<std::byte> slots[2];
    std::vector<std::byte> state;
};

void fill(std::vector<std::byte>& region, const Model& model, const Plane& plane) {
    if (plane.initial == Initial::Zero) return;
    const std::size_t whole = model.types[plane.type].bytes * plane.instances;
    const Type* type = &model.types[plane.type];
    while (plane.initial == Initial::Elements && type->kind == Kind::Array)
        type = &model.types[type->element];
    for (std::size_t at = 0; at < whole; at += type->bytes) {
        const std::size_t from = plane.initial == Initial::Column ? at : 0;
        std::memcpy(region.data() + plane.offset + at, plane.initialData + from, type->bytes);
    }
}

void printValue(const Model& model, const Type& type, const std::byte* at) {
    if (type.kind == Kind::Array) {
        for (std::uint32_t i = 0; i < type.count; ++i) {
            std::printf("%s", i == 0 ? "[" : ", ");
            printValue(model, model.types[type.element], at + i * model.types[type.element].bytes);
        }
        std::printf("]");
    } else if (type.bytes <= 8) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, at, type.bytes);
        const unsigned spare = 64 - 8 * type.bytes;
        if (type.kind == Kind::Signed)
            std::printf("%" PRId64, static_cast<std::int64_t>(bits << spare) >> spare);
        else if (type.kind == Kind::F64 || type.kind == Kind::F32)
            std::printf("0x%" PRIx64, bits);
        else
            std::printf("%" PRIu64, bits);
    } else {
        std::printf("0x");
        for (std::uint32_t i = type.bytes; i-- > 0;)
            std::printf("%02x", static_cast<unsigned>(at[i]));
    }
}

void printAll(const Model& model, const Memory& memory, const std::vector<std::byte>& read) {
    for (std::uint32_t n = 0; n < model.nameRunCount; ++n) {
        const NameRun& run = model.names[n];
        const Plane& plane = model.planes[run.plane];
        const auto& region = plane.home == Home::OneSlot ? memory.state : read;
        for (std::uint32_t i = 0; i < run.count; ++i) {
            std::printf("%s", run.prefix);
            if (run.suffix != nullptr) std::printf("%" PRIu64 "%s", run.index + i, run.suffix);
            std::printf(" = ");
            const std::int64_t element = run.start + std::int64_t(i) * run.stride;
            printValue(model, model.types[plane.type],
                       region.data() + plane.offset
                           + static_cast<std::size_t>(element) * model.types[plane.type].bytes);
            std::printf("\n");
        }
    }
}

void runLevels(const Model& model, const Thread& thread, const Slots& slots, bool chunks) {
    for (std::uint32_t level = 0; level < model.levels; ++level) {
        for (std::uint32_t w = 0; w < model.workCount; ++w) {
            const Work& work = model.work[w];
            if (work.level != level) continue;
            if (!chunks) {
                work.entry.run(thread, slots, 0, work.count);
                continue;
            }
            const std::uint32_t pieces = (work.count + work.granularity - 1) / work.granularity;
            for (std::uint32_t p = pieces; p-- > 0;) {
                const std::uint32_t end = (p + 1) * work.granularity;
                work.entry.run(thread, slots, p * work.granularity,
                               end < work.count ? end : work.count);
            }
        }
    }
}

bool failed = false;
bool isMute = false;  ///< what is said is not printed
bool said = false;    ///< something, in this call

unsigned long runCycles(const Model& model, const Thread& thread, const Slots& first,
                        unsigned long most) {
    isMute = true;
    said = false;
    const unsigned long ran = model.work[0].unobserved.cycles(thread, first, most);
    isMute = failed = false;
    return ran;
}

/// Up to three cycles that nobody observes, of `most`. Returns how many; those in front of one in which
/// something happens.
unsigned long runUnobserved(const Model& model, const Thread& thread, const Slots& first,
                            Memory& memory, unsigned long most) {
    const unsigned long count = most < 3 ? most : 3;
    const Memory before = memory;
    const unsigned long ran = runCycles(model, thread, first, count);
    if (ran == count) return count;
    for (const int i : {0, 1})
        std::copy(before.slots[i].begin(), before.slots[i].end(), memory.slots[i].begin());
    std::copy(before.state.begin(), before.state.end(), memory.state.begin());
    return ran == 0 ? 0 : runCycles(model, thread, first, ran);
}

void printArgs(const Arg* args, const ArgFormat* formats, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
        std::printf(" %d:%" PRIx64 ":%" PRIx64, static_cast<int>(formats[i].kind), args[i].hi,
                    args[i].lo);
}

}  // namespace

void trace(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t site,
           std::uint32_t instance, const Arg* args) {
    said = true;
    if (isMute) return;
    const TraceSite& s = thread.setup->model->classes[cls].sites[0].traces[site];
    std::printf("trace %" PRIu64 " %s[%u] %s", slots.cycle, thread.setup->model->classes[cls].name,
                instance, s.format);
    printArgs(args, s.args, s.argCount);
    std::printf("\n");
}

void fail(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t site,
          std::uint32_t instance, const Arg* args) {
    said = true;
    if (isMute) return;
    const FailSite& s = thread.setup->model->classes[cls].sites[0].fails[site];
    std::printf("fail %" PRIu64 " %s[%u] kind %d", slots.cycle,
                thread.setup->model->classes[cls].name, instance, static_cast<int>(s.kind));
    printArgs(args, s.text.args, s.text.argCount);
    std::printf("\n");
    failed = true;
}

void stop(const Thread& thread, const Slots& slots, std::uint32_t cls, std::uint32_t instance,
          std::uint8_t status) {
    std::printf("stop %" PRIu64 " %s[%u] %u\n", slots.cycle, thread.setup->model->classes[cls].name,
                instance, status);
}

bool hasSaid(const Thread&) { return said; }

int run(const Model& model, int argc, char** argv) {
    const unsigned long cycles = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
    const bool chunks = argc > 2 && std::strcmp(argv[2], "chunks") == 0;
    const bool isSilent = argc > 2 && std::strcmp(argv[2], "silent") == 0;
    const bool isUnobserved = isSilent || (argc > 2 && std::strcmp(argv[2], "unobserved") == 0);
    Memory memory;
    for (auto& slot : memory.slots)
        slot.resize(model.clockedBytes + 64);
    memory.state.resize(model.stateBytes + 64);
    for (std::uint32_t p = 0; p < model.planeCount; ++p) {
        const Plane& plane = model.planes[p];
        if (plane.home == Home::OneSlot)
            fill(memory.state, model, plane);
        else
            for (auto& slot : memory.slots)
                fill(slot, model, plane);
    }
    const Setup setup{&model, 0, 1000};
    const Thread thread{&setup, model.constants, nullptr, nullptr};
    unsigned long cycle = 0;
    const bool hasThem = model.workCount == 1 && model.work[0].unobserved.cycles != nullptr;
    bool isSettled = true;
    while (cycle < cycles && !failed) {
        const Slots slots{memory.slots[(cycle + 1) % 2].data(), memory.slots[cycle % 2].data(),
                          memory.state.data(), cycle};
        if (hasThem
            && (isSilent || (isUnobserved && isSettled && cycle != 0 && cycle + 1 != cycles))) {
            const unsigned long most = cycles - cycle - (isSilent ? 0 : 1);
            const unsigned long ran = runUnobserved(model, thread, slots, memory, most);
            isSettled = false;
            cycle += ran;
            if (ran != 0) continue;
        }
        if (!isSettled && hasThem)
            model.work[0].unobserved.settle(memory.slots[(cycle + 1) % 2].data(),
                                            memory.state.data());
        isSettled = true;
        runLevels(model, thread, slots, chunks);
        ++cycle;
    }
    printAll(model, memory, memory.slots[(cycle + 1) % 2]);
    return failed ? 1 : 0;
}

int run(const Code& code, int argc, char** argv) { return run(modelOf(code), argc, argv); }

}  // namespace sme
