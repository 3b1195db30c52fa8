#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "output/file_problem.h"
#include "output/output.h"

/// What a simulator may write where: the one place that decides it. (The compiler has its own in
/// compiler/source/output_file.h.)
namespace sme {

/// The files of a run. None that is read is written, and none is written twice.
class RunFiles {
public:
    void addInput(const std::string& path);
    /// Where `path` leads to an input, to the file of another option, to a folder or a disk, or
    /// where no file can be made, what is wrong with it.
    FileProblem addOutput(const std::string& option, const std::string& path);

private:
    struct Known {
        std::string path;  ///< behind all links
        std::string name;  ///< for messages
        bool isInput;
    };
    std::vector<Known> known_;
};

/// Behind the links of its last component, which need not lead to anything.
std::string behindLinks(const std::string& path);

/// `-`, or the file or pipe that standard output is.
bool isStandardOutput(const std::string& path);

/// A pipe or a device: its name needs no ending.
bool isStream(const std::string& path);

enum class Opening : std::uint8_t { Emptied, AsItIs };

/// For text that comes bit by bit: a file is emptied, or goes on, a pipe or device is written
/// through.
std::unique_ptr<FileSink> openOutput(const std::string& path, Opening opening = Opening::Emptied);

/// Whether a file has to be on the disk before its name stands for it.
enum class Durability : std::uint8_t { Buffered, Synced };

/// All of a file: it is replaced at once, links to it stay, pipes and devices are written through.
/// errno of what went wrong; 0: it is written.
int writeOutput(const std::string& path, std::string_view text,
                Durability durability = Durability::Buffered);

}  // namespace sme
