// static inline u32 luma(u8 r, u8 g)                                             pure
// static inline bool scale(const sme::Thread& thread, const sme::Slots& slots, u32 instance, …, i16& result)   may fail:
// false ends the caller's activation

#include "codegen/cpp/print/statement.h"
#include "codegen/cpp/print/unit.h"

namespace smec::codegen::cpp {
namespace {

class FunctionPrinter {
public:
    FunctionPrinter(const CppDesign& cpp, std::uint32_t id, Writer& out)
        : id_{id},
          cpp_(cpp),
          program_(cpp.program),
          function_(program_.design.functions[id]),
          info_(program_.functions[id]),
          needs_(program_.functionNeeds[id]),
          returns_(program_.returns[id]),
          name_(cpp.names.functions[id]),
          out_(out) {
        leaves_.locals.resize(function_.body.locals.size());
    }

    void print() {
        Writer body;
        body.setDepth(1);
        const std::string parameters = nameParameters();
        if (function_.external) return out_.line("{} {}({});", resultType(), name_, parameters);
        nameTemporaries();

        static const SiteArguments kNoArguments;
        const bool hasOwner = function_.owner.valid();
        Site site;
        site.cls = hasOwner ? "classes::" + cpp_.names.classes[function_.owner.index] : "0";
        site.arguments = hasOwner ? &program_.arguments[function_.owner.index] : &kNoArguments;
        site.instance = "instance";
        site.leave = "return false;";
        site.mayLeave = info_.needs.leave;
        site.rounds = "rounds";
        Names labels;
        site.labels = &labels;
        site.lines = program_.options.lineDirectives ? &program_.sources : nullptr;
        Statements statements(cpp_, info_, {}, leaves_, site, names_, body);
        statements.isFunction(id_);
        declareTemporaries(info_, leaves_, body);
        statements.block(function_.body.statements);
        printEnd(body);

        out_.line("// {}", locationComment(program_, function_.range, function_.name));
        out_.open("static inline {} {}({})", resultType(), name_, parameters);
        out_.append(body.text());
        out_.close();
        out_.blank();
    }

private:
    std::string resultType() const {
        switch (returns_) {
        case Returns::Nothing: return "void";
        case Returns::Value: return nameOf(variableWord(function_.results[0].scalar));
        case Returns::Status: return "bool";
        }
        return "";
    }

    std::string nameParameters() {
        std::string list;
        const auto add = [&](const std::string& parameter) {
            list += (list.empty() ? "" : ", ") + parameter;
        };
        if (needs_.context) add("const sme::Thread& thread, const sme::Slots& slots");
        if (ir::isCalledOnce(function_)) add("u32 cls");
        if (needs_.instance) add("[[maybe_unused]] u32 instance");
        if (needs_.rounds) add("u64& rounds");
        for (std::uint32_t i = 0; i < function_.paramCount; ++i) {
            const ir::Local& local = function_.body.locals[i];
            const std::string name = names_.add(local.name);
            if (!local.type.isArray()) {
                leaves_.locals[i] = {name, variableWord(local.type.scalar)};
                add(fmt::format("[[maybe_unused]] {} {}", nameOf(leaves_.locals[i].type), name));
                continue;
            }
            const std::string type = nameOf(storedWord(local.type.scalar));
            add(fmt::format("const {}* {}", type, name));
            leaves_.locals[i] = {name, storedWord(local.type.scalar)};
        }
        if (returns_ == Returns::Value) return list;
        for (std::size_t i = 0; i < function_.results.size(); ++i) {
            const ir::StorageType& type = function_.results[i];
            const std::string name = resultName(function_, i);
            add(type.isArray() ? fmt::format("{}* {}", nameOf(storedWord(type.scalar)), name)
                               : fmt::format("{}& {}", nameOf(variableWord(type.scalar)), name));
        }
        return list;
    }

    void nameTemporaries() {
        for (std::size_t i = function_.paramCount; i < function_.body.locals.size(); ++i) {
            const ir::Local& local = function_.body.locals[i];
            if (!info_.locals[i].isUsed) continue;
            leaves_.locals[i] = {names_.add(local.name), local.type.isArray()
                                                             ? storedWord(local.type.scalar)
                                                             : variableWord(local.type.scalar)};
        }
    }

    /// Every path returns; C++ cannot see it.
    void printEnd(Writer& body) const {
        const bool ends =
            !function_.body.statements.empty()
            && std::holds_alternative<ir::Return>(function_.body.statements.back().node);
        if (ends) return;
        if (returns_ == Returns::Status) body.line("return true;");
        if (returns_ == Returns::Value) body.line("return {{}};");
    }

    const ir::FunctionId id_;
    const CppDesign& cpp_;
    const Program& program_;
    const ir::Function& function_;
    const BodyInfo& info_;
    const Needs& needs_;
    const Returns returns_;
    const std::string& name_;
    Writer& out_;
    Names names_;
    Leaves leaves_;
};

}  // namespace

void printFunctions(const CppDesign& cpp, const std::set<std::uint32_t>& ids, Writer& out) {
    if (ids.empty()) return;
    out.margin("namespace functions {");
    out.blank();
    for (const std::uint32_t id : ids)
        FunctionPrinter(cpp, id, out).print();
    out.margin("}  // namespace functions");
    out.blank();
}

}  // namespace smec::codegen::cpp
