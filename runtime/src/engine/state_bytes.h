#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace sme {

/// A state as bytes that outlive the process: values by the path and type of what holds them, so
/// that neither the layout of planes nor plan, threads or flags of the C++ compiler matter, nor
/// whether it is a simulator or the interpreter. The format
/// is that of sme/state_format.h. Throws Error: Usage where the state has objects whose class has
/// no save() and load().
std::vector<std::byte> toBytes(const Model& model, const Snapshot& snapshot);

/// What such bytes begin with.
std::vector<std::byte> headOfState(const Model& model, const Snapshot& snapshot);

/// Throws Error: State when the bytes are no state, none of this design, or hold a value that its
/// type does not have.
Snapshot fromBytes(const Model& model, std::span<const std::byte> bytes);

/// A state of a design that may be another one: what matches by path and type, and what belongs to
/// instances of the same path and body. All else is as it is before cycle 0.
struct TakenOver {
    Snapshot snapshot;
    std::vector<std::string> differences;  ///< "'b.v' is gone"
};
/// Throws Error: State when the bytes are no state.
TakenOver takeOver(const Model& model, std::span<const std::byte> bytes);

}  // namespace sme
