#pragma once

#include <signal.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sme {
class FileSink;
}

/// What may be written where: the one place that decides it for the compiler. (Simulators have
/// theirs in runtime/src/output/output_file.h.)
namespace smec {

/// A failure with a file: what was tried, and why it failed.
struct FileError {
    std::string message;
    bool isMisuse = false;  ///< the user named a file that is not to be written
};

/// The files that a command reads, and so must not write.
class InputFiles {
public:
    void add(const std::filesystem::path& path);
    /// The name under which this very file was added, whatever links lead there; empty: it was not.
    std::string find(const struct stat& file) const;

private:
    struct Known {
        dev_t device;
        ino_t inode;
        std::string name;
    };
    std::vector<Known> known_;
};

/// Where the name of an output leads.
struct OutputPlace {
    enum class Kind {
        File,  ///< a regular file, or none yet: replaced at once
        Stream,  ///< a pipe, a device of characters, or what an open descriptor names: written through
        StandardOutput  ///< the same, and already open
    };
    Kind kind = Kind::File;
    std::filesystem::path path;  ///< behind all symbolic links, which stay what they are
    bool exists = false;
    struct stat status {};  ///< when it exists
};

/// Throws FileError for folders, disks, sockets, links that form a loop, for the program itself and
/// the file that standard error is, and for the files of `inputs`.
OutputPlace findOutput(const std::filesystem::path& path, const InputFiles& inputs);

/// The files that a command writes, each of which it may be told once.
class OutputFiles {
public:
    explicit OutputFiles(const InputFiles& inputs) : inputs_(inputs) {}
    /// '-' is standard output. Throws FileError as findOutput() does, and for a file that was added
    /// before, under whatever name; `option`: what names it.
    void add(const std::string& option, const std::filesystem::path& path);

private:
    struct Known {
        std::filesystem::path path;  ///< empty: standard output
        std::string option;
        std::optional<std::pair<dev_t, ino_t>> file;  ///< where it is there
    };
    const InputFiles& inputs_;
    std::vector<Known> known_;
};

/// Whether it is a pipe or a device, as far as that can be told now: such a name needs no ending.
bool isStream(const std::filesystem::path& path);

/// Whether a file has to be on the disk before its name stands for it.
enum class Durability : std::uint8_t { Buffered, Synced };

/// Writes all of a file: whoever looks sees the old or the new text. Throws FileError.
void writeOutput(const std::filesystem::path& path, std::string_view content,
                 const InputFiles& inputs, Durability durability = Durability::Buffered);

/// The same with what another file holds, and with its permissions. Throws FileError.
void copyOutput(const std::filesystem::path& from, const std::filesystem::path& to,
                const InputFiles& inputs);

/// The same for a file of the user's that is changed in place: it keeps its owner and permissions,
/// and is on the disk before the old text goes.
void replaceFile(const std::filesystem::path& path, std::string_view content);

/// Opens a place for text that comes bit by bit (formats/opened_output.h); a copy of what is open
/// where it is standard output. Throws FileError.
std::unique_ptr<sme::FileSink> openOutput(const std::filesystem::path& path,
                                          const OutputPlace& place);

/// The signals that end a program; while a file is half written they wait.
inline constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// Holds them back from this thread while it lives.
class SignalBlock {
public:
    SignalBlock();
    ~SignalBlock();
    SignalBlock(const SignalBlock&) = delete;
    SignalBlock& operator=(const SignalBlock&) = delete;
    /// Those that were held back from the thread before.
    const sigset_t& before() const { return before_; }

private:
    sigset_t before_;
};

}  // namespace smec
