#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/print/expression.h"
#include "codegen/cpp/print/site.h"

namespace smec::codegen::cpp {

/// Prints loops around their bodies, and how these leave them.
class Loops {
public:
    Loops(const BodyInfo& info, Leaves& leaves, const Site& site, Expressions& expr, Names& names,
          Writer& out)
        : info_(info), leaves_(leaves), site_(site), expr_(expr), names_(names), out_(out) {}

    void open(const ir::For& s, const ir::Stmt& stmt);
    void open(const ir::Loop& s);
    void close();
    /// A C++ switch, which a `break` leaves.
    void enterSwitch() { nests_.push_back({false, {}}); }
    void leaveSwitch() { nests_.pop_back(); }
    void print(const ir::Break& s);
    void print(const ir::Continue& s);

private:
    void openFor(const ir::For& s, const Word& word, const std::string& counter);
    void openForToTheEnd(const ir::For& s, const Word& word, const std::string& counter);

    struct Nest {
        bool isLoop;
        std::string label;  ///< after the loop, once a `break` inside a switch needed it
    };

    const BodyInfo& info_;
    Leaves& leaves_;
    const Site& site_;
    Expressions& expr_;
    Names& names_;
    Writer& out_;
    std::vector<Nest> nests_;
};

}  // namespace smec::codegen::cpp
