#pragma once

#include <sme/simulation.h>

#include <stdexcept>
#include <string>

namespace sme {

/// Why a function of the table of sme/simulation.h did not do what it was called for.
class Refusal : public std::runtime_error {
public:
    Refusal(sme_status status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    sme_status status() const { return status_; }

private:
    sme_status status_;
};

}  // namespace sme
