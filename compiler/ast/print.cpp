#include "ast/print.h"

#include <string_view>
#include <utility>
#include <variant>

#include "ast/expression_printer.h"
#include "ast/spelling.h"
#include "source/overloaded.h"

// House style: four spaces a level; the braces of processes and networks on lines of their own, all
// others at the end of the line; a blank line between declarations of a module, except between
// neighbours of one short kind.

namespace smec::ast {

namespace {

class Printer {
public:
    explicit Printer(const Module& module) : module_(module), expressions_(module, out_) {}

    std::string run() {
        for (std::size_t i = 0; i < module_.decls.size(); ++i) {
            if (i > 0 && !belongTogether(module_.decls[i - 1], module_.decls[i])) out_ += '\n';
            print(module_.decls[i]);
        }
        return std::move(out_);
    }

private:
    static bool belongTogether(const Decl& a, const Decl& b) {
        bool isShort =
            std::holds_alternative<Import>(a.node) || std::holds_alternative<ConstDecl>(a.node);
        return isShort && a.node.index() == b.node.index();
    }

    template <typename... Parts>
    void text(const Parts&... parts) {
        ((out_ += parts), ...);
    }
    void word(bool present, std::string_view s) {
        if (present) out_ += s;
    }
    void startLine() { out_.append(4 * level_, ' '); }
    void init(ExprId value) {
        if (!value.valid()) return;
        text(" = ");
        expressions_.print(value);
    }
    /// `: T` with its range after the type.
    void type(const TypeExpr& t) {
        text(": ");
        expressions_.print(t);
        expressions_.printBound(t);
    }
    void type(const std::optional<TypeExpr>& t) {
        if (t) type(*t);
    }
    /// `: T = init range a to b`, the way SMEIL has it.
    void typeAndInit(const TypeExpr& t, ExprId value) {
        text(": ");
        expressions_.print(t);
        init(value);
        expressions_.printBound(t);
    }

    /// `{`, one line per entry, `}`; `{ }` where there is none.
    template <typename Entries, typename PrintEntry>
    void braced(const Entries& entries, PrintEntry printEntry) {
        if (entries.empty()) return text("{ }");
        text("{\n");
        ++level_;
        for (const auto& entry : entries) {
            startLine();
            printEntry(entry);
            text("\n");
        }
        --level_;
        startLine();
        text("}");
    }

    template <typename Entries, typename PrintEntry>
    void listed(const Entries& entries, PrintEntry printEntry) {
        bool first = true;
        for (const auto& entry : entries) {
            word(!std::exchange(first, false), ", ");
            printEntry(entry);
        }
    }

    // ------------------------------------------------------------ declarations

    void print(const Decl& decl) {
        startLine();
        std::visit([&](const auto& node) { print(node); }, decl.node);
        text("\n");
    }

    void printAll(const std::vector<Decl>& decls) {
        ++level_;
        for (const Decl& decl : decls)
            print(decl);
        --level_;
    }

    void print(const Import& n) {
        text(n.names.empty() ? "import " : "from ");
        text(joined(n.path, "."));
        word(!n.names.empty(), " import ");
        text(joined(n.names, ", "));
        if (n.alias) text(" as ", n.alias->text);
        text(";");
    }

    void print(const ConstDecl& n) {
        text("const ", n.name.text);
        type(n.type);
        init(n.value);
        text(";");
    }

    void print(const EnumDecl& n) {
        text("enum ", n.name.text, " { ");
        listed(n.members, [&](const EnumMember& member) {
            text(member.name.text);
            init(member.value);
        });
        text(" };");
    }

    void print(const FieldDecl& n) {
        word(n.hold, "hold ");
        word(n.flip, "flip ");
        text(n.name.text);
        typeAndInit(n.type, n.init);
        text(";");
    }

    void print(const std::vector<FieldDecl>& list) {
        braced(list, [&](const FieldDecl& field) { print(field); });
        text(";");
    }

    void print(const TypeDecl& n) {
        text("type ", n.name.text);
        std::visit(Overloaded{
                       [&](const AliasType& alias) { type(alias.target), text(";"); },
                       [&](const StructType& t) { text(": struct "), print(t.fields); },
                       [&](const BusType& t) { text(": bus "), print(t.fields); },
                   },
                   n.node);
    }

    void functionParams(const std::vector<FuncParam>& params) {
        text("(");
        listed(params, [&](const FuncParam& param) {
            text(param.name.text);
            type(param.type);
        });
        text(")");
    }

    void print(const FuncDecl& n) {
        text("func ", n.name.text);
        functionParams(n.params);
        type(n.result);
        text(" ");
        print(n.body);
    }

    void print(const ExternFunc& n) {
        text("extern ");
        word(n.serial, "serial ");
        text("func ", n.name.text);
        functionParams(n.params);
        type(n.result);
        text(" from ", stringText(n.header), ";");
    }

    void params(const std::vector<Param>& list) {
        text("(");
        listed(list, [&](const Param& param) {
            for (const ExprId size : param.dimensions) {
                text("[");
                if (size.valid()) expressions_.print(size);
                text("]");
            }
            if (!param.dimensions.empty()) text(" ");
            text(spelling(param.kind));
            text(" ", param.name.text);
            type(param.type);
            init(param.defaultValue);
        });
        text(")");
    }

    void print(const BusDecl& n) {
        word(n.exposed, "exposed ");
        word(n.hold, "hold ");
        word(n.unique, "unique ");
        if (n.delay.valid()) {
            text("delay ");
            expressions_.print(n.delay);
            text(" ");
        }
        text("bus ", n.name.text);
        expressions_.printIndices(n.dimensions);
        if (n.type) return type(n.type), text(";");
        text(" ");
        print(n.fields);
    }

