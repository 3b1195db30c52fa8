#pragma once

// Where text goes that comes bit by bit: traces, tables.

#include <memory>
#include <optional>
#include <string>

#include "formats/file_sink.h"

namespace sme {

/// Opens a file, a pipe or a device, and waits for nobody for ever:
///   - a file is locked (formats/file_lock.h), made where there is none, and stays as it is:
///     FileSink::goOnAt() cuts it; EBUSY where it is being written, by this program or another one
///   - a pipe has to have a reader within five seconds; ETIMEDOUT
///   - what a name of an open descriptor names (/dev/stderr, /dev/fd/3, /proc/self/fd/3), or the file
///     that a standard stream is, is written through that descriptor: it is neither cut nor locked
/// Its problem() is what went wrong, and 0 where it is open.
std::unique_ptr<FileSink> openToWrite(const std::string& path);

/// Behind the links of its last component, which need not lead to anything.
std::string behindLinks(const std::string& path);

/// The number of the open descriptor that a path names, behind links, as standard output in
/// /dev/stdout; nothing where it names none.
std::optional<int> descriptorNamedBy(const std::string& path);
/// The same, and where it is the very file that a standard stream (0, 1 or 2) is.
std::optional<int> streamNamedBy(const std::string& path);

/// Why opening, reading or writing failed, in words: of EBUSY and ETIMEDOUT what they mean above, of
/// ENODATA what it means in formats/opened_input.h.
std::string reasonOf(int problem);

}  // namespace sme
