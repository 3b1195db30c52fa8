#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ast/expression_dumper.h"
#include "ast/print.h"
#include "ast/spelling.h"
#include "source/overloaded.h"

// One line a declaration or statement, indented; expressions inside of it in prefix form, so that
// binding shows and a long chain stays one line:
//
//     Assign a (+ (* b c) 1)

namespace smec::ast {

namespace {

class Dumper {
public:
    explicit Dumper(const Module& module) : module_(module), expressions_(module) {}

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

    // ------------------------------------------------------------ declarations

    void dump(const Decl& decl) {
        smec::visit([&](const auto& node) { dump(node); }, decl.node);
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

    void dump(const ConstDecl& n) {
        line("Const ", n.name.text, expressions_.typed(n.type), expressions_.init(n.value));
    }

    void dump(const EnumDecl& n) {
        line("Enum ", n.name.text);
        inside([&] {
            for (const EnumMember& member : n.members)
                line("Member ", member.name.text, expressions_.init(member.value));
        });
    }

    void dump(const std::vector<FieldDecl>& list) {
        inside([&] {
            for (const FieldDecl& field : list) {
                std::string words =
                    std::string(field.hold ? "hold " : "") + (field.flip ? "flip " : "");
                line("Field ", words, field.name.text, expressions_.typed(field.type),
                     expressions_.init(field.init));
            }
        });
    }

    void dump(const TypeDecl& n) {
        smec::visit(Overloaded{
                        [&](const AliasType& t) {
                            line("Type ", n.name.text, expressions_.typed(t.target));
                        },
                        [&](const StructType& t) { line("Struct ", n.name.text), dump(t.fields); },
                        [&](const BusType& t) { line("BusType ", n.name.text), dump(t.fields); },
                    },
                    n.node);
    }

    void dump(const std::vector<FuncParam>& params) {
        inside([&] {
            for (const FuncParam& param : params)
                line("Param ", param.name.text, expressions_.typed(param.type));
        });
    }

    void dump(const FuncDecl& n) {
        line("Func ", n.name.text, expressions_.typed(n.result));
        dump(n.params);
        dump(n.body);
    }

    void dump(const ExternFunc& n) {
        std::string serial = n.serial ? "serial " : "";
        line("ExternFunc ", serial, n.name.text, expressions_.typed(n.result), " from ",
             stringText(n.header));
        dump(n.params);
    }

    void dump(const std::vector<Param>& params) {
        inside([&] {
            for (const Param& param : params) {
                std::string array;
                for (const ExprId size : param.dimensions)
                    array += "[" + (size.valid() ? expressions_.text(size) : "") + "]";
                if (!array.empty()) array += " ";
                line("Param ", array, std::string(spelling(param.kind)), " ", param.name.text,
                     expressions_.typed(param.type), expressions_.init(param.defaultValue));
            }
        });
    }

    void dump(const BusDecl& n) {
        std::string out = "Bus ";
        if (n.exposed) out += "exposed ";
        if (n.hold) out += "hold ";
        if (n.unique) out += "unique ";
        if (n.delay.valid()) out += "delay " + expressions_.text(n.delay) + " ";
        out += n.name.text;
        for (ExprId dimension : n.dimensions)
            out += "[" + expressions_.text(dimension) + "]";
        line(out, expressions_.typed(n.type));
        dump(n.fields);
    }

    void dump(const VarDecl& n) {
        line("Var ", n.name.text, expressions_.typed(n.type), expressions_.init(n.init));
    }

    void dump(const InstanceDecl& n) {
        std::string out = "Instance " + n.name.text;
        for (ExprId index : n.indices)
            out += "[" + expressions_.text(index) + "]";
        line(out, " of ", expressions_.text(n.entity), expressions_.arguments(n.arguments));
    }

    void dump(const GenerateFor& n) {
        std::string_view direction = n.isUntil ? " until" : " to";
        line("Generate ", n.variable.text, " =", expressions_.spaced(n.from), direction,
             expressions_.spaced(n.to));
        dump(n.body);
    }

    void dump(const GenerateIf& n) {
        line("GenerateIf", expressions_.spaced(n.condition));
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
        smec::visit([&](const auto& node) { dump(node); }, stmt.node);
    }

    void dump(const Assign& n) {
        std::string op = n.op ? std::string(spelling(*n.op)) + "=" : "=";
        line("Assign ", op, expressions_.spaced(n.target), expressions_.spaced(n.value));
    }

    void dump(const If& n) {
        bool first = true;
        for (const IfBranch& branch : n.branches) {
            line((first ? "If" : "Elif"), expressions_.spaced(branch.condition));
            first = false;
            dump(branch.body);
        }
        if (!n.otherwise) return;
        line("Else");
        dump(*n.otherwise);
    }

    void dump(const For& n) {
        line("For ", n.variable.text, " =", expressions_.spaced(n.from), " ",
             std::string(spelling(n.direction)), expressions_.spaced(n.to));
        dump(n.body);
    }

    void dump(const While& n) {
        line("While", expressions_.spaced(n.condition));
        dump(n.body);
    }

    std::string labelsOf(const Case& part) {
        std::string text;
        for (const CaseLabel& label : part.labels) {
            text += expressions_.spaced(label.first);
            if (label.last.valid()) text += " to" + expressions_.spaced(label.last);
        }
        return text;
    }

    void dump(const Switch& n) {
        line("Switch", expressions_.spaced(n.subject));
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
    void dump(const Return& n) { line("Return", expressions_.spaced(n.value)); }
    void dump(const Trace& n) {
        line("Trace", expressions_.spaced(n.format), expressions_.spaced(n.arguments));
    }

    void dump(const Assert& n) {
        std::string kind = n.isAssume ? "Assume" : "Assert";
        std::string parts = n.messageFirst
                                ? expressions_.spaced(n.message) + expressions_.spaced(n.condition)
                                : expressions_.spaced(n.condition) + expressions_.spaced(n.message);
        line(kind, parts, expressions_.spaced(n.arguments));
    }

    void dump(const Cover& n) {
        line("Cover", expressions_.spaced(n.condition), expressions_.spaced(n.name));
    }
    void dump(const Stop& n) { line("Stop", expressions_.spaced(n.status)); }
    void dump(const Wait& n) {
        line((n.isBarrier ? "Barrier" : "Wait"), expressions_.spaced(n.count));
    }
    void dump(const WaitUntil& n) { line("WaitUntil", expressions_.spaced(n.condition)); }

    const Module& module_;
    const ExpressionDumper expressions_;
    std::string out_;
    std::size_t level_ = 0;
};

}  // namespace

std::string dump(const Module& module) { return Dumper(module).run(); }

}  // namespace smec::ast
