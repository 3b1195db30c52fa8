#include "codegen/cpp/print/reports.h"

namespace smec::codegen::cpp {

void Reports::print(const ir::Check& s) {
    if (site_.checks == Checks::Skip) return;
    expr_.prepare({s.ok});
    if (site_.checks == Checks::Collect) {
        out_.line("failed |= u8(!{});",
                  expr_[s.ok].operand());  // g++ does not vectorise |= of bools
        return;
    }
    out_.open("if (!{}) [[unlikely]]", expr_[s.ok].operand());
    wayOut_.openReport();
    call("fail", s.site, s.args, site_.arguments->fails.at(s.site));
    wayOut_.leave();
    wayOut_.closeReport();
    out_.close();
}

void Reports::print(const ir::CountRound& s) {
    out_.open("if (++{} > thread.setup->loopLimit) [[unlikely]]", site_.rounds);
    wayOut_.openReport();
    out_.line("sme::fail(thread, slots, {}, {}, {}, nullptr);", site_.cls, s.site, site_.instance);
    wayOut_.leave();
    wayOut_.closeReport();
    out_.close();
}

void Reports::call(const char* function, std::uint32_t site, const std::vector<ir::ExprId>& args,
                   const std::vector<Shown>& how) {
    std::string list = args.empty() ? "nullptr" : values(args, how);
    const bool isList = inRegisters() && !args.empty();
    if (!args.empty() && !isList) {
        const std::string name = names_.add("args");
        out_.line("const sme::Arg {}[] = {{{}}};", name, list);
        list = name;
    }
    out_.line("sme::{}{}(thread, slots, {}, {}, {}, {});", function, isList ? "Values" : "",
              site_.cls, site, site_.instance, list);
}

std::string Reports::values(const std::vector<ir::ExprId>& args, const std::vector<Shown>& how) {
    expr_.prepare(args);
    std::string list;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string value = shown(args[i], how.at(i));
        list += (i == 0 ? "" : ", ") + value;
    }
    return list;
}

std::string Reports::shown(ir::ExprId id, const Shown& how) {
    const Value value = settle(expr_[id], wordFor(expr_.facts(id).extent));
    if (how.isTyped) {
        const std::string name = names_.add("shown");
        const Word word = storedWord(how.scalar);
        out_.line("const {} {} = {};", nameOf(word), name, convert(value, word).text);
        return fmt::format("sme::argumentAt(&{})", name);
    }
    const bool isPlain = !value.constant && value.type.kind != WordKind::Bool && value.isAtom;
    const std::string text =
        isPlain ? value.text : fmt::format("{}({})", nameOf(value.type), value.text);
    return inRegisters() ? text : fmt::format("sme::argument({})", text);
}

void Reports::print(const ir::Trace& s) {
    wayOut_.openReport();
    out_.open("");
    call("trace", s.site, s.args, site_.arguments->traces.at(s.site));
    out_.close();
    wayOut_.closeReport();
}

void Reports::print(const ir::Stop& s) {
    wayOut_.openReport();
    if (s.status.valid()) expr_.prepare({s.status});
    const std::string status =
        s.status.valid() ? expr_.as(s.status, {WordKind::Int, false, 8}).text : "0";
    out_.line("sme::stop(thread, slots, {}, {}, {});", site_.cls, site_.instance, status);
    wayOut_.closeReport();
}

}  // namespace smec::codegen::cpp
