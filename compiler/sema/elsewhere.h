#pragma once

#include <optional>
#include <string_view>

#include "ast/ast.h"

namespace smec::sema {

/// A variable of a body that is not known where it is used.
struct ElsewhereLocal {
    SourceRange name;      ///< where it is declared
    bool isBelow = false;  ///< further down, in a block around the use; else in another block
    bool isLoop = false;   ///< set by a `for`
};

/// The variable, or loop variable, of this name in the body within `decl` in which `use` stands.
std::optional<ElsewhereLocal> localElsewhere(const ast::Decl& decl, SourceRange use,
                                             std::string_view name);

}  // namespace smec::sema
