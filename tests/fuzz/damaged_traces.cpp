// What `smec diff` and the interpreter read:
//
//     damaged_traces 20000         so many mutants for each reader
//     damaged_traces 20000 fst     for one

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <lz4.h>
#include <map>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "driver/cache/cache.h"
#include "driver/cache/work_folder.h"
#include "driver/compile/cache.h"
#include "driver/diff/diff_traces.h"
#include "driver/interpret/state_form.h"
#include "driver/system/files.h"
#include "driver/verilog/kept_import.h"
#include "elab/elaborate.h"
#include "fuzz/mutants.h"
#include "fuzz/sealed_files.h"
#include "interp/interpreter.h"
#include "support/files.h"
#include "syntax/parse.h"

namespace {

using namespace smec;
using test::Reader;

constexpr const char* kDesign = R"(
    enum kind { OFF, SLOW = 5, FAST };
    type cmd: bus { n: u8 = 3; b: bool; k: kind; w: i70; f: f64; };
    type res: bus { sum: u8; wide: u100; real: f64; a: [3]u5; };
    proc p(in c: cmd, out r: res)
        var t: u8; var m: [16]u7; var at: u4;
    {
        t += c.n; r.sum = t; r.wide = u100(t); r.real = c.f + 0.5; r.a[at % 3] = 7; m[at] = 5; at += 1;
    }
    proc w(out n: cmd) var k: u8; { k += 1; n.n = k; wait k % 3 + 1; n.b = true; wait until (cycle() % 4 == 1); }
    network top(in c: cmd, out r: res) { bus n: cmd; instance a of p(c, r); instance b of w(n); }
)";

class Design {
public:
    Design() {
        const FileId file = front_.sources.add("p.sme", kDesign);
        front_.program.modules.push_back(
            {syntax::parse(front_.sources, file, front_.diagnostics), "/p.sme", false, {}});
        front_.design = elab::elaborate(front_.program, front_.sources, {}, front_.diagnostics);
        if (!front_.design) {
            std::fprintf(stderr, "%s\n", render(front_.diagnostics, front_.sources, {}).c_str());
            std::exit(1);
        }
    }
    /// What a run says, where it ends with another status than 0. `expected`: perhaps 1, silently.
    std::string run(std::vector<std::string> arguments) {
        const std::string err = folder.file("stderr");
        std::fflush(stderr);
        const int saved = dup(2);
        const int target = open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0666);
        dup2(target, 2);
        arguments.emplace_back("--quiet");
        const int status = interp::run(
            {.design = *front_.design, .sources = front_.sources, .states = &states_}, arguments);
        std::fflush(stderr);
        dup2(saved, 2);
        close(saved);
        close(target);
        const std::string said = test::readFile(err);
        return status == 0 ? "" : said.empty() ? "nothing is said" : said;
    }

    test::Folder folder;

private:
    driver::FrontEnd front_{WarningOptions{}};
    const interp::LazyStateForm states_ = driver::stateFormOf(front_, false);
};

/// Compares a mutant with the file that it was.
Reader traceReader(Design& design, const std::string& ending, std::vector<std::string> words) {
    const std::string seed = design.folder.file("seed" + ending);
    const std::string csv = design.folder.file("other.csv");
    const std::string path = design.folder.file("mutant" + ending);
    design.run({"--cycles", "12", "--trace-all", "--trace", seed, "--trace", csv});
    return {ending.substr(1),
            {test::readFile(seed)},
            std::move(words),
            [=](const std::string& bytes) -> std::string {
                test::writeFile(path, bytes);
                try {
                    const auto mutant = driver::openTrace(path, 10);
                    const auto other = driver::openTrace(csv, 10);
                    driver::diffTraces(*mutant, *other);
                } catch (const driver::BadTrace& bad) {
                    return bad.what();
                }
                return {};
            },
            "mutant" + ending + ":"};
}

/// Runs the design with a mutant for an option.
Reader runReader(Design& design, const std::string& name, const std::string& option,
                 const std::string& before, const std::string& seed,
                 std::vector<std::string> words) {
    const std::string path = design.folder.file("mutant." + name);
    return {name,
            {seed},
            std::move(words),
            [&design, path, option, before](const std::string& bytes) {
                test::writeFile(path, bytes);
                return design.run({"--cycles", "14", option, before + path});
            },
            "mutant." + name};
}

