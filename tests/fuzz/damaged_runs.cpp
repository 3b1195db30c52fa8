// What simulators read, and what is kept by ranks, as damaged_traces.cpp does it.

#include <array>
#include <cstring>
#include <filesystem>
#include <system_error>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/memory_file.h"
#include "formats/shard_manifest.h"
#include "fuzz/mutants.h"
#include "fuzz/sealed_files.h"
#include "runtime/test_models.h"
#include "sme/state_format.h"

namespace {

using namespace sme;
using smec::test::Reader;

constexpr std::uint64_t kNumber = 0x123456789ABCDEF;

/// Runs a model with a mutant for an option.
Reader runReader(const Model& model, const std::string& name, std::vector<std::string> arguments,
                 std::vector<std::string> seeds, std::vector<std::string> words) {
    const std::string path = test::temporaryPath("mutant." + name);
    arguments.push_back(path);
    return {name, std::move(seeds), std::move(words),
            [&model, path, arguments](const std::string& bytes) -> std::string {
                test::writeFile("mutant" + path.substr(path.rfind('.')), bytes);
                const test::Result result = test::simulate(model, arguments);
                if (result.status == 0) return {};
                return result.err.empty() ? "nothing is said" : result.err;
            },
            "mutant." + name};
}

/// The same for what stands in a file that has a hash over it.
Reader contentReader(const Reader& whole) {
    Reader reader = whole;
    reader.name += ".content";
    const std::string seed = whole.seeds.front();
    reader.seeds = {smec::test::contentOf(seed)};
    reader.read = [read = whole.read, seed](const std::string& content) {
        return read(smec::test::sealedLike(seed, content));
    };
    return reader;
}

/// A state of two shards, of which one is a mutant, or the manifest.
class Shards {
public:
    Shards() {
        manifest_.checkpoint = kNumber;
        manifest_.head = {std::byte{1}};
        manifest_.skeleton.named = {{{std::byte{3}}, kValues}};
        std::vector<std::byte> values(kValues);
        for (std::size_t i = 0; i < kValues; ++i)
            values[i] = static_cast<std::byte>(i % 7);
        for (const unsigned rank : {0U, 1U}) {
            std::filesystem::remove(path(rank));
            ShardWriter shard(path(rank), kNumber, rank);
            shard.add(rank * kValues / 2,
                      std::span(values).subspan(rank * kValues / 2, kValues / 2));
            ShardMark mark = shard.finish(0, {});
            mark.name = shardName("kept", kNumber, rank);
            manifest_.shards.push_back(mark);
        }
    }

    Reader shardReader(bool isMarked) {
        const std::string seed = test::readFile(path(1));
        return {isMarked ? "shard.marked" : "shard",
                {seed},
                {},
                [this, isMarked](const std::string& bytes) {
                    test::writeFile(manifest_.shards[1].name, bytes);
                    ShardManifest manifest = manifest_;
                    if (isMarked) mark(manifest.shards[1], bytes);
                    return complaint([&] { assembled(manifest, folder()); });
                },
                ""};
    }
    Reader manifestReader() {
        const std::string shard = test::readFile(path(1));
        return {"manifest",
                {smec::test::contentOf(toText(manifest_))},
                {},
                [this, shard](const std::string& content) {
                    test::writeFile(manifest_.shards[1].name, shard);  // others damage it
                    const std::string text = smec::test::sealedLike(toText(manifest_), content);
                    return complaint(
                        [&] { assembled(manifestOf(std::as_bytes(std::span(text))), folder()); });
                },
                ""};
    }

private:
    static constexpr std::size_t kValues = 3'000;

    static std::string path(unsigned rank) {
        return test::temporaryPath(shardName("kept", kNumber, rank));
    }
    static std::string folder() {
        return std::filesystem::path(test::temporaryPath("kept")).parent_path().string();
    }
    static void mark(ShardMark& mark, const std::string& bytes) {
        mark.bytes = bytes.size();
        mark.footer = std::min<std::uint64_t>(mark.footer, bytes.size());
        mark.hash = XXH3_64bits(bytes.data() + bytes.size() - mark.footer, mark.footer);
    }
    template <typename Step>
    static std::string complaint(const Step& step) {
        try {
            step();
        } catch (const BadState& bad) {
            return bad.what();
        } catch (const std::system_error& error) {
            return error.what();
        }
        return {};
    }

    ShardManifest manifest_;
};

Reader memoryReader() {
    const std::string path = test::temporaryPath("mutant.words");
    return {"words",
            {"// words\n01 @4 7f 0_3 /* x */ 02\n", "@10\nffff\n1\n"},
            {"@", "/*", "*/", "//", "_", "FFFFFFFFFFFFFFFFFFFFFFFF", "\n", "@FFFFFFFFFFFFFFFF"},
            [path](const std::string& bytes) {
                test::writeFile("mutant.words", bytes);
                return readMemoryFile(path, {64, 100}, [](auto, auto) { return true; }).message;
            },
            "mutant.words"};
}

}  // namespace

int main(int argc, char** argv) {
    test::Inputs inputs;
    test::Mixed mixed({});
    const Model& plain = inputs.model();
    const Model& uneven = mixed.model();
    const std::vector<std::string> cells = {",",           "\n",
                                            "\"",          "cycle",
                                            "\r\n",        ";",
                                            "-1",          "0x",
                                            "0b1_0",       "18446744073709551616",
                                            "1e999",       "99999999999999999999999999",
                                            "\xEF\xBB\xBF"};
    const std::string input = "cycle,cmd.v,cmd.go,cmd.keep,cmd.light,cmd.gain,cmd.digit\n0,1,true,-"
                              "5,0,0.5,3\n1,0xff,0,7,2,-inf,9\n";
    const std::string state = test::temporaryPath("state");
    const std::string costs = test::temporaryPath("costs.json");
    test::simulate(uneven, {"--cycles", "9", "--checkpoint", state});
    test::simulate(uneven, {"--cycles", "300", "--threads", "2", "--orchestrate", "profile",
                            "--costs", costs});
    Shards shards;
    std::vector<Reader> readers;
    readers.push_back(runReader(plain, "input", {"--cycles", "4", "--input"}, {input}, cells));
    readers.push_back(runReader(plain, "expect", {"--cycles", "4", "--expect"},
                                {"cycle,res.sum,cmd.list[1]\n0,0,7\n1,0x0,7\n"}, cells));
    readers.push_back(
        runReader(uneven, "state", {"--cycles", "12", "--resume"}, {test::readFile(state)}, {}));
    readers.push_back(contentReader(readers.back()));
    readers.push_back(runReader(
        uneven, "costs", {"--cycles", "3", "--threads", "2", "--orchestrate", "profile", "--costs"},
        {test::readFile(costs)},
        {"[", "{", "null", "-1", "1e999", "4294967296", "\"hash\"", "\"levels\":[", "\"ns\"",
         "18446744073709551616"}));
    readers.push_back(shards.shardReader(false));
    readers.push_back(shards.shardReader(true));
    readers.push_back(shards.manifestReader());
    readers.push_back(memoryReader());
    return smec::test::mutantsMain(readers, argc, argv);
}
