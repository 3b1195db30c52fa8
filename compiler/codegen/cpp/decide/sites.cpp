#include "codegen/cpp/decide/sites.h"

#include "ir/references.h"

namespace smec::codegen::cpp {
namespace {

void widen(std::vector<std::vector<Extent>>& sites, std::uint32_t site,
           const std::vector<ir::ExprId>& args, const BodyInfo& info) {
    if (site >= sites.size()) sites.resize(site + 1);
    for (std::size_t i = 0; i < args.size(); ++i) {
        const Extent& extent = info.facts[args[i].index].extent;
        if (i < sites[site].size())
            sites[site][i] = hull(sites[site][i], extent);
        else
            sites[site].push_back(extent);
    }
}

void collectArguments(const BodyInfo& info, SiteArguments& arguments) {
    ir::forEachStmt(info.body->statements, [&](const ir::Stmt& stmt) {
        ir::forEachReference<ir::Trace>(
            stmt, [&](const ir::Trace& n) { widen(arguments.traces, n.site, n.args, info); });
        ir::forEachReference<ir::Check>(
            stmt, [&](const ir::Check& n) { widen(arguments.fails, n.site, n.args, info); });
    });
}

}  // namespace

Shown shownAs(const ir::ArgFormat& format, const Extent& extent) {
    if (format.enumeration)
        return {true, format.isSigned, {ir::ScalarKind::Int, format.isSigned, format.bits}};
    const Word word = wordFor(extent);
    if (format.type == ir::ExprType::Int && word.isWide())
        return {true, word.isSigned, {ir::ScalarKind::Int, word.isSigned, word.bits}};
    return {false, word.isSigned || word.bits < 128, {}};
}

std::vector<SiteArguments> siteArguments(const ir::Design& design,
                                         const std::vector<BodyInfo>& classes,
                                         const std::vector<BodyInfo>& functions) {
    std::vector<SiteArguments> arguments;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const ir::Body& body = design.classes[i].body;
        arguments.push_back({std::vector<std::vector<Extent>>(body.traces.size()),
                             std::vector<std::vector<Extent>>(body.fails.size())});
        collectArguments(classes[i], arguments.back());
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const ir::ClassId owner = design.functions[i].owner;
        if (owner.valid()) collectArguments(functions[i], arguments[owner.index]);
    }
    return arguments;
}

}  // namespace smec::codegen::cpp
