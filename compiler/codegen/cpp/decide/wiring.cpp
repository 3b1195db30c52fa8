// The torus' row  west: {0,1,←} {1,255,0}   east: {0,255,1} {255,1,←}   is walked as the joint
// segments {0,1} {1,254} {255,1}: within one, every connection is a pointer that advances with the
// instance. Where a class may be run twice in a cycle, the rows of the torus even become one
// segment, and the instances at its seams are computed again from where they really read.
// Connections of short runs (on average below 8 instances) would cut all others to pieces; they go
// through an index column instead.

#include "codegen/cpp/decide/wiring.h"

#include <algorithm>
#include <map>

#include "codegen/cpp/decide/touched.h"
#include "ir/lanes.h"
#include "ir/target.h"
#include "ir/visit.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

/// Where a field is found in the cycle.
Slot slotIn(const ir::Plane& plane) { return isReadInWriteSlot(plane) ? Slot::Write : Slot::Read; }

const ir::Connection& connectionOf(const ir::Class& cls, const Port& port) {
    return cls.inputs[port.input].elements[port.element];
}

const ir::Run& runOf(const ir::Connection& connection, std::uint32_t instance) {
    const auto next =
        std::upper_bound(connection.runs.begin(), connection.runs.end(), instance,
                         [](std::uint32_t at, const ir::Run& r) { return at < r.first; });
    require(next != connection.runs.begin(), "codegen: connection without a run for an instance");
    return *std::prev(next);
}

std::uint32_t asWord(std::uint64_t element) {
    require(element <= UINT32_MAX, "codegen: more than 2^32 elements in a region");
    return static_cast<std::uint32_t>(element);
}

