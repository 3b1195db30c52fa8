#include "codegen/verilog/statements.h"

#include <vector>

#include "codegen/verilog/wide.h"
#include "ir/arithmetic.h"
#include "source/overloaded.h"

namespace smec::codegen::verilog {

using namespace hdl;

const char* StatementPrinter::symbol(SignalId id) const {
    const Signal& signal = module_[id];
    return signal.isRegister && !signal.isBlocking ? "<=" : "=";
}

void StatementPrinter::print(const Block& block) {
    SourceRange last;
    for (std::size_t i = 0; i < block.size(); ++i) {
        const Stmt& stmt = block[i];
        const std::string place = placeOf(sources_, stmt.range);
        if (!place.empty() && placeOf(sources_, last) != place) out_.line("// {}", place);
        if (stmt.range.valid()) last = stmt.range;
        if (const std::size_t count = constantRun(block, i); count > 0) {
            i += count - 1;
            continue;
        }
        smec::visit([&](const auto& node) { statement(node); }, stmt.node);
    }
}

std::size_t StatementPrinter::constantRun(const Block& block, std::size_t first) {
    const auto* head = std::get_if<Assign>(&block[first].node);
    if (!head || !head->index.valid() || !module_[head->to].isPacked) return 0;
    const std::uint32_t width = module_[head->to].type.width;
    std::uint64_t low = 0;
    Integer value = 0;
    std::size_t count = 0;
    for (std::size_t i = first; i < block.size(); ++i, ++count) {
        const auto* next = std::get_if<Assign>(&block[i].node);
        if (!next || next->to != head->to || !next->index.valid()) break;
        const Expr& index = module_[next->index];
        const Expr& element = module_[next->value];
        if (index.op != Op::Const || element.op != Op::Const) break;
        if (i == first) low = static_cast<std::uint64_t>(index.value);
        if (index.value != low + count) break;
        value |= ir::wrapInteger(element.value, width, false) << (count * width);
    }
    if (!isSpoilt(value, count * width)) return 0;
    contents_.setParts(module_[head->to].name, low * width, count * width, symbol(head->to), value);
    return count;
}

void StatementPrinter::statement(const Assign& node) {
    const Expr& value = module_[node.value];
    const std::string to = expressions_.place(node);
    if (!node.index.valid() && value.op == Op::Const && isSpoilt(value.value, value.type.width))
        return contents_.setParts(to, 0, value.type.width, symbol(node.to), value.value);
    if (!node.index.valid() && value.op == Op::Ref && module_[value.signal].role == Role::Parameter)
        return contents_.setFrom(to, symbol(node.to), value.signal);
    out_.line("{} {} {};", to, symbol(node.to), expressions_.text(node.value));
}

void StatementPrinter::statement(const hdl::CopyArray& node) {
    const Signal& to = module_[node.to];
    const Signal& from = module_[node.from];
    if (!isUnpacked(to) && !isUnpacked(from))
        return out_.line("{} {} {};", to.name, symbol(node.to), from.name);
    const auto at = [](const Signal& signal) {
        if (isUnpacked(signal)) return signal.name + "[k]";
        if (signal.length == 1) return signal.name;
        return fmt::format("{}[k * {} +: {}]", signal.name, signal.type.width, signal.type.width);
    };
    out_.line("for (k = 0; k < {}; k = k + 1) {} {} {};", to.length, at(to), symbol(node.to),
              at(from));
}

void StatementPrinter::statement(const FillArray& node) {
    const Signal& to = module_[node.to];
    const std::string value = expressions_.text(node.value);
    const Expr& constant = module_[node.value];
    if (!isUnpacked(to) && constant.op == Op::Const) {
        Signal all = to;
        all.initial = {constant.value};
        all.initialFrom.reset();
        return contents_.setWhole(all, symbol(node.to));
    }
    if (isUnpacked(to))
        return out_.line("for (k = 0; k < {}; k = k + 1) {}[k] {} {};", to.length, to.name,
                         symbol(node.to), value);
    out_.line("{} {} {{{}{{{}}}}};", to.name, symbol(node.to), to.length, value);
}

void StatementPrinter::nested(const Block& block) {
    out_.in();
    print(block);
    out_.out();
}

void StatementPrinter::statement(const If& node) {
    out_.line("if ({}) begin", expressions_.text(node.condition));
    nested(node.yes);
    const Block* rest = &node.no;
    while (rest->size() == 1 && std::holds_alternative<If>(rest->front().node)) {
        const If& next = std::get<If>(rest->front().node);
        out_.line("end else if ({}) begin", expressions_.text(next.condition));
        nested(next.yes);
        rest = &next.no;
    }
    if (!rest->empty()) {
        out_.line("end else begin");
        nested(*rest);
    }
    out_.line("end");
}

void StatementPrinter::statement(const For& node) {
    const Signal& counter = module_[node.counter];
    const bool isDown = counter.initial[1] < counter.initial[0];
    const std::string first = counter.initial[0].str(), last = counter.initial[1].str();
    out_.line("for ({0} = {1}; {0} {2} {3}; {0} = {0} {4} 1) begin", counter.name, first,
              isDown ? ">=" : "<=", last, isDown ? '-' : '+');
    nested(node.body);
    out_.line("end");
}

void StatementPrinter::statement(const Case& node) {
    const Type type = module_[node.subject].type;
    out_.line("case ({})", expressions_.text(node.subject));
    out_.in();
    for (const Choice& choice : node.choices) {
        std::vector<std::string> labels;
        for (const Integer& label : choice.labels)
            labels.push_back(literal(label, type));
        out_.line("{}: begin", fmt::join(labels, ", "));
        nested(choice.body);
        out_.line("end");
    }
    out_.line("default: begin");
    nested(node.otherwise);
    out_.line("end");
    out_.out();
    out_.line("endcase");
}

bool StatementPrinter::isFilledByZeros(const Shown& shown) const {
    return shown.zero && !module_[shown.value].type.isSigned;
}

bool StatementPrinter::isText(const Shown& shown) const {
    return shown.names.empty() && shown.base != 10 && shown.width != 0 && !isFilledByZeros(shown)
           && !options_.isVerilog2005();
}

/// How $display shows a value. The tools agree about decimals filled by spaces, and about numbers
/// without a sign filled by zeros; the others are texts with spaces in front (where the dialect has
/// a function for that).
std::string StatementPrinter::placeholder(const Shown& shown) const {
    const char letter = shown.base == 16 ? 'h' : shown.base == 2 ? 'b' : 'd';
    if (!shown.names.empty()) return "%0s";
    if (shown.isCharacter) return "%c";
    if (shown.width == 0) return fmt::format("%0{}", letter);
    if (isText(shown)) return fmt::format("%{}s", shown.width);
    if (isFilledByZeros(shown)) return fmt::format("%0{}{}", shown.width, letter);
    return shown.base == 10 ? fmt::format("%{}d", shown.width) : fmt::format("%0{}", letter);
}

/// A value of an assertion's text, as an argument of $display.
std::string StatementPrinter::argument(const Shown& shown) const {
    std::string value = expressions_.text(shown.value);
    const Type& type = module_[shown.value].type;
    if (isText(shown))
        return fmt::format("$sformatf(\"%0{}\", {})", shown.base == 16 ? 'h' : 'b', value);
    if (shown.names.empty()) return value;
    if (module_[shown.value].op != Op::Ref) value = "(" + value + ")";
    if (type.isBool && shown.names.size() == 2)
        return fmt::format(R"({} ? "{}" : "{}")", value, shown.names[1].second,
                           shown.names[0].second);
    std::string text;
    for (const auto& [number, name] : shown.names)
        text += fmt::format(R"({} == {} ? "{}" : )", value, literal(number, type), name);
    return text + R"("?")";
}

void StatementPrinter::assertion(const Assert& node) {
    std::string text, args;
    for (std::size_t i = 0; i < node.pieces.size(); ++i) {
        if (i > 0) {
            const Shown& shown = node.values[i - 1];
            text += placeholder(shown);
            args += ", " + argument(shown);
        }
        for (const char c : node.pieces[i]) {
            if (c == '"' || c == '\\') text += '\\';
            if (c == '%') text += '%';
            text += c == '\n' ? ' ' : c;
        }
    }
    const std::string condition = expressions_.text(node.condition);
    if (!options_.isVerilog2005())
        return out_.line("assert ({}) else $fatal(1, \"{}\"{});", condition, text, args);
    out_.line("if (!({})) begin", condition);
    out_.line("    $display(\"%m: {}\"{});", text, args);
    out_.line("    $stop;");
    out_.line("end");
}

void StatementPrinter::statement(const Assert& node) {
    const bool isWithin = module_.kind == Kind::Clocked;  // what is synthesised, too
    if (isWithin) out_.margin("`ifndef SYNTHESIS");
    assertion(node);
    if (isWithin) out_.margin("`endif");
}

}  // namespace smec::codegen::verilog
