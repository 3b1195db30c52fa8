#include "source/output_file.h"

#include <catch2/catch.hpp>

#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "support/files.h"

using namespace smec;
namespace fs = std::filesystem;

namespace {

using test::Folder;

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
    test::writeFile(folder / "old", "old");
    fs::permissions(folder / "old", fs::perms(0640));
    writeOutput(folder / "old", "new", {});
    writeOutput(folder / "fresh", "new", {});
    CHECK(test::readFile(folder / "old") == "new");
    CHECK(fs::status(folder / "old").permissions() == fs::perms(0640));
    CHECK(test::readFile(folder / "fresh") == "new");
    CHECK(folder.entries() == 2);
}

TEST_CASE("behind a symbolic link the target is written, and the link stays") {
    const Folder folder;
    test::writeFile(folder / "target", "old");
    fs::create_symlink("target", folder / "link");
    fs::create_symlink("link", folder / "second");
    writeOutput(folder / "second", "new", {});
    CHECK(test::readFile(folder / "target") == "new");
    CHECK(fs::is_symlink(folder / "second"));
    CHECK(fs::is_symlink(folder / "link"));
    fs::create_symlink("made", folder / "dangling");
    writeOutput(folder / "dangling", "new", {});
    CHECK(test::readFile(folder / "made") == "new");
    CHECK(fs::is_symlink(folder / "dangling"));
}

TEST_CASE("inputs are not written, whatever they are called") {
    const Folder folder;
    test::writeFile(folder / "input", "precious");
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
    CHECK(test::readFile(folder / "input") == "precious");
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
    std::thread reader([&] { got = test::readFile(pipe); });
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
    test::writeFile(folder / "program", "#!");
    fs::permissions(folder / "program", fs::perms(0750));
    test::writeFile(folder / "copy", "data");
    copyOutput(folder / "program", folder / "copy", {});
    CHECK(test::readFile(folder / "copy") == "#!");
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
