#include "source/output_file.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace smec;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for a test.
class Folder {
public:
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "smec-output-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()));
        path_ = pattern;
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    fs::path operator/(const char* name) const { return path_ / name; }
    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
    }

private:
    fs::path path_;
};

void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string get(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

template <typename Action>
FileError errorOf(const Action& action) {
    try {
        action();
    } catch (const FileError& error) {
        return error;
    }
    return {};
}

}  // namespace

TEST_CASE("a file is replaced at once and leaves nothing behind") {
    const Folder folder;
    put(folder / "old", "old");
    fs::permissions(folder / "old", fs::perms(0640));
    writeOutput(folder / "old", "new", {});
    writeOutput(folder / "fresh", "new", {});
    CHECK(get(folder / "old") == "new");
    CHECK(fs::status(folder / "old").permissions() == fs::perms(0640));
    CHECK(get(folder / "fresh") == "new");
    CHECK(folder.entries() == 2);
}

TEST_CASE("behind a symbolic link the target is written, and the link stays") {
    const Folder folder;
    put(folder / "target", "old");
    fs::create_symlink("target", folder / "link");
    fs::create_symlink("link", folder / "second");
    writeOutput(folder / "second", "new", {});
    CHECK(get(folder / "target") == "new");
    CHECK(fs::is_symlink(folder / "second"));
    CHECK(fs::is_symlink(folder / "link"));
    fs::create_symlink("made", folder / "dangling");
    writeOutput(folder / "dangling", "new", {});
    CHECK(get(folder / "made") == "new");
    CHECK(fs::is_symlink(folder / "dangling"));
}

TEST_CASE("inputs are not written, whatever they are called") {
    const Folder folder;
    put(folder / "input", "precious");
    fs::create_symlink("input", folder / "link");
    fs::create_hard_link(folder / "input", folder / "second");
    InputFiles inputs;
    inputs.add(folder / "link");
    for (const char* name : {"input", "link", "second", "./input"}) {
        const FileError error = errorOf([&] { writeOutput(folder / name, "lost", inputs); });
        CHECK(error.isMisuse);
        CHECK_THAT(error.message, Catch::Contains("it is "));
        CHECK(errorOf([&] { copyOutput("/dev/null", folder / name, inputs); }).isMisuse);
    }
    CHECK(get(folder / "input") == "precious");
}

TEST_CASE("what is no file and cannot be written through is refused by its name") {
    const Folder folder;
    fs::create_directory(folder / "folder");
    fs::create_symlink("loop", folder / "loop");
    const auto words = [&](const char* name) {
        return errorOf([&] { writeOutput(folder / name, "text", {}); }).message;
    };
    CHECK_THAT(words("folder"), Catch::EndsWith("it is a folder"));
    CHECK_THAT(words("loop"), Catch::EndsWith("Too many levels of symbolic links"));
    CHECK_THAT(words("no/such"), Catch::EndsWith("No such file or directory"));
    CHECK(folder.entries() == 2);
}

TEST_CASE("pipes and devices are written through") {
    const Folder folder;
    const fs::path pipe = folder / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::string got;
    std::thread reader([&] { got = get(pipe); });
    writeOutput(pipe, "text", {});
    reader.join();
    CHECK(got == "text");
    CHECK(fs::is_fifo(pipe));
    struct stat before {
    }, after{};
    REQUIRE(stat("/dev/null", &before) == 0);
    writeOutput("/dev/null", "text", {});
    copyOutput("/proc/self/exe", "/dev/null", {});
    REQUIRE(stat("/dev/null", &after) == 0);
    CHECK(before.st_ino == after.st_ino);
    CHECK(before.st_mode == after.st_mode);
    CHECK_THAT(errorOf([&] { writeOutput("/dev/full", "text", {}); }).message,
               Catch::EndsWith("No space left on device"));
}

TEST_CASE("a program keeps its permissions, and a file changed in place its own") {
    const Folder folder;
    put(folder / "program", "#!");
    fs::permissions(folder / "program", fs::perms(0750));
    put(folder / "copy", "data");
    copyOutput(folder / "program", folder / "copy", {});
    CHECK(get(folder / "copy") == "#!");
    CHECK(fs::status(folder / "copy").permissions() == fs::perms(0750));
    replaceFile(folder / "copy", "text");
    CHECK(fs::status(folder / "copy").permissions() == fs::perms(0750));
    CHECK_FALSE(errorOf([&] { replaceFile(folder / "absent", "text"); }).message.empty());
    CHECK_FALSE(errorOf([&] { replaceFile("/dev/null", "text"); }).message.empty());
}

TEST_CASE("signals wait while a file is half written") {
    sigset_t held;
    const auto isHeld = [&](int signal) {
        pthread_sigmask(SIG_BLOCK, nullptr, &held);
        return sigismember(&held, signal) == 1;
    };
    const bool before = isHeld(SIGTERM);
    {
        const SignalBlock block;
        CHECK(isHeld(SIGINT));
        CHECK(isHeld(SIGTERM));
    }
    CHECK(isHeld(SIGTERM) == before);
}