    void print(const VarDecl& n) {
        text("var ", n.name.text);
        typeAndInit(n.type, n.init);
        text(";");
    }

    void print(const InstanceDecl& n) {
        text("instance ", n.name.text);
        expressions_.printIndices(n.indices);
        text(" of ");
        expressions_.print(n.entity);
        text("(");
        expressions_.printArguments(n.arguments);
        text(");");
    }

    void print(const GenerateFor& n) {
        text("generate ", n.variable.text, " = ");
        expressions_.print(n.from);
        text(n.isUntil ? " until " : " to ");
        expressions_.print(n.to);
        text(" {\n");
        printAll(n.body);
        closeBrace();
    }

    void print(const GenerateIf& n) {
        text("generate if (");
        expressions_.print(n.condition);
        text(") {\n");
        printAll(n.yes);
        closeBrace();
        if (n.no.empty()) return;
        text(" else {\n");
        printAll(n.no);
        closeBrace();
    }

    void closeBrace() {
        startLine();
        text("}");
    }

    void print(const ProcDecl& n) {
        if (n.external) return printForeign(n);
        word(n.isSyncWord, "sync ");
        word(n.kind != ProcKind::Clocked, spelling(n.kind));
        word(n.kind != ProcKind::Clocked, " ");
        text("proc ", n.name.text);
        params(n.params);
        text("\n");
        printAll(n.decls);
        print(n.body);
    }

    void print(const NetworkDecl& n) {
        text("network ", n.name.text);
        params(n.params);
        text("\n{\n");
        printAll(n.decls);
        text("}");
    }

    void printForeign(const ProcDecl& n) {
        text("extern proc ", n.name.text);
        params(n.params);
        for (const ForeignBody& body : n.external->bodies)
            text(" ", body.language.text, "(", stringText(body.file), ")");
        text(";");
    }

    // ------------------------------------------------------------ statements

    void print(const Block& block) {
        braced(block.statements, [&](const Stmt& stmt) {
            std::visit([&](const auto& node) { print(node); }, stmt.node);
        });
    }

    void print(const Assign& n) {
        expressions_.print(n.target);
        text(" ");
        if (n.op) text(spelling(*n.op));
        text("= ");
        expressions_.print(n.value);
        text(";");
    }

    void condition(std::string_view keyword, ExprId id) {
        text(keyword);
        text(" (");
        expressions_.print(id);
        text(") ");
    }

    void print(const If& n) {
        bool first = true;
        for (const IfBranch& branch : n.branches) {
            condition(std::exchange(first, false) ? "if" : " elif", branch.condition);
            print(branch.body);
        }
        if (!n.otherwise) return;
        text(" else ");
        print(*n.otherwise);
    }

    void print(const For& n) {
        text("for ", n.variable.text, " = ");
        expressions_.print(n.from);
        text(" ");
        text(spelling(n.direction));
        text(" ");
        expressions_.print(n.to);
        text(" ");
        print(n.body);
    }

    void print(const While& n) {
        condition("while", n.condition);
        print(n.body);
    }

    void print(const CaseLabel& label) {
        expressions_.print(label.first);
        if (!label.last.valid()) return;
        text(" to ");
        expressions_.print(label.last);
    }

    void print(const Switch& n) {
        text("switch ");
        expressions_.print(n.subject);
        text(" {\n");
        ++level_;
        for (const Case& part : n.cases) {
            startLine();
            text("case ");
            for (std::size_t i = 0; i < part.labels.size(); ++i) {
                if (i > 0) text(", ");
                print(part.labels[i]);
            }
            text(" ");
            print(part.body);
            text("\n");
        }
        if (n.otherwise) {
            startLine();
            text("default ");
            print(*n.otherwise);
            text("\n");
        }
        --level_;
        closeBrace();
    }

    void print(const Break&) { text("break;"); }
    void print(const Continue&) { text("continue;"); }

    void print(const Return& n) {
        text("return");
        word(n.value.valid(), " ");
        if (n.value.valid()) expressions_.print(n.value);
        text(";");
    }

    /// `word(a, b, …);` leaving out what is absent.
    void call(std::string_view name, std::vector<ExprId> leading,
              const std::vector<ExprId>& rest = {}) {
        std::erase_if(leading, [](ExprId id) { return !id.valid(); });
        leading.insert(leading.end(), rest.begin(), rest.end());
        text(name);
        text("(");
        expressions_.printList(leading);
        text(");");
    }

    void print(const Trace& n) { call("trace", {n.format}, n.arguments); }

    void print(const Assert& n) {
        std::vector<ExprId> leading{n.condition, n.message};
        if (n.messageFirst) std::swap(leading[0], leading[1]);
        call(n.isAssume ? "assume" : "assert", leading, n.arguments);
    }

    void print(const Cover& n) { call("cover", {n.condition, n.name}); }

    void print(const Stop& n) {
        if (n.status.valid()) return call("stop", {n.status});
        text("stop;");
    }

    void print(const Wait& n) {
        text(n.isBarrier ? "barrier" : "wait");
        word(n.count.valid(), " ");
        if (n.count.valid()) expressions_.print(n.count);
        text(";");
    }

    void print(const WaitUntil& n) {
        text("wait until (");
        expressions_.print(n.condition);
        text(");");
    }

    const Module& module_;
    std::string out_;
    ExpressionPrinter expressions_;
    std::size_t level_ = 0;
};

}  // namespace

std::string print(const Module& module) { return Printer(module).run(); }

std::string print(const Module& module, ExprId expr) {
    std::string out;
    ExpressionPrinter(module, out).print(expr);
    return out;
}

}  // namespace smec::ast
