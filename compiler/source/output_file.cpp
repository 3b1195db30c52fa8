#include "source/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "formats/file_lock.h"
#include "formats/file_sink.h"
#include "formats/opened_output.h"
#include "formats/replacement.h"

// A regular file is written without a name, or under another one, in the same folder, and then takes the
// place of the old one (formats/replacement.h), so that an error, a full disk or a signal leaves that:
//
//   out -> /data/sim          what is written in /data becomes /data/sim

namespace smec {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kMostLinks = 40;  // as in Linux

[[noreturn]] void refuse(const fs::path& path, const std::string& why, bool isMisuse) {
    throw FileError{"cannot write '" + path.string() + "': " + why, isMisuse};
}

[[noreturn]] void fail(const fs::path& path, int reason) {
    refuse(path, sme::reasonOf(reason), false);
}

/// Behind the links of its last component, which need not lead to anything.
fs::path behindLinks(const fs::path& path) {
    fs::path result = path;
    std::error_code error;
    for (unsigned links = 0; fs::is_symlink(fs::symlink_status(result, error)); ++links) {
        if (links == kMostLinks) fail(path, ELOOP);
        const fs::path target = fs::read_symlink(result, error);
        if (error) fail(path, error.value());
        result = result.parent_path() / target;
    }
    return result;
}

bool isSameFile(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool isStandardOutput(const struct stat& file) {
    struct stat open {};
    return fstat(STDOUT_FILENO, &open) == 0 && isSameFile(open, file);
}

/// Whether two names of it are one output or input: many may use one device.
bool isOne(const struct stat& file) { return S_ISREG(file.st_mode) || S_ISFIFO(file.st_mode); }

/// A file under construction beside the one it is to replace; gone unless it gets there.
class Replacement {
public:
    explicit Replacement(const OutputPlace& place) : place_(place), made_(place.path.string()) {
        if (place.exists && access(place.path.c_str(), W_OK) != 0) fail(place.path, errno);
        if (made_.problem() != 0) fail(place.path, made_.problem());
    }

    void write(std::string_view content, const fs::path& path) const {
        if (const int why = sme::writeAll(made_.descriptor(), content)) fail(path, why);
    }
    void setMode(mode_t mode) const {
        if (fchmod(made_.descriptor(), mode & 07777) != 0) fail(place_.path, errno);
    }
    /// Those of the old file.
    void keepOwner() const {
        // only a privileged user can, and only his files need it
        if (fchown(made_.descriptor(), place_.status.st_uid, place_.status.st_gid) != 0) errno = 0;
    }
    void sync() const {
        if (fsync(made_.descriptor()) != 0) fail(place_.path, errno);
    }
    void finish() {
        if (const int why = made_.finish()) fail(place_.path, why);
    }

private:
    const SignalBlock signals_;
    const OutputPlace& place_;
    sme::Replacement made_;
};

void writeThrough(const fs::path& path, const OutputPlace& place, std::string_view content) {
    const std::unique_ptr<sme::FileSink> stream = openOutput(path, place);
    stream->write(content);
    stream->flush();
    if (const int why = stream->problem()) fail(path, why);
}

std::string readProgram(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::string content;
    char buffer[1 << 16];
    ssize_t size = file < 0 ? -1 : 1;
    while (size > 0) {
        do
            size = read(file, buffer, sizeof buffer);
        while (size < 0 && errno == EINTR);
        if (size > 0) content.append(buffer, static_cast<std::size_t>(size));
    }
    const int why = errno;
    if (file >= 0) close(file);
    if (size == 0) return content;
    throw FileError{"cannot read '" + path.string() + "': " + std::strerror(why)};
}

}  // namespace

void InputFiles::add(const fs::path& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) == 0 && isOne(file))
        known_.push_back({file.st_dev, file.st_ino, path.string()});
}

std::string InputFiles::find(const struct stat& file) const {
    for (const Known& known : known_)
        if (known.device == file.st_dev && known.inode == file.st_ino) return known.name;
    return {};
}

