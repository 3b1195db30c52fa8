#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sema/context.h"

namespace smec::sema {

struct Core;

/// One body of a function for one set of values of the constants it depends on.
struct FunctionVersion {
    struct Dependency {
        ExprRef expr;  ///< a name, looked up in the scope of the function's declaration
        TypedValue value;
    };
    std::vector<Dependency> dependencies;
    hir::FunctionId id;  ///< invalid when the function has errors
    bool folds = true;   ///< calls with constant arguments are evaluated
    hir::TypeId result;  ///< of a call
};

/// Functions, each checked once for each set of values of the instance's constants it uses; most
/// use none, so once.
class Functions {
public:
    explicit Functions(Core& core) : core_(core) {}

    /// The version of the function for the constants in its scope, checked now if need be. Null
    /// after an error.
    const FunctionVersion* version(const Symbol& symbol, SourceRange use);

private:
    std::unique_ptr<FunctionVersion> check(const FuncSymbol& symbol);
    bool sameDependencies(const FunctionVersion& version, const Scope& scope);

    Core& core_;
    std::unordered_map<const void*, std::vector<std::unique_ptr<FunctionVersion>>>
        versions_;  ///< by ast::FuncDecl or ast::ExternFunc
    std::unordered_set<const void*> busy_;
};

}  // namespace smec::sema
