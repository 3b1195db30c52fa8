#include <fmt/format.h>

#include "ir/analysis.h"
#include "ir/printer.h"
#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// Expressions are written out where statements use them, fully parenthesised:
//   acc = wrap u8((acc + x.v))

namespace smec::ir {

namespace {

std::string_view spelled(BinaryOp op) {
    using enum BinaryOp;
    switch (op) {
    case Add: return "+";
    case Sub: return "-";
    case Mul: return "*";
    case Div: return "/";
    case Mod: return "%";
    case Shl: return "<<";
    case Shr: return ">>";
    case And: return "&";
    case Or: return "|";
    case Xor: return "^";
    case Min: return "min";
    case Max: return "max";
    case Lt: return "<";
    case Le: return "<=";
    case Eq: return "==";
    case Ne: return "!=";
    case BoolAnd: return "&&";
    case BoolOr: return "||";
    case BoolXor: return "^^";
    case BoolEq: return "<=>";
    case FAdd: return "+.";
    case FSub: return "-.";
    case FMul: return "*.";
    case FDiv: return "/.";
    case FLt: return "<.";
    case FLe: return "<=.";
    case FEq: return "==.";
    case FNe: return "!=.";
    case FMin: return "fmin";
    case FMax: return "fmax";
    }
    throw InternalError("an operator without a spelling");
}

std::string_view spelled(UnaryOp op) {
    using enum UnaryOp;
    switch (op) {
    case Neg: return "-";
    case BitNot: return "~";
    case Not: return "!";
    case FNeg: return "-.";
    case Abs: return "abs";
    case Popcount: return "popcount";
    case Parity: return "parity";
    }
    throw InternalError("an operator without a spelling");
}

constexpr std::string_view kConvert[] = {"bool", "int", "float", "int", "float"};
constexpr std::string_view kLoop[] = {"up", "down", "either"};

class BodyPrinter {
public:
    BodyPrinter(const Body& body, const Class* cls, const Design& design)
        : body_(body), cls_(cls), design_(design) {}

    std::string run(const std::string& indent) {
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i) {
            const Local& local = body_.locals[i];
            constexpr std::string_view kinds[] = {"temp", "state", "output", "param"};
            constexpr std::string_view forms[] = {"", ", common", ", spread"};
            line(indent,
                 fmt::format("{} {}: {}{}", kinds[static_cast<int>(local.kind)], name(LocalId{i}),
                             nameOf(local.type), forms[static_cast<int>(local.form)]));
        }
        block(body_.statements, indent);
        return std::move(out_);
    }

private:
    void line(const std::string& indent, const std::string& text) { out_ += indent + text + "\n"; }

    std::string name(LocalId id) const {
        if (!id.valid()) return "_";
        const Local& local = body_.locals[id.index];
        return local.kind == LocalKind::Temp ? fmt::format("{}#{}", local.name, id.index)
                                             : local.name;
    }

    std::string at(std::string base, ExprId index) const {
        return index.valid() ? fmt::format("{}[{}]", base, text(index)) : base;
    }

    std::string list(const std::vector<ExprId>& ids) const {
        std::string result;
        for (ExprId id : ids)
            result += (result.empty() ? "" : ", ") + text(id);
        return result;
    }

    std::string input(const ReadInput& n) const {
        const std::string base =
            cls_ ? cls_->inputs[n.input].name : fmt::format("input{}", n.input);
        return at(n.element.valid() ? fmt::format("{}{{{}}}", base, text(n.element)) : base,
                  n.index);
    }

    std::string binary(const Binary& n) const {
        const std::string_view op = spelled(n.op);
        if (op[0] == 'm' || op[0] == 'f')
            return fmt::format("{}({}, {})", op, text(n.left), text(n.right));
        return fmt::format("({} {} {})", text(n.left), op, text(n.right));
    }

    /// Below kDepth operators only the number is shown: a chain may be as long as the source
    /// allows.
    std::string text(ExprId id) const {
        constexpr int kDepth = 200;
        if (depth_ == kDepth) return fmt::format("%{}", id.index);
        ++depth_;
        std::string result = spelledOut(id);
        --depth_;
        return result;
    }

