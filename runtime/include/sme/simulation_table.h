#pragma once

// The table of sme/simulation.h over a C++ class, for those who can run designs: what each function
// has to do whoever it calls (handles, messages, sizes, that nothing is thrown at a caller)
// is done here, once.

#include <sme/option_words.h>
#include <sme/simulation.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sme {

/// Why a function of the table did not do what it was called for.
class Refusal : public std::runtime_error {
public:
    Refusal(sme_status status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    sme_status status() const { return status_; }

private:
    sme_status status_;
};

/// The words of a command line for the options that create takes.
inline std::vector<std::string> wordsOf(std::span<const sme_option> options) {
    std::vector<std::string> words;
    for (const sme_option& option : options) {
        const std::string name = option.name ? option.name : "";
        const bool isKnown =
            std::any_of(std::begin(kSimulatorOptions), std::end(kSimulatorOptions),
                        [&](const SimulatorOption& each) {
                            return each.name.substr(2) == name && isTakenBy(TakenBy::Library, each);
                        });
        if (!isKnown) throw Refusal(SME_BAD_USE, "no option '" + name + "' of a run");
        words.push_back("--" + name);
        if (option.value) words.back().append("=").append(option.value);
    }
    return words;
}

/// `Face` is a simulation, and has
///
///     Place, State                  what a handle stands for, and a state; copyable, movable
///     Face(design, options, sinks)  const void*, span of sme_option, const sme_sinks&
///     static caught(text)           called in a handler: the exception's status and message
///     forEach(visit)                visit(const std::string& path, const Place&) of all names,
///                                   until it returns false
///     find(path), whyNone(path)     an optional Place; else a message
///     describe(place)               an sme_value
///     get(place, bytes), set(place, bytes)
///     advance(until)                runs up to this cycle and returns why it ended before
///     cycle(), stopStatus(), checksum()
///     snapshot(), restore(state), save(state), load(bytes)
///     endTrace(), trace(path, filters)
///
/// each of which may throw.
template <typename Face>
class SimulationTable {
    using Place = typename Face::Place;

    struct Simulation {
        Simulation(const void* design, std::span<const sme_option> options, const sme_sinks& sinks)
            : face(design, options, sinks) {}
        Face face;
        std::vector<Place> handles;
        std::unordered_map<std::string, std::uint32_t> handleOf;
        std::string message;
        sme_status status = SME_OK;  ///< the last that was not good
        bool isBusy = false;         ///< a function of the caller's runs between two cycles
    };
    struct Kept {
        const void* owner;  ///< tells the states of this table from those of others
        typename Face::State state;
    };
    static constexpr char kOwner = 0;

    static Simulation& of(sme_simulation* simulation) {
        return *reinterpret_cast<Simulation*>(simulation);
    }
    static const Simulation& of(const sme_simulation* simulation) {
        return *reinterpret_cast<const Simulation*>(simulation);
    }
    static const typename Face::State& stateOf(const sme_snapshot* snapshot) {
        const Kept* kept = reinterpret_cast<const Kept*>(snapshot);
        if (!kept || kept->owner != &kOwner)
            throw Refusal(SME_BAD_USE, "no state of this table; save and load take one to another");
        return kept->state;
    }
    static sme_snapshot* keep(typename Face::State state) {
        return reinterpret_cast<sme_snapshot*>(new Kept{&kOwner, std::move(state)});
    }

    template <typename Function, typename Tell>
    static sme_status guarded(const Function& function, const Tell& tell) {
        try {
            function();
            return SME_OK;
        } catch (const Refusal& refusal) {
            tell(refusal.what());
            return refusal.status();
        } catch (const std::bad_alloc&) {
            tell("out of memory");
            return SME_LIMIT;
        } catch (...) {
            std::string text;
            const sme_status status = Face::caught(text);
            tell(text);
            return status;
        }
    }
    template <typename Function>
    static sme_status guarded(sme_simulation* simulation, const Function& function) {
        if (!simulation) return SME_BAD_USE;
        const sme_status status = guarded([&] { function(of(simulation)); },
                                          [&](std::string_view why) {
                                              try {
                                                  of(simulation).message = why;
                                              } catch (const std::bad_alloc&) {
                                                  of(simulation).message.clear();
                                              }
                                          });
        if (status != SME_OK) of(simulation).status = status;
        return status;
    }
    /// While a function of the caller's runs within one of ours.
    class Busy {
    public:
        explicit Busy(Simulation& simulation) : simulation_(simulation) {
            simulation.isBusy = true;
        }
        ~Busy() { simulation_.isBusy = false; }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;

    private:
        Simulation& simulation_;
    };
    static void refuseWithin(const Simulation& simulation) {
        if (simulation.isBusy)
            throw Refusal(SME_BAD_USE, "a simulation cannot be run from within its own run");
    }

