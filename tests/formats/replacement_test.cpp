// Files that are replaced, claimed and locked.

#include "formats/replacement.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "formats/file_claim.h"
#include "formats/file_lock.h"
#include "formats/opened_input.h"
#include "formats/opened_output.h"

using namespace sme;

namespace {

namespace fs = std::filesystem;

/// A folder that is gone with it.
struct ScratchFolder {
    ScratchFolder() {
        std::string pattern = (fs::temp_directory_path() / "replaced-XXXXXX").string();
        path = mkdtemp(pattern.data());
    }
    ~ScratchFolder() { fs::remove_all(path); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    std::string at(const std::string& name) const { return path + "/" + name; }
    std::size_t count() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }
    std::string path;
};

std::string textOf(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void leave(const std::string& name, const std::string& text = "left by a run that was killed") {
    std::ofstream(name) << text;
}

int put(const std::string& path, std::string_view text) {
    Replacement made(path);
    if (made.problem() != 0) return made.problem();
    if (const int why = writeAll(made.descriptor(), text)) return why;
    return made.finish();
}

}  // namespace

TEST_CASE("replacement: what killed runs left does not matter, and goes") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    for (const char* number : {"0", "1", "2", "3"})
        leave(nameBeside(file, number));
    leave(nameBeside(folder.at("other"), "0"));
    CHECK(put(file, "new") == 0);
    CHECK(textOf(file) == "new");
    CHECK(folder.count() == 2);  // that of another file stays
    CHECK(put(file, "newer") == 0);
    CHECK(textOf(file) == "newer");
}

TEST_CASE("replacement: what a living writer has stays") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    const std::string name = nameBeside(file, "0");
    leave(name);
    const int writer = open(name.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(lockFile(writer) == FileLock::Held);
    CHECK(put(file, "new") == 0);
    CHECK(textOf(file) == "new");
    CHECK(fs::exists(name));
    close(writer);
    CHECK(put(file, "newer") == 0);
    CHECK_FALSE(fs::exists(name));
}

TEST_CASE("replacement: names that are no files of ours are left alone") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    fs::create_directory(nameBeside(file, "0"));
    leave(folder.at("mine"), "mine");
    fs::create_symlink("mine", nameBeside(file, "1"));
    REQUIRE(mkfifo(nameBeside(file, "2").c_str(), 0600) == 0);
    fs::create_symlink("nowhere", nameBeside(file, "3"));
    CHECK(put(file, "new") == 0);
    CHECK(textOf(file) == "new");
    CHECK(textOf(folder.at("mine")) == "mine");
    CHECK(folder.count() == 6);
}

TEST_CASE("replacement: two writers at a time, one after the other has it") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    Replacement one(file), other(file);
    REQUIRE(one.problem() == 0);
    REQUIRE(other.problem() == 0);
    CHECK(writeAll(one.descriptor(), "one") == 0);
    CHECK(writeAll(other.descriptor(), "other") == 0);
    CHECK(one.finish() == 0);
    CHECK(textOf(file) == "one");
    CHECK(other.finish() == 0);
    CHECK(textOf(file) == "other");
    CHECK(folder.count() == 1);
}

TEST_CASE("replacement: what is not finished is gone") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    leave(file, "old");
    {
        const Replacement made(file);
        CHECK(made.problem() == 0);
    }
    CHECK(textOf(file) == "old");
    CHECK(folder.count() == 1);
    CHECK(put(folder.at("no/such"), "x") == ENOENT);
}

TEST_CASE("claim: one run at a time, before there is a file and after") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    {
        FileClaim one, other;
        CHECK(one.take(file) == 0);
        CHECK(other.take(file) == EBUSY);
        CHECK(one.replace("first") == 0);
        CHECK(folder.count() == 1);
        CHECK(other.take(file) == EBUSY);
        CHECK(one.replace("second") == 0);
        CHECK(other.take(file) == EBUSY);
        CHECK(textOf(file) == "second");
    }
    FileClaim next;
    CHECK(next.take(file) == 0);
    CHECK(folder.count() == 1);
}

TEST_CASE("claim: nobody replaces what another run has come to write") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    FileClaim one;
    REQUIRE(one.take(file) == 0);
    REQUIRE(one.replace("one's") == 0);
    fs::remove(file);
    FileClaim other;
    CHECK(other.take(file) == 0);
    CHECK(other.replace("the other's") == 0);
    CHECK(one.replace("one's again") == EBUSY);
    CHECK(textOf(file) == "the other's");
}

TEST_CASE("claim: the place of a killed run is free, and permissions stay") {
    const ScratchFolder folder;
    const std::string file = folder.at("k");
    leave(nameBeside(file, "claim"), "");
    FileClaim claim;
    CHECK(claim.take(file) == 0);
    CHECK(claim.replace("x") == 0);
    CHECK(folder.count() == 1);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    CHECK(claim.replace("y") == 0);
    CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("output: one writer of a file, whatever name leads there") {
    const ScratchFolder folder;
    leave(folder.at("a"), "what is there");
    fs::create_hard_link(folder.at("a"), folder.at("b"));
    {
        const auto one = openToWrite(folder.at("a"));
        REQUIRE(one->problem() == 0);
        CHECK(one->isFile());
        CHECK(openToWrite(folder.at("b"))->problem() == EBUSY);
        CHECK(textOf(folder.at("a")) == "what is there");
        one->goOnAt(4);
        one->write(" one wrote");
    }
    CHECK(textOf(folder.at("b")) == "what one wrote");
    CHECK(openToWrite(folder.at("b"))->problem() == 0);
}

TEST_CASE("output: what an open descriptor names only grows") {
    const ScratchFolder folder;
    const std::string log = folder.at("log");
    leave(log, "before, ");
    const int open = ::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const std::string number = std::to_string(open);
    fs::create_symlink("/dev/fd/" + number, folder.at("link"));
    for (const std::string& name :
         {"/dev/fd/" + number, "/proc/self/fd/" + number, folder.at("link")}) {
        CHECK(descriptorNamedBy(name) == open);
        const auto sink = openToWrite(name);
        REQUIRE(sink->problem() == 0);
        CHECK_FALSE(sink->isFile());
        sink->goOnAt(0);
        sink->write("more, ");
    }
    CHECK(textOf(log) == "before, more, more, more, ");
    CHECK_FALSE(descriptorNamedBy(log));
    CHECK(openToWrite("/dev/fd/9999")->problem() == EBADF);
    close(open);
}

TEST_CASE("output: a pipe without a reader is not waited for, nor one without a writer") {
    const ScratchFolder folder;
    const std::string pipe = folder.at("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(openToWrite(pipe)->problem() == ETIMEDOUT);
    std::string text;
    CHECK(readAll(pipe, text) == ENODATA);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const auto sink = openToWrite(pipe);
    CHECK(sink->problem() == 0);
    sink->write("x");
    sink->flush();
    char got = 0;
    CHECK((read(reader, &got, 1) == 1 && got == 'x'));
    close(reader);
}
