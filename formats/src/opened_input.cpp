#include "formats/opened_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "formats/opened_output.h"

namespace sme {
namespace {

constexpr std::chrono::seconds kWriterComes{5};

/// Until there is something to read, or its end. False: nothing came.
bool awaitWriter(int pipe) {
    const auto end = std::chrono::steady_clock::now() + kWriterComes;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end - std::chrono::steady_clock::now());
        if (left.count() <= 0) return false;
        pollfd asked{pipe, POLLIN, 0};
        if (poll(&asked, 1, static_cast<int>(left.count())) > 0) return true;
    }
}

int readOpened(int file, bool isNamed, std::string& text) {
    struct stat status {};
    if (fstat(file, &status) != 0) return errno;
    if (isNamed && S_ISFIFO(status.st_mode) && !awaitWriter(file)) return ENODATA;
    if (fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) != 0) return errno;
    char part[1 << 16];
    for (;;) {
        const ssize_t size = read(file, part, sizeof part);
        if (size > 0)
            text.append(part, static_cast<std::size_t>(size));
        else if (size == 0)
            return 0;
        else if (errno != EINTR)
            return errno;
    }
}

}  // namespace

int readAll(const std::string& path, std::string& text) {
    text.clear();
    const bool isNamed = !descriptorNamedBy(path);
    const int without = isNamed ? O_NONBLOCK : 0;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | without);
    if (file < 0) return errno;
    const int why = readOpened(file, isNamed, text);
    close(file);
    return why;
}

}  // namespace sme
