#include "codegen/vhdl/statements.h"

#include <algorithm>
#include <vector>

#include "source/overloaded.h"

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

constexpr std::uint32_t kWidestCase = 31;  ///< bits of a subject that an integer holds

std::string quoted(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c < ' ' || c > '~' ? '?' : c;
    }
    return result;
}

}  // namespace

void StatementPrinter::print(const Block& block) {
    SourceRange last;
    for (const Stmt& stmt : block) {
        const std::string place = placeOf(sources_, stmt.range);
        if (!place.empty() && placeOf(sources_, last) != place) out_.line("-- {}", place);
        if (stmt.range.valid()) last = stmt.range;
        smec::visit([&](const auto& node) { statement(node); }, stmt.node);
    }
}

/// What a signal or variable gets.
std::string StatementPrinter::given(SignalId to, const std::string& value) const {
    return isAsync_ && !variables_[to.index] ? "copied(" + value + ")" : value;
}

void StatementPrinter::keep(SignalId id) {
    const Signal& signal = module_[id];
    const std::string name = expressions_.name(id);
    if (!isArray(signal)) return out_.line("{} <= {};", name, given(id, name));
    const std::string element = expressions_.places().each(id, "k").text;
    out_.line("for k in 0 to {} loop", signal.length - 1);
    out_.line("    {} <= {};", element, given(id, element));
    out_.line("end loop;");
}

void StatementPrinter::nested(const Block& block) {
    out_.in();
    print(block);
    if (block.empty()) out_.line("null;");
    out_.out();
}

namespace {

/// What a value is, apart from its sign.
const Expr& sameBits(const Module& module, ExprId id) {
    const Expr* expr = &module[id];
    while (expr->op == Op::Resize && module[expr->args[0]].type.width == expr->type.width)
        expr = &module[expr->args[0]];
    return *expr;
}

bool mentions(const Module& module, ExprId id, SignalId signal) {
    const Expr& expr = module[id];
    if (expr.signal == signal) return true;
    return std::any_of(expr.args.begin(), expr.args.end(),
                       [&](ExprId arg) { return arg.valid() && mentions(module, arg, signal); });
}

}  // namespace

void StatementPrinter::statement(const Assign& node) {
    const Op op = sameBits(module_, node.value).op;
    const bool isPlain = op == Op::Ref || op == Op::Element || op == Op::Slice || op == Op::Choose;
    const auto value = [&](Form form) {
        const std::string text = expressions_.text(node.value, form);
        return isPlain ? given(node.to, text) : text;
    };
    const auto part = [&](const PlacePrinter::Place& whole) {
        return node.low ? PlacePrinter::bitsOf(whole, *node.low, module_[node.value].type.width)
                        : whole;
    };
    // GHDL 2 makes a memory of an array whose element is set to what another one is in a branch,
    // and fails
    const bool isOwn = node.index.valid() && module_[node.index].op != Op::Const
                       && module_[node.to].isRegister && !module_[node.to].isMemory
                       && isArray(module_[node.to])
                       && !expressions_.places().isCounted(node.index, module_[node.to].length)
                       && mentions(module_, node.value, node.to);
    if (isOwn || !expressions_.places().isSafe(node.to, node.index)) {
        const auto to = part(expressions_.places().each(node.to, "k"));
        out_.line("for k in 0 to {} loop", module_[node.to].length - 1);
        out_.line("    if {} then", expressions_.equals(node.index, "k"));
        out_.line("        {} {} {};", to.text, symbol(node.to), value(to.form));
        // the index would be another one in the next round
        if (mentions(module_, node.index, node.to)) out_.line("        exit;");
        out_.line("    end if;");
        out_.line("end loop;");
        return;
    }
    const auto to = part(expressions_.places().place(node.to, node.index));
    out_.line("{} {} {};", to.text, symbol(node.to), value(to.form));
}

void StatementPrinter::statement(const hdl::CopyArray& node) {
    const Signal& to = module_[node.to];
    const Signal& from = module_[node.from];
    if (!isArray(to) && !isArray(from) && to.length == from.length)
        return out_.line("{} {} {};", expressions_.name(node.to), symbol(node.to),
                         given(node.to, expressions_.name(node.from)));
    const auto left = expressions_.places().each(node.to, "k");
    const auto right = expressions_.places().each(node.from, "k");
    out_.line("for k in 0 to {} loop", to.length - 1);
    out_.line("    {} {} {};", left.text, symbol(node.to),
              given(node.to, converted(right.text, right.form, left.form)));
    out_.line("end loop;");
}