/// The instances at which a segment begins.
std::vector<std::uint32_t> boundaries(const ir::Class& cls, const std::vector<Port>& ports) {
    std::vector<std::uint32_t> result{0};
    for (const Port& port : ports) {
        if (port.isGathered() || port.border) continue;
        for (const ir::Run& run : connectionOf(cls, port).runs)
            result.push_back(run.first);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

void chooseGathered(const ir::Class& cls, std::vector<Port>& ports) {
    const auto isShort = [&](std::size_t runs) {
        return runs > ir::target::kFewRuns && cls.instances / runs < ir::target::kShortRun;
    };
    for (Port& port : ports)
        if (!port.border && isShort(connectionOf(cls, port).runs.size()))
            port.reach = Reach::IndexColumn;
    while (isShort(boundaries(cls, ports).size())) {
        const auto most =
            std::max_element(ports.begin(), ports.end(), [&](const Port& a, const Port& b) {
                const auto runs = [&](const Port& p) {
                    return p.isGathered() || p.border ? 0 : connectionOf(cls, p).runs.size();
                };
                return runs(a) < runs(b);
            });
        most->reach = Reach::IndexColumn;
    }
}

/// Where the pointer of a port with a border points for instance i: words from the region's start.
std::int64_t borderElement(const Program& program, const ir::Border& border, std::uint32_t i) {
    return static_cast<std::int64_t>(elementIndex(program, border.plane, 0)) + border.first
           + std::int64_t(i) * border.stride;
}

std::optional<ir::Border> borderIn(const Program& program, const ir::Class& cls, const Port& port) {
    const auto border =
        ir::borderOf(program.design, cls.inputs[port.input], connectionOf(cls, port));
    if (!border) return std::nullopt;
    const std::int64_t first = borderElement(program, *border, 0);
    const std::int64_t last = borderElement(program, *border, cls.instances - 1);
    const std::int64_t bytes = program.plan.placements[border->plane.index].bytesPerElement;
    const auto end = static_cast<std::int64_t>(program.plan.clockedBytes);
    if (std::min(first, last) < 0 || (std::max(first, last) + 1) * bytes > end) return std::nullopt;
    return border;
}

std::string borderColumn(const Program& program, const ir::Class& cls, const Port& port) {
    std::string flags;
    for (const ir::Run& run : connectionOf(cls, port).runs)
        flags.append(run.count,
                     program.design.planes[run.plane.index].kind == ir::PlaneKind::Undriven ? '\1'
                                                                                            : '\0');
    return flags;
}

Slot slotOf(bool anyRead, bool anyWrite) {
    if (anyRead && anyWrite) return Slot::Either;
    return anyWrite ? Slot::Write : Slot::Read;
}

void describeSlot(const Program& program, const ir::Class& cls, Port& port) {
    if (port.border) return;
    bool anyRead = false, anyWrite = false;
    for (const ir::Run& run : connectionOf(cls, port).runs) {
        const Slot slot = slotIn(program.design.planes[run.plane.index]);
        (slot == Slot::Write ? anyWrite : anyRead) = true;
    }
    port.slot = slotOf(anyRead, anyWrite);
}

/// The stride of most instances in runs of several.
void describeStride(const ir::Class& cls, Port& port) {
    const auto length = static_cast<std::int64_t>(cls.inputs[port.input].type.elements());
    std::map<std::int64_t, std::uint64_t> instances;
    for (const ir::Run& run : connectionOf(cls, port).runs)
        if (run.count > 1) instances[run.stride * length] += run.count;
    if (instances.size() > 1 && !port.border) port.reach = Reach::RowAndStride;
    port.stride = port.border ? port.border->stride : length;
    if (port.border) return;
    if (instances.empty()) return;
    const auto isFewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    port.stride = std::max_element(instances.begin(), instances.end(), isFewer)->first;
}

/// The element, or its code where slots differ.
std::uint64_t codeOf(const Source& source, Slot slot) {
    if (slot != Slot::Either) return source.element;
    return 2 * source.element + (source.slot == Slot::Write ? 1 : 0);
}

void addRow(const Program& program, const ir::Class& cls, std::uint32_t begin, std::uint32_t end,
            Wiring& wiring) {
    wiring.rows.push_back(begin);
    wiring.rows.push_back(end - begin);
    for (const Port& port : wiring.ports) {
        if (port.isGathered()) continue;
        if (port.border) {
            wiring.rows.push_back(
                asWord(static_cast<std::uint64_t>(borderElement(program, *port.border, begin))));
            continue;
        }
        const ir::Connection& connection = connectionOf(cls, port);
        wiring.rows.push_back(asWord(codeOf(sourceOf(program, connection, begin), port.slot)));
        if (!port.tellsStride()) continue;
        const ir::Run& run = runOf(connection, begin);
        const auto length = static_cast<std::int64_t>(cls.inputs[port.input].type.elements());
        const std::int64_t stride = end - begin == 1 ? port.stride : run.stride * length;
        wiring.rows.push_back(static_cast<std::uint32_t>(stride));
    }
}

std::vector<std::uint32_t> indexColumn(const Program& program, const ir::Class& cls,
                                       const Port& port) {
    std::vector<std::uint32_t> column;
    column.reserve(cls.instances);
    for (const ir::Run& run : connectionOf(cls, port).runs) {
        const Slot slot = slotIn(program.design.planes[run.plane.index]);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const std::uint64_t element =
                elementIndex(program, run.plane, run.start + std::int64_t(i) * run.stride);
            column.push_back(asWord(codeOf({slot, element}, port.slot)));
        }
    }
    return column;
}

bool hasOpenLoop(const ir::Block& block) {
    bool found = false;
    for (const ir::Stmt& stmt : block) {
        found = found || std::holds_alternative<ir::Loop>(stmt.node);
        ir::forEachBlock(stmt,
                         [&](const ir::Block& inner) { found = found || hasOpenLoop(inner); });
    }
    return found;
}

bool isHarmless(const Program& program, const ir::Body& body, const BodyInfo& info) {
    if (info.needs.context || info.needs.rounds || hasOpenLoop(body.statements)) return false;
    return std::all_of(info.functions.begin(), info.functions.end(), [&](std::uint32_t id) {
        const ir::Function& function = program.design.functions[id];
        return !function.callsForeign && isHarmless(program, function.body, program.functions[id]);
    });
}

/// Whether an activation may be done with any values of its inputs and then again with the right
/// ones: it can neither be seen nor fail, or its checks are looked at before, and it ends. What it
/// remembers can be put back, but for arrays.
bool mayRunTwice(const Program& program, ir::ClassId id, const Wiring& wiring) {
    const ir::Class& cls = program.design.classes[id.index];
    const BodyInfo& info = program.classes[id.index];
    const auto isPlain = [](const Port& port) {
        return port.isGathered() || port.slot == Slot::Read;
    };
    const auto isArray = [&](ir::PlaneId plane) {
        return program.design.planes[plane.index].ownType().isArray();
    };
    return info.selected.empty() && std::all_of(wiring.ports.begin(), wiring.ports.end(), isPlain)
           && std::none_of(cls.state.begin(), cls.state.end(), isArray)
           && (looksAhead(program, id)
                   ? std::none_of(wiring.ports.begin(), wiring.ports.end(),
                                  [](const Port& port) { return port.tellsStride(); })
                   : isHarmless(program, cls.body, info));
}

/// Variables that an activation reads and changes.
std::vector<std::uint32_t> changedState(const Program& program, ir::ClassId id) {
    const BodyInfo& info = program.classes[id.index];
    const Touched touched = touchedBy(program.design.classes[id.index], info);
    std::vector<std::uint32_t> changed;
    for (std::uint32_t slot = 0; slot < touched.state.size(); ++slot) {
        const std::uint32_t local = touched.state[slot];
        if (local != UINT32_MAX && info.locals[local].isWritten
            && !info.locals[local].isOverwritten)
            changed.push_back(slot);
    }
    return changed;
}

std::uint32_t mostSeams(const Wiring& wiring, std::uint32_t span) {
    const auto instance = [&](std::size_t seam) { return wiring.seams[seam * wiring.rowWidth]; };
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; first < wiring.seamCount(); ++first) {
        while (last < wiring.seamCount() && instance(last) < instance(first) + span)
            ++last;
        most = std::max(most, last - first);
    }
    return static_cast<std::uint32_t>(most);
}

