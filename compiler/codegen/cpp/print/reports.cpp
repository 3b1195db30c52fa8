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
    const std::string args =
        arguments(s.args, sites_.fails.at(s.site).text.args, site_.arguments->fails.at(s.site));
    out_.line("sme::fail(context, {}, {}, {}, {});", site_.cls, s.site, site_.instance, args);
    wayOut_.leave();
    out_.close();
}

void Reports::print(const ir::CountRound& s) {
    out_.open("if (++{} > context.loopLimit) [[unlikely]]", site_.rounds);
    out_.line("sme::fail(context, {}, {}, {}, nullptr);", site_.cls, s.site, site_.instance);
    wayOut_.leave();
    out_.close();
}

std::string Reports::arguments(const std::vector<ir::ExprId>& args,
                               const std::vector<ir::ArgFormat>& formats,
                               const std::vector<Extent>& extents) {
    if (args.empty()) return "nullptr";
    expr_.prepare(args);
    std::string list;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const ir::ArgFormat format = i < formats.size()
                                         ? formats[i]
                                         : ir::ArgFormat{(*info_.body)[args[i]].type, true, 64, {}};
        const Extent& extent = i < extents.size() ? extents[i] : expr_.facts(args[i]).extent;
        list += (i == 0 ? "" : ", ") + argument(args[i], format, extent);
    }
    const std::string name = names_.add("args");
    out_.line("const sme::Arg {}[] = {{{}}};", name, list);
    return name;
}

std::string Reports::argument(ir::ExprId id, const ir::ArgFormat& format, const Extent& extent) {
    const Shown shown = shownAs(format, extent);
    const Value value = settle(expr_[id], wordFor(expr_.facts(id).extent));
    if (shown.isTyped) {
        const std::string name = names_.add("shown");
        const Word word = storedWord(shown.scalar);
        out_.line("const {} {} = {};", nameOf(word), name, convert(value, word).text);
        return fmt::format("sme::argumentAt(&{})", name);
    }
    const bool isPlain = !value.constant && value.type.kind != WordKind::Bool && value.isAtom;
    return isPlain ? fmt::format("sme::argument({})", value.text)
                   : fmt::format("sme::argument({}({}))", nameOf(value.type), value.text);
}

void Reports::print(const ir::Trace& s) {
    out_.open("");
    const std::string args =
        arguments(s.args, sites_.traces.at(s.site).args, site_.arguments->traces.at(s.site));
    out_.line("sme::trace(context, {}, {}, {}, {});", site_.cls, s.site, site_.instance, args);
    out_.close();
}

void Reports::print(const ir::Stop& s) {
    if (s.status.valid()) expr_.prepare({s.status});
    const std::string status =
        s.status.valid() ? expr_.as(s.status, {WordKind::Int, false, 8}).text : "0";
    out_.line("sme::stop(context, {}, {}, {});", site_.cls, site_.instance, status);
}

}  // namespace smec::codegen::cpp
