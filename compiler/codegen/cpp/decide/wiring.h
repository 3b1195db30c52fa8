#pragma once

#include <cstdint>
#include <vector>

#include "codegen/cpp/decide/port.h"
#include "codegen/cpp/decide/program.h"

namespace smec::codegen::cpp {

/// The joint segments of all connections of a class that are not gathered.
struct Wiring {
    std::vector<Port> ports;
    std::uint32_t rowWidth =
        2;  ///< first instance, count, then per port: element or code[, stride]
    std::vector<std::uint32_t> rows;
    /// With checks and seams: the rows without seams, for when a check fails.
    std::vector<std::uint32_t> exactRows;
    /// Rows of the same form, of one instance each and ascending: instances inside a segment that
    /// read elsewhere. They are computed again after the segment.
    std::vector<std::uint32_t> seams;
    /// Variables (slots of the class) that seams need as they were before the segment ran.
    std::vector<std::uint32_t> saved;
    /// With `saved`: most seams among target::kSeamSpan instances, which are run in one go.
    std::uint32_t seamsInSpan = 0;
    std::size_t rowCount() const { return rows.size() / rowWidth; }
    std::size_t seamCount() const { return seams.size() / rowWidth; }
};

/// Whether the checks of many instances are looked at before these are run without them, in lanes.
bool looksAhead(const Program& program, ir::ClassId cls);

/// Plans the connections that the body reads; index columns go to model.bin.
Wiring wire(Program& program, ir::ClassId cls);

/// Index column of an array port whose element is chosen at run time: for each instance of
/// begin … end-1 all elements, as codes where slots differ.
struct SelectionIndex {
    Slot slot = Slot::Read;
    std::vector<std::uint32_t> elements;
};
SelectionIndex selectionIndex(const Program& program, const ir::Input& input, std::uint32_t begin,
                              std::uint32_t end);

}  // namespace smec::codegen::cpp
