#include "driver/verilog/scan/scan.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/places.h"

namespace smec::driver::scan {
namespace {

constexpr std::string_view kAsItIs = "; --reading synthesis takes it so";

std::string wordsOf(const Finding& finding, const Rule& rule, const Reader& reader) {
    std::string words = fmt::format(fmt::runtime(rule.message), finding.about, reader.name);
    if (rule.changesValues) words += kAsItIs;
    return words;
}

}  // namespace

std::unique_ptr<const Scan> scanVerilog(const VerilogInput& input) {
    auto scan = std::make_unique<Scan>();
    if (input.reading != "synthesis") scan->findings = findAll(input, scan->texts);
    return scan;
}

bool isRefused(const Scan& scan, const Reader& reader) {
    return std::ranges::any_of(scan.findings, [&](const Finding& finding) {
        return effectOf(ruleOf(finding.rule), reader) == Effect::Refused;
    });
}

void report(const Scan& scan, const Reader& reader, bool hasWarnings, SourceManager& sources,
            Diagnostics& diagnostics, const Reader* before) {
    const Texts& texts = scan.texts;
    const std::vector<Finding>& findings = scan.findings;
    rtl::Places places(sources);
    std::map<std::pair<RuleId, std::uint16_t>, std::uint32_t> counts;
    for (const Finding& finding : findings)
        ++counts[{finding.rule, finding.at.file}];
    for (const Finding& finding : findings) {
        const Rule& rule = ruleOf(finding.rule);
        const Effect effect = effectOf(rule, reader);
        if (before && effectOf(rule, *before) == Effect::Warned) continue;
        if (effect == Effect::None || (effect == Effect::Warned && !hasWarnings)) continue;
        const Token& at = finding.at;
        std::uint32_t& count = counts[{finding.rule, at.file}];
        if (count == 0) continue;  // a warning of the file that is said
        const std::string place = fmt::format("{0}:{1}.{2}-{1}.{3}", texts.path(at.file), at.line,
                                              at.column, at.column + at.length);
        const SourceRange range = places.of({{"src", place}});
        std::string words = wordsOf(finding, rule, reader);
        if (effect == Effect::Refused) {
            diagnostics.report(DiagId::VerilogReading, range, words);
            continue;
        }
        if (count > 1) words += fmt::format(" ({} of these in the file)", count);
        count = 0;
        diagnostics.report(DiagId::VerilogWarning, range, words);
    }
}

}  // namespace smec::driver::scan
