// Expressions are written out where statements use them, in parentheses; what is used more than once
// and long, or nested deeply, has a name in front of the statements:
//
//   %0 = wrap u8(((acc * acc) + (x.v * x.v)))
//   acc = (%0 + 1)
//   y.v = %0

#include <fmt/format.h>

#include "ir/analysis.h"
#include "ir/printer.h"
#include "ir/text.h"
#include "ir/tidy.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::ir {

namespace {

/// Operators and reads of one expression that is written out in several places.
constexpr std::uint32_t kShort = 6;
/// Levels of one expression that is written out.
constexpr std::uint32_t kDeep = 24;

/// Which expressions of a tidy body have names.
class NamedExprs {
public:
    explicit NamedExprs(const Body& body) : sizes_(body.exprs.size()), names_(body.exprs.size()) {
        std::vector<std::uint32_t> uses(body.exprs.size());
        const auto count = [&](ExprId id) { ++uses[id.index]; };
        for (const Expr& expr : body.exprs)
            forEachOperand(expr, count);
        forEachStmt(body.statements, [&](const Stmt& stmt) { forEachExpr(stmt, count); });
        for (std::uint32_t i = 0; i < body.exprs.size(); ++i) {
            const Size size = measure(body.exprs[i]);
            const bool isNamed = (uses[i] > 1 && size.nodes > kShort) || size.depth > kDeep;
            sizes_[i] = isNamed ? Size{} : size;
            if (!isNamed) continue;
            names_[i] = fmt::format("%{}", named_.size());
            named_.push_back({i});
        }
    }

    /// Operands in front.
    const std::vector<ExprId>& all() const { return named_; }
    /// Empty for what is written out.
    const std::string& of(ExprId id) const { return names_[id.index]; }

private:
    struct Size {
        std::uint32_t nodes = 1;
        std::uint32_t depth = 0;
    };

    Size measure(const Expr& expr) const {
        Size size;
        forEachOperand(expr, [&](ExprId operand) {
            size.nodes += sizes_[operand.index].nodes;
            size.depth = std::max(size.depth, sizes_[operand.index].depth + 1);
        });
        return size;
    }

    std::vector<Size> sizes_;  ///< as written where they are used
    std::vector<std::string> names_;
    std::vector<ExprId> named_;
};

class BodyPrinter {
public:
    /// `body` is tidy.
    BodyPrinter(const Body& body, const Class* cls, const Printed& in, std::string& out)
        : body_(body),
          names_(text::namesOf(body, cls)),
          functions_(in.functions),
          named_(body),
          out_(out) {}

    void run() {
        std::uint32_t slots[4] = {};
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i)
            local(i, slots);
        for (const ExprId id : named_.all())
            line(1, named_.of(id) + " = " + spelledOut(id));
        block(body_.statements, 1);
    }

private:
    void line(int depth, const std::string& text) {
        out_.append(static_cast<std::size_t>(4 * depth), ' ').append(text) += '\n';
    }

    /// `slots`: the next of each kind.
    void local(std::uint32_t i, std::uint32_t* slots) {
        const Local& local = body_.locals[i];
        const auto kind = static_cast<std::size_t>(local.kind);
        std::string text = fmt::format("{} {}: {}", text::kLocalKinds[kind], names_.locals[i],
                                       text::of(local.type));
        if (local.form != LocalForm::Own)
            text += fmt::format(" {}", text::kForms[static_cast<int>(local.form)]);
        text += rangeText(local.range);
        if (local.isHelper) text += " helper";
        std::uint32_t& next = slots[kind];
        if (local.slot != next) text += fmt::format(" slot {}", local.slot);
        if (local.kind != LocalKind::Temp)
            next = local.slot + (local.form == LocalForm::Spread ? local.type.length : 1);
        line(1, text);
    }

