#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

/// Damaged files: what whoever reads files is given, and what holds of every one.
namespace smec::test {

using Dice = std::mt19937_64;

/// A seed with one to four of: bytes changed, a part left out, repeated, moved or taken from another
/// place, an extreme number in place of one, the end cut off, a word of the format's own put in.
std::string mutantOf(const std::string& seed, Dice& dice, const std::vector<std::string>& words);

/// One reader, and the files that its mutants come from.
struct Reader {
    std::string name;
    std::vector<std::string> seeds;
    std::vector<std::string>
        words;  ///< that mean something in the format; numbers of length are always there
    /// Reads a file as users have it read. Returns what it complains of; empty: nothing.
    std::function<std::string(const std::string& bytes)> read;
    std::string place{};  ///< what stands in each complaint: the name of the file
};

/// Gives each reader `count` mutants, from number `first` on; a number is the same one each time. What ends the process: a crash, an
/// exception that nobody caught, more than a GiB of memory, more than two seconds of processor time for
/// one file (eight under sanitizers), a complaint without the file's name. The damaged file is kept then.
int readMutants(const std::vector<Reader>& readers, unsigned first, unsigned count);

/// readMutants() of what a command line asks for: COUNT[@FIRST] [NAME...].
int mutantsMain(const std::vector<Reader>& readers, int argc, char** argv);

}  // namespace smec::test