/// Joins segments that go on where an earlier one ended, but for a few instances between them: the
/// row before and the row after a torus' seam. What the loop then reads for those few lies between
/// elements that it reads for others.
class SeamJoiner {
public:
    SeamJoiner(const ir::Class& cls, Wiring& wiring)
        : cls_(cls), wiring_(wiring), width_(wiring.rowWidth) {}

    void run() {
        const std::vector<std::uint32_t> rows = std::move(wiring_.rows);
        wiring_.rows.clear();
        for (std::size_t at = 0; at < rows.size(); at += width_)
            add({rows.begin() + std::ptrdiff_t(at), rows.begin() + std::ptrdiff_t(at + width_)});
        keepPending();
    }

private:
    using Row = std::vector<std::uint32_t>;

    void add(const Row& row) {
        if (!current_.empty() && continues(row)) {
            for (const Row& between : pending_)
                addSeams(between);
            pending_.clear();
            wiring_.rows[last_ + 1] = row[0] + row[1] - current_[0];
        } else if (row[1] <= target::kLongestSeam && !current_.empty()) {
            pending_.push_back(row);
        } else {
            keepPending();
            keep(row);
        }
    }

    /// Whether a row's instances read where those of the current one would if it were longer.
    bool continues(const Row& row) const {
        const std::uint32_t distance = row[0] - current_[0];
        for (const Port& port : wiring_.ports) {
            if (port.isGathered()) continue;
            if (!hasOwnStride(row, port) || !hasOwnStride(current_, port)) return false;
            if (!port.border && planeOf(port, row[0]) != planeOf(port, current_[0])) return false;
            if (std::int64_t(row[port.column])
                != std::int64_t(current_[port.column]) + distance * port.stride)
                return false;
        }
        return true;
    }

    /// What lies between elements of one plane is of its type, and no index leads astray.
    ir::PlaneId planeOf(const Port& port, std::uint32_t instance) const {
        return runOf(connectionOf(cls_, port), instance).plane;
    }

    static bool hasOwnStride(const Row& row, const Port& port) {
        return strideIn(row, port) == port.stride;
    }

    void keep(const Row& row) {
        last_ = wiring_.rows.size();
        current_ = row;
        wiring_.rows.insert(wiring_.rows.end(), row.begin(), row.end());
    }

    static std::int64_t strideIn(const Row& row, const Port& port) {
        return port.tellsStride() ? static_cast<std::int32_t>(row[port.column + 1]) : port.stride;
    }

    void keepPending() {
        for (const Row& row : pending_)
            keep(row);
        pending_.clear();
    }

