#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <cstdint>

#include "formats/opened_output.h"
#include "output/file_problem.h"
#include "output/output.h"

/// What a simulator may write where: the one place that decides it. (The compiler has its own in
/// compiler/source/output_file.h.)
namespace sme {

/// How an output comes to be.
enum class Written : std::uint8_t {
    Along,  ///< bit by bit: it may be standard output
    AtOnce  ///< in the place of the file that is there
};

/// The files of a run. None that is read is written, and none is written twice; two names are one
/// file where device and inode are the same. The program itself, and standard input where it is a
/// file or a pipe, are inputs from the start.
class RunFiles {
public:
    RunFiles();
    /// `-` is standard input.
    void addInput(const std::string& path);
    /// Where `path` leads to an input, to the file or pipe of another option, to a folder, a socket
    /// or a disk, where no file can be made, or where a standard stream would be replaced, what is
    /// wrong with it.
    FileProblem addOutput(const std::string& option, const std::string& path, Written how);

private:
    struct Known {
        std::string path;  ///< behind all links
        std::string name;  ///< for messages
        bool isInput;
        std::uint64_t device = 0, inode = 0;  ///< where there is such a file
    };
    void addInput(const std::string& path, const std::string& name);
    FileProblem whyKnown(const Known& output, const std::string& path) const;

    std::vector<Known> known_;
};

/// `-`, or the file or pipe that standard output is.
bool isStandardOutput(const std::string& path);

/// A pipe or a device: its name needs no ending.
bool isStream(const std::string& path);

/// Whether a file has to be on the disk before its name stands for it.
enum class Durability : std::uint8_t { Buffered, Synced };

/// All of a file: it is replaced at once, links to it stay, pipes and devices are written through.
/// errno of what went wrong, for reasonOf(); 0: it is written.
int writeOutput(const std::string& path, std::string_view text,
                Durability durability = Durability::Buffered);

}  // namespace sme
