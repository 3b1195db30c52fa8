#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/target.h"
#include "ir/border.h"

namespace smec::codegen::cpp {

/// How a loop finds the elements of a connection.
enum class Reach : std::uint8_t {
    Row,           ///< the segment's row tells the first one
    RowAndStride,  ///< and, since strides differ, the stride
    IndexColumn    ///< gathered: an index column tells each
};

/// How a loop over a class reaches one connection.
struct Port {
    std::uint32_t input = 0;
    std::uint32_t element = 0;
    Reach reach = Reach::Row;
    Slot slot = Slot::Read;
    std::int64_t stride = 1;        ///< in words; of RowAndStride that of most instances
    std::uint64_t indexOffset = 0;  ///< of the index column in model.bin
    std::uint32_t column = 0;       ///< in a row of the segment table
    /// Instances without driver read this, chosen by a column of flags in model.bin, while the
    /// pointer goes on over whatever lies there.
    std::optional<ir::Border> border{};
    std::uint64_t borderOffset = 0;

    bool isGathered() const { return reach == Reach::IndexColumn; }
    bool tellsStride() const { return reach == Reach::RowAndStride; }
};

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

/// Where one instance finds an element of an input: region slot and word index.
struct Source {
    Slot slot;  ///< Read or Write
    std::uint64_t element;
};
Source sourceOf(const Program& program, const ir::Connection& connection, std::uint32_t instance);

/// Index column of an array port whose element is chosen at run time: for each instance of
/// begin … end-1 all elements, as codes where slots differ.
struct SelectionIndex {
    Slot slot = Slot::Read;
    std::vector<std::uint32_t> elements;
};
SelectionIndex selectionIndex(const Program& program, const ir::Input& input, std::uint32_t begin,
                              std::uint32_t end);

}  // namespace smec::codegen::cpp
