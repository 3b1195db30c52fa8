#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sema/library.h"
#include "sema/reporter.h"

namespace smec::sema {

/// What to write instead of a name that is unknown.
class Hints {
public:
    Hints(Reporter& reporter, const ModuleScopes& modules)
        : reporter_(reporter), modules_(modules), library_(modules.program().standardLibrary) {}

    std::string suggestion(const Scope& scope, std::string_view name,
                           std::vector<std::string> more = {});
    /// How to get at something of this name that a module declares: one that is imported, or, where
    /// there is no name near to it (`near`: its suggestion), one of the standard library.
    std::string importHint(ModuleId from, std::string_view name, NameKind kind, std::string near);
    void reportUnknownType(const Scope& scope, std::string_view name, SourceRange range);

private:
    Reporter& reporter_;
    const ModuleScopes& modules_;
    Library library_;
};

/// "; did you mean 'x'?", or all that there is where that is little: "; it has 'x' and 'y'".
std::string hintAmong(std::string_view name, const std::vector<std::string>& names);

}  // namespace smec::sema
