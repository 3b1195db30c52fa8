#include "source/output_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

// A regular file is written under another name in the same folder and then renamed, so that an
// error, a full disk or a signal leaves the old one:
//
//   out -> /data/sim          .smec-4711-0 is written in /data and becomes /data/sim

namespace smec {

namespace fs = std::filesystem;

namespace {

constexpr unsigned kMostLinks = 40;  // as in Linux

[[noreturn]] void refuse(const fs::path& path, const std::string& why, bool isMisuse) {
    throw FileError{"cannot write '" + path.string() + "': " + why, isMisuse};
}

[[noreturn]] void fail(const fs::path& path, int reason) {
    refuse(path, std::strerror(reason), false);
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

void writeAll(int descriptor, std::string_view content, const fs::path& path) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, errno);
        content.remove_prefix(static_cast<std::size_t>(written));
    }
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }
    /// Some file systems tell only now that the disk is full.
    void finish(const fs::path& path) {
        if (close(std::exchange(number_, -1)) != 0 && errno != EINTR) fail(path, errno);
    }

private:
    int number_;
};

/// A file under construction beside the one it is to replace; gone unless it gets there.
class Replacement {
public:
    explicit Replacement(const OutputPlace& place)
        : place_(place), temporary_(freeName(place.path)), file_(create()) {
        if (file_.number() < 0) fail(place.path, errno);
    }
    ~Replacement() {
        if (!temporary_.empty()) unlink(temporary_.c_str());
    }
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    int descriptor() const { return file_.number(); }
    void setMode(mode_t mode) const {
        if (fchmod(file_.number(), mode & 07777) != 0) fail(place_.path, errno);
    }
    /// Those of the old file.
    void keepOwner() const {
        // only a privileged user can, and only his files need it
        if (fchown(file_.number(), place_.status.st_uid, place_.status.st_gid) != 0) errno = 0;
    }
    void sync() const {
        if (fsync(file_.number()) != 0) fail(place_.path, errno);
    }
    void finish() {
        file_.finish(place_.path);
        if (std::rename(temporary_.c_str(), place_.path.c_str()) != 0) fail(place_.path, errno);
        temporary_.clear();
    }

private:
    static fs::path freeName(const fs::path& path) {
        static std::atomic<unsigned> count{0};
        return path.parent_path()
               / (".smec-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    }
    int create() const {
        if (place_.exists && access(place_.path.c_str(), W_OK) != 0) return -1;
        return open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    }

    const SignalBlock signals_;
    const OutputPlace& place_;
    fs::path temporary_;
    Descriptor file_;
};

void writeThrough(const fs::path& path, const OutputPlace& place, std::string_view content) {
    Descriptor stream(openOutput(path, place));
    writeAll(stream.number(), content, path);
    stream.finish(path);
}

std::string readProgram(const fs::path& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string content;
    char buffer[1 << 16];
    while (file.number() >= 0) {
        const ssize_t size = read(file.number(), buffer, sizeof buffer);
        if (size < 0 && errno == EINTR) continue;
        if (size == 0) return content;
        if (size < 0) break;
        content.append(buffer, static_cast<std::size_t>(size));
    }
    throw FileError{"cannot read '" + path.string() + "': " + std::strerror(errno)};
}

}  // namespace

void InputFiles::add(const fs::path& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode))
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
    if (isStandardOutput(place.status)) {
        place.kind = OutputPlace::Kind::StandardOutput;
    } else if (!S_ISREG(mode)) {
        place.kind = OutputPlace::Kind::Stream;
    } else {
        place.path = behindLinks(path);
    }
    return place;
}

void OutputFiles::add(const std::string& option, const fs::path& path) {
    const OutputPlace place = findOutput(path == "-" ? "/dev/stdout" : path, inputs_);
    if (place.kind == OutputPlace::Kind::Stream) return;
    const fs::path folder = place.path.parent_path();
    if (!place.exists && access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
        fail(path, errno);
    std::error_code error;
    const bool isFile = place.kind == OutputPlace::Kind::File;
    const fs::path real = isFile ? fs::weakly_canonical(fs::absolute(place.path), error) : "";
    for (const Known& known : known_) {
        if (real != known.path && !fs::equivalent(real, known.path, error)) continue;
        const std::string both =
            option == known.option ? "two of " + option : option + " and " + known.option;
        throw FileError{
            both + " name "
                + (isFile ? "one file, '" + path.string() + "'" : std::string("standard output")),
            true};
    }
    known_.push_back({real, option});
}

bool isStream(const fs::path& path) {
    struct stat file {};
    return stat(path.c_str(), &file) == 0 && (S_ISFIFO(file.st_mode) || S_ISCHR(file.st_mode));
}

int openOutput(const fs::path& path, const OutputPlace& place, Opening opening) {
    const int empties = opening == Opening::Emptied ? O_CREAT | O_TRUNC : 0;
    if (place.kind == OutputPlace::Kind::StandardOutput) std::fflush(stdout);
    const int descriptor = place.kind == OutputPlace::Kind::StandardOutput
                               ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                               : open(path.c_str(), O_WRONLY | O_CLOEXEC | empties, 0666);
    if (descriptor < 0) fail(path, errno);
    return descriptor;
}

void writeOutput(const fs::path& path, std::string_view content, const InputFiles& inputs,
                 Durability durability) {
    const OutputPlace place = findOutput(path, inputs);
    if (place.kind != OutputPlace::Kind::File) return writeThrough(path, place, content);
    Replacement replacement(place);
    writeAll(replacement.descriptor(), content, path);
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
    writeAll(replacement.descriptor(), content, to);
    if (stat(from.c_str(), &original) == 0) replacement.setMode(original.st_mode);
    replacement.finish();
}

void replaceFile(const fs::path& path, std::string_view content) {
    const OutputPlace place = findOutput(path, {});
    if (!place.exists) fail(path, ENOENT);
    if (place.kind != OutputPlace::Kind::File) refuse(path, "it is no file", false);
    Replacement replacement(place);
    writeAll(replacement.descriptor(), content, path);
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
