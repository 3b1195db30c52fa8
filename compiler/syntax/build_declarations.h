#pragma once

#include "syntax/build_statements.h"

namespace smec::syntax {

/// Where a declaration stands; decides what it may be.
enum class Site : std::uint8_t { Module, Network, Process, GenerateInNetwork, GenerateInProcess };

/// Makes declarations, and reports those that are misplaced.
class DeclarationBuilder {
public:
    using P = grammar::SmeParser;

    DeclarationBuilder(const BuildContext& in, ExpressionBuilder& expressions, TypeBuilder& types,
                       StatementBuilder& statements)
        : in_(in), expressions_(expressions), types_(types), statements_(statements) {}

    /// Any item but a process or network, which come in pieces. Nothing where it does not belong
    /// into a module.
    std::optional<ast::Decl> item(P::ModuleItemContext& context);
    ast::ProcDecl processHead(P::ProcessHeadContext& context);
    ast::NetworkDecl networkHead(P::NetworkHeadContext& context);
    /// Nothing where it does not belong to `site`.
    std::optional<ast::Decl> declaration(P::DeclarationContext& context, Site site);

private:
    ast::Import import(P::ImportDeclarationContext& context);
    ast::Decl externDecl(P::ExternDeclarationContext& context);
    std::vector<ast::Decl> declarations(const std::vector<P::DeclarationContext*>& contexts,
                                        Site site);
    bool belongs(P::DeclarationContext& context, Site site);
    ast::ConstDecl constant(P::ConstDeclarationContext& context);
    ast::FuncDecl function(P::FunctionDeclarationContext& context);
    std::vector<ast::FuncParam>
    functionParams(const std::vector<P::FunctionParameterContext*>& contexts);
    std::vector<ast::Param> params(const std::vector<P::ParameterContext*>& contexts);
    ast::BusDecl bus(P::BusDeclarationContext& context);
    void apply(P::BusModifierContext& context, ast::BusDecl& bus);
    ast::InstanceDecl instance(P::InstanceDeclarationContext& context);
    ast::Decl generate(P::GenerateDeclarationContext& context, Site site);

    const BuildContext& in_;
    ExpressionBuilder& expressions_;
    TypeBuilder& types_;
    StatementBuilder& statements_;
};

}  // namespace smec::syntax