OutputPlace findOutput(const fs::path& path, const InputFiles& inputs) {
    OutputPlace place;
    if (stat(path.c_str(), &place.status) != 0) {
        if (errno != ENOENT) fail(path, errno);
        place.path = behindLinks(path);
        return place;
    }
    place.exists = true;
    const mode_t mode = place.status.st_mode;
    if (S_ISDIR(mode)) refuse(path, "it is a folder", false);
    if (S_ISBLK(mode)) refuse(path, "it is a disk", false);
    if (S_ISSOCK(mode)) refuse(path, "it is a socket", false);
    if (const std::string input = inputs.find(place.status); !input.empty())
        refuse(path, input == path ? "it is an input" : "it is the input '" + input + "'", true);
    struct stat itself {};
    if (stat("/proc/self/exe", &itself) == 0 && isSameFile(itself, place.status))
        refuse(path, "it is this program itself", true);
    const bool isOpen = sme::descriptorNamedBy(path.string()).has_value();
    if (isStandardOutput(place.status)) {
        place.kind = OutputPlace::Kind::StandardOutput;
    } else if (!isOpen && S_ISREG(mode) && sme::isOpenedAt(STDERR_FILENO, path.c_str())) {
        refuse(path, "it is standard error", true);
    } else if (isOpen || !S_ISREG(mode)) {
        place.kind = OutputPlace::Kind::Stream;
    } else {
        place.path = behindLinks(path);
    }
    return place;
}

void OutputFiles::add(const std::string& option, const fs::path& path) {
    const OutputPlace place = findOutput(path == "-" ? "/dev/stdout" : path, inputs_);
    if (place.kind == OutputPlace::Kind::Stream && !isOne(place.status)) return;
    const fs::path folder = place.path.parent_path();
    if (!place.exists && access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
        fail(path, errno);
    std::error_code error;
    const bool isOut = place.kind == OutputPlace::Kind::StandardOutput;
    Known own{
        isOut ? ""
              : fs::weakly_canonical(fs::absolute(place.path.empty() ? path : place.path), error),
        option, std::nullopt};
    if (place.exists && isOne(place.status))
        own.file = std::pair(place.status.st_dev, place.status.st_ino);
    for (const Known& known : known_) {
        if (own.path != known.path && (!own.file || own.file != known.file)) continue;
        const std::string both =
            option == known.option ? "two of " + option : option + " and " + known.option;
        throw FileError{
            both + " name "
                + (isOut ? std::string("standard output") : "one file, '" + path.string() + "'"),
            true};
    }
    known_.push_back(std::move(own));
}

bool isStream(const fs::path& path) {
    struct stat file {};
    return stat(path.c_str(), &file) == 0 && (S_ISFIFO(file.st_mode) || S_ISCHR(file.st_mode));
}

std::unique_ptr<sme::FileSink> openOutput(const fs::path& path, const OutputPlace& place) {
    if (place.kind != OutputPlace::Kind::StandardOutput) return sme::openToWrite(path.string());
    std::fflush(stdout);
    return std::make_unique<sme::FileSink>(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3),
                                           sme::FileSink::Owned{});
}

void writeOutput(const fs::path& path, std::string_view content, const InputFiles& inputs,
                 Durability durability) {
    const OutputPlace place = findOutput(path, inputs);
    if (place.kind != OutputPlace::Kind::File) return writeThrough(path, place, content);
    Replacement replacement(place);
    replacement.write(content, path);
    if (place.exists) replacement.setMode(place.status.st_mode);
    if (durability == Durability::Synced) replacement.sync();
    replacement.finish();
}

void copyOutput(const fs::path& from, const fs::path& to, const InputFiles& inputs) {
    const OutputPlace place = findOutput(to, inputs);
    const std::string content = readProgram(from);
    if (place.kind != OutputPlace::Kind::File) return writeThrough(to, place, content);
    struct stat original {};
    Replacement replacement(place);
    replacement.write(content, to);
    if (stat(from.c_str(), &original) == 0) replacement.setMode(original.st_mode);
    replacement.finish();
}

void replaceFile(const fs::path& path, std::string_view content) {
    const OutputPlace place = findOutput(path, {});
    if (!place.exists) fail(path, ENOENT);
    if (place.kind != OutputPlace::Kind::File) refuse(path, "it is no file", false);
    Replacement replacement(place);
    replacement.write(content, path);
    replacement.keepOwner();
    replacement.setMode(place.status.st_mode);
    replacement.sync();
    replacement.finish();
}

SignalBlock::SignalBlock() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : kEndingSignals)
        sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

SignalBlock::~SignalBlock() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace smec
