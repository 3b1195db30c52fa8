#pragma once

#include <string>

#include "hir/design.h"

namespace smec::hir {

/// Writes bodies as indented text. `spec` gives the names of ports and constants; null for
/// functions.
class BodyDumper {
public:
    BodyDumper(const Design& design, const Specialisation* spec, const Body& body)
        : design_(design), spec_(spec), body_(body) {}

    std::string block(const Block& statements, std::size_t depth) const;
    std::string expr(ExprId id) const;

private:
    std::string statement(const Stmt& statement, std::size_t depth) const;
    std::string ifText(const If& node, std::size_t depth) const;
    std::string forText(const For& node, std::size_t depth) const;
    std::string switchText(const Switch& node, std::size_t depth) const;
    std::string text(const Text& node) const;
    std::string place(const Place& place) const;
    std::string field(std::uint32_t port, std::uint32_t field, ExprId element) const;
    std::string var(VarId id) const;
    std::string list(const std::vector<ExprId>& ids) const;
    std::string binary(const BinaryExpr& node) const;
    std::string builtin(const BuiltinExpr& node) const;

    const Design& design_;
    const Specialisation* spec_;
    const Body& body_;
};

}  // namespace smec::hir
