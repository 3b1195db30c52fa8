#pragma once

#include <optional>
#include <vector>

#include "ast/expression_printer.h"
#include "ast/statement_printer.h"
#include "ast/text_writer.h"

namespace smec::ast {

/// Prints declarations, each on lines of its own: the braces of processes and networks on their
/// own, all others at the end of the line.
class DeclarationPrinter {
public:
    DeclarationPrinter(ExpressionPrinter& expressions, StatementPrinter& statements,
                       TextWriter& out)
        : expressions_(expressions), statements_(statements), out_(out) {}

    void print(const Decl& decl);

private:
    void printAll(const std::vector<Decl>& decls);
    void print(const Import& n);
    void print(const ConstDecl& n);
    void print(const EnumDecl& n);
    void print(const FieldDecl& n);
    void print(const std::vector<FieldDecl>& list);
    void print(const TypeDecl& n);
    void functionParams(const std::vector<FuncParam>& params);
    void print(const FuncDecl& n);
    void print(const ExternFunc& n);
    void params(const std::vector<Param>& list);
    void print(const BusDecl& n);
    void print(const VarDecl& n);
    void print(const InstanceDecl& n);
    void print(const GenerateFor& n);
    void print(const GenerateIf& n);
    void print(const ProcDecl& n);
    void print(const NetworkDecl& n);
    void printForeign(const ProcDecl& n);

    ExpressionPrinter& expressions_;
    StatementPrinter& statements_;
    TextWriter& out_;
};

}  // namespace smec::ast
