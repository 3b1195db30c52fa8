#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ast/print.h"
#include "ast/spelling.h"
#include "source/overloaded.h"

// One line a declaration or statement, indented; expressions inside of it in prefix form, so that
// binding shows and a long chain stays one line:
//
//     Assign a (+ (* b c) 1)

namespace smec::ast {

namespace {

template <typename... Parts>
std::string concat(const Parts&... parts) {
    std::string out;
    ((out += parts), ...);
    return out;
}

class Dumper {
public:
    explicit Dumper(const Module& module) : module_(module) {}

    std::string run() {
        line("Module");
        inside([&] {
            for (const Decl& decl : module_.decls)
                dump(decl);
        });
        return std::move(out_);
    }

private:
    // ------------------------------------------------------------ layout

    template <typename... Parts>
    void line(const Parts&... parts) {
        out_.append(2 * level_, ' ');
        ((out_ += parts), ...);
        out_ += '\n';
    }

    template <typename Body>
    void inside(Body body) {
        ++level_;
        body();
        --level_;
    }

    // ------------------------------------------------------------ expressions

    std::string text(ExprId id) {
        std::string out;
        append(out, id);
        return out;
    }

    /// " x", or nothing where x is absent.
    std::string spaced(ExprId id) { return id.valid() ? concat(" ", text(id)) : std::string(); }

    std::string spaced(const std::vector<ExprId>& ids) {
        std::string out;
        for (ExprId id : ids)
            out += spaced(id);
        return out;
    }

    void append(std::string& out, ExprId id) {
        std::vector<const Binary*> chain;
        const auto* binary = std::get_if<Binary>(&module_[id].node);
        for (; binary; binary = std::get_if<Binary>(&module_[id].node)) {
            out += '(';
            out += spelling(binary->op);
            out += ' ';
            chain.push_back(binary);
            id = binary->left;
        }
        appendNode(out, module_[id]);
        for (; !chain.empty(); chain.pop_back()) {
            out += ' ';
            append(out, chain.back()->right);
            out += ')';
        }
    }

    void appendNode(std::string& out, const Expr& expr) {
        auto list = [&](std::string_view head, const std::vector<ExprId>& parts) {
            out += '(';
            out += head;
            for (ExprId part : parts) {
                out += ' ';
                append(out, part);
            }
            out += ')';
        };
        std::visit(Overloaded{
                       [&](const IntLiteral& n) { out += n.value.str(); },
                       [&](const FloatLiteral& n) { out += floatText(n.value); },
                       [&](const BoolLiteral& n) { out += n.value ? "true" : "false"; },
                       [&](const CharacterLiteral& n) { out += characterText(n.value); },
                       [&](const StringLiteral& n) { out += stringText(n.value); },
                       [&](const Undefined&) { out += "'U"; },
                       [&](const Name& n) { out += n.text; },
                       [&](const Member& n) {
                           list("member", {n.base}), out.insert(out.size() - 1, " " + n.name.text);
                       },
                       [&](const Index& n) {
                           list("index", {n.base, n.index});
                       },
                       [&](const Star& n) { list("star", {n.base}); },
                       [&](const Slice& n) {
                           list("slice", {n.base, n.high, n.low});
                       },
                       [&](const IndexedSlice& n) {
                           list("slice+", {n.base, n.low, n.width});
                       },
                       [&](const Unary& n) { list(spelling(n.op), {n.operand}); },
                       [&](const Binary& n) {
                           list(spelling(n.op), {n.left, n.right});
                       },
                       [&](const Conditional& n) {
                           list("?:", {n.condition, n.yes, n.no});
                       },
                       [&](const ArrayLiteral& n) { list("array", n.elements); },
                       [&](const Paren& n) { list("paren", {n.inner}); },
                       [&](const Call& n) { appendCall(out, n); },
                   },
                   expr.node);
    }

    void appendCall(std::string& out, const Call& call) {
        out += "(call ";
        append(out, call.callee);
        out += arguments(call.arguments) + ")";
    }

    std::string arguments(const std::vector<Argument>& list) {
        std::string out;
        for (const Argument& argument : list) {
            out += ' ';
            if (argument.name) out += argument.name->text + ":";
            append(out, argument.value);
        }
        return out;
    }

