#include "codegen/cpp/decide/sites.h"

#include <algorithm>

#include "ir/references.h"

namespace smec::codegen::cpp {
namespace {

/// Of all values that a site is given for an argument.
struct GivenValues {
    Extent extent;
    ir::ExprType type;
};
using Sites = std::vector<std::vector<GivenValues>>;

struct GivenArguments {
    Sites traces, fails;
};

void widen(Sites& sites, std::uint32_t site, const std::vector<ir::ExprId>& args,
           const BodyInfo& info) {
    for (std::size_t i = 0; i < args.size(); ++i) {
        const Extent& extent = info.facts[args[i].index].extent;
        if (i < sites.at(site).size())
            sites[site][i].extent = hull(sites[site][i].extent, extent);
        else
            sites[site].push_back({extent, (*info.body)[args[i]].type});
    }
}

void collectArguments(const BodyInfo& info, GivenArguments& arguments) {
    ir::forEachStmt(info.body->statements, [&](const ir::Stmt& stmt) {
        ir::forEachReference<ir::Trace>(
            stmt, [&](const ir::Trace& n) { widen(arguments.traces, n.site, n.args, info); });
        ir::forEachReference<ir::Check>(
            stmt, [&](const ir::Check& n) { widen(arguments.fails, n.site, n.args, info); });
    });
}

Shown shownAs(const ir::ArgFormat& format, const Extent& extent) {
    if (format.enumeration)
        return {true, format.isSigned, {ir::ScalarKind::Int, format.isSigned, format.bits}};
    const Word word = wordFor(extent);
    if (format.type == ir::ExprType::Int && word.isWide())
        return {true, word.isSigned, {ir::ScalarKind::Int, word.isSigned, word.bits}};
    return {false, word.isSigned || word.bits < 128, {}};
}

/// What has a format, though no statement gives it, and what is given without one.
std::vector<Shown> shownAt(const std::vector<ir::ArgFormat>& formats,
                           const std::vector<GivenValues>& given) {
    std::vector<Shown> shown;
    for (std::size_t i = 0; i < std::max(formats.size(), given.size()); ++i) {
        const Extent extent = i < given.size() ? given[i].extent : Extent();
        shown.push_back(shownAs(
            i < formats.size() ? formats[i] : ir::ArgFormat{given[i].type, true, 64, {}}, extent));
    }
    return shown;
}

}  // namespace

std::vector<SiteArguments> siteArguments(const ir::Design& design,
                                         const std::vector<BodyInfo>& classes,
                                         const std::vector<BodyInfo>& functions) {
    std::vector<GivenArguments> arguments;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const ir::Body& body = design.classes[i].body;
        arguments.push_back({Sites(body.traces.size()), Sites(body.fails.size())});
        collectArguments(classes[i], arguments.back());
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const ir::ClassId owner = design.functions[i].owner;
        if (owner.valid()) collectArguments(functions[i], arguments[owner.index]);
    }
    std::vector<SiteArguments> result(classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const ir::Body& body = design.classes[i].body;
        for (std::size_t site = 0; site < body.traces.size(); ++site)
            result[i].traces.push_back(shownAt(body.traces[site].args, arguments[i].traces[site]));
        for (std::size_t site = 0; site < body.fails.size(); ++site)
            result[i].fails.push_back(
                shownAt(body.fails[site].text.args, arguments[i].fails[site]));
    }
    return result;
}

}  // namespace smec::codegen::cpp
