#include "hir/dump_body.h"
#include "source/overloaded.h"

#include <array>

#include <fmt/format.h>

// One statement a line; every operator in parentheses and every leaf with its operand type where it
// matters:
//   acc := (acc + (x.v * 3:u2))

namespace smec::hir {

namespace {

std::string indent(std::size_t depth) { return std::string(depth * 2, ' '); }

constexpr std::array<const char*, 11> kBuiltin = {
    "cat", "rep", "min", "max", "abs", "popcount", "any", "all", "parity", "cycle", "random"};

std::string signOf(UnaryOp op) {
    switch (op) {
    case UnaryOp::Negate: return "-";
    case UnaryOp::Complement: return "~";
    case UnaryOp::Not: return "!";
    }
    return "?";
}

const char* signOf(BinaryOp op) {
    switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub: return "-";
    case BinaryOp::Mul: return "*";
    case BinaryOp::Div: return "/";
    case BinaryOp::Mod: return "%";
    case BinaryOp::Shl: return "<<";
    case BinaryOp::Shr: return ">>";
    case BinaryOp::And: return "&";
    case BinaryOp::Or: return "|";
    case BinaryOp::Xor: return "^";
    case BinaryOp::Lt: return "<";
    case BinaryOp::Gt: return ">";
    case BinaryOp::Le: return "<=";
    case BinaryOp::Ge: return ">=";
    case BinaryOp::Eq: return "==";
    case BinaryOp::Ne: return "!=";
    case BinaryOp::LogicalAnd: return "&&";
    case BinaryOp::LogicalOr: return "||";
    }
    return "?";
}

std::string quote(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '\n')
            result += "\\n";
        else if (c == '"' || c == '\\')
            (result += '\\') += c;
        else
            result += c;
    }
    return result + '"';
}

}  // namespace

std::string BodyDumper::var(VarId id) const {
    return fmt::format("{}%{}", body_.vars[id.index].name, id.index);
}

std::string BodyDumper::field(std::uint32_t port, std::uint32_t field, ExprId element) const {
    if (!spec_) return "?";
    const Port& target = spec_->ports[port];
    std::string name = target.name;
    if (element.valid()) name += "[" + expr(element) + "]";
    return name + "." + design_.shapes[target.shape.index].fields[field].name;
}

std::string BodyDumper::list(const std::vector<ExprId>& ids) const {
    std::string text;
    for (ExprId id : ids)
        text += (text.empty() ? "" : ", ") + expr(id);
    return text;
}

std::string BodyDumper::binary(const BinaryExpr& node) const {
    // Long chains lean to the left: walk down, then build on the way back.
    std::vector<const BinaryExpr*> chain{&node};
    while (const auto* next = std::get_if<BinaryExpr>(&body_[chain.back()->left].node))
        chain.push_back(next);
    std::string text = std::string(chain.size(), '(') + expr(chain.back()->left);
    for (auto it = chain.rbegin(); it != chain.rend(); ++it)
        text += fmt::format(" {} {})", signOf((*it)->op), expr((*it)->right));
    return text;
}

std::string BodyDumper::builtin(const BuiltinExpr& node) const {
    std::string count = node.builtin == Builtin::Rep ? fmt::format(", {}", node.count) : "";
    return fmt::format("{}({}{})", kBuiltin[static_cast<std::size_t>(node.builtin)],
                       list(node.arguments), count);
}

std::string BodyDumper::expr(ExprId id) const {
    if (!id.valid()) return "?";
    const Expr& e = body_[id];
    auto typeName = [&] { return design_.types.name(e.type); };
    return smec::visit(
        Overloaded{
            [&](const Constant& n) {
                return toString(design_.types, e.type, n.value) + ":" + typeName();
            },
            [&](const InstanceConstant& n) {
                return fmt::format("{}#{}:{}", spec_ ? spec_->constants[n.index].name : "", n.index,
                                   typeName());
            },
            [&](const ReadVar& n) { return var(n.var); },
            [&](const ReadField& n) { return field(n.port, n.field, n.element); },
            [&](const ArrayElement& n) { return expr(n.base) + "[" + expr(n.index) + "]"; },
            [&](const BitSelect& n) { return expr(n.base) + ".bit[" + expr(n.index) + "]"; },
            [&](const SliceSelect& n) {
                return fmt::format("{}[{}:{}]", expr(n.base), n.high, n.low);
            },
            [&](const IndexedSliceSelect& n) {
                return fmt::format("{}[{} +: {}]", expr(n.base), expr(n.low), n.width);
            },
            [&](const StructMemberOf& n) { return fmt::format("{}.{}", expr(n.base), n.member); },
            [&](const UnaryExpr& n) { return signOf(n.op) + expr(n.operand) + ":" + typeName(); },
            [&](const BinaryExpr& n) { return binary(n); },
            [&](const ConditionalExpr& n) {
                return "(" + expr(n.condition) + " ? " + expr(n.yes) + " : " + expr(n.no) + ")";
            },
            [&](const CastExpr& n) { return typeName() + "(" + expr(n.operand) + ")"; },
            [&](const MakeArray& n) { return "[" + list(n.elements) + "]"; },
            [&](const MakeStruct& n) { return typeName() + "(" + list(n.members) + ")"; },
            [&](const CallExpr& n) {
                return design_.functions[n.function.index].name + "(" + list(n.arguments) + ")";
            },
            [&](const BuiltinExpr& n) { return builtin(n); },
        },
        e.node);
}