/// The same for what stands in a file that has a hash over it.
Reader contentReader(const Reader& whole) {
    Reader reader = whole;
    reader.name += ".content";
    const std::string seed = whole.seeds.front();
    reader.seeds = {test::contentOf(seed)};
    reader.read = [read = whole.read, seed](const std::string& content) -> std::string {
        const std::string said = read(test::sealedLike(seed, content));
        const bool hasByte = said.find(" at byte ") != std::string::npos;
        if (said.find("is damaged") != std::string::npos && !hasByte)
            return "damage without its byte";
        return said;
    };
    return reader;
}

/// What is packed in an FST file, so that unpacking succeeds: the entries of its hierarchy.
Reader entriesReader(const Reader& fst) {
    constexpr std::uint8_t kHierarchy = 6;
    const std::string file = fst.seeds.front();
    std::size_t at = 0;
    const auto number = [&](std::size_t from) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i)
            value = value << 8 | static_cast<std::uint8_t>(file[from + i]);
        return value;
    };
    while (static_cast<std::uint8_t>(file[at]) != kHierarchy)
        at += 1 + number(at + 1);
    const std::size_t end = at + 1 + number(at + 1);
    std::string entries(number(at + 9), 0);
    LZ4_decompress_safe(file.data() + at + 17, entries.data(), static_cast<int>(end - at - 17),
                        static_cast<int>(entries.size()));
    Reader reader = fst;
    reader.name += ".entries";
    reader.seeds = {entries};
    reader.words = {std::string(1, '\xFE'), std::string(1, '\xFF'),
                    std::string("\xFC\0\7t 2 A B 0 1\0\1", 17), std::string("\x10\0x\0\x08\0", 6)};
    reader.read = [read = fst.read, file, at, end](const std::string& content) {
        std::string packed(
            static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(content.size()))), 0);
        const int size =
            LZ4_compress_default(content.data(), packed.data(), static_cast<int>(content.size()),
                                 static_cast<int>(packed.size()));
        std::string block(1, static_cast<char>(kHierarchy));
        for (const std::uint64_t each :
             {static_cast<std::uint64_t>(size) + 16, static_cast<std::uint64_t>(content.size())})
            for (int shift = 56; shift >= 0; shift -= 8)
                block.push_back(static_cast<char>(each >> shift));
        return read(file.substr(0, at) + block + packed.substr(0, static_cast<std::size_t>(size))
                    + file.substr(end));
    };
    return reader;
}

/// What the cache reads of an entry: its note, with a hash of its own that fits (`isSealed`) or as it
/// comes, and a file beside it. Nothing of it is believed, so no complaint is due: either the entry
/// is as it was kept, or it is not found.
class CacheFiles {
public:
    explicit CacheFiles(const std::string& folder) : folders_{{{folder, true}}, {}, false} {
        entry_ = *driver::Cache(folders_).keep("built", "request", {{"/not-there", ""}},
                                               {{"sources", 3}, {"warnings", "w"}},
                                               {{"simulator", {}, kContent}});
        note_ = test::readFile(entry_.path("note.json"));
    }

    Reader noteReader(bool isSealed) {
        const std::size_t head = note_.find('\n') + 1;
        return {isSealed ? "cache.note.content" : "cache.note",
                {isSealed ? note_.substr(head) : note_},
                {"[", "{", "null", "-1", "1e999", "\"key\"", "..", "/", "18446744073709551616"},
                [this, isSealed, head](const std::string& bytes) {
                    // the hash stands over any text, also over one that is no JSON
                    const std::string seal =
                        note_.substr(0, head - 33) + driver::longHash(bytes) + "\n";
                    return find(isSealed ? seal + bytes : bytes, kContent, !isSealed);
                },
                ""};
    }
    Reader fileReader() {
        return {"cache.file",
                {kContent},
                {},
                [this](const std::string& bytes) { return find(note_, bytes, true); },
                ""};
    }

private:
    static constexpr const char* kContent = "what was made, some bytes of it and some more";

