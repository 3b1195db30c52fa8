#pragma once

#include <csignal>

namespace sme {

// What a simulator returns to the shell.
constexpr int kGood = 0;
constexpr int kFailure = 1;
constexpr int kFiles = 3;
constexpr int kLimit = 4;
constexpr int kInternalError = 70;
constexpr int kNobodyReads = 128 + SIGPIPE;  // as of a program that does not ignore it

}  // namespace sme