    std::string name(LocalId id) const { return id.valid() ? names_.locals[id.index] : "_"; }

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
        const std::string& base = names_.inputs[n.input];
        return n.element.valid() ? fmt::format("{}{{{}}}", base, text(n.element)) : base;
    }

    std::string binary(const Binary& n) const {
        const std::string_view op = text::of(n.op);
        if (text::isCalled(op)) return fmt::format("{}({}, {})", op, text(n.left), text(n.right));
        return fmt::format("({} {} {})", text(n.left), op, text(n.right));
    }

    static std::string floatText(double value, ExprType type) {
        return text::of(value) + (type == ExprType::F32 ? "f32" : "f64");
    }

    static std::string table(TableId id) { return fmt::format("table{}", id.index); }

    std::string convert(ExprId id, const Convert& n) const {
        std::string to(text::kTypes[static_cast<int>(body_[id].type)]);
        if (n.op == ConvertOp::FloatToInt)
            to = fmt::format("saturate {}{}", n.isSigned ? 'i' : 'u', n.width);
        return fmt::format("{}({})", to, text(n.operand));
    }

    std::string text(ExprId id) const {
        return named_.of(id).empty() ? spelledOut(id) : named_.of(id);
    }

    std::string spelledOut(ExprId id) const {
        return smec::visit(
            Overloaded{
                [](const ConstInt& n) { return n.value.str(); },
                [](const ConstBool& n) { return std::string(n.value ? "true" : "false"); },
                [&](const ConstFloat& n) { return floatText(n.value, body_[id].type); },
                [&](const ReadColumn& n) { return names_.columns[n.column]; },
                [&](const ReadInput& n) { return at(input(n), n.index); },
                [&](const ReadLocal& n) { return at(name(n.local), n.index); },
                [&](const ReadTable& n) { return at(table(n.table), n.index); },
                [](const Cycle&) { return std::string("cycle"); },
                [](const Seed&) { return std::string("seed"); },
                [&](const Unary& n) {
                    return fmt::format("{}({})", text::of(n.op), text(n.operand));
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
                [&](const Convert& n) { return convert(id, n); },
            },
            body_[id].node);
    }

    std::string copySource(const CopyArray& n) const {
        return smec::visit(Overloaded{
                               [&](const LocalId& id) { return name(id); },
                               [&](const ReadInput& read) { return input(read); },
                               [](const TableId& id) { return table(id); },
                           },
                           n.from);
    }

    void print(const Set& n, int depth) {
        line(depth, fmt::format("{} = {}", at(name(n.local), n.index), text(n.value)));
    }
    void print(const CopyArray& n, int depth) {
        line(depth, fmt::format("copy {} = {}", name(n.to), copySource(n)));
    }
    void print(const FillArray& n, int depth) {
        line(depth, fmt::format("fill {} = {}", name(n.to), text(n.value)));
    }
    void print(const Check& n, int depth) {
        line(depth, fmt::format("check {} site {} ({})", text(n.ok), n.site, list(n.args)));
    }
    /// A chain of alternatives has one depth, however long it is.
    void print(const If& n, int depth) {
        line(depth, "if " + text(n.condition));
        block(n.yes, depth + 1);
        const If* last = &n;
        while (last->no.size() == 1 && std::holds_alternative<If>(last->no.front().node)) {
            last = &std::get<If>(last->no.front().node);
            line(depth, "else if " + text(last->condition));
            block(last->yes, depth + 1);
        }
        if (last->no.empty()) return;
        line(depth, "else");
        block(last->no, depth + 1);
    }
    void print(const For& n, int depth) {
        const std::string rounds = n.rounds ? fmt::format(" at most {}", *n.rounds) : "";
        line(depth, fmt::format("for {} = {} {} to {}{}", name(n.var), text(n.from),
                                text::kLoops[static_cast<int>(n.kind)], text(n.to), rounds));
        block(n.body, depth + 1);
    }
    void print(const Loop& n, int depth) {
        line(depth, n.isStateMachine ? "states" : "loop");
        block(n.body, depth + 1);
    }
    void print(const CountRound& n, int depth) {
        line(depth, fmt::format("count round site {}", n.site));
    }
    void print(const Switch& n, int depth) {
        line(depth, fmt::format("switch {}", text(n.subject)));
        for (const SwitchCase& c : n.cases) {
            std::string labels;
            for (const Integer& label : c.labels)
                labels += (labels.empty() ? " " : ", ") + label.str();
            line(depth, "case" + labels);
            block(c.body, depth + 1);
        }
        line(depth, "default");
        block(n.otherwise, depth + 1);
    }
    void print(const Break&, int depth) { line(depth, "break"); }
    void print(const Continue&, int depth) { line(depth, "continue"); }
    void print(const Call& n, int depth) {
        std::string results;
        for (const LocalId result : n.results)
            results += (results.empty() ? "" : ", ") + name(result);
        line(depth, fmt::format("{}call {}({})", results.empty() ? "" : results + " = ",
                                functions_[n.function.index], list(n.args)));
    }
    void print(const Return& n, int depth) {
        line(depth, n.values.empty() ? "return" : "return " + list(n.values));
    }
    void print(const Trace& n, int depth) {
        line(depth, fmt::format("trace site {} ({})", n.site, list(n.args)));
    }
    void print(const Stop& n, int depth) { line(depth, "stop " + text(n.status)); }

    void block(const Block& statements, int depth) {
        for (const Stmt& stmt : statements)
            smec::visit([&](const auto& node) { print(node, depth); }, stmt.node);
    }

    const Body& body_;
    const text::BodyNames names_;
    const std::vector<std::string>& functions_;
    const NamedExprs named_;
    std::string& out_;
};

}  // namespace

void printBody(const Body& body, const Class* cls, const Printed& in, std::string& out) {
    Body shown = body;
    tidy(in.design, shown);
    BodyPrinter(shown, cls, in, out).run();
}

}  // namespace smec::ir
