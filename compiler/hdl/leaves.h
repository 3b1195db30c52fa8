#pragma once

#include "hdl/hdl.h"

namespace smec::hdl {

/// What a body's leaves are in the module.
class Leaves {
public:
    virtual ~Leaves() = default;
    virtual ExprId local(ir::LocalId local, ExprId index) = 0;
    /// `place`: number of the element among those of all elements of an array port.
    virtual ExprId input(std::uint32_t input, ExprId place) = 0;
    virtual ExprId column(std::uint32_t column) = 0;
    virtual ExprId table(ir::TableId table, ExprId index) = 0;
    virtual ExprId cycle() = 0;
    /// A temporary that holds a value from here to the end of the statement.
    virtual ExprId hold(ExprId value) = 0;
};

}  // namespace smec::hdl
