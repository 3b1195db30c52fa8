#include "rtl/clocked_body.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/cell_maker.h"
#include "rtl/placing.h"
#include "rtl/printed.h"
#include "rtl/registers.h"
#include "rtl/word_cases.h"

namespace smec::rtl {
namespace {

constexpr std::uint32_t kFewestInLoop = 4;  ///< words that are written one after the other

using PortPins = ClockedBody::PortPins;
using Part = ClockedBody::Part;

PortPins pinsOf(const netlist::Cell& cell, std::size_t port) {
    const std::size_t width = cell.number("WIDTH");
    const std::size_t addressBits = cell.number("ABITS");
    return {CellMaker::part(cell["WR_ADDR"], port * addressBits, addressBits),
            CellMaker::part(cell["WR_DATA"], port * width, width),
            CellMaker::part(cell["WR_EN"], port * width, width)};
}

/// Bits that are enabled together, those that never are not.
std::vector<Part> partsOf(const PortPins& pins) {
    std::vector<Part> parts;
    const auto width = static_cast<std::uint32_t>(pins.enables.size());
    for (std::uint32_t low = 0; low < width;) {
        std::uint32_t high = low;
        while (high + 1 < width && pins.enables[high + 1] == pins.enables[low])
            ++high;
        const netlist::Bit enable = pins.enables[low];
        const bool isNever = enable != netlist::kOne && !netlist::isNet(enable);
        if (!isNever) parts.push_back({low, high - low + 1});
        low = high + 1;
    }
    return parts;
}

ast::Stmt ifThen(ast::ExprId condition, ast::Block body) {
    ast::If node;
    node.branches.push_back({condition, std::move(body)});
    return Tree::statement(std::move(node));
}

}  // namespace

SignalId ClockedBody::registerOf(const netlist::Cell& cell) const {
    return *plan_.signals.whole(cell["Q"]);
}

void ClockedBody::write() {
    for (const auto* cells : {&plan_.registers, &plan_.memories, &plan_.checks}) {
        for (const netlist::Cell* cell : *cells)
            forEachClockedInput(*cell, [&](const netlist::Bits& bits) { body_.willRead(bits); });
    }
    for (const netlist::Cell* cell : plan_.registers) {
        if (const auto next = plan_.signals.whole((*cell)["D"]))
            body_.willBecome(*next, registerOf(*cell));
    }
    body_.compute(plan_.clocked);
    for (const netlist::Cell* cell : plan_.checks)
        check(*cell);
    for (const netlist::Cell* cell : plan_.memories)
        writeMemory(*cell);
    update();
    body_.commit();
    publish();
}

ast::Stmt ClockedBody::checked(const netlist::Cell& cell) {
    Tree& tree = body_.tree();
    const ast::ExprId holds = body_.terms().truth(body_.read(cell["A"])).id;
    const bool isNamed = !cell.name.starts_with('$');
    const std::string name =
        isNamed ? cell.name : std::string(netlist::valueOf(cell.attributes, "src"));
    const ast::ExprId text = tree.add(ast::StringLiteral{name});
    if (cell.type == "$cover") return Tree::statement(ast::Cover{holds, text});
    return Tree::statement(ast::Assert{cell.type == "$assume", holds, text, {}, false});
}

ast::Stmt ClockedBody::printed(const netlist::Cell& cell) {
    Printed what = printedBy(cell);
    ast::Trace trace{body_.tree().add(ast::StringLiteral{std::move(what.format)}), {}};
    for (const Printed::Argument& argument : what.arguments) {
        const auto width = static_cast<std::uint32_t>(argument.bits.size());
        Terms& terms = body_.terms();
        if (width == 0)
            trace.arguments.push_back(body_.tree().call("cycle", {}));
        else if (argument.isSigned)
            trace.arguments.push_back(
                terms.asSigned(terms.number(body_.read(argument.bits)), width).id);
        else
            trace.arguments.push_back(
                terms.number(terms.exact(body_.read(argument.bits), width)).id);
    }
    return Tree::statement(std::move(trace));
}

void ClockedBody::check(const netlist::Cell& cell) {
    ast::Stmt statement = cell.type == "$print" ? printed(cell) : checked(cell);
    const Term enable = body_.read(cell["EN"]);
    if (enable.isLiteral && enable.value == 0) return;
    if (enable.isLiteral) {
        body_.statements.push_back(std::move(statement));
        return;
    }
    ast::Block block;
    block.statements.push_back(std::move(statement));
    body_.statements.push_back(ifThen(enable.id, std::move(block)));
}

void ClockedBody::writeMemory(const netlist::Cell& cell) {
    const auto ports = static_cast<std::uint32_t>(cell.number("WR_PORTS"));
    for (std::uint32_t port = 0; port < ports;) {
        const bool isClocked = netlist::isNet(cell["WR_CLK"][port]) || isResetPort(cell, port);
        const std::uint32_t count = isClocked ? wordsInARow(cell, port) : 1;
        if (count >= kFewestInLoop)
            writeWords(cell, port, count);
        else if (isClocked)
            writePort(cell, port);
        port += count >= kFewestInLoop ? count : 1;
    }
}

/// How many ports from one on write the same to the next address each, as a loop does in the source.
std::uint32_t ClockedBody::wordsInARow(const netlist::Cell& cell, std::uint32_t first) {
    const PortPins one = pinsOf(cell, first);
    const std::optional<std::uint64_t> from = constantOf(one.address);
    const std::uint64_t offset = cell.number("OFFSET");
    if (!from || *from < offset || *from >= offset + cell.number("SIZE")) return 1;
    const std::uint64_t end =
        std::min(first + (offset + cell.number("SIZE") - *from), cell.number("WR_PORTS"));
    std::uint32_t port = first + 1;
    for (; port < end; ++port) {
        const PortPins other = pinsOf(cell, port);
        if (constantOf(other.address) != *from + (port - first) || other.enables != one.enables
            || other.data != one.data || cell["WR_CLK"][port] != cell["WR_CLK"][first])
            break;
    }
    return port - first;
}

void ClockedBody::writeWords(const netlist::Cell& cell, std::uint32_t port, std::uint32_t count) {
    Tree& tree = body_.tree();
    const PortPins pins = pinsOf(cell, port);
    const std::uint64_t from = *constantOf(pins.address) - cell.number("OFFSET");
    for (const Part& part : partsOf(pins)) {
        const std::string index = plan_.names.take("i");
        ast::For loop{Tree::identifier(index),
                      tree.integer(from),
                      ast::LoopDirection::Until,
                      tree.integer(from + count),
                      {}};
        loop.body.statements.push_back(writePart(cell, pins, part, tree.name(index)));
        addWhere(pins.enables[part.low], {}, Tree::statement(std::move(loop)));
    }
}

void ClockedBody::writePort(const netlist::Cell& cell, std::uint32_t port) {
    const PortPins pins = pinsOf(cell, port);
    const Body::Place place = body_.placeOf(cell, body_.read(pins.address));
    if (!place.index.valid()) return;
    for (const Part& part : partsOf(pins))
        addWhere(pins.enables[part.low], place.condition, writePart(cell, pins, part, place.index));
}

ast::Stmt ClockedBody::writePart(const netlist::Cell& cell, const PortPins& pins, const Part& part,
                                 ast::ExprId index) {
    Tree& tree = body_.tree();
    ast::ExprId target = tree.index(body_.memory(cell), index);
    if (part.count == 1 && pins.data.size() > 1)
        target = tree.index(target, tree.integer(part.low));
    else if (part.count < pins.data.size())
        target = tree.slice(target, part.low + part.count - 1, part.low);
    const Term value = body_.readToStore(CellMaker::part(pins.data, part.low, part.count));
    return Tree::assign(target, body_.terms().stored(value, part.count));
}

/// What happens where a bit is on, and a condition holds if there is one.
void ClockedBody::addWhere(netlist::Bit enable, ast::ExprId condition, ast::Stmt statement) {
    const Term isOn = body_.read({enable});
    if (!isOn.isLiteral)
        condition = condition.valid() ? body_.tree().binary(ast::BinaryOp::LogicalAnd,
                                                            body_.terms().operand(isOn), condition)
                                      : isOn.id;
    if (condition.valid()) {
        ast::Block block;
        block.statements.push_back(std::move(statement));
        statement = ifThen(condition, std::move(block));
    }
    body_.statements.push_back(std::move(statement));
}

/// New values of registers that no branch has set.
void ClockedBody::update() {
    for (const netlist::Cell* cell : plan_.registers) {
        const SignalId id = registerOf(*cell);
        const netlist::Bits& next = (*cell)["D"];
        const std::optional<SignalId> whole = plan_.signals.whole(next);
        if ((whole && body_.isSetBy(id, *whole)) || whole == id) continue;
        body_.update(id, body_.terms().stored(body_.readToStore(next), plan_.signals[id].width));
    }
}

/// Registers as others will read them in the next cycle.
void ClockedBody::publish() {
    for (const auto& [id, bus] : names_.buses) {
        const Signal& signal = plan_.signals[id];
        const Term value = body_.terms().variable(body_.tree().name(signal.name), signal.width);
        body_.statements.push_back(body_.toBus(bus, value, signal.width, signal.isSigned));
    }
    for (const Output& output : plan_.outputs) {
        if (!output.isRegistered) continue;
        const auto width = static_cast<std::uint32_t>(output.port->bits.size());
        body_.statements.push_back(body_.toBus(plan_.signals.ports.at(output.port->name),
                                               body_.read(output.port->bits), width,
                                               output.port->isSigned));
    }
}

}  // namespace smec::rtl
