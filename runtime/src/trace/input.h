#pragma once

#include "engine/engine.h"
#include "trace/rows.h"

namespace sme {

/// Drives the exposed inputs from a file: row k is what is read during cycle k. After the last row
/// the defaults are read; a `hold` input keeps its last row.
///
/// Inputs are planes that no kernel writes, so that thread 0 may write the slot of the next cycle
/// while the others work.
class InputDriver {
public:
    InputDriver(Engine& engine, Rows& rows) : engine_(engine), rows_(rows) {}

    /// Writes what is read during `cycle`, into the slot that the cycle before writes.
    Rows::Found drive(std::uint64_t cycle);
    /// After the last cycle that ran: a row lasts its cycle, so that the final state shows the
    /// defaults again.
    void release();

private:
    void putBack(const Rows::Column& column, std::uint64_t cycle);

    Engine& engine_;
    Rows& rows_;
};

}  // namespace sme
