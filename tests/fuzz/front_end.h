#pragma once

#include <string_view>

namespace smec::test {

/// Takes any bytes through what `smec check` and `smec fmt` do with a file: the one body of the
/// libFuzzer target and of the replay of its corpus. Touches no file: imports find a small module
/// in memory, file("…") nothing. Limits are low, so that no input takes long. Prints what is wrong
/// and aborts when an oracle fails:
///   * what is accepted, formatted and parsed again has an equal tree, and formatting that changes
///   nothing;
///   * what is accepted, printed from its tree and parsed again has an equal tree too;
///   * every diagnostic lies in its file, and a design is made only without errors.
void checkFrontEnd(std::string_view input);

}  // namespace smec::test
