#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/program.h"
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

const ir::Connection& connectionOf(const ir::Class& cls, const Port& port);
const ir::Run& runOf(const ir::Connection& connection, std::uint32_t instance);

/// Gathered: those whose runs are short, and those that would cut the segments of all others to
/// pieces.
void chooseGathered(const rules::Asker& ledger, ir::ClassId id, const ir::Class& cls,
                    std::vector<Port>& ports);
/// The instances at which a segment begins, for ports that are not gathered.
std::vector<std::uint32_t> boundaries(const ir::Class& cls, const std::vector<Port>& ports);

/// The border of a port whose instances without driver read what the others' pointers pass over.
std::optional<ir::Border> borderIn(const Program& program, const ir::Class& cls, const Port& port);
/// Where the pointer of a port with a border points for an instance: words from the region's start.
std::int64_t borderElement(const Program& program, const ir::Border& border,
                           std::uint32_t instance);
/// A flag for each instance: it has no driver.
std::string borderColumn(const Program& program, const ir::Class& cls, const Port& port);

void describeSlot(const Program& program, const ir::Class& cls, Port& port);
/// The stride of most instances in runs of several.
void describeStride(const ir::Class& cls, Port& port);

/// Where one instance finds an element of an input: region slot and word index.
struct Source {
    Slot slot;  ///< Read or Write
    std::uint64_t element;
    ir::PlaneId plane{};
    std::uint32_t instance = 0;  ///< of the plane
};
Source sourceOf(const Program& program, const ir::Connection& connection, std::uint32_t instance);

/// The element, or its code where slots differ.
std::uint64_t codeOf(const Source& source, Slot slot);
/// What is read in one slot or the other.
Slot slotOf(bool anyRead, bool anyWrite);
std::uint32_t asWord(std::uint64_t element);
/// The elements of a gathered port, or their codes, for all instances.
std::vector<std::uint32_t> indexColumn(const Program& program, const ir::Class& cls,
                                       const Port& port);

}  // namespace smec::codegen::cpp