    void addSeams(const Row& row) {
        for (std::uint32_t i = 0; i < row[1]; ++i) {
            const std::size_t at = wiring_.seams.size();
            wiring_.seams.insert(wiring_.seams.end(), row.begin(), row.end());
            wiring_.seams[at] += i;
            wiring_.seams[at + 1] = 1;
            for (const Port& port : wiring_.ports)
                if (!port.isGathered())
                    wiring_.seams[at + port.column] +=
                        static_cast<std::uint32_t>(i * strideIn(row, port));
        }
    }

    const ir::Class& cls_;
    Wiring& wiring_;
    const std::size_t width_;
    Row current_;           ///< the last row kept, as it was
    std::size_t last_ = 0;  ///< where it stands
    std::vector<Row> pending_;
};

}  // namespace

bool looksAhead(const Program& program, ir::ClassId id) {
    const ir::Class& cls = program.design.classes[id.index];
    const auto isCheck = [](const ir::Stmt& stmt) {
        return std::holds_alternative<ir::Check>(stmt.node);
    };
    return program.options.lanes
           && std::any_of(cls.body.statements.begin(), cls.body.statements.end(), isCheck)
           && ir::fillsLanes(cls, program.classes[id.index].intervals);
}

Source sourceOf(const Program& program, const ir::Connection& connection, std::uint32_t instance) {
    const ir::Run& run = runOf(connection, instance);
    const std::int64_t at = run.start + std::int64_t(instance - run.first) * run.stride;
    return {slotIn(program.design.planes[run.plane.index]), elementIndex(program, run.plane, at)};
}

SelectionIndex selectionIndex(const Program& program, const ir::Input& input, std::uint32_t begin,
                              std::uint32_t end) {
    std::vector<Source> sources;
    bool anyRead = false, anyWrite = false;
    for (std::uint32_t instance = begin; instance < end; ++instance) {
        for (const ir::Connection& connection : input.elements) {
            sources.push_back(sourceOf(program, connection, instance));
            (sources.back().slot == Slot::Write ? anyWrite : anyRead) = true;
        }
    }
    SelectionIndex index{slotOf(anyRead, anyWrite), {}};
    index.elements.reserve(sources.size());
    for (const Source& source : sources)
        index.elements.push_back(asWord(codeOf(source, index.slot)));
    return index;
}

Wiring wire(Program& program, ir::ClassId id) {
    const ir::Class& cls = program.design.classes[id.index];
    const bool inLanes =
        program.options.lanes && ir::fillsLanes(cls, program.classes[id.index].intervals);
    Wiring wiring;
    for (const auto& [input, element] : program.classes[id.index].elements) {
        Port port;
        port.input = input;
        port.element = element;
        if (inLanes) port.border = borderIn(program, cls, port);
        wiring.ports.push_back(port);
    }
    chooseGathered(cls, wiring.ports);
    std::map<std::string, std::uint64_t> borders;
    for (Port& port : wiring.ports) {
        describeSlot(program, cls, port);
        if (port.border) {
            const std::string flags = borderColumn(program, cls, port);
            const auto [found, isNew] = borders.try_emplace(flags);
            if (isNew) found->second = program.data.add(flags, 64);
            port.borderOffset = found->second;
        }
        if (port.isGathered()) {
            port.indexOffset = program.data.add(wordsAsBytes(indexColumn(program, cls, port)), 64);
            continue;
        }
        describeStride(cls, port);
        port.column = wiring.rowWidth;
        wiring.rowWidth += port.tellsStride() ? 2 : 1;
    }
    const std::vector<std::uint32_t> begins = boundaries(cls, wiring.ports);
    for (std::size_t i = 0; i < begins.size(); ++i) {
        addRow(program, cls, begins[i], i + 1 < begins.size() ? begins[i + 1] : cls.instances,
               wiring);
    }
    if (wiring.rowCount() > ir::target::kFewRuns && mayRunTwice(program, id, wiring)) {
        if (looksAhead(program, id)) wiring.exactRows = wiring.rows;
        SeamJoiner(cls, wiring).run();
        if (wiring.seams.empty()) wiring.exactRows.clear();
        wiring.saved = changedState(program, id);
        if (!wiring.saved.empty()) wiring.seamsInSpan = mostSeams(wiring, target::kSeamSpan);
    }
    return wiring;
}

}  // namespace smec::codegen::cpp
