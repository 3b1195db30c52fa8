#include "codegen/cpp/generate.h"

#include <algorithm>

#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/print/code.h"
#include "codegen/cpp/print/typed_header.h"
#include "codegen/cpp/print/unit.h"
#include "codegen/cpp/tables/model_image.h"
#include "plan/choices.h"
#include "sme/fnv1a.h"

namespace smec::codegen::cpp {
namespace {

bool isComment(std::string_view line) {
    const std::size_t start = line.find_first_not_of(' ');
    return start != std::string_view::npos && line.substr(start).starts_with("//");
}

/// Takes the next line that is no comment off `text`; false at its end.
bool nextLine(std::string_view& text, std::string_view& line) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        line = text.substr(0, end + 1);
        text.remove_prefix(end + 1);
        if (!isComment(line)) return true;
    }
    return false;
}

/// Of the units: two bundles have one where isSameCode says so of all of them. What differs in comments
/// and in tables of the model alone needs no other code.
std::uint64_t identityOf(const SourceBundle& bundle) {
    std::uint64_t hash = sme::kFnv1aStart;
    for (const std::string& name : bundle.translationUnits) {
        hash = sme::fnv1aStep(sme::fnv1a(name, hash), 0);
        std::string_view text = bundle.files.at(name), line;
        while (nextLine(text, line))
            hash = sme::fnv1a(line, hash);
    }
    return hash;
}

}  // namespace

SourceBundle generate(const ir::Design& design, const plan::Plan& plan, const plan::Facts& facts,
                      const SourceManager& sources, const Options& options) {
    const Program program = decide(design, plan, facts, sources, options);
    const SharedNames names = namesOf(program);
    const CppDesign cpp{program, names};
    SourceBundle bundle;
    const auto add = [&](const std::string& name, std::string text) {
        bundle.files[name] = std::move(text);
        bundle.translationUnits.push_back(name);
    };
    for (std::uint32_t i = 0; i < plan.units.size(); ++i) {
        const std::string name = plan.units[i].name + ".cpp";
        add(name, printUnit(cpp, i));
        if (program.units[i].shape != CodeShape::Loops)
            bundle.shapes.emplace(name, program.units[i].shape);
    }
    if (std::string foreign = printForeign(cpp); !foreign.empty())
        add(kForeignUnit, std::move(foreign));
    add("design.cpp", printCode(cpp, options.library));
    if (!options.library.empty()) {
        bundle.files[kExports] = printExports(options.library);
        bundle.files[kTypedHeader] = printTypedHeader(cpp, options.library);
    }
    if (!program.tables.bytes().empty()) {
        add("tables.s", printTableData(cpp));
        bundle.files[kTables] = program.tables.bytes();
    }
    const std::uint64_t identity = identityOf(bundle);
    add(kIdentityUnit, printIdentity(cpp, identity));
    std::string image = modelImage(
        cpp, plan::dearestRefusals(design, plan, facts, sources, options.ledger.choices()),
        identity);
    add(kModelUnit, printImage(cpp, image));
    bundle.files[kModelImage] = std::move(image);
    return bundle;
}

bool isSameCode(std::string_view a, std::string_view b) {
    std::string_view lineA, lineB;
    while (true) {
        const bool hasA = nextLine(a, lineA), hasB = nextLine(b, lineB);
        if (!hasA || !hasB) return hasA == hasB;
        if (lineA != lineB) return false;
    }
}

}  // namespace smec::codegen::cpp
