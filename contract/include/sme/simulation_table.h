#pragma once

// The table of sme/simulation.h over a C++ class, for those who can run designs: what each function
// has to do whoever it calls is done here and in sme/simulation_calls.h, once.

#include <sme/simulation_calls.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sme {

/// A member of a struct, or one of an enum with its value as it is stored.
struct NamedMember {
    const char* name;  ///< as long as the design
    std::vector<std::byte> value;
    bool isNegative = false;
};

/// `Face` is a simulation, and has
///
///     Place, State                  what a handle stands for, and a state; copyable, movable
///     Face(design, options, sinks)  const void*, span of sme_option, const sme_sinks&
///     static caught(text)           called in a handler: the exception's status and message
///     forEach(visit)                visit(const std::string& path, const Place&) of all names,
///                                   until it returns false
///     find(path), whyNone(path)     an optional Place; else a message
///     describe(place)               an sme_value
///     driver(place)                 path of the instance that writes it; may be empty
///     whyNotSettable(place)         of one that is not
///     member(place, index)          an optional NamedMember of an enum or a struct
///     get(place, bytes), set(place, bytes)
///     advance(until)                runs up to this cycle and returns why it ended before
///     cycle(), stopStatus(), checksum()
///     snapshot(), restore(state), save(state), load(bytes)
///     endTrace(), trace(path, filters)
///
/// and, for going back,
///
///     History                       states of the past (as engine/history.h)
///     reset()                       before cycle 0
///     replay(until, isForth)        runs up to this cycle, whatever ends a run, and says nothing;
///                                   forth, traces take the rows that they do not have
///     stateBytes()                  about what a state takes; 0: nobody knows
///     stateOrNone(history)          a state, or nothing where there is no memory for it
///     rememberForeign(bytes)        keeps what foreign code gives that must not be called twice
///     forgetForeign(cycle)          from this cycle on
///     beginForeign()                all of it: the next cycle is the first one
///     whyNotAgain()                 empty, or why cycles that ran cannot run once more
///     evaluate(), plane(place)      an optional sme_plane
///     epoch()
///     isValue(place, bytes)
///     runBlock(until, inputs, records)   RowColumn as of this header
///     appendNames(path, place, text)     ",path" of each scalar
///     appendScalars(place, text)         ",value" of each scalar
///     writeFile(path, produce)      produce(write) calls write(std::string_view)
///
/// each of which may throw.
template <typename Face>
class SimulationTable : SimulationCalls<Face> {
    using Calls = SimulationCalls<Face>;
    using Calls::asked, Calls::columnsOf, Calls::guarded, Calls::handleFor, Calls::keep,
        Calls::keptOf, Calls::kShared, Calls::of, Calls::placeOf, Calls::refuseOverlaps,
        Calls::refuseWithin, Calls::writeInputs;
    using typename Calls::Busy, typename Calls::Call, typename Calls::Kept, typename Calls::Place,
        typename Calls::Simulation;

    static sme_status create(const void* design, const sme_option* options, std::size_t optionCount,
                             const sme_sinks* sinks, sme_simulation** simulation, char* why,
                             std::size_t whySize) {
        return guarded(
            [&] {
                if (!design || !simulation)
                    throw Refusal(SME_BAD_USE, "no design, or no place for the simulation");
                *simulation = nullptr;
                std::vector<sme_option> others;
                const KeptStates kept = keptStatesOf({options, optionCount}, others);
                auto made = std::make_unique<Simulation>(design, others, kept,
                                                         sinks ? *sinks : sme_sinks{});
                *simulation = reinterpret_cast<sme_simulation*>(made.release());
            },
            [&](std::string_view text) {
                if (!why || whySize == 0) return;
                const std::size_t length = std::min(text.size(), whySize - 1);
                text.copy(why, length);
                why[length] = 0;
            });
    }
    static void destroy(sme_simulation* simulation) {
        if (!simulation) return;
        Simulation& it = of(simulation);
        Call call(it);
        if (!call || it.isBusy) return;
        guarded(simulation, [](Simulation& s) { s.face.endTrace(); });
        call.end();
        delete &it;
    }
    static const char* message(const sme_simulation* simulation) {
        if (!simulation) return "no simulation";
        return asked(
            simulation,
            [](const Simulation& s) {
                return s.wasShared.load(std::memory_order_relaxed) ? kShared : s.message.c_str();
            },
            kShared);
    }

    static sme_status list(sme_simulation* simulation,
                           int (*visit)(void* user, const char* path, const sme_value* value),
                           void* user) {
        return guarded(simulation, [&](Simulation& s) {
            const Busy busy(s);
            s.face.forEach([&](const std::string& path, const Place& place) {
                const sme_value value = s.face.describe(place);
                return visit(user, path.c_str(), &value) == 0;
            });
        });
    }
    static sme_status find(sme_simulation* simulation, const char* path, std::uint32_t* handle) {
        return guarded(simulation, [&](Simulation& s) {
            if (!handle) throw Refusal(SME_BAD_USE, "no place for the handle");
            *handle = handleFor(s, path);
        });
    }

