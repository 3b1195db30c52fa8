// The torus' row  west: {0,1,←} {1,255,0}   east: {0,255,1} {255,1,←}   is walked as the joint
// segments {0,1} {1,254} {255,1}: within one, every connection is a pointer that advances with the
// instance. Where a class may be run twice in a cycle, the rows of the torus even become one
// segment, and the instances at its seams are computed again from where they really read.
// Connections of short runs (on average below 8 instances) would cut all others to pieces; they go
// through an index column instead.

#include "codegen/cpp/decide/wiring.h"

#include <algorithm>
#include <map>

#include "codegen/cpp/decide/seams.h"
#include "codegen/cpp/decide/slot_locals.h"
#include "codegen/cpp/target.h"
#include "ir/target.h"
#include "ir/visit.h"

namespace smec::codegen::cpp {
namespace {

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

bool hasOpenLoop(const ir::Block& block) {
    bool found = false;
    ir::forEachStmt(block, [&](const ir::Stmt& stmt) {
        found = found || (ir::isLoop(stmt) && !std::holds_alternative<ir::For>(stmt.node));
    });
    return found;
}

bool isHarmless(const Program& program, const ir::Body& body, const BodyInfo& info) {
    if (info.needs.context || info.needs.rounds || hasOpenLoop(body.statements)) return false;
    return std::all_of(info.functions.begin(), info.functions.end(), [&](std::uint32_t id) {
        const ir::Function& function = program.design.functions[id];
        return !function.callsForeign && isHarmless(program, function.body, program.functions[id]);
    });
}

/// What of a spread array an activation without branches sets, it sets again when it is repeated.
/// Whether it never reads the array before it has set all that it sets.
bool isSetFirst(const ir::Body& body, ir::LocalId array) {
    std::vector<bool> reads;
    for (const ir::Expr& expr : body.exprs) {
        const auto* read = std::get_if<ir::ReadLocal>(&expr.node);
        bool depends = read != nullptr && read->local == array;
        ir::forEachOperand(expr, [&](ir::ExprId id) { depends = depends || reads[id.index]; });
        reads.push_back(depends);
    }
    bool isRead = false, isFirst = true;
    for (const ir::Stmt& stmt : body.statements) {
        ir::forEachExpr(stmt, [&](ir::ExprId id) { isRead = isRead || reads[id.index]; });
        const auto* set = std::get_if<ir::Set>(&stmt.node);
        isFirst = isFirst && (!isRead || (set != nullptr && set->local != array));
    }
    return isFirst;
}

/// Whether spread arrays are after a second activation as they would be after that alone.
bool mayRepeatSpread(const Program& program, ir::ClassId id) {
    const ir::Body& body = program.design.classes[id.index].body;
    for (std::uint32_t i = 0; i < body.locals.size(); ++i) {
        if (body.locals[i].form == ir::LocalForm::Spread
            && (looksAhead(program, id) || !isSetFirst(body, {i})))
            return false;
    }
    return true;
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
    return info.uses->selected.empty()
           && std::all_of(wiring.ports.begin(), wiring.ports.end(), isPlain)
           && std::none_of(cls.state.begin(), cls.state.end(), isArray)
           && mayRepeatSpread(program, id)
           && (looksAhead(program, id)
                   ? std::none_of(wiring.ports.begin(), wiring.ports.end(),
                                  [](const Port& port) { return port.tellsStride(); })
                   : isHarmless(program, cls.body, info));
}

/// Scalars that an activation reads and changes.
std::vector<std::uint32_t> changedState(const Program& program, ir::ClassId id) {
    const BodyInfo& info = program.classes[id.index];
    const ir::Class& cls = program.design.classes[id.index];
    const SlotLocals locals = slotLocalsOf(cls, info);
    std::vector<std::uint32_t> changed;
    for (std::uint32_t slot = 0; slot < locals.state.size(); ++slot) {
        const std::uint32_t local = locals.state[slot];
        if (local != UINT32_MAX && !cls.body.locals[local].type.isArray()
            && info.locals[local].isWritten && !info.locals[local].isOverwritten)
            changed.push_back(slot);
    }
    return changed;
}

/// The connections that the body reads.
std::vector<Port> portsOf(const Program& program, ir::ClassId id) {
    const ir::Class& cls = program.design.classes[id.index];
    const bool inLanes = program.options.lanes && program.facts.classes[id.index].fillsLanes;
    std::vector<Port> ports;
    for (const auto& [input, element] : program.classes[id.index].uses->elements) {
        Port port;
        port.input = input;
        port.element = element;
        if (inLanes) port.border = borderIn(program, cls, port);
        ports.push_back(port);
    }
    chooseGathered(program.options.ledger, id, cls, ports);
    return ports;
}

/// Gives the ports their columns: of a row or, in model.bin, of borders and indices.
void placeColumns(Program& program, const ir::Class& cls, Wiring& wiring) {
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
}

/// Rows of several segments as one.
void join(const Program& program, ir::ClassId id, Wiring& wiring) {
    if (looksAhead(program, id)) wiring.exactRows = wiring.rows;
    joinSeams(program, program.design.classes[id.index], wiring);
    if (wiring.seams.empty()) wiring.exactRows.clear();
    wiring.saved = changedState(program, id);
    if (!wiring.saved.empty()) wiring.seamsInSpan = mostSeams(wiring, target::kSeamSpan);
}

/// Where the class may be run twice.
void joinRows(const Program& program, ir::ClassId id, Wiring& wiring) {
    using enum rules::Condition;
    const rules::Finding rows{ManyRuns, wiring.rowCount(), ir::target::kFewRuns};
    const bool mayRepeat = rows.holds() && mayRunTwice(program, id, wiring);
    const bool joins = mayRepeat && program.options.ledger.allows(rules::Rule::Seams);
    if (joins) join(program, id, wiring);
    program.options.ledger.ask(
        rules::Rule::Seams, rules::Subject::ofClass(id.index),
        {rows, {Repeatable, mayRepeat}, {JoinedRows, !joins || !wiring.seams.empty()}},
        rows.holds() ? 1 : 0);
}

}  // namespace

bool looksAhead(const Program& program, ir::ClassId id) {
    const ir::Class& cls = program.design.classes[id.index];
    const auto isCheck = [](const ir::Stmt& stmt) {
        return std::holds_alternative<ir::Check>(stmt.node);
    };
    return program.options.lanes
           && std::any_of(cls.body.statements.begin(), cls.body.statements.end(), isCheck)
           && program.options.ledger.ask(
               rules::Rule::ChecksAhead, rules::Subject::ofClass(id.index),
               {{rules::Condition::VectorCode, program.facts.classes[id.index].fillsLanes}});
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
    Wiring wiring;
    wiring.ports = portsOf(program, id);
    placeColumns(program, cls, wiring);
    const std::vector<std::uint32_t> begins = boundaries(cls, wiring.ports);
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::uint32_t end = i + 1 < begins.size() ? begins[i + 1] : cls.instances;
        addRow(program, cls, begins[i], end, wiring);
    }
    joinRows(program, id, wiring);
    return wiring;
}

}  // namespace smec::codegen::cpp
