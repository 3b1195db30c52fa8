#pragma once

#include <string>

#include "codegen/hdl_writer.h"
#include "codegen/verilog/called.h"
#include "codegen/verilog/contents.h"
#include "codegen/verilog/expression.h"

namespace smec::codegen::verilog {

/// "logic [7:0] x", or the name alone where the language needs no type.
inline std::string named(const std::string& type, const std::string& name) {
    return type.empty() ? name : type + " " + name;
}

/// Prints the functions of a module: constant arrays, counts of bits, and what the language has no
/// operator for.
class FunctionPrinter {
public:
    FunctionPrinter(const Options& options, Writer& out) : options_(options), out_(out) {}

    /// A constant array.
    void table(const hdl::Signal& signal) const;
    void popcount(std::uint32_t width, std::uint32_t result) const;
    /// The operator; under Icarus, long division bit by bit, of the amounts.
    void divide(const Division& division) const;
    void change(const ExpressionPrinter::Change& change) const;

private:
    void open(const std::string& name, const hdl::Type& result, const hdl::Type& argument) const;
    void close() const;
    void divideBitByBit(const Division& division) const;
    /// Of results and arguments.
    const char* keyword() const { return options_.isVerilog2005() ? "" : "logic"; }

    const Options& options_;
    Writer& out_;
};

}  // namespace smec::codegen::verilog