    static sme_status describe(sme_simulation* simulation, std::uint32_t handle, sme_value* value,
                               std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            if (!value) throw Refusal(SME_BAD_USE, "no place for a description");
            const sme_value whole = s.face.describe(placeOf(s, handle));
            std::memcpy(value, &whole, std::min(bytes, sizeof whole));
        });
    }
    static sme_status member(sme_simulation* simulation, std::uint32_t handle, std::uint32_t index,
                             const char** name, void* value, std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            if (!name) throw Refusal(SME_BAD_USE, "no place for a name");
            const std::optional<NamedMember> found = s.face.member(placeOf(s, handle), index);
            if (!found) throw Refusal(SME_BAD_USE, "no such member");
            *name = found->name;
            if (!value) return;
            std::memset(value, found->isNegative ? 0xff : 0, bytes);
            if (const std::size_t stored = std::min(bytes, found->value.size()); stored > 0)
                std::memcpy(value, found->value.data(), stored);
        });
    }
    static sme_status driver(sme_simulation* simulation, std::uint32_t handle,
                             const char** instance) {
        return guarded(simulation, [&](Simulation& s) {
            if (!instance) throw Refusal(SME_BAD_USE, "no place for a path");
            s.driver = s.face.driver(placeOf(s, handle));
            *instance = s.driver.c_str();
        });
    }
    static sme_status get(sme_simulation* simulation, std::uint32_t handle, void* value,
                          std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            s.face.get(placeOf(s, handle, value, bytes), static_cast<std::byte*>(value));
        });
    }
    static void setValue(Simulation& s, std::uint32_t handle, const void* value,
                         std::size_t bytes) {
        const Place& place = placeOf(s, handle, value, bytes);
        const std::uint32_t flags = s.face.describe(place).flags;
        if ((flags & SME_SETTABLE) == 0)
            throw Refusal(SME_BAD_USE, "'" + *s.paths[handle]
                                           + "' cannot be set: " + s.face.whyNotSettable(place));
        const bool isInput = (flags & SME_INPUT) != 0;
        s.past.set(handle, {static_cast<const std::byte*>(value), bytes}, isInput);
    }
    static sme_status set(sme_simulation* simulation, std::uint32_t handle, const void* value,
                          std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) { setValue(s, handle, value, bytes); });
    }

    static sme_status getPath(sme_simulation* simulation, const char* path, void* value,
                              std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            s.face.get(placeOf(s, handleFor(s, path), value, bytes),
                       static_cast<std::byte*>(value));
        });
    }
    static sme_status setPath(sme_simulation* simulation, const char* path, const void* value,
                              std::size_t bytes) {
        return guarded(simulation,
                       [&](Simulation& s) { setValue(s, handleFor(s, path), value, bytes); });
    }

    static sme_status step(sme_simulation* simulation, std::uint64_t cycles, std::uint32_t* ended) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            const Busy busy(s);
            const std::uint64_t from = s.face.cycle();
            const std::uint64_t until = from + std::min(cycles, ~std::uint64_t{0} - from);
            const std::uint32_t flags = s.past.advance(until);
            if (ended) *ended = flags;
        });
    }
    static sme_status runUntil(sme_simulation* simulation, std::uint64_t cycle,
                               int (*asked)(void* user, std::uint64_t cycle), void* user,
                               std::uint32_t* ended) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            const Busy busy(s);
            std::uint32_t flags = 0;
            while (flags == 0 && s.face.cycle() < cycle) {
                flags = s.past.advance(asked ? s.face.cycle() + 1 : cycle);
                if (!asked) break;
                if (asked(user, s.face.cycle()) != 0) flags |= SME_ASKED;
            }
            if (ended) *ended = flags;
        });
    }
    static std::uint64_t cycle(const sme_simulation* simulation) {
        return asked(
            simulation, [](const Simulation& s) { return s.face.cycle(); }, std::uint64_t{0});
    }
    static std::uint32_t stopStatus(const sme_simulation* simulation) {
        return asked(
            simulation, [](const Simulation& s) { return s.face.stopStatus(); }, std::uint32_t{0});
    }
    static std::uint64_t checksum(sme_simulation* simulation) {
        return asked(
            simulation, [](const Simulation& s) { return s.face.checksum(); }, std::uint64_t{0});
    }
    static std::uint64_t epoch(const sme_simulation* simulation) {
        return asked(
            simulation, [](const Simulation& s) { return s.face.epoch(); }, std::uint64_t{0});
    }
    static sme_status status(const sme_simulation* simulation) {
        return asked(
            simulation,
            [](const Simulation& s) {
                return s.wasShared.load(std::memory_order_relaxed) ? SME_BAD_USE : s.status;
            },
            sme_status{SME_BAD_USE});
    }

    static sme_status snapshot(sme_simulation* simulation, sme_snapshot** result) {
        return guarded(simulation, [&](Simulation& s) {
            if (!result) throw Refusal(SME_BAD_USE, "no place for the state");
            *result = keep(s, s.face.snapshot(), s.past.mark());
        });
    }
    static sme_status restore(sme_simulation* simulation, const sme_snapshot* from) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            const Kept& kept = keptOf(s, from);
            s.past.restore(kept.state, kept.mark);
        });
    }
    static void forget(sme_snapshot* state) { delete reinterpret_cast<Kept*>(state); }
    static sme_status save(sme_simulation* simulation, const sme_snapshot* from, void* bytes,
                           std::size_t* size) {
        return guarded(simulation, [&](Simulation& s) {
            if (!size) throw Refusal(SME_BAD_USE, "no place for the size");
            const std::vector<std::byte> written = s.face.save(keptOf(s, from).state);
            const bool fits = bytes && *size >= written.size();
            if (fits) std::memcpy(bytes, written.data(), written.size());
            *size = written.size();
        });
    }
    static sme_status load(sme_simulation* simulation, const void* bytes, std::size_t size,
                           sme_snapshot** result) {
        return guarded(simulation, [&](Simulation& s) {
            if (!bytes || !result)
                throw Refusal(SME_BAD_USE, "no bytes, or no place for the state");
            *result =
                keep(s, s.face.load(std::span(static_cast<const std::byte*>(bytes), size)), {});
        });
    }

    static sme_status trace(sme_simulation* simulation, const char* path,
                            const char* const* filters, std::size_t filterCount) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            if (!filters && filterCount > 0) throw Refusal(SME_BAD_USE, "no filters");
            if (path)
                s.face.trace(path, {filters, filters + filterCount});
            else
                s.face.endTrace();
        });
    }

    // ------------------------------------------------------------ going back

    static sme_status reset(sme_simulation* simulation) {
        return guarded(simulation, [](Simulation& s) {
            refuseWithin(s);
            s.past.reset();
        });
    }
    static sme_status goTo(sme_simulation* simulation, std::uint64_t cycle) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            const Busy busy(s);
            s.past.goTo(cycle);
        });
    }
    static sme_status eval(sme_simulation* simulation) {
        return guarded(simulation, [](Simulation& s) {
            refuseWithin(s);
            s.face.evaluate();
        });
    }
    static sme_status plane(sme_simulation* simulation, std::uint32_t handle, sme_plane* plane,
                            std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            if (!plane) throw Refusal(SME_BAD_USE, "no place for a plane");
            const std::optional<sme_plane> found = s.face.plane(placeOf(s, handle));
            if (!found) throw Refusal(SME_BAD_USE, "its scalars are in several places; use get");
            std::memcpy(plane, &*found, std::min(bytes, sizeof *found));
        });
    }
    static sme_status saveInputs(sme_simulation* simulation, const char* path) {
        return guarded(simulation, [&](Simulation& s) {
            if (!path) throw Refusal(SME_BAD_USE, "no path");
            s.past.checkInputs();
            s.face.writeFile(path, [&](const auto& write) { writeInputs(s, write); });
        });
    }

    // ------------------------------------------------------------ blocks

    static sme_status runBlock(sme_simulation* simulation, std::uint64_t cycles,
                               const sme_column* inputs, std::size_t inputCount,
                               const sme_column* records, std::size_t recordCount,
                               std::uint64_t* done, std::uint32_t* ended) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            const Busy busy(s);
            if (cycles > ~std::uint64_t{0} - s.face.cycle())
                throw Refusal(SME_BAD_USE, "so many cycles are not left");
            if ((!inputs && inputCount > 0) || (!records && recordCount > 0))
                throw Refusal(SME_BAD_USE, "no columns");
            refuseOverlaps(s, {inputs, inputCount});
            RowBlock<Face> block(s.face, columnsOf(s, {inputs, inputCount}),
                                 columnsOf(s, {records, recordCount}), cycles);
            const std::uint64_t from = s.face.cycle();
            const std::uint32_t flags = block.run(s.past);
            if (done) *done = s.face.cycle() - from;
            if (ended) *ended = flags;
        });
    }

public:
    static constexpr sme_simulation_table kTable = {
        SME_SIMULATION_VERSION,
        sizeof(sme_simulation_table),
        create,
        destroy,
        message,
        list,
        find,
        describe,
        get,
        set,
        step,
        cycle,
        stopStatus,
        checksum,
        snapshot,
        restore,
        forget,
        save,
        load,
        trace,
        status,
        runUntil,
        getPath,
        setPath,
        reset,
        goTo,
        eval,
        plane,
        epoch,
        saveInputs,
        runBlock,
        member,
        driver,
    };
};

}  // namespace sme
