#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ir/ir.h"
#include "rules/rules.h"

namespace smec::plan {

struct Plan;
struct Facts;

/// Where a value is between two activations of its process; sme::Home has the same cases.
enum class Home : std::uint8_t {
    TwoSlots,     ///< activation k writes slot k mod 2 and reads the other one
    WrittenSlot,  ///< read in the slot that the activation writes: combinational
    OneSlot,      ///< a variable, or a field whose readers all run before its writer
    Given,        ///< two slots, written from outside
    Constant      ///< two slots, alike for ever: nobody writes it
};

// When a field is stored, of one that steps drive whose cycles may go unobserved (Kernel::isUnobserved).

/// By each activation.
struct Always {
    bool operator==(const Always&) const = default;
};
/// By observed cycles: between cycles it is equal to a variable of its process.
struct Mirror {
    ir::PlaneId variable;
    bool operator==(const Mirror&) const = default;
};
/// By observed cycles: the others make it anew before a step reads it.
struct Recomputed {
    bool isRead = false;  ///< by steps
    /// A cycle in which its step rests (Kernel::resting) has it of an earlier one.
    bool acrossCycles = false;
    bool operator==(const Recomputed&) const = default;
};
using Upkeep = std::variant<Always, Mirror, Recomputed>;

/// How the elements of an array lie.
enum class Order : std::uint8_t {
    ByInstance,  ///< those of an instance together
    /// The first of all instances, then the second of all …: of a variable from which all instances take the
    /// same element at a time (ir::LocalForm::Spread). Each of its planes holds one element of all.
    ByElement
};

/// Of a plane.
struct Decision {
    Home home = Home::TwoSlots;
    bool isReadFirst =
        false;  ///< OneSlot: a held array that is read before it is set (plan/in_place.h)
    /// TwoSlots: of a held array, the log that tells in which elements they differ.
    std::optional<ir::LogForm> log{};
    Order order = Order::ByInstance;
    std::vector<Upkeep> upkeep{};  ///< by instance; empty: Always, of all
    bool operator==(const Decision&) const = default;
};

/// By plane.
using Storage = std::vector<Decision>;

/// One table of rules, of which the first holds that fits. `isReadFirst`, `logs` (set_logs.h): by plane. The
/// order is as the bodies want it.
Storage decideStorage(const ir::Design& design, const std::vector<bool>& isReadFirst,
                      const std::vector<std::optional<ir::LogForm>>& logs);

/// The same for planes that the design got since then.
void addVariables(const ir::Design& design, Storage& storage);

/// Calls `f(elements)` for each variable of a class that lies by element: the plane of each element, first one
/// first.
template <typename F>
void forEachByElement(const ir::Class& cls, F&& f) {
    for (const ir::Local& local : cls.body.locals)
        if (local.form == ir::LocalForm::Spread)
            f(std::span(cls.state).subspan(local.slot, local.type.length));
}

/// The logs that homes name.
std::vector<ir::LogWanted> logsIn(const Storage& storage);

/// What is wrong with the storage of a plan, as text; nothing, if all is well: each plane has a home that
/// suits it and who reads it, logs are where homes name them, orders are as bodies want them, upkeep is as
/// upkeep.h says, and placements are aligned and apart, those of an array by element as far as the first says.
/// O(planes · log planes + instances of blocks + what they read).
std::vector<std::string> verifyStorage(const ir::Design& design, const Facts& facts,
                                       const Plan& plan);

}  // namespace smec::plan
