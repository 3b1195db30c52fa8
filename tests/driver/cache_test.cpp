// What is kept is found as it was, or not at all.
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/cache/cache.h"
#include "driver/cache/layout.h"
#include "driver/cache/limit.h"
#include "driver/cache/work_folder.h"
#include "driver/system/files.h"

namespace smec::driver {
namespace {

namespace fs = std::filesystem;

struct Scratch {
    fs::path path;
    Scratch() {
        std::string pattern = (fs::temp_directory_path() / "smec-cache-test-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        path = pattern;
    }
    ~Scratch() { fs::remove_all(path); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    CacheFolders folders() const { return {{{path / "cache", true}}, {}, false}; }
};

void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

struct Kept {
    Scratch scratch;
    CacheFolders folders = scratch.folders();
    Cache cache{folders};
    fs::path source = scratch.path / "source";

    std::optional<CacheEntry> keep(const std::string& text = "made of one") {
        const std::vector<CacheInput> inputs{{source.string(), contentHash(*readFile(source))},
                                             {(scratch.path / "absent").string(), ""}};
        return cache.keep("kind", "request", inputs, {{"a", 1}}, {{"made", {}, text}});
    }
    Kept() { write(source, "one"); }
};

TEST_CASE("an entry is found as long as its inputs are what they were") {
    Kept kept;
    CHECK(!kept.cache.find("kind", "request"));
    REQUIRE(kept.keep());
    const auto found = kept.cache.find("kind", "request");
    REQUIRE(found);
    CHECK(readFile(found->path("made")) == "made of one");
    CHECK(nlohmann::json::parse(found->about).at("a") == 1);
    CHECK(!kept.cache.find("kind", "other"));
    CHECK(!kept.cache.find("other", "request"));

    write(kept.source, "two");
    CHECK(!kept.cache.find("kind", "request"));
    REQUIRE(kept.keep("made of two"));
    CHECK(readFile(kept.cache.find("kind", "request")->path("made")) == "made of two");
    write(kept.source, "one");
    CHECK(readFile(kept.cache.find("kind", "request")->path("made")) == "made of one");
    write(kept.scratch.path / "absent", "");
    CHECK(!kept.cache.find("kind", "request"));
}

TEST_CASE("a byte that changed, anywhere, is noticed") {
    Kept kept;
    const fs::path folder = kept.keep()->folder;
    for (const char* name : {"made", kNote}) {
        const std::string whole = *readFile(folder / name);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ 1);
            write(folder / name, damaged);
            CHECK(!kept.cache.find("kind", "request"));
            CHECK(!fs::exists(folder));
            REQUIRE(kept.keep());
        }
        for (std::size_t size = 0; size < whole.size(); ++size) {
            write(folder / name, whole.substr(0, size));
            CHECK(!kept.cache.find("kind", "request"));
            REQUIRE(kept.keep());
        }
    }
}

TEST_CASE("a folder that cannot be written is searched, and left as it is") {
    Kept kept;
    const fs::path folder = kept.keep()->folder;
    const CacheFolders both{
        {{kept.scratch.path / "cache", false}, {kept.scratch.path / "own", true}}, {}, false};
    const Cache cache(both);
    CHECK(cache.find("kind", "request")->folder == folder);
    write(folder / "made", "damaged");
    CHECK(!cache.find("kind", "request"));
    CHECK(fs::exists(folder));
    const auto own = cache.keep("kind", "request", {}, {}, {{"made", {}, "anew"}});
    REQUIRE(own);
    CHECK(own->folder.string().starts_with((kept.scratch.path / "own").string()));
    CHECK(cache.find("kind", "request")->folder == own->folder);
}

TEST_CASE("where nothing can be kept, nothing is thrown") {
    Scratch scratch;
    write(scratch.path / "cache", "in the way");
    const CacheFolders folders = scratch.folders();
    CHECK(!Cache(folders).keep("kind", "request", {}, {}, {{"made", {}, "x"}}));
}

TEST_CASE("two that make one entry have one") {
    Kept kept;
    const auto first = kept.keep();
    const auto second = kept.keep();
    REQUIRE((first && second));
    CHECK(first->folder == second->folder);
    CHECK(fs::is_empty(kept.scratch.path / "cache" / kTemporaries));
}

TEST_CASE("a file of an entry is put in place by a link, whatever stands there") {
    Kept kept;
    const CacheEntry entry = *kept.keep();
    const fs::path place = kept.scratch.path / "place";
    CHECK(putInPlace(entry, "made", place));
    CHECK(!putInPlace(entry, "made", place));
    CHECK(fs::equivalent(entry.path("made"), place));
    fs::remove(place);
    fs::create_directory(place);
    write(place / "inside", "x");
    CHECK(putInPlace(entry, "made", place));
    fs::remove(place);
    fs::create_symlink(kept.source, place);
    CHECK(putInPlace(entry, "made", place));
    CHECK(readFile(place) == "made of one");
    CHECK(readFile(kept.source) == "one");
}

TEST_CASE("what Ninja left is used only where it fits the record") {
    const Scratch scratch;
    const std::vector<std::string> names{"a.o", "b.o", "c.o"};
    const WorkFolder work(scratch.path / "work", true);
    for (const std::string& name : names)
        write(work.path() / name, name);
    work.removeDamaged(names);
    CHECK(!fs::exists(work.path() / "a.o"));  // nobody recorded it

    for (const std::string& name : names)
        write(work.path() / name, name);
    work.record(names);
    write(work.path() / "b.o", "B.o");
    fs::remove(work.path() / "c.o");
    fs::create_symlink("a.o", work.path() / "c.o");
    fs::create_hard_link(work.path() / "a.o", scratch.path / "linked");
    const auto time = fs::last_write_time(work.path() / "a.o");
    work.removeDamaged(names);
    CHECK(readFile(work.path() / "a.o") == "a.o");
    CHECK(!fs::equivalent(work.path() / "a.o", scratch.path / "linked"));
    CHECK(fs::last_write_time(work.path() / "a.o") == time);
    CHECK(!fs::exists(fs::symlink_status(work.path() / "b.o")));
    CHECK(!fs::exists(fs::symlink_status(work.path() / "c.o")));
}

TEST_CASE("only folders that nobody else writes are trusted") {
    const Scratch scratch;
    CHECK(whyNotTrusted(scratch.path).empty());
    for (const mode_t mode : {0777, 0775, 0757, 01777}) {
        chmod(scratch.path.c_str(), mode);
        CHECK(!whyNotTrusted(scratch.path).empty());
    }
    chmod(scratch.path.c_str(), 0755);
    markFolder(scratch.path / "deep" / "own");
    CHECK(isMarked(scratch.path / "deep" / "own"));
    CHECK(!isMarked(scratch.path / "deep"));
    CHECK(whyNotTrusted(scratch.path / "deep" / "own").empty());
}

TEST_CASE("no file of the cache can be written by others, whatever the umask") {
    Kept kept;
    const mode_t before = umask(0002);
    const auto entry = kept.keep();
    umask(before);
    REQUIRE(entry);
    for (fs::path folder = entry->folder; folder != kept.scratch.path;
         folder = folder.parent_path())
        CHECK((static_cast<unsigned>(fs::status(folder).permissions()) & 0077) == 0);
}

TEST_CASE("sizes") {
    CHECK(readSize("0") == 0);
    CHECK(readSize("12") == 12);
    CHECK(readSize("3K") == 3072);
    CHECK(readSize("2G") == std::uint64_t{2} << 30);
    for (const char* text : {"", "G", "-1", "1.5G", "2GB", "x", "99999999999T"})
        CHECK(!readSize(text));
}

}  // namespace
}  // namespace smec::driver
