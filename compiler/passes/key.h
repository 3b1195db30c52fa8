#pragma once

#include <cstdint>

#include "ir/key.h"

namespace smec::passes {

using ir::Key;

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
