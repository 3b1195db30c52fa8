#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/canonical.h"

namespace smec::passes {

/// Words are compared, not hashed: what is merged is equal.
struct Key {
    std::vector<std::uint64_t> words;
    void word(std::uint64_t x) { words.push_back(x); }
    void text(const std::string& text) {
        word(text.size());
        words.insert(words.end(), text.begin(), text.end());
    }
    void integer(const ir::Integer& x) { text(x.str()); }
    auto operator<=>(const Key&) const = default;
};

/// Of a class, a plane or an input; `level`: of combinational classes.
template <typename T>
Key keyOf(const ir::Design& design, const T& what, std::uint32_t level, ir::Contents contents) {
    Key key;
    key.word(level);
    ir::Canonical(design, contents, key).add(what);
    return key;
}

/// Where a class can fail, which reports say.
inline void addPlaces(const ir::Class& cls, Key& key) {
    for (const ir::FailSite& site : cls.body.fails)
        for (const std::uint32_t x : {site.range.file.index, site.range.begin, site.range.end})
            key.word(x);
}

/// Whether its body neither can trace or stop, nor has a function of its own.
bool canMerge(const ir::Design& design, const ir::Class& cls);

}  // namespace smec::passes
