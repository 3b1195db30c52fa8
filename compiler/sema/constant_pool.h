#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "hir/design.h"

namespace smec::sema {

/// Values and strings of the design, each stored once.
class ConstantPool {
public:
    explicit ConstantPool(hir::Design& design) : design_(design) {}

    std::uint32_t intern(const hir::Value& value);
    std::uint32_t intern(std::string_view text);

private:
    hir::Design& design_;
    std::unordered_multimap<std::size_t, std::uint32_t> values_;
    std::unordered_map<std::string, std::uint32_t> strings_;
};

}  // namespace smec::sema
