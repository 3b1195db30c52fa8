#pragma once

#include <string>
#include <vector>

namespace smec::driver {

/// `smec explain`: prints what the page docs/diagnostics.md says about these messages, or the list
/// of all messages when there are none. Returns the exit status.
int explain(const std::vector<std::string>& names);

}  // namespace smec::driver
