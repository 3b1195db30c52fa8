#pragma once

#include <string>

namespace sme {

/// A problem with a file: its exit status and a message, location included, without a final
/// newline.
struct FileProblem {
    int status = 0;  ///< 0: none
    std::string message;
    explicit operator bool() const { return status != 0; }
};

}  // namespace sme
