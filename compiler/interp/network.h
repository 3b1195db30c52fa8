#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interp/context.h"

namespace smec::interp {

/// A driven field that is seen in later cycles.
struct Register {
    std::uint32_t field;
    TypeId type;
    bool hold;
    std::vector<Value> underway;  ///< delay d: what was written d-1 … 1 cycles before the last one,
                                  ///< oldest first
};

/// The instances of a design as they run: who is there, what each keeps, and who comes first in a
/// cycle.
struct Network {
    std::vector<Process> processes;  ///< in output order
    std::vector<Value> variables;    ///< of all of them
    std::vector<const Value*> fieldDefaults;
    std::vector<Register> registers;
    std::vector<std::uint32_t> combinationalOrder;  ///< processes, drivers before readers
    std::vector<std::uint32_t> clocked;

    /// Where the variables of a process start among all.
    std::size_t firstVariable(const Process& process) const {
        return static_cast<std::size_t>(process.vars - variables.data());
    }
};

/// Before cycle 0. It refers to the context's values and bodies.
Network buildNetwork(const Context& context);

/// Every field is its default in both slots.
void startFields(Context& context, const Network& network);

/// Process variables take their initial values. The others get theirs where they are declared.
void startVariables(const Context& context, Process& process);

/// The C++ class of an extern process.
const std::string& classOf(const hir::Design& design, const Process& process);

}  // namespace smec::interp