std::string BodyDumper::place(const Place& place) const {
    std::string text = smec::visit(
        Overloaded{[&](VarId id) { return var(id); },
                   [&](const FieldRef& ref) { return field(ref.port, ref.field, ref.element); }},
        place.root);
    for (const PlaceStep& step : place.steps)
        text += smec::visit(
            Overloaded{[&](const IndexStep& s) { return "[" + expr(s.index) + "]"; },
                       [&](const MemberStep& s) { return fmt::format(".{}", s.member); },
                       [&](const BitStep& s) { return ".bit[" + expr(s.index) + "]"; },
                       [&](const SliceStep& s) { return fmt::format("[{}:{}]", s.high, s.low); },
                       [&](const IndexedSliceStep& s) {
                           return fmt::format("[{} +: {}]", expr(s.low), s.width);
                       }},
            step);
    return text;
}

std::string BodyDumper::text(const Text& node) const {
    std::string format;
    for (std::size_t i = 0; i < node.format.pieces.size(); ++i) {
        format += node.format.pieces[i];
        if (i == node.format.specs.size()) break;
        const FormatSpec& spec = node.format.specs[i];
        format += fmt::format("{{:{}{}{}}}", spec.zero ? "0" : "", spec.width, spec.radix);
    }
    return quote(format) + (node.arguments.empty() ? "" : ", " + list(node.arguments));
}

std::string BodyDumper::ifText(const If& node, std::size_t depth) const {
    std::string text = "if " + expr(node.condition) + "\n" + block(node.yes, depth + 1);
    if (!node.no.empty()) text += indent(depth) + "else\n" + block(node.no, depth + 1);
    return text;
}

std::string BodyDumper::forText(const For& node, std::size_t depth) const {
    const char* kind = node.kind == LoopKind::To       ? "to"
                       : node.kind == LoopKind::Downto ? "downto"
                                                       : "until";
    return fmt::format("for {} = {} {} {}\n{}", var(node.var), expr(node.from), kind, expr(node.to),
                       block(node.body, depth + 1));
}

std::string BodyDumper::switchText(const Switch& node, std::size_t depth) const {
    std::string text = "switch " + expr(node.subject) + "\n";
    TypeId type = node.subject.valid() ? body_[node.subject].type : TypeTable::kError;
    for (const SwitchCase& one : node.cases) {
        std::string labels = list(one.instanceLabels);
        for (const Value& label : one.labels)
            labels += (labels.empty() ? "" : ", ") + toString(design_.types, type, label);
        for (const LabelRange& range : one.ranges)
            labels += fmt::format("{}{} to {}", labels.empty() ? "" : ", ", range.low.str(),
                                  range.high.str());
        text += indent(depth) + "case " + labels + "\n" + block(one.body, depth + 1);
    }
    if (node.otherwise) text += indent(depth) + "default\n" + block(*node.otherwise, depth + 1);
    return text;
}

std::string BodyDumper::statement(const Stmt& statement, std::size_t depth) const {
    return smec::visit(
        Overloaded{
            [&](const Assign& n) { return place(n.place) + " := " + expr(n.value) + "\n"; },
            [&](const InitVar& n) {
                return "var " + var(n.var) + (n.value.valid() ? " = " + expr(n.value) : "") + "\n";
            },
            [&](const If& n) { return ifText(n, depth); },
            [&](const For& n) { return forText(n, depth); },
            [&](const While& n) {
                return "while " + expr(n.condition) + "\n" + block(n.body, depth + 1);
            },
            [&](const Switch& n) { return switchText(n, depth); },
            [&](const Break&) { return std::string("break\n"); },
            [&](const Continue&) { return std::string("continue\n"); },
            [&](const Return& n) { return "return " + expr(n.value) + "\n"; },
            [&](const Trace& n) { return "trace " + text(n.text) + "\n"; },
            [&](const Assert& n) {
                return std::string(n.isAssume ? "assume " : "assert ") + expr(n.condition)
                       + (n.text ? ", " + text(*n.text) : "") + "\n";
            },
            [&](const Cover& n) {
                return fmt::format("cover {} {}, {}\n", n.index, expr(n.condition), quote(n.name));
            },
            [&](const Stop& n) {
                return n.status.valid() ? "stop " + expr(n.status) + "\n" : "stop\n";
            },
            [&](const Wait& n) {
                return n.count.valid() ? "wait " + expr(n.count) + "\n" : "wait\n";
            },
            [&](const WaitUntil& n) { return "wait until " + expr(n.condition) + "\n"; },
        },
        statement.node);
}

std::string BodyDumper::block(const Block& statements, std::size_t depth) const {
    std::string text;
    for (const Stmt& one : statements)
        text += indent(depth) + statement(one, depth);
    return text;
}

}  // namespace smec::hir
