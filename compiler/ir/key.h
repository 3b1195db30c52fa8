#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/canonical.h"

namespace smec::ir {

/// Words that equal things have in common: what Canonical writes into. They are compared, not hashed:
/// what is taken for equal is equal.
struct Key {
    std::vector<std::uint64_t> words;
    void word(std::uint64_t x) { words.push_back(x); }
    void text(const std::string& text) {
        word(text.size());
        words.insert(words.end(), text.begin(), text.end());
    }
    void integer(const Integer& x) { text(x.str()); }
    auto operator<=>(const Key&) const = default;
};

}  // namespace smec::ir
