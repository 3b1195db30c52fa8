#pragma once

#include <map>
#include <vector>

#include "ir/ir.h"
#include "passes/wires.h"

namespace smec::passes {

/// Gives the instances of classes other numbers. Connections follow at once, everything else when
/// all is done.
class Renumberer {
public:
    explicit Renumberer(ir::Design& design);
    Renumberer(const Renumberer&) = delete;
    Renumberer& operator=(const Renumberer&) = delete;

    const Readers& readers() const { return readers_; }
    /// The instance with number order[i] becomes number i.
    void apply(ir::ClassId cls, const Order& order);
    /// Whether any instance has another number now.
    bool finish();

private:
    void followNames();

    ir::Design& design_;
    const Readers readers_;
    std::map<ir::ClassId, Order> orders_;  ///< the instances that they had before, by new number
};

}  // namespace smec::passes