    std::string find(const std::string& note, const std::string& content, bool isStrict) {
        std::filesystem::create_directories(entry_.folder);
        test::writeFile(entry_.path("note.json"), note);
        test::writeFile(entry_.path("simulator"), content);
        const auto found = driver::Cache(folders_).find("built", "request");
        if (!found) return "not found";
        if (isStrict
            && (found->files != entry_.files || found->about != entry_.about
                || content != kContent))
            std::abort();  // it is believed
        return {};
    }

    driver::CacheFolders folders_;
    driver::CacheEntry entry_;
    std::string note_;
};

/// What is kept beside the files of an entry, with a hash that fits: who reads it knows all of it, or
/// the entry is made anew. `find` returns whether it was found.
class AboutFiles {
public:
    using Find = std::function<bool(const driver::Cache&)>;

    AboutFiles(const std::string& folder, const std::function<void(const driver::Cache&)>& keep)
        : folders_{{{folder, true}}, {}, false} {
        keep(driver::Cache(folders_));
        for (const auto& each : std::filesystem::recursive_directory_iterator(folder))
            if (each.is_regular_file()) files_[each.path()] = test::readFile(each.path());
    }

    Reader reader(const std::string& name, std::vector<std::string> words, const Find& find) {
        const auto note = std::ranges::find_if(
            files_, [](const auto& file) { return file.first.ends_with("note.json"); });
        const std::size_t head = note->second.find('\n') + 1;
        const std::string start = note->second.substr(0, head - 33);
        return {name,
                {note->second.substr(head)},
                std::move(words),
                [this, find, start, path = note->first](const std::string& text) -> std::string {
                    for (const auto& [file, content] : files_) {
                        std::filesystem::create_directories(
                            std::filesystem::path(file).parent_path());
                        test::writeFile(file, content);
                    }
                    test::writeFile(path, start + driver::longHash(text) + "\n" + text);
                    return find(driver::Cache(folders_)) ? "" : "not found";
                },
                ""};
    }

private:
    driver::CacheFolders folders_;
    std::map<std::string, std::string> files_;
};

/// An import with warnings: those that are said again have the words and places that were kept.
bool findsImport(const driver::Cache& cache) {
    const std::optional<driver::KeptImport> kept = driver::findImport(cache, "request");
    if (!kept) return false;
    SourceManager sources;
    Diagnostics diagnostics{WarningOptions{}};
    driver::repeatWarnings(kept->warnings, sources, diagnostics);
    render(diagnostics, sources, {});
    return true;
}

void keepsImport(const driver::Cache& cache, const std::string& file) {
    SourceManager sources;
    Diagnostics diagnostics{WarningOptions{}};
    const FileId id = sources.add(file, test::readFile(file));
    diagnostics.report(DiagId::PortSign, {id, 3, 9}, "a", "b", "c");
    diagnostics.report(DiagId::ImportPrint, {}, "$display", "why");
    driver::keepImport(cache, "request", {{file, driver::contentHash(test::readFile(file))}},
                       driver::keptWarnings(diagnostics, sources), {"text", "{}", "reader"});
}

bool findsBuilt(const driver::Cache& cache) {
    const auto entry = driver::findBuilt(cache, "request", {});
    if (entry) driver::stampOf(*entry);
    return entry.has_value();
}

void keepsBuilt(const driver::Cache& cache, const std::string& folder) {
    std::filesystem::create_directories(folder);
    test::writeFile(folder + "/" + driver::builtName({}, false), "the simulator");
    driver::Stamp stamp;
    stamp.absent = {"/not-there"};
    stamp.foreignNames = {"a.h", "b.h"};
    stamp.built = driver::builtName({}, false);
    stamp.warnings = "a.sme:1:1: warning: w\n";
    driver::keepBuilt(cache, "request", stamp, folder, {});
}

