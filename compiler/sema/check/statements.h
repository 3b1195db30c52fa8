#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Assignments;
class Conversions;
class Expressions;
class Judgements;
class Switches;
class Texts;
class WrittenTypes;

/// What a function gives; nothing in a process.
struct FunctionResult {
    hir::TypeId type;
    std::string function;
};

/// Statements and blocks.
class Statements {
public:
    Statements(const CheckContext& in, Expressions& expressions, Conversions& conversions,
               WrittenTypes& writtenTypes, Judgements& judgements, Assignments& assignments,
               Switches& switches, Texts& texts, FunctionResult result)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          mode_(in.mode),
          kind_(in.kind),
          build_(in.build),
          ports_(in.ports),
          locals_(in.locals),
          expressions_(expressions),
          conversions_(conversions),
          writtenTypes_(writtenTypes),
          judgements_(judgements),
          assignments_(assignments),
          switches_(switches),
          texts_(texts),
          result_(std::move(result)) {}

    hir::Block block(const ast::Block& block);

private:
    void variable(const ast::VarDecl& decl, SourceRange range, hir::Block& out);
    void statement(const ast::Stmt& statement, hir::Block& out);
    void conditional(const ast::If& node, SourceRange range, hir::Block& out);
    void leave(const ast::Stmt& statement, hir::Block& out);
    void giveBack(const ast::Return& node, SourceRange range, hir::Block& out);
    void stop(const ast::Stop& node, SourceRange range, hir::Block& out);
    bool canWait(SourceRange range);
    void wait(const ast::Wait& node, SourceRange range, hir::Block& out);
    void waitUntil(const ast::WaitUntil& node, SourceRange range, hir::Block& out);
    void loop(const ast::For& node, SourceRange range, hir::Block& out);
    void loop(const ast::While& node, SourceRange range, hir::Block& out);
    hir::Block loopBody(const ast::Block& body);
    bool loopBound(Operand& operand, hir::TypeId& type);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    const CheckMode mode_;
    const hir::ProcKind kind_;
    BodyBuilder& build_;
    Ports& ports_;
    Locals& locals_;
    Expressions& expressions_;
    Conversions& conversions_;
    WrittenTypes& writtenTypes_;
    Judgements& judgements_;
    Assignments& assignments_;
    Switches& switches_;
    Texts& texts_;
    const FunctionResult result_;
    Depth loops_;  ///< around the statement at hand
};

}  // namespace smec::sema
