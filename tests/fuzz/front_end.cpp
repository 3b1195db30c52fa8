#include "fuzz/front_end.h"

#include <cstdlib>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "ast/equal.h"
#include "ast/print.h"
#include "elab/elaborate.h"
#include "syntax/format.h"
#include "syntax/parse.h"

namespace smec::test {

namespace {

/// What every import finds. The names are those that programs of the corpus import.
constexpr std::string_view kLibrary = R"(
type stream: bus { data: u32; valid: bool; flip ready: bool; };
type word: u32;
type pair: struct { x: u8; y: i9; };
enum state { IDLE, RUN = 4, DONE };
const depth: uint = 4;
func twice(x: u8): u9 { return x + x; }
proc skid(in i, out o)
    var kept: type(i.data);
{
    if (i.valid) { kept = i.data; }
    o.data = kept;
    o.valid = i.valid;
    i.ready = o.ready;
}
proc fifo(in i, out o, const depth: uint = 16)
    var mem: [depth]type(i.data);
{
    mem[depth - 1] = i.data;
    o.data = mem[0];
}
network inner(in a: stream, out b: stream) { instance s of skid(a, b); }
)";

[[noreturn]] void fail(std::string_view what, std::string_view text) {
    fmt::print(stderr, "front end: {}\n----\n{}\n----\n", what, text);
    std::abort();
}

void expect(bool condition, std::string_view what, std::string_view text) {
    if (!condition) fail(what, text);
}

/// A parsed text with all that belongs to it.
struct Parsed {
    SourceManager sources;
    Diagnostics diagnostics;
    FileId file;
    ast::Module module;

    explicit Parsed(std::string_view text) {
        file = sources.add("input.sme", std::string(text));
        module = syntax::parse(sources, file, diagnostics);
    }
};

void checkSame(const Parsed& original, const std::string& text, std::string_view how) {
    const Parsed again(text);
    expect(!again.diagnostics.hasErrors(), fmt::format("{} text does not parse", how), text);
    expect(ast::equal(original.module, again.module), fmt::format("{} text has another tree", how),
           text);
}

void checkFormatting(Parsed& original) {
    Diagnostics diagnostics;
    const auto formatted = syntax::format(original.sources, original.file, diagnostics);
    expect(formatted.has_value(), "what parses is not formatted",
           original.sources.text(original.file));
    checkSame(original, *formatted, "formatted");
    SourceManager sources;
    const auto twice =
        syntax::format(sources, sources.add("formatted.sme", *formatted), diagnostics);
    expect(twice && *twice == *formatted, "formatting again changes the text", *formatted);
}

void checkRanges(const Diagnostics& diagnostics, const SourceManager& sources) {
    const auto check = [&](SourceRange range, const std::string& message) {
        if (!range.valid()) return;
        const std::size_t size = sources.text(range.file).size();
        expect(range.begin <= range.end && range.end <= size, "a diagnostic outside of its file",
               message);
    };
    for (const Diagnostic& one : diagnostics.all()) {
        check(one.range, one.message);
        for (const Note& note : one.notes)
            check(note.range, note.message);
    }
    for (const bool json : {false, true})
        render(diagnostics, sources, {.json = json, .colour = !json, .errorLimit = 1000});
}

/// Texts in the tree can name files for file("…"): none of them shall exist.
void hideFiles(ast::Module& module) {
    for (ast::Expr& expr : module.exprs) {
        if (auto* literal = std::get_if<ast::StringLiteral>(&expr.node)) {
            for (char& c : literal->value)
                c = c == '/' ? '_' : c;
        }
    }
}

/// The module's imports, all of the library.
std::vector<sema::ModuleId> importsOf(const ast::Module& module) {
    std::vector<sema::ModuleId> imports;
    for (const ast::Decl& decl : module.decls) {
        if (std::holds_alternative<ast::Import>(decl.node)) imports.push_back({1});
    }
    return imports;
}

void checkProgram(Parsed& parsed) {
    sema::Program program;
    hideFiles(parsed.module);
    const std::vector<sema::ModuleId> imports = importsOf(parsed.module);
    program.modules.push_back({std::move(parsed.module), "/nonexistent/input.sme", false, imports});
    if (!imports.empty()) {
        const FileId library = parsed.sources.add("library.sme", std::string(kLibrary));
        program.modules.push_back({syntax::parse(parsed.sources, library, parsed.diagnostics),
                                   "/nonexistent/library.sme",
                                   true,
                                   {}});
    }
    elab::Options options;
    options.maxInstances = 500;
    options.limits = {.steps = 20'000, .leaves = 1 << 12};
    options.checkOnly = true;
    const auto design = elab::elaborate(program, parsed.sources, options, parsed.diagnostics);
    expect(!design || !parsed.diagnostics.hasErrors(), "a design in spite of errors",
           parsed.sources.text(parsed.file));
}

}  // namespace

void checkFrontEnd(std::string_view input) {
    Parsed parsed(input);
    if (!parsed.diagnostics.hasErrors()) {
        checkFormatting(parsed);
        checkSame(parsed, ast::print(parsed.module), "printed");
        checkProgram(parsed);
    }
    checkRanges(parsed.diagnostics, parsed.sources);
}

}  // namespace smec::test
