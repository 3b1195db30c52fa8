// The torus' row  west: {0,1,←} {1,255,0}   east: {0,255,1} {255,1,←}   is walked as the joint
// segments {0,1} {1,254} {255,1}: within one, every connection is a pointer that advances with the
// instance. Connections of short runs (on average below 8 instances) would cut all others to
// pieces; they go through an index column instead.

#include "codegen/cpp/wiring.h"

#include <algorithm>

#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

constexpr std::size_t kShortRun = 8;
constexpr std::size_t kFewRows = 4;  // never worth an index column

const ir::Connection& connectionOf(const ir::Class& cls, const Port& port) {
    return cls.inputs[port.input].elements[port.element];
}

std::uint32_t asWord(std::uint64_t element) {
    require(element <= UINT32_MAX, "codegen: more than 2^32 elements in a region");
    return static_cast<std::uint32_t>(element);
}

/// The instances at which a segment begins.
std::vector<std::uint32_t> boundaries(const ir::Class& cls, const std::vector<Port>& ports) {
    std::vector<std::uint32_t> result{0};
    for (const Port& port : ports) {
        if (port.isGathered) continue;
        for (const ir::Run& run : connectionOf(cls, port).runs)
            result.push_back(run.first);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

void chooseGathered(const ir::Class& cls, std::vector<Port>& ports) {
    const auto isShort = [&](std::size_t runs) {
        return runs > kFewRows && cls.instances / runs < kShortRun;
    };
    for (Port& port : ports)
        port.isGathered = isShort(connectionOf(cls, port).runs.size());
    while (isShort(boundaries(cls, ports).size())) {
        const auto most =
            std::max_element(ports.begin(), ports.end(), [&](const Port& a, const Port& b) {
                const auto runs = [&](const Port& p) {
                    return p.isGathered ? 0 : connectionOf(cls, p).runs.size();
                };
                return runs(a) < runs(b);
            });
        most->isGathered = true;
    }
}

void describeSlots(const Program& program, const ir::Class& cls, Port& port) {
    bool anyRead = false, anyWrite = false;
    for (const ir::Run& run : connectionOf(cls, port).runs) {
        (isReadInWriteSlot(program.design.planes[run.plane.index]) ? anyWrite : anyRead) = true;
    }
    port.isMixed = anyRead && anyWrite;
    port.inWriteSlot = anyWrite && !anyRead;
}

/// The stride that all runs of several instances share.
void describeStride(const ir::Class& cls, Port& port) {
    const auto length = static_cast<std::int64_t>(cls.inputs[port.input].type.elements());
    bool isKnown = false;
    port.stride = length;
    for (const ir::Run& run : connectionOf(cls, port).runs) {
        if (run.count == 1) continue;
        const std::int64_t stride = run.stride * length;
        port.isDynamic = port.isDynamic || (isKnown && stride != port.stride);
        port.stride = stride;
        isKnown = true;
    }
}

std::uint64_t codeOf(const Source& source, bool isMixed) {
    return isMixed ? 2 * source.element + (source.inWriteSlot ? 1 : 0) : source.element;
}

void addRow(const Program& program, const ir::Class& cls, std::uint32_t begin, std::uint32_t end,
            Wiring& wiring) {
    wiring.rows.push_back(begin);
    wiring.rows.push_back(end - begin);
    for (const Port& port : wiring.ports) {
        if (port.isGathered) continue;
        const ir::Connection& connection = connectionOf(cls, port);
        wiring.rows.push_back(asWord(codeOf(sourceOf(program, connection, begin), port.isMixed)));
        if (!port.isDynamic) continue;
        const auto run = std::prev(
            std::upper_bound(connection.runs.begin(), connection.runs.end(), begin,
                             [](std::uint32_t at, const ir::Run& r) { return at < r.first; }));
        const auto length = static_cast<std::int64_t>(cls.inputs[port.input].type.elements());
        wiring.rows.push_back(static_cast<std::uint32_t>(run->stride * length));
    }
}

std::vector<std::uint32_t> indexColumn(const Program& program, const ir::Class& cls,
                                       const Port& port) {
    std::vector<std::uint32_t> column;
    column.reserve(cls.instances);
    for (const ir::Run& run : connectionOf(cls, port).runs) {
        const bool inWrite = isReadInWriteSlot(program.design.planes[run.plane.index]);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const std::uint64_t element =
                elementIndex(program, run.plane, run.start + std::int64_t(i) * run.stride);
            column.push_back(asWord(codeOf({inWrite, element}, port.isMixed)));
        }
    }
    return column;
}

}  // namespace

Source sourceOf(const Program& program, const ir::Connection& connection, std::uint32_t instance) {
    const auto next =
        std::upper_bound(connection.runs.begin(), connection.runs.end(), instance,
                         [](std::uint32_t at, const ir::Run& r) { return at < r.first; });
    require(next != connection.runs.begin(), "codegen: connection without a run for an instance");
    const ir::Run& run = *std::prev(next);
    const std::int64_t at = run.start + std::int64_t(instance - run.first) * run.stride;
    return {isReadInWriteSlot(program.design.planes[run.plane.index]),
            elementIndex(program, run.plane, at)};
}

std::vector<std::uint32_t> selectionIndex(const Program& program, const ir::Input& input,
                                          std::uint32_t begin, std::uint32_t end, bool& isMixed,
                                          bool& inWriteSlot) {
    std::vector<Source> sources;
    bool anyRead = false, anyWrite = false;
    for (std::uint32_t instance = begin; instance < end; ++instance) {
        for (const ir::Connection& connection : input.elements) {
            sources.push_back(sourceOf(program, connection, instance));
            (sources.back().inWriteSlot ? anyWrite : anyRead) = true;
        }
    }
    isMixed = anyRead && anyWrite;
    inWriteSlot = anyWrite && !anyRead;
    std::vector<std::uint32_t> index;
    index.reserve(sources.size());
    for (const Source& source : sources)
        index.push_back(asWord(codeOf(source, isMixed)));
    return index;
}

Wiring wire(Program& program, ir::ClassId id) {
    const ir::Class& cls = program.design.classes[id.index];
    Wiring wiring;
    for (const auto& [input, element] : program.classes[id.index].elements) {
        Port port;
        port.input = input;
        port.element = element;
        wiring.ports.push_back(port);
    }
    chooseGathered(cls, wiring.ports);
    for (Port& port : wiring.ports) {
        describeSlots(program, cls, port);
        if (port.isGathered) {
            port.indexOffset = program.data.add(wordsAsBytes(indexColumn(program, cls, port)), 64);
            continue;
        }
        describeStride(cls, port);
        port.column = wiring.rowWidth;
        wiring.rowWidth += port.isDynamic ? 2 : 1;
    }
    const std::vector<std::uint32_t> begins = boundaries(cls, wiring.ports);
    for (std::size_t i = 0; i < begins.size(); ++i) {
        addRow(program, cls, begins[i], i + 1 < begins.size() ? begins[i + 1] : cls.instances,
               wiring);
    }
    return wiring;
}

}  // namespace smec::codegen::cpp