void StatementPrinter::statement(const FillArray& node) {
    const auto to = expressions_.places().each(node.to, "k");
    out_.line("for k in 0 to {} loop", module_[node.to].length - 1);
    out_.line("    {} {} {};", to.text, symbol(node.to), expressions_.text(node.value, to.form));
    out_.line("end loop;");
}

void StatementPrinter::statement(const If& node) {
    out_.line("if {} then", expressions_.condition(node.condition));
    nested(node.yes);
    const Block* rest = &node.no;
    while (rest->size() == 1 && std::holds_alternative<If>(rest->front().node)) {
        const If& next = std::get<If>(rest->front().node);
        out_.line("elsif {} then", expressions_.condition(next.condition));
        nested(next.yes);
        rest = &next.no;
    }
    if (!rest->empty()) {
        out_.line("else");
        nested(*rest);
    }
    out_.line("end if;");
}

void StatementPrinter::statement(const For& node) {
    const Signal& counter = module_[node.counter];
    out_.line("for {} in {} {} {} loop", expressions_.name(node.counter), counter.initial[0].str(),
              counter.initial[1] < counter.initial[0] ? "downto" : "to", counter.initial[1].str());
    nested(node.body);
    out_.line("end loop;");
}

void StatementPrinter::statement(const Case& node) {
    const Type type = module_[node.subject].type;
    if (type.isBool || type.width > kWidestCase) return caseByIf(node);
    // numeric_std adds 1 to a negative number, which is not there in one bit
    const std::string subject = expressions_.text(node.subject, formOf(type));
    const bool isSign = type.isSigned && type.width == 1;
    out_.line("case to_integer({}) is", isSign ? "resize(" + subject + ", 2)" : subject);
    out_.in();
    for (const Choice& choice : node.choices) {
        std::string labels;
        for (const Integer& label : choice.labels)
            labels += (labels.empty() ? "" : " | ") + label.str();
        out_.line("when {} =>", labels);
        nested(choice.body);
    }
    out_.line("when others =>");
    nested(node.otherwise);
    out_.out();
    out_.line("end case;");
}

std::string StatementPrinter::test(const Case& node, const Choice& choice) const {
    std::string text;
    for (const Integer& label : choice.labels)
        text += (text.empty() ? "" : " or ") + expressions_.equals(node.subject, label);
    return text;
}

void StatementPrinter::caseByIf(const Case& node) {
    bool isFirst = true;
    for (const Choice& choice : node.choices) {
        out_.line("{} {} then", isFirst ? "if" : "elsif", test(node, choice));
        nested(choice.body);
        isFirst = false;
    }
    if (isFirst) return print(node.otherwise);
    if (!node.otherwise.empty()) {
        out_.line("else");
        nested(node.otherwise);
    }
    out_.line("end if;");
}

/// A value of an assertion's text, as a string.
std::string StatementPrinter::argument(const Shown& shown) const {
    const Type& type = module_[shown.value].type;
    if (shown.isCharacter)
        return fmt::format("character'val(to_integer({}))",
                           expressions_.text(shown.value, Form::Unsigned));
    if (shown.names.empty()) {
        const std::string digits =
            fmt::format("image({}, {}, {})", expressions_.text(shown.value, Form::Unsigned),
                        type.isSigned, shown.base);
        return shown.width == 0 ? digits
                                : fmt::format("padded({}, {}, {})", digits, shown.width,
                                              shown.zero ? "'0'" : "' '");
    }
    std::string text;
    for (const auto& [number, name] : shown.names)
        text += fmt::format("choose({}, \"{}\", ", expressions_.equals(shown.value, number), name);
    return text + "\"?\"" + std::string(shown.names.size(), ')');
}

void StatementPrinter::statement(const Assert& node) {
    std::string text = fmt::format("\"{}\"", quoted(node.pieces.front()));
    for (std::size_t i = 0; i < node.values.size(); ++i) {
        text += " & " + argument(node.values[i]);
        if (const std::string& piece = node.pieces[i + 1]; !piece.empty())
            text += fmt::format(" & \"{}\"", quoted(piece));
    }
    out_.line("assert {} report {} severity failure;", expressions_.condition(node.condition),
              text);
}

}  // namespace smec::codegen::vhdl
