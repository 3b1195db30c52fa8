#include "codegen/cpp/print/class_rows.h"

#include <map>
#include <vector>

#include "codegen/cpp/print/table.h"
#include "ir/hash.h"

namespace smec::codegen::cpp {
namespace {

const char* enumeratorOf(ArgumentKind kind) {
    switch (kind) {
    case ArgumentKind::Unsigned: return "Unsigned";
    case ArgumentKind::Signed: return "Signed";
    case ArgumentKind::Bool: return "Bool";
    case ArgumentKind::F32: return "F32";
    case ArgumentKind::F64: return "F64";
    case ArgumentKind::Typed: return "Typed";
    }
    return "";
}

const char* enumeratorOf(ir::FailureKind kind) {
    switch (kind) {
    case ir::FailureKind::Assertion: return "Assertion";
    case ir::FailureKind::Assumption: return "Assumption";
    case ir::FailureKind::DivisionByZero: return "DivisionByZero";
    case ir::FailureKind::IndexOutOfRange: return "IndexOutOfRange";
    case ir::FailureKind::NegativeShift: return "NegativeShift";
    case ir::FailureKind::RangeViolation: return "RangeViolation";
    case ir::FailureKind::EnumValue: return "EnumValue";
    case ir::FailureKind::LoopLimit: return "LoopLimit";
    case ir::FailureKind::WaitCount: return "WaitCount";
    }
    return "";
}

class ClassRows {
public:
    ClassRows(const CppDesign& cpp, Writer& out)
        : program_(cpp.program), design_(program_.design), model_(program_.model), out_(out) {}

    std::string print() {
        std::vector<std::string> sites;
        out_.line("constexpr sme::SiteTable noSites[] = {{{{0, nullptr, nullptr}}}};");
        for (std::size_t i = 0; i < design_.classes.size(); ++i)
            sites.push_back(printSites(i));
        Table table(out_, "Class", "classTable");
        for (std::size_t i = 0; i < design_.classes.size(); ++i) {
            const ir::Class& cls = design_.classes[i];
            table.row("{{{}, {}, {}, {}, 1}},",
                      stringLiteral(cls.isDelayLine ? "delay line" : cls.name),
                      location(program_.sources, cls.range), cls.instances, sites[i]);
        }
        return table.close();
    }

private:
    /// Equal lists are one: g++ 12 takes time with the square of the number of tables that another
    /// one points to.
    std::string printArguments(const std::string& name, const std::vector<ArgumentRow>& rows) {
        if (rows.empty()) return "nullptr, 0";
        std::string list;
        for (const ArgumentRow& row : rows)
            list += fmt::format("{}{{sme::ArgKind::{}, {}, {}}}", list.empty() ? "" : ", ",
                                enumeratorOf(row.kind), row.bits, row.type);
        const auto [table, isNew] = argumentTables_.emplace(list, name);
        if (isNew) out_.line("constexpr sme::ArgFormat {}[] = {{{}}};", name, list);
        return fmt::format("{}, {}", table->second, rows.size());
    }

    /// The name of a class's table of traces.
    std::string printTraces(std::size_t cls) {
        const std::vector<ir::TraceSite>& sites = design_.classes[cls].body.traces;
        if (sites.empty()) return "nullptr";
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < sites.size(); ++i)
            arguments.push_back(
                printArguments(fmt::format("traceArgs{}_{}", cls, i), model_.sites[cls].traces[i]));
        out_.open("constexpr sme::TraceSite traces{}[] =", cls);
        for (std::size_t i = 0; i < sites.size(); ++i)
            out_.line("{{{}, {}}},", stringLiteral(sites[i].format), arguments[i]);
        out_.close(";");
        return fmt::format("traces{}", cls);
    }

    /// The name of a class's table of failures.
    std::string printFails(std::size_t cls) {
        const std::vector<ir::FailSite>& sites = design_.classes[cls].body.fails;
        if (sites.empty()) return "nullptr";
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < sites.size(); ++i)
            arguments.push_back(
                printArguments(fmt::format("failArgs{}_{}", cls, i), model_.sites[cls].fails[i]));
        out_.open("constexpr sme::FailSite fails{}[] =", cls);
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const ir::FailSite& site = sites[i];
            out_.line("{{sme::Failure::{}, {}, {{{}, {}}}, {}}},", enumeratorOf(site.kind),
                      location(program_.sources, site.range),
                      site.hasText ? stringLiteral(site.text.format) : "nullptr", arguments[i],
                      site.subject.empty() ? "nullptr" : stringLiteral(site.subject));
        }
        out_.close(";");
        return fmt::format("fails{}", cls);
    }

    /// The name of a class's table of sites.
    std::string printSites(std::size_t cls) {
        const ir::Body& body = design_.classes[cls].body;
        if (body.traces.empty() && body.fails.empty()) return "noSites";
        const std::string traces = printTraces(cls), fails = printFails(cls);
        out_.line("constexpr sme::SiteTable sites{}[] = {{{{0, {}, {}}}}};", cls, traces, fails);
        return fmt::format("sites{}", cls);
    }

    const Program& program_;
    const ir::Design& design_;
    const ModelPlan& model_;
    Writer& out_;
    std::map<std::string, std::string> argumentTables_;  ///< their text -> their names
};

}  // namespace

std::string printClasses(const CppDesign& cpp, Writer& out) { return ClassRows(cpp, out).print(); }

}  // namespace smec::codegen::cpp