    static sme_status create(const void* design, const sme_option* options, std::size_t optionCount,
                             const sme_sinks* sinks, sme_simulation** simulation, char* why,
                             std::size_t whySize) {
        return guarded(
            [&] {
                if (!design || !simulation)
                    throw Refusal(SME_BAD_USE, "no design, or no place for the simulation");
                *simulation = nullptr;
                auto made = std::make_unique<Simulation>(design, std::span(options, optionCount),
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
        if (!simulation || of(simulation).isBusy) return;
        guarded(simulation, [](Simulation& s) { s.face.endTrace(); });
        delete &of(simulation);
    }
    static const char* message(const sme_simulation* simulation) {
        return simulation ? of(simulation).message.c_str() : "no simulation";
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
    static std::uint32_t handleFor(Simulation& s, const char* path) {
        if (!path) throw Refusal(SME_BAD_USE, "no path");
        const auto known = s.handleOf.find(path);
        if (known != s.handleOf.end()) return known->second;
        std::optional<Place> place = s.face.find(path);
        if (!place) throw Refusal(SME_BAD_USE, s.face.whyNone(path));
        const auto next = static_cast<std::uint32_t>(s.handles.size());
        s.handles.push_back(std::move(*place));
        s.handleOf.emplace(path, next);
        return next;
    }
    static sme_status find(sme_simulation* simulation, const char* path, std::uint32_t* handle) {
        return guarded(simulation, [&](Simulation& s) {
            if (!handle) throw Refusal(SME_BAD_USE, "no place for the handle");
            *handle = handleFor(s, path);
        });
    }

    static const Place& placeOf(const Simulation& simulation, std::uint32_t handle) {
        if (handle >= simulation.handles.size()) throw Refusal(SME_BAD_USE, "no such handle");
        return simulation.handles[handle];
    }
    static const Place& placeOf(const Simulation& simulation, std::uint32_t handle,
                                const void* value, std::size_t bytes) {
        const Place& place = placeOf(simulation, handle);
        const sme_value shape = simulation.face.describe(place);
        if (!value) throw Refusal(SME_BAD_USE, "no place for a value");
        if (bytes != shape.bytes)
            throw Refusal(SME_BAD_USE, std::string("a value of ") + shape.type + " has "
                                           + std::to_string(shape.bytes) + " bytes, not "
                                           + std::to_string(bytes));
        return place;
    }
    static sme_status describe(sme_simulation* simulation, std::uint32_t handle, sme_value* value,
                               std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            if (!value) throw Refusal(SME_BAD_USE, "no place for a description");
            const sme_value whole = s.face.describe(placeOf(s, handle));
            std::memcpy(value, &whole, std::min(bytes, sizeof whole));
        });
    }
    static sme_status get(sme_simulation* simulation, std::uint32_t handle, void* value,
                          std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            s.face.get(placeOf(s, handle, value, bytes), static_cast<std::byte*>(value));
        });
    }
    static sme_status set(sme_simulation* simulation, std::uint32_t handle, const void* value,
                          std::size_t bytes) {
        return guarded(simulation, [&](Simulation& s) {
            s.face.set(placeOf(s, handle, value, bytes), static_cast<const std::byte*>(value));
        });
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
        return guarded(simulation, [&](Simulation& s) {
            s.face.set(placeOf(s, handleFor(s, path), value, bytes),
                       static_cast<const std::byte*>(value));
        });
    }

    static sme_status step(sme_simulation* simulation, std::uint64_t cycles, std::uint32_t* ended) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            const Busy busy(s);
            const std::uint64_t from = s.face.cycle();
            const std::uint64_t until = from + std::min(cycles, ~std::uint64_t{0} - from);
            const std::uint32_t flags = s.face.advance(until);
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
                flags = s.face.advance(asked ? s.face.cycle() + 1 : cycle);
                if (!asked) break;
                if (asked(user, s.face.cycle()) != 0) flags |= SME_ASKED;
            }
            if (ended) *ended = flags;
        });
    }
    static std::uint64_t cycle(const sme_simulation* simulation) {
        return simulation ? of(simulation).face.cycle() : 0;
    }
    static std::uint32_t stopStatus(const sme_simulation* simulation) {
        return simulation ? of(simulation).face.stopStatus() : 0;
    }
    static std::uint64_t checksum(sme_simulation* simulation) {
        return simulation ? of(simulation).face.checksum() : 0;
    }
    static sme_status status(const sme_simulation* simulation) {
        return simulation ? of(simulation).status : SME_BAD_USE;
    }

    static sme_status snapshot(sme_simulation* simulation, sme_snapshot** result) {
        return guarded(simulation, [&](Simulation& s) {
            if (!result) throw Refusal(SME_BAD_USE, "no place for the state");
            *result = keep(s.face.snapshot());
        });
    }
    static sme_status restore(sme_simulation* simulation, const sme_snapshot* from) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            s.face.restore(stateOf(from));
        });
    }
    static void forget(sme_snapshot* state) { delete reinterpret_cast<Kept*>(state); }
    static sme_status save(sme_simulation* simulation, const sme_snapshot* from, void* bytes,
                           std::size_t* size) {
        return guarded(simulation, [&](Simulation& s) {
            if (!size) throw Refusal(SME_BAD_USE, "no place for the size");
            const std::vector<std::byte> written = s.face.save(stateOf(from));
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
            *result = keep(s.face.load(std::span(static_cast<const std::byte*>(bytes), size)));
        });
    }

    static sme_status trace(sme_simulation* simulation, const char* path,
                            const char* const* filters, std::size_t filterCount) {
        return guarded(simulation, [&](Simulation& s) {
            refuseWithin(s);
            if (!filters && filterCount > 0) throw Refusal(SME_BAD_USE, "no filters");
            s.face.endTrace();
            if (path) s.face.trace(path, {filters, filters + filterCount});
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
    };
};

}  // namespace sme
