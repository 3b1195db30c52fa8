#include "codegen/cpp/print/calls.h"

#include "codegen/cpp/print/stores.h"

namespace smec::codegen::cpp {

void Calls::print(const ir::Call& s, const ir::Stmt& stmt) {
    const ir::Function& function = cpp_.program.design.functions[s.function.index];
    std::vector<ir::ExprId> scalars;
    for (std::size_t i = 0; i < s.args.size(); ++i) {
        if (!function.body.locals[i].type.isArray()) scalars.push_back(s.args[i]);
    }
    expr_.prepare(scalars);
    const Returns returns = cpp_.program.returns[s.function.index];
    std::string args = argumentsOf(s);
    const std::string name = "functions::" + cpp_.names.functions[s.function.index];
    if (returns == Returns::Value) {
        const Place& result = leaves_.locals[s.results[0].index];
        const std::string type =
            isDeclaredBy(info_, stmt, s.results[0]) ? nameOf(result.type) + " " : "";
        out_.line("{}{} = {}({});", type, result.name, name, args);
        endIfSaid(s);
        return;
    }
    for (const ir::LocalId id : s.results) {
        const Place& result = leaves_.locals[id.index];
        const std::uint32_t length = info_.body->locals[id.index].type.length;
        if (isDeclaredBy(info_, stmt, id))
            out_.line("{} {}{};", nameOf(result.type), result.name,
                      length != 0 ? fmt::format("[{}]", length) : "{}");
        args += (args.empty() ? "" : ", ") + result.name;
    }
    if (returns == Returns::Nothing) {
        out_.line("{}({});", name, args);
        endIfSaid(s);
        return;
    }
    out_.open("if (!{}({})) [[unlikely]]", name, args);
    wayOut_.fail();
    out_.close();
    endIfSaid(s);
}

/// A function that prints has done so, whether the cycle is observed or not.
void Calls::endIfSaid(const ir::Call& call) {
    if (!site_.mayBeUnobserved || !cpp_.program.functionNeeds[call.function.index].traces) return;
    wayOut_.endIf("sme::hasSaid(thread)");
}

std::string Calls::argumentsOf(const ir::Call& call) {
    const ir::Function& function = cpp_.program.design.functions[call.function.index];
    const Needs& needs = cpp_.program.functionNeeds[call.function.index];
    std::string args;
    const auto add = [&](const std::string& arg) { args += (args.empty() ? "" : ", ") + arg; };
    if (needs.context) add("thread, slots");
    if (ir::isCalledOnce(function)) add(site_.cls);
    if (needs.instance) add(site_.instance);
    if (needs.rounds) add(site_.rounds);
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        const ir::StorageType& type = function.body.locals[i].type;
        add(type.isArray() ? expr_.reads().arrayOf(call.args[i])
                           : expr_.as(call.args[i], variableWord(type.scalar)).text);
    }
    return args;
}

void Calls::print(const ir::Return& s) {
    if (!function_.valid()) return wayOut_.leave();
    printReturn(s, cpp_.program.design.functions[function_.index],
                cpp_.program.returns[function_.index]);
}

void Calls::printReturn(const ir::Return& s, const ir::Function& function, Returns returns) {
    std::vector<ir::ExprId> scalars;
    for (std::size_t i = 0; i < s.values.size(); ++i) {
        if (!function.results[i].isArray()) scalars.push_back(s.values[i]);
    }
    expr_.prepare(scalars);
    if (returns == Returns::Value) {
        out_.line("return {};",
                  expr_.as(s.values[0], variableWord(function.results[0].scalar)).text);
        return;
    }
    for (std::size_t i = 0; i < s.values.size(); ++i) {
        const ir::StorageType& type = function.results[i];
        const std::string result = resultName(function, i);
        if (type.isArray())
            out_.line("sme::copyArray<{}>({}, {}, {});", nameOf(storedWord(type.scalar)), result,
                      expr_.reads().arrayOf(s.values[i]), type.length);
        else
            out_.line("{} = {};", result, expr_.as(s.values[i], variableWord(type.scalar)).text);
    }
    out_.line("{}", returns == Returns::Status ? "return true;" : "return;");
}

}  // namespace smec::codegen::cpp
