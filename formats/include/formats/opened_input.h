#pragma once

#include <string>

namespace sme {

/// All of what a file, a pipe or a device has. A pipe that has a name is not waited for for ever: its
/// first byte has to come within five seconds. errno, ENODATA where it does not, or 0.
int readAll(const std::string& path, std::string& text);

}  // namespace sme
