#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The numbers by which smec decides (the numbers.def of its folders), for `--number NAME=VALUE`.
namespace smec::driver {

/// Gives a number another value, for all that this process compiles from now on; not while it compiles. `word`: "NAME=VALUE",
/// of a value that its table allows. What is wrong with it; empty: nothing.
std::string setNumber(std::string_view word);

/// A line for each: name, value, unit, and whether it was measured.
std::string numberList();

std::vector<std::string> numberNames();

}  // namespace smec::driver
