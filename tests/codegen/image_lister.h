#pragma once

#include <string>

namespace smec::test {

/// The tables of a model.bin, a line for each row: "Plane 0: type=0 region=0 …". Texts are quoted;
/// pointers to rows are numbers of rows, "members=@3"; members that are 0 are left out.
std::string listImage(const std::string& file);

}  // namespace smec::test
