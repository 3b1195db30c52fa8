#pragma once

// What every function of the table of sme/simulation.h does around its work: one thread at a time, problems as a status and a
// message and nothing thrown at a caller, handles and what they stand for, columns of a block.

#include <sme/refusal.h>
#include <sme/row_block.h>
#include <sme/simulation.h>
#include <sme/simulation_options.h>
#include <sme/simulation_past.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sme {

/// `Face` as of sme/simulation_table.h.
template <typename Face>
class SimulationCalls {
protected:
    using Place = typename Face::Place;

    struct Simulation {
        Simulation(const void* of, std::span<const sme_option> options, const KeptStates& kept,
                   const sme_sinks& sinks)
            : design(of), face(of, options, sinks), past(face, handles, kept) {}
        const void* design;
        Face face;
        std::vector<Place> handles;
        std::unordered_map<std::string, std::uint32_t> handleOf;
        std::vector<const std::string*> paths;  ///< of handles, keys of handleOf
        std::string message;
        std::string driver;          ///< that was asked for last
        sme_status status = SME_OK;  ///< the last that was not good
        bool isBusy = false;         ///< a function of the caller's runs within one of ours
        Past<Face> past;
        std::atomic<std::thread::id> user{};  ///< the thread that is in a call
        std::atomic<bool> wasShared{false};   ///< the last problem: two threads at once
    };
    static constexpr const char* kShared = "the simulation is used by another thread";
    /// A call, by one thread at a time; it may call again from a function of the caller's.
    class Call {
    public:
        explicit Call(Simulation& simulation) : simulation_(simulation) {
            const std::thread::id me = std::this_thread::get_id();
            // relaxed: only this thread can have written its own number
            isWithin_ = simulation.user.load(std::memory_order_relaxed) == me;
            std::thread::id nobody;
            // acquire: pairs with the release at the end of the call before
            isMine_ =
                isWithin_
                || simulation.user.compare_exchange_strong(nobody, me, std::memory_order_acquire);
            // relaxed: a flag by itself
            if (!isMine_) simulation.wasShared.store(true, std::memory_order_relaxed);
        }
        ~Call() {
            if (isMine_ && !isWithin_)
                simulation_.user.store(std::thread::id(), std::memory_order_release);
        }
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        explicit operator bool() const { return isMine_; }
        /// The simulation ends with this call.
        void end() { isMine_ = false; }

    private:
        Simulation& simulation_;
        bool isWithin_;
        bool isMine_;
    };
    struct Kept {
        const void* design;  ///< whose state it is: one table may serve many
        typename Face::State state;
        typename Past<Face>::Mark mark;
    };

    static Simulation& of(sme_simulation* simulation) {
        return *reinterpret_cast<Simulation*>(simulation);
    }
    static const Simulation& of(const sme_simulation* simulation) {
        return *reinterpret_cast<const Simulation*>(simulation);
    }
    static const Kept& keptOf(const Simulation& simulation, const sme_snapshot* snapshot) {
        const Kept* kept = reinterpret_cast<const Kept*>(snapshot);
        if (!kept || kept->design != simulation.design)
            throw Refusal(SME_BAD_USE, "no state of this library; save and load take one from one "
                                       "library of a design to another");
        return *kept;
    }
    /// Without a mark: of no past.
    static sme_snapshot* keep(const Simulation& simulation, typename Face::State state,
                              typename Past<Face>::Mark mark) {
        return reinterpret_cast<sme_snapshot*>(new Kept{simulation.design, std::move(state), mark});
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
    static void refuseInSink(const Simulation& simulation) {
        if (simulation.past.isRunning())
            throw Refusal(SME_BAD_USE, "a simulation cannot be called from its sinks");
    }
    template <typename Function>
    static sme_status guarded(sme_simulation* simulation, const Function& function) {
        if (!simulation) return SME_BAD_USE;
        Simulation& it = of(simulation);
        const Call call(it);
        if (!call) return SME_BAD_USE;
        const sme_status status = guarded(
            [&] {
                refuseInSink(it);
                function(it);
            },
            [&](std::string_view why) {
                try {
                    it.message = why;
                } catch (const std::bad_alloc&) {
                    it.message.clear();
                }
            });
        if (status != SME_OK) {
            it.status = status;
            it.wasShared.store(false, std::memory_order_relaxed);
        }
        return status;
    }
    /// What can be asked without a status; `otherwise` where another thread is in a call.
    template <typename Result, typename Function>
    static Result asked(const sme_simulation* simulation, const Function& function,
                        Result otherwise) {
        if (!simulation) return otherwise;
        Simulation& it = of(const_cast<sme_simulation*>(simulation));
        const Call call(it);
        return call ? function(it) : otherwise;
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

    static std::uint32_t handleFor(Simulation& s, const char* path) {
        if (!path) throw Refusal(SME_BAD_USE, "no path");
        const auto known = s.handleOf.find(path);
        if (known != s.handleOf.end()) return known->second;
        std::optional<Place> place = s.face.find(path);
        if (!place) throw Refusal(SME_BAD_USE, s.face.whyNone(path));
        const auto next = static_cast<std::uint32_t>(s.handles.size());
        s.paths.reserve(next + 1);
        s.handles.push_back(std::move(*place));
        s.paths.push_back(&s.handleOf.emplace(path, next).first->first);
        return next;
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
    /// A simulation that only takes what was set shows what was read.
    template <typename Write>
    static void writeInputs(const Simulation& s, const Write& write) {
        const sme_option single[] = {{"threads", "1"}};
        Face shown(s.design, single, {});
        std::vector<Place> inputs;
        std::string text = "cycle";
        shown.forEach([&](const std::string& path, const Place& place) {
            if ((shown.describe(place).flags & SME_INPUT) == 0) return true;
            inputs.push_back(place);
            shown.appendNames(place, path, text);
            return true;
        });
        InputLog::Place next;
        for (std::uint64_t cycle = 0; cycle < s.face.cycle(); ++cycle) {
            write(text += '\n');
            while (s.past.log().cycleAt(next) == cycle) {
                const InputLog::Change change = *s.past.log().take(next);
                shown.set(s.handles[change.handle], change.value.data());
            }
            text = std::to_string(cycle);
            for (const Place& input : inputs)
                shown.appendScalars(input, text);
        }
        write(text += '\n');
    }
    static std::vector<RowColumn<Place>> columnsOf(const Simulation& s,
                                                   std::span<const sme_column> columns) {
        std::vector<RowColumn<Place>> result;
        for (const sme_column& column : columns) {
            const Place& place = placeOf(s, column.handle);
            if (!column.rows) throw Refusal(SME_BAD_USE, "a column without rows");
            const sme_value shape = s.face.describe(place);
            result.push_back({place, column.handle, shape.bytes, shape.flags,
                              static_cast<std::byte*>(column.rows), column.stride});
        }
        return result;
    }
    /// Of a value and a part of it, or of one value twice, the later one would count.
    static void refuseOverlaps(const Simulation& s, std::span<const sme_column> columns) {
        std::vector<std::string_view> paths;
        for (const sme_column& column : columns)
            for (const auto& [path, handle] : s.handleOf)
                if (handle == column.handle) paths.push_back(path);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            for (std::size_t k = 0; k < paths.size(); ++k) {
                const std::string_view a = paths[i], b = paths[k];
                const bool isWithin =
                    b.starts_with(a) && (b == a || b[a.size()] == '.' || b[a.size()] == '[');
                if (i != k && isWithin)
                    throw Refusal(SME_BAD_USE, "'" + std::string(b) + "' is driven twice");
            }
        }
    }
};

}  // namespace sme
