#pragma once

#include <string>
#include <vector>

#include "codegen/cpp/print/calls.h"
#include "codegen/cpp/print/expression.h"
#include "codegen/cpp/print/loops.h"
#include "codegen/cpp/print/reports.h"
#include "codegen/cpp/print/site.h"
#include "codegen/cpp/print/stores.h"

namespace smec::codegen::cpp {

/// Declares the locals that no statement declares.
void declareTemporaries(const BodyInfo& info, const Leaves& leaves, Writer& out);

/// Prints the statements of one body.
class Statements {
public:
    Statements(const CppDesign& cpp, const BodyInfo& info, const std::vector<ir::Input>& inputs,
               Leaves& leaves, const Site& site, Names& names, Writer& out);
    Statements(const Statements&) = delete;
    Statements& operator=(const Statements&) = delete;

    /// In parts where the body is long.
    void block(const ir::Block& block);
    void some(const ir::Block& block, std::size_t first, std::size_t count);
    /// True when some statement went to the leave label.
    bool leaves() const { return wayOut_.isTaken(); }
    /// How `return` reads: processes leave, functions return.
    void isFunction(ir::FunctionId function) { calls_.isFunction(function); }

private:
    struct Shared;

    Shared sharedBy(const BodyPart& part);
    void addReads(const BodyPart& part, Shared& shared) const;
    void part(const BodyPart& part, const ir::Stmt* first);
    void statement(const ir::Stmt& stmt);
    void print(const ir::Stmt& stmt);
    void print(const ir::If& s);
    bool printElseIf(const ir::Block& no);
    void print(const ir::Switch& s);
    void wideSwitch(const ir::Switch& s);

    const BodyInfo& info_;
    const std::vector<ir::Input>& inputs_;
    const Leaves& leaves_;
    const Site& site_;
    Names& names_;
    Writer& out_;
    Expressions expr_;
    WayOut wayOut_;
    Stores stores_;
    Calls calls_;
    Reports reports_;
    Loops loops_;
};

}  // namespace smec::codegen::cpp
