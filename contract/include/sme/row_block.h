#pragma once

// Many cycles at once, for the table of sme/simulation.h: their inputs and what is recorded of them
// are rows in the memory of the caller.

#include <sme/refusal.h>
#include <sme/simulation_past.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sme {

/// A value in each cycle of a block.
template <typename Place>
struct RowColumn {
    Place place;
    std::uint32_t handle;
    std::uint64_t bytes;
    std::uint32_t flags;  ///< of sme_value
    std::byte* rows;
    std::size_t stride;  ///< bytes from one row to the next

    std::span<const std::byte> row(std::uint64_t k) const { return {rows + k * stride, bytes}; }
    RowColumn from(std::uint64_t k) const {
        RowColumn rest = *this;
        rest.rows += k * stride;
        return rest;
    }
};

/// `Face` as of sme/simulation_table.h.
template <typename Face>
class RowBlock {
    using Columns = std::vector<RowColumn<typename Face::Place>>;

public:
    /// Throws Refusal where rows are no inputs or have no values.
    RowBlock(Face& face, Columns inputs, Columns records, std::uint64_t cycles)
        : face_(face),
          inputs_(std::move(inputs)),
          records_(std::move(records)),
          first_(face.cycle()),
          cycles_(cycles) {
        for (const auto& column : inputs_)
            if ((column.flags & SME_INPUT) == 0)
                throw Refusal(SME_BAD_USE, "a block drives exposed inputs only");
        for (const auto& column : records_)
            if (cycles > 1 && column.stride < column.bytes)
                throw Refusal(SME_BAD_USE, "rows of records lie over one another");
        for (const auto& column : inputs_)
            for (std::uint64_t k = 0; k < cycles; ++k)
                if (!face.isValue(column.place, column.row(k).data()))
                    throw Refusal(SME_BAD_DATA, "row " + std::to_string(k) + " of an input is no "
                                                    + face.describe(column.place).type);
    }

    /// Returns why there were fewer cycles.
    std::uint32_t run(Past<Face>& past) {
        std::optional<typename Past<Face>::Rows> rows;
        if (!inputs_.empty() && cycles_ > 0) remember(rows.emplace(past));
        return past.run(
            first_ + cycles_,
            [&](std::uint64_t until) {
                return face_.runBlock(until, from(inputs_), from(records_));
            },
            [&] {
                for (const auto& column : inputs_)
                    face_.set(column.place, column.row(face_.cycle() - first_).data());
            });
    }

private:
    void remember(typename Past<Face>::Rows& rows) const {
        std::vector<std::byte> before;
        for (std::uint64_t k = 0; k < cycles_; ++k) {
            for (const auto& column : inputs_) {
                const std::span<const std::byte> value = column.row(k);
                if (k == 0) {
                    before.resize(column.bytes);
                    face_.get(column.place, before.data());
                }
                const std::byte* was = k == 0 ? before.data() : column.row(k - 1).data();
                if (std::memcmp(was, value.data(), value.size()) != 0)
                    rows.add(first_ + k, column.handle, value);
            }
        }
        rows.close();
    }
    /// Those of the cycles that are left.
    Columns from(const Columns& columns) const {
        Columns rest;
        for (const auto& column : columns)
            rest.push_back(column.from(face_.cycle() - first_));
        return rest;
    }

    Face& face_;
    const Columns inputs_;
    const Columns records_;
    const std::uint64_t first_;
    const std::uint64_t cycles_;
};

}  // namespace sme