    // ------------------------------------------------------------ types

    std::string text(const TypeExpr& type) {
        std::string out =
            std::visit(Overloaded{
                           [&](const NamedType& n) { return joined(n.path, "."); },
                           [&](const SizedType& n) {
                               return concat(n.isSigned ? "(i " : "(u ", text(n.width), ")");
                           },
                           [&](const ArrayType& n) {
                               return concat("[", text(n.size), "]", text(n.element.at(0)));
                           },
                           [&](const TypeOf& n) { return concat("(type ", text(n.operand), ")"); },
                       },
                       type.node);
        if (type.bound)
            out += concat("{", text(type.bound->low), "..", text(type.bound->high), "}");
        return out;
    }

    std::string typed(const std::optional<TypeExpr>& type) {
        return type ? concat(": ", text(*type)) : std::string();
    }

    std::string init(ExprId value) {
        return value.valid() ? concat(" = ", text(value)) : std::string();
    }

    // ------------------------------------------------------------ declarations

    void dump(const Decl& decl) {
        std::visit([&](const auto& node) { dump(node); }, decl.node);
    }

    void dump(const std::vector<Decl>& decls) {
        inside([&] {
            for (const Decl& decl : decls)
                dump(decl);
        });
    }

    void dump(const Import& n) {
        std::string out = "Import " + joined(n.path, ".");
        if (!n.names.empty()) out += " names " + joined(n.names, ", ");
        if (n.alias) out += " as " + n.alias->text;
        line(out);
    }

    void dump(const ConstDecl& n) { line("Const ", n.name.text, typed(n.type), init(n.value)); }

    void dump(const EnumDecl& n) {
        line("Enum ", n.name.text);
        inside([&] {
            for (const EnumMember& member : n.members)
                line("Member ", member.name.text, init(member.value));
        });
    }

    void dump(const std::vector<FieldDecl>& list) {
        inside([&] {
            for (const FieldDecl& field : list) {
                std::string words =
                    std::string(field.hold ? "hold " : "") + (field.flip ? "flip " : "");
                line("Field ", words, field.name.text, typed(field.type), init(field.init));
            }
        });
    }

    void dump(const TypeDecl& n) {
        std::visit(Overloaded{
                       [&](const AliasType& t) { line("Type ", n.name.text, typed(t.target)); },
                       [&](const StructType& t) { line("Struct ", n.name.text), dump(t.fields); },
                       [&](const BusType& t) { line("BusType ", n.name.text), dump(t.fields); },
                   },
                   n.node);
    }

    void dump(const std::vector<FuncParam>& params) {
        inside([&] {
            for (const FuncParam& param : params)
                line("Param ", param.name.text, typed(param.type));
        });
    }

    void dump(const FuncDecl& n) {
        line("Func ", n.name.text, typed(n.result));
        dump(n.params);
        dump(n.body);
    }

    void dump(const ExternFunc& n) {
        std::string serial = n.serial ? "serial " : "";
        line("ExternFunc ", serial, n.name.text, typed(n.result), " from ", stringText(n.header));
        dump(n.params);
    }

    void dump(const std::vector<Param>& params) {
        inside([&] {
            for (const Param& param : params) {
                std::string array;
                for (const ExprId size : param.dimensions)
                    array += "[" + (size.valid() ? text(size) : "") + "]";
                if (!array.empty()) array += " ";
                line("Param ", array, std::string(spelling(param.kind)), " ", param.name.text,
                     typed(param.type), init(param.defaultValue));
            }
        });
    }

    void dump(const BusDecl& n) {
        std::string out = "Bus ";
        if (n.exposed) out += "exposed ";
        if (n.hold) out += "hold ";
        if (n.unique) out += "unique ";
        if (n.delay.valid()) out += concat("delay ", text(n.delay), " ");
        out += n.name.text;
        for (ExprId dimension : n.dimensions)
            out += concat("[", text(dimension), "]");
        line(out, typed(n.type));
        dump(n.fields);
    }

    void dump(const VarDecl& n) { line("Var ", n.name.text, typed(n.type), init(n.init)); }

    void dump(const InstanceDecl& n) {
        std::string out = "Instance " + n.name.text;
        for (ExprId index : n.indices)
            out += concat("[", text(index), "]");
        line(out, " of ", text(n.entity), arguments(n.arguments));
    }

