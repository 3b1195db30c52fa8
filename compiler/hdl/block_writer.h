#pragma once

#include <utility>

#include "hdl/hdl.h"

namespace smec::hdl {

/// The block that statements go to, and where in the source they stand.
class BlockWriter {
public:
    /// Of the statements that come next.
    void at(SourceRange range) { range_ = range; }
    void emit(decltype(Stmt::node) node) { block_->push_back({range_, std::move(node)}); }
    SourceRange range() const { return range_; }
    /// Whether what comes next may be left out in an activation.
    bool isNested() const { return isNested_; }

    /// What `fill` emits.
    template <typename Fill>
    Block capture(Fill&& fill) {
        Block inner;
        Block* const outer = std::exchange(block_, &inner);
        const SourceRange range = range_;
        fill();
        range_ = range;
        block_ = outer;
        return inner;
    }
    /// The same, of a branch.
    template <typename Fill>
    Block nested(Fill&& fill) {
        const bool outer = std::exchange(isNested_, true);
        Block inner = capture(fill);
        isNested_ = outer;
        return inner;
    }

private:
    Block* block_ = nullptr;
    SourceRange range_;
    bool isNested_ = false;
};

}  // namespace smec::hdl
