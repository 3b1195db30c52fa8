#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "ir/ir.h"

/// Shared by the parts of verify().
namespace smec::ir {

/// What is broken, in the order found. Stops growing at 50: one mistake has many consequences.
struct Complaints {
    std::vector<std::string> texts;

    template <typename... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        if (texts.size() < 50) texts.push_back(fmt::format(format, std::forward<Args>(args)...));
    }
};

/// A body and what its ids refer to.
struct BodyOwner {
    const Body& body;
    const Class* cls;             ///< null in functions
    const Function* function;     ///< null in processes
    ClassId siteOwner;            ///< whose functions it may call, and whose sites a function
                                  ///< uses; invalid: none
    std::uint32_t functionLimit;  ///< it may call functions before this one
    std::string name;
};
void verifyBody(const Design& design, const BodyOwner& owner, Complaints& out);

}  // namespace smec::ir
