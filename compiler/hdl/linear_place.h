#pragma once

#include <string>
#include <vector>

#include "hdl/hdl.h"

namespace smec::hdl {

/// A number that grows from round to round of an instance's loops, as an expression over their
/// variables: "i * 4 + j - 1".
class LinearPlace {
public:
    /// `first`: in the first round.
    LinearPlace(const Instance& instance, Integer first, const std::vector<std::int64_t>& steps);
    bool isConstant() const { return text_.empty(); }
    const std::string& text() const { return text_; }
    /// As an operand: in parentheses where it is more than a variable.
    std::string operand() const;

private:
    std::string text_;
};

/// Rounds in front of the one with these variables: "(i - 1) * 4 + j".
std::string roundText(const Instance& instance);

}  // namespace smec::hdl
