#pragma once

#include "ast/expression_printer.h"
#include "ast/text_writer.h"

namespace smec::ast {

/// Prints the blocks of bodies: braces at the end of the line.
class StatementPrinter {
public:
    StatementPrinter(ExpressionPrinter& expressions, TextWriter& out)
        : expressions_(expressions), out_(out) {}

    void print(const Block& block);
    void print(const VarDecl& n);

private:
    void print(const Assign& n);
    void print(const If& n);
    void print(const For& n);
    void print(const While& n);
    void print(const Switch& n);
    void print(const CaseLabel& label);
    void print(const Break& n);
    void print(const Continue& n);
    void print(const Return& n);
    void print(const Trace& n);
    void print(const Assert& n);
    void print(const Cover& n);
    void print(const Stop& n);
    void print(const Wait& n);
    void print(const WaitUntil& n);
    void condition(std::string_view keyword, ExprId id);
    void call(std::string_view name, std::vector<ExprId> leading,
              const std::vector<ExprId>& rest = {});

    ExpressionPrinter& expressions_;
    TextWriter& out_;
};

}  // namespace smec::ast