    std::string spelledOut(ExprId id) const {
        return std::visit(
            Overloaded{
                [](const ConstInt& n) { return n.value.str(); },
                [](const ConstBool& n) { return std::string(n.value ? "true" : "false"); },
                [](const ConstFloat& n) { return fmt::format("{}", n.value); },
                [&](const ReadColumn& n) {
                    return cls_ ? "$" + cls_->columns[n.column].name : fmt::format("${}", n.column);
                },
                [&](const ReadInput& n) { return input(n); },
                [&](const ReadLocal& n) { return at(name(n.local), n.index); },
                [&](const ReadTable& n) {
                    return at(fmt::format("table{}", n.table.index), n.index);
                },
                [](const Cycle&) { return std::string("cycle"); },
                [](const Seed&) { return std::string("seed"); },
                [&](const Unary& n) {
                    return fmt::format("{}({})", spelled(n.op), text(n.operand));
                },
                [&](const Binary& n) { return binary(n); },
                [&](const Select& n) {
                    return fmt::format("({} ? {} : {})", text(n.condition), text(n.yes),
                                       text(n.no));
                },
                [&](const Wrap& n) {
                    return fmt::format("wrap {}{}({})", n.isSigned ? 'i' : 'u', n.width,
                                       text(n.operand));
                },
                [&](const Convert& n) {
                    std::string to(kConvert[static_cast<int>(n.op)]);
                    if (n.op == ConvertOp::FloatToInt)
                        to = fmt::format("saturate {}{}", n.isSigned ? 'i' : 'u', n.width);
                    if (body_[id].type == ExprType::F32) to = "f32";
                    if (body_[id].type == ExprType::F64) to = "f64";
                    return fmt::format("{}({})", to, text(n.operand));
                },
            },
            body_[id].node);
    }

    std::string copySource(const CopyArray& n) const {
        return std::visit(Overloaded{
                              [&](const LocalId& id) { return name(id); },
                              [&](const ReadInput& read) { return input(read); },
                              [](const TableId& id) { return fmt::format("table{}", id.index); },
                          },
                          n.from);
    }

    void nested(const Block& inner, const std::string& indent) { block(inner, indent + "    "); }

    void print(const Set& n, const std::string& indent) {
        line(indent, fmt::format("{} = {}", at(name(n.local), n.index), text(n.value)));
    }
    void print(const CopyArray& n, const std::string& indent) {
        line(indent, fmt::format("copy {} = {}", name(n.to), copySource(n)));
    }
    void print(const FillArray& n, const std::string& indent) {
        line(indent, fmt::format("fill {} = {}", name(n.to), text(n.value)));
    }
    void print(const Check& n, const std::string& indent) {
        line(indent, fmt::format("check {} site {} ({})", text(n.ok), n.site, list(n.args)));
    }
    void print(const If& n, const std::string& indent) {
        line(indent, fmt::format("if {}", text(n.condition)));
        nested(n.yes, indent);
        if (!n.no.empty()) line(indent, "else");
        nested(n.no, indent);
    }
    void print(const For& n, const std::string& indent) {
        const std::string rounds = n.rounds ? fmt::format(" at most {}", *n.rounds) : "";
        line(indent, fmt::format("for {} = {} {} to {}{}", name(n.var), text(n.from),
                                 kLoop[static_cast<int>(n.kind)], text(n.to), rounds));
        nested(n.body, indent);
    }
    void print(const Loop& n, const std::string& indent) {
        line(indent, n.isStateMachine ? "states" : "loop");
        nested(n.body, indent);
    }
    void print(const CountRound& n, const std::string& indent) {
        line(indent, fmt::format("count round site {}", n.site));
    }
    void print(const Switch& n, const std::string& indent) {
        line(indent, fmt::format("switch {}", text(n.subject)));
        for (const SwitchCase& c : n.cases) {
            std::string labels;
            for (const Integer& label : c.labels)
                labels += (labels.empty() ? "" : ", ") + label.str();
            line(indent, "case " + labels);
            nested(c.body, indent);
        }
        line(indent, "default");
        nested(n.otherwise, indent);
    }
    void print(const Break&, const std::string& indent) { line(indent, "break"); }
    void print(const Continue&, const std::string& indent) { line(indent, "continue"); }
    void print(const Call& n, const std::string& indent) {
        std::vector<std::string> results;
        for (const LocalId result : n.results)
            results.push_back(name(result));
        line(indent, fmt::format("{} = call {}({})", fmt::join(results, ", "),
                                 design_.functions[n.function.index].name, list(n.args)));
    }
    void print(const Return& n, const std::string& indent) {
        line(indent, n.values.empty() ? "return" : "return " + list(n.values));
    }
    void print(const Trace& n, const std::string& indent) {
        line(indent, fmt::format("trace site {} ({})", n.site, list(n.args)));
    }
    void print(const Stop& n, const std::string& indent) { line(indent, "stop " + text(n.status)); }

    void block(const Block& statements, const std::string& indent) {
        for (const Stmt& stmt : statements)
            std::visit([&](const auto& node) { print(node, indent); }, stmt.node);
    }

    const Body& body_;
    const Class* cls_;
    const Design& design_;
    std::string out_;
    mutable int depth_ = 0;  ///< of the expression being written
};

}  // namespace

std::string printBody(const Body& body, const Class* cls, const Design& design,
                      const std::string& indent) {
    return BodyPrinter(body, cls, design).run(indent);
}

}  // namespace smec::ir
