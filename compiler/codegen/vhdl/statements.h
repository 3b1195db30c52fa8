#pragma once

#include "codegen/hdl_writer.h"
#include "codegen/vhdl/expression.h"
#include "hdl/hdl.h"

namespace smec::codegen::vhdl {

/// Prints the statements of a process. `variables`, by SignalId: what is assigned at once. With
/// `isAsync`, registers have an asynchronous reset: GHDL 2 fails where they get their value back by
/// way of variables, and takes those that only keep it for latches, unless a function stands
/// between.
class StatementPrinter {
public:
    StatementPrinter(const hdl::Module& module, const SourceManager& sources,
                     const ExpressionPrinter& expressions, const std::vector<bool>& variables,
                     bool isAsync, Writer& out)
        : module_(module),
          sources_(sources),
          expressions_(expressions),
          variables_(variables),
          isAsync_(isAsync),
          out_(out) {}

    void print(const hdl::Block& block);
    /// A register keeps its value.
    void keep(hdl::SignalId id);

private:
    const char* symbol(hdl::SignalId id) const { return variables_[id.index] ? ":=" : "<="; }
    std::string given(hdl::SignalId to, const std::string& value) const;
    void nested(const hdl::Block& block);
    void statement(const hdl::Assign& node);
    void statement(const hdl::CopyArray& node);
    void statement(const hdl::FillArray& node);
    void statement(const hdl::If& node);
    void statement(const hdl::Case& node);
    void statement(const hdl::For& node);
    void statement(const hdl::Assert& node);
    std::string argument(const hdl::Shown& shown) const;
    std::string test(const hdl::Case& node, const hdl::Choice& choice) const;
    void caseByIf(const hdl::Case& node);

    const hdl::Module& module_;
    const SourceManager& sources_;
    const ExpressionPrinter& expressions_;
    const std::vector<bool>& variables_;
    const bool isAsync_;
    Writer& out_;
};

}  // namespace smec::codegen::vhdl
