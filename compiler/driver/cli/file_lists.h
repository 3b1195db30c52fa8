#pragma once

#include <string>
#include <vector>

namespace smec::driver {

/// What is wrong with a list of files, with its place.
struct BadFileList {
    std::string problem;
};

/// `-f LIST` and `-F LIST` among the arguments become the words of the list as arguments of smec.
/// A list holds, with blanks between, files and the options that simulators of Verilog take in
/// theirs: +incdir+, +define+, +libext+, -I, -D, -G, -y, -v, --top-module, -s, and further lists.
/// Names are relative to the current folder, after -F to that of the list. $NAME, ${NAME} and $(NAME)
/// are of the environment. Throws BadFileList.
std::vector<std::string> withFileLists(const std::vector<std::string>& arguments);

}  // namespace smec::driver
