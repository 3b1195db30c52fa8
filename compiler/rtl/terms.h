#pragma once

#include <vector>

#include "rtl/tree.h"

namespace smec::rtl {

/// An expression under way, with what the language knows of it. One bit is a bool, more are an
/// integer.
struct Term {
    ast::ExprId id;
    bool isBool = false;
    std::uint32_t width = 0;  ///< of the operand type, where it is an integer
    bool isSigned = false;
    bool isExact = false;    ///< the value lies within the type; else low bits alone count
    bool isPrimary = false;  ///< it needs no parentheses as an operand
    bool isLiteral = false;  ///< it has no type but what its value needs
    ast::Integer value;      ///< of a literal
    ast::ExprId asSigned{};  ///< the same bits with a sign, where that is what they come from
};

/// Makes terms of terms.
class Terms {
public:
    explicit Terms(Tree& tree) : tree_(tree) {}

    Term constant(const ast::Integer& value, std::uint32_t width);
    /// A name or a member of a name.
    Term variable(ast::ExprId id, std::uint32_t width);
    /// The bits of a variable that is an integer with a sign.
    Term signedVariable(ast::ExprId id, std::uint32_t width);
    /// Bits of a variable.
    Term bits(const Term& variable, std::uint32_t offset, std::uint32_t width);
    /// Highest first.
    Term cat(const std::vector<Term>& parts);
    /// One of so many words of that width.
    Term element(const std::vector<Term>& elements, const Term& index, std::uint32_t width);

    Term truth(const Term& term);
    /// An integer; bools become u1.
    Term number(const Term& term);
    /// As an unsigned integer of just that width: low bits, or zeros above.
    Term sized(const Term& term, std::uint32_t width);
    /// As an integer in two's complement of that width.
    Term asSigned(const Term& term, std::uint32_t width);
    /// The same value, but within the bits that it has: a bool, or an integer of at most `width`.
    Term exact(const Term& term, std::uint32_t width);
    /// What may be stored in a variable of so many bits.
    ast::ExprId stored(const Term& term, std::uint32_t width);
    /// The same where the variable has a sign.
    ast::ExprId storedSigned(const Term& term, std::uint32_t width);

    Term binary(ast::BinaryOp op, const Term& left, const Term& right);
    /// A comparison, or an operator of two bools.
    Term boolean(ast::BinaryOp op, const Term& left, const Term& right);
    Term negated(const Term& truth);
    Term conditional(const Term& condition, const Term& yes, const Term& no, std::uint32_t width);
    /// A function of one operand that gives a bool.
    Term test(std::string_view function, const Term& operand);

    ast::ExprId operand(const Term& term) {
        return term.isPrimary ? term.id : tree_.paren(term.id);
    }
    Tree& tree() { return tree_; }

private:
    Term cast(const Term& term, std::uint32_t width, bool isSigned);

    Tree& tree_;
};

}  // namespace smec::rtl
