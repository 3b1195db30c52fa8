#pragma once

// Locks of files, between processes and within one: each opening of a file has its own. They are
// advice that smec and its simulators follow; whoever reads a file, or removes it, does not meet them.

#include <cstdint>
#include <utility>

namespace sme {

/// Of an open file, which is closed with it. Negative: none.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        reset(other.release());
        return *this;
    }
    int number() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    void reset(int number = -1);  ///< keeps errno

private:
    int number_;
};

enum class FileLock : std::uint8_t {
    Held,      ///< by this opening, until its last descriptor is closed
    Taken,     ///< another opening has it, here or elsewhere
    NotKnown,  ///< the file system has no locks
};
/// Never waits. `descriptor` may write.
FileLock lockFile(int descriptor);
/// Before it is closed, so that a child that has a copy of the descriptor keeps nobody out.
void unlockFile(int descriptor);

/// Whether the file that is open is the one of this name, which may be a link.
bool isOpenedAt(int descriptor, const char* path);

}  // namespace sme
