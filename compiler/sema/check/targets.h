#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class BusPaths;
class Buses;
class Expressions;
class Indices;
class Names;

/// What an assignment stores to: a whole bus, or a place in a variable or field.
struct Target {
    bool isBus = false;
    Operand bus;
    hir::Place place;
    std::string name;
    bool isField = false;
};

/// The left side of assignments: a variable, a field that the process may drive, a part of one, or
/// a whole bus.
class Targets {
public:
    Targets(const CheckContext& in, Names& names, Indices& indices, Buses& buses,
            BusPaths& busPaths, Expressions& expressions)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          typeSymbols_(in.core.typeSymbols),
          scope_(in.scope),
          module_(in.module),
          mode_(in.mode),
          build_(in.build),
          ports_(in.ports),
          locals_(in.locals),
          names_(names),
          indices_(indices),
          buses_(buses),
          busPaths_(busPaths),
          expressions_(expressions) {}

    std::optional<Target> target(ast::ExprId id);
    /// The present value, for compound assignments. A field gives its read slot.
    Operand readBack(const Target& target);

private:
    using ExprNode = decltype(hir::Expr::node);
    std::optional<Target> targetName(const std::string& text, SourceRange range);
    std::optional<Target> targetPart(ast::ExprId id, ast::ExprId whole);
    std::optional<Target> targetPath(ast::ExprId id, ast::ExprId base);
    std::optional<Target> targetOutside(ast::ExprId id);
    std::optional<Target> targetStep(Target base, ast::ExprId id);
    std::optional<Target> targetMember(Target base, const ast::Identifier& name, SourceRange range);
    std::optional<Target> targetIndex(Target base, ast::ExprId index, SourceRange range);
    bool isSliceable(const Target& base, SourceRange range);
    Target slicedTarget(Target base, hir::PlaceStep step, std::uint32_t width);
    std::optional<Target> targetSlice(Target base, const ast::Slice& node, SourceRange range);
    std::optional<Target> targetSlice(Target base, const ast::IndexedSlice& node,
                                      SourceRange range);
    ExprNode selection(hir::ExprId base, const hir::PlaceStep& step, hir::TypeId& type);

    Reporter& reporter_;
    hir::TypeTable& types_;
    TypeSymbols& typeSymbols_;
    const Scope& scope_;
    const ast::Module& module_;
    const CheckMode mode_;
    BodyBuilder& build_;
    Ports& ports_;
    Locals& locals_;
    Names& names_;
    Indices& indices_;
    Buses& buses_;
    BusPaths& busPaths_;
    Expressions& expressions_;
};

}  // namespace smec::sema
