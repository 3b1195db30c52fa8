#pragma once

#include "codegen/hdl_writer.h"
#include "codegen/verilog/contents.h"
#include "codegen/verilog/expression.h"
#include "hdl/hdl.h"

namespace smec::codegen::verilog {

/// Prints the statements of a process. Loops over the elements of an array count in "k".
class StatementPrinter {
public:
    StatementPrinter(const hdl::Module& module, const SourceManager& sources,
                     const Options& options, const ExpressionPrinter& expressions,
                     ContentsPrinter& contents, Writer& out)
        : module_(module),
          sources_(sources),
          options_(options),
          expressions_(expressions),
          contents_(contents),
          out_(out) {}

    void print(const hdl::Block& block);

private:
    const char* symbol(hdl::SignalId id) const;
    /// Constants for elements that follow each other, which Verilator makes one constant of, as
    /// parts of that if it would spoil it. How many statements that were.
    std::size_t constantRun(const hdl::Block& block, std::size_t first);
    void nested(const hdl::Block& block);
    void statement(const hdl::Assign& node);
    void statement(const hdl::CopyArray& node);
    void statement(const hdl::FillArray& node);
    void statement(const hdl::If& node);
    void statement(const hdl::Case& node);
    void statement(const hdl::For& node);
    void statement(const hdl::Assert& node);
    void assertion(const hdl::Assert& node);
    bool isFilledByZeros(const hdl::Shown& shown) const;
    bool isText(const hdl::Shown& shown) const;
    std::string placeholder(const hdl::Shown& shown) const;
    std::string argument(const hdl::Shown& shown) const;

    const hdl::Module& module_;
    const SourceManager& sources_;
    const Options& options_;
    const ExpressionPrinter& expressions_;
    ContentsPrinter& contents_;
    Writer& out_;
};

}  // namespace smec::codegen::verilog
