#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "ir/ir.h"

namespace smec::codegen::cpp {

/// A part of a long body, which becomes a function of its own: g++ takes time and memory with the
/// square of a function's length.
struct BodyPart {
    std::size_t count = 0;  ///< statements of one block
    /// Scalars that live longer than the part, and whether it sets them.
    std::map<std::uint32_t, bool> locals;
    /// What it reads besides: as BodyInfo has them.
    std::set<std::pair<std::uint32_t, std::uint32_t>> elements;
    std::set<std::uint32_t> columns;
};

enum class BodyOf : std::uint8_t { Process, Function };

/// The parts of a numbered body by their first statements, without their locals; none where it is short.
std::map<ir::StmtId, BodyPart> bodyParts(const ir::Block& body, BodyOf kind);

}  // namespace smec::codegen::cpp