/// The record of a build folder: what stays of a damaged one is as it was made.
Reader recordReader(const std::string& folder) {
    const std::vector<std::string> names = {"a", "b.o"};
    const auto make = [=] {
        for (const std::string& name : names)
            test::writeFile(folder + "/" + name, "content of " + name);
    };
    std::filesystem::create_directories(folder);
    {
        const driver::WorkFolder work(folder, true);
        make();
        work.record(names);
    }
    const std::string note = test::readFile(folder + "/record.json");
    const std::size_t head = note.find('\n') + 1;
    return {"record",
            {note.substr(head)},
            {"[", "{", "null", "-1", "1e999", "\"a\"", "..", "/", "18446744073709551616"},
            [=](const std::string& text) -> std::string {
                make();
                test::writeFile(folder + "/record.json",
                                note.substr(0, head - 33) + driver::longHash(text) + "\n" + text);
                const driver::WorkFolder work(folder, true);
                driver::recordedNames(folder);
                work.removeDamaged(names);
                const bool areKept = std::ranges::all_of(names, [&](const std::string& name) {
                    return std::filesystem::exists(folder + "/" + name);
                });
                work.record(names);
                return areKept ? "" : "removed";
            },
            ""};
}

}  // namespace

int main(int argc, char** argv) {
    Design design;
    const std::vector<std::string> numbers = {
        "18446744073709551615", "-1", "0x", "4294967296", "1e999", "99999999999999999999999999"};
    const auto with = [&](std::vector<std::string> words) {
        words.insert(words.end(), numbers.begin(), numbers.end());
        return words;
    };
    const std::string input = "cycle,c.n,c.b,c.k,c.w,c.f\n0,1,true,OFF,-5,0.5\n1,0xff,0,FAST,0b101,"
                              "-inf\n2,3,1,5,1_000,2\n";
    const std::string state = design.folder.file("state");
    if (const std::string said = design.run({"--cycles", "9", "--checkpoint", state});
        !said.empty()) {
        std::fprintf(stderr, "%s\n", said.c_str());
        return 1;
    }
    std::vector<Reader> readers;
    readers.push_back(traceReader(design, ".fst", {}));
    readers.push_back(entriesReader(readers.back()));
    readers.push_back(
        traceReader(design, ".vcd",
                    with({"$scope module a $end\n", "$upscope $end\n", "$var wire 8 ! a $end\n",
                          "$end", "#", "b", "\n", "$comment", "x"})));
    readers.push_back(
        traceReader(design, ".csv", with({",", "\n", "\"", "cycle", "\r\n", ";", "\xEF\xBB\xBF"})));
    readers.push_back(runReader(design, "input", "--input", "", input,
                                with({",", "\n", "\"", "cycle", "c.n", "_", "0b"})));
    readers.push_back(runReader(design, "expect", "--expect", "",
                                "cycle,r.sum,r.wide,r.a[1]\n0,0,0,0\n1,0x03,3,0\n",
                                with({",", "\n", "\"", "cycle", "r.a"})));
    readers.push_back(runReader(design, "words", "--memory",
                                "a.m=", "// words\n01 @4 7f 0_3 /* x */ 02\n",
                                {"@", "/*", "*/", "//", "_", "FFFFFFFFFFFFFFFFFFFF", "\n"}));
    readers.push_back(runReader(design, "state", "--resume", "", test::readFile(state), {}));
    readers.push_back(contentReader(readers.back()));
    CacheFiles cache(design.folder.file("cache"));
    readers.push_back(cache.noteReader(false));
    readers.push_back(cache.noteReader(true));
    readers.push_back(cache.fileReader());
    const std::vector<std::string> json = {"[",
                                           "]",
                                           "{",
                                           "null",
                                           "-1",
                                           "1e999",
                                           "\"place\"",
                                           "18446744073709551616",
                                           "\"name\"",
                                           "\"\":0,",
                                           "\"import-print\"",
                                           "/dev/zero"};
    const std::string source = design.folder.file("read.v");
    test::writeFile(source, "module m; endmodule\n");
    AboutFiles imports(design.folder.file("imports"),
                       [&](const driver::Cache& kept) { keepsImport(kept, source); });
    readers.push_back(imports.reader("cache.import", json, findsImport));
    AboutFiles builds(design.folder.file("builds"), [&](const driver::Cache& kept) {
        keepsBuilt(kept, design.folder.file("work"));
    });
    readers.push_back(builds.reader("cache.built", json, findsBuilt));
    readers.push_back(recordReader(design.folder.file("recorded")));
    return test::mutantsMain(readers, argc, argv);
}