    void dump(const GenerateFor& n) {
        std::string_view direction = n.isUntil ? " until" : " to";
        line("Generate ", n.variable.text, " =", spaced(n.from), direction, spaced(n.to));
        dump(n.body);
    }

    void dump(const GenerateIf& n) {
        line("GenerateIf", spaced(n.condition));
        dump(n.yes);
        if (n.no.empty()) return;
        line("Else");
        dump(n.no);
    }

    void dump(const ProcDecl& n) {
        if (n.external) return dumpForeign(n);
        std::string kind(n.isSyncWord ? "sync" : spelling(n.kind));
        line("Proc ", kind, (kind.empty() ? "" : " "), n.name.text);
        dump(n.params);
        dump(n.decls);
        dump(n.body);
    }

    void dump(const NetworkDecl& n) {
        line("Network ", n.name.text);
        dump(n.params);
        dump(n.decls);
    }

    void dumpForeign(const ProcDecl& n) {
        std::string out = "ExternProc " + n.name.text;
        for (const ForeignBody& body : n.external->bodies)
            out += " " + body.language.text + "(" + stringText(body.file) + ")";
        line(out);
        dump(n.params);
    }

    // ------------------------------------------------------------ statements

    void dump(const Block& block) {
        inside([&] {
            line("Block");
            inside([&] {
                for (const Stmt& stmt : block.statements)
                    dump(stmt);
            });
        });
    }

    void dump(const Stmt& stmt) {
        if (const auto* block = std::get_if<Block>(&stmt.node)) {
            --level_;  // a block shows itself one level in
            dump(*block);
            ++level_;
            return;
        }
        std::visit([&](const auto& node) { dump(node); }, stmt.node);
    }

    void dump(const Assign& n) {
        std::string op = n.op ? std::string(spelling(*n.op)) + "=" : "=";
        line("Assign ", op, spaced(n.target), spaced(n.value));
    }

    void dump(const If& n) {
        bool first = true;
        for (const IfBranch& branch : n.branches) {
            line((first ? "If" : "Elif"), spaced(branch.condition));
            first = false;
            dump(branch.body);
        }
        if (!n.otherwise) return;
        line("Else");
        dump(*n.otherwise);
    }

    void dump(const For& n) {
        line("For ", n.variable.text, " =", spaced(n.from), " ", std::string(spelling(n.direction)),
             spaced(n.to));
        dump(n.body);
    }

    void dump(const While& n) {
        line("While", spaced(n.condition));
        dump(n.body);
    }

    std::string labelsOf(const Case& part) {
        std::string text;
        for (const CaseLabel& label : part.labels) {
            text += spaced(label.first);
            if (label.last.valid()) text += " to" + spaced(label.last);
        }
        return text;
    }

    void dump(const Switch& n) {
        line("Switch", spaced(n.subject));
        inside([&] {
            for (const Case& part : n.cases) {
                line("Case", labelsOf(part));
                dump(part.body);
            }
            if (!n.otherwise) return;
            line("Default");
            dump(*n.otherwise);
        });
    }

    void dump(const Break&) { line("Break"); }
    void dump(const Continue&) { line("Continue"); }
    void dump(const Return& n) { line("Return", spaced(n.value)); }
    void dump(const Trace& n) { line("Trace", spaced(n.format), spaced(n.arguments)); }

    void dump(const Assert& n) {
        std::string kind = n.isAssume ? "Assume" : "Assert";
        std::string parts = n.messageFirst ? spaced(n.message) + spaced(n.condition)
                                           : spaced(n.condition) + spaced(n.message);
        line(kind, parts, spaced(n.arguments));
    }

    void dump(const Cover& n) { line("Cover", spaced(n.condition), spaced(n.name)); }
    void dump(const Stop& n) { line("Stop", spaced(n.status)); }
    void dump(const Wait& n) { line((n.isBarrier ? "Barrier" : "Wait"), spaced(n.count)); }
    void dump(const WaitUntil& n) { line("WaitUntil", spaced(n.condition)); }

    const Module& module_;
    std::string out_;
    std::size_t level_ = 0;
};

}  // namespace

std::string dump(const Module& module) { return Dumper(module).run(); }

}  // namespace smec::ast
