#pragma once

#include <map>

#include "sema/check/context.h"

namespace smec::sema {

class Constants;
class Expressions;
class Statements;

/// switch. The labels of all cases are kept as ranges in order, so that overlaps and what is
/// covered are found without looking at every value of a range.
class Switches {
public:
    Switches(const CheckContext& in, Expressions& expressions, Constants& constants,
             Statements& statements)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          mode_(in.mode),
          uses_(in.uses),
          build_(in.build),
          expressions_(expressions),
          constants_(constants),
          statements_(statements) {}

    void choose(const ast::Switch& node, SourceRange range, hir::Block& out);

private:
    struct Labels {
        Operand subject;
        hir::TypeId type;  ///< holds every value of the subject
        struct Place {
            hir::Integer high;
            SourceRange range;
        };
        std::map<hir::Integer, Place> places;                      ///< by their lowest values
        std::vector<std::pair<std::size_t, Operand>> perInstance;  ///< with the number of the case
    };
    bool labelFits(const Operand& label, const Labels& labels);
    bool take(Labels& labels, const hir::Integer& low, const hir::Integer& high, SourceRange range,
              const std::string& shown);
    void addLabel(ast::ExprId id, Labels& labels, hir::Switch& out);
    void addRange(const ast::CaseLabel& range, Labels& labels, hir::Switch& out);
    void finishLabels(Labels& labels, hir::Switch& out);
    Operand constantOrUndefined(ast::ExprId id);
    bool coversAll(const Labels& labels) const;
    void warnUncovered(const ast::Switch& node, const Operand& subject, const hir::Switch& out,
                       SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    const CheckMode mode_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Expressions& expressions_;
    Constants& constants_;
    Statements& statements_;
};

}  // namespace smec::sema
