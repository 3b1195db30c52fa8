#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/cpp/program.h"
#include "codegen/cpp/statement.h"

namespace smec::codegen::cpp {

/// How an array output begins: a pointer to its elements, or one literal for all.
struct DefaultText {
    std::string text;
    bool isPointer = false;
};

/// C++ for what one instance touches: a scalar's place (`x_in[i]`, `read_u32[7]`), an array's first
/// element as a pointer.
struct Storage {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> inputs;
    std::map<std::uint32_t, Selection> selections;
    std::map<std::uint32_t, std::string> columns;
    std::vector<std::string> outputs;
    std::vector<std::string> last;      ///< of hold outputs
    std::vector<DefaultText> defaults;  ///< of the others
    std::vector<std::string> state;
    std::map<std::uint32_t, std::string> saved;  ///< variables that are read elsewhere, by slot
};

/// Which of a class's outputs and variables the body touches; the rest is neither loaded nor
/// stored.
struct Touched {
    std::vector<std::uint32_t> outputs;  ///< local per output slot, UINT32_MAX when never written
    std::vector<std::uint32_t> state;    ///< local per state slot, UINT32_MAX when unused
};
Touched touchedBy(const ir::Class& cls, const BodyInfo& info);

/// Prints one activation: loads, body, leave label, stores.
void printActivation(const Program& program, ir::ClassId cls, const Storage& storage, Site site,
                     Names& names, Names& labels, Writer& out);

}  // namespace smec::codegen::cpp
