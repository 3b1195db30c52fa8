#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sema/context.h"
#include "sema/fold.h"
#include "sema/library.h"

namespace smec::sema {

class ConstantChecker;

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

/// What all checkers of one compilation share: the design under construction, the module scopes and
/// caches.
class Core {
public:
    Core(const Program& programOf, const SourceManager& sourcesOf, Diagnostics& diagnosticsOf,
         hir::Design& designOf, const Rules& rulesOf, const Limits& limitsOf);

    const Program& program;
    const SourceManager& sources;
    Diagnostics& diagnostics;
    hir::Design& design;
    const Rules rules;
    const Limits limits;
    /// Steps for a constant evaluation whose value is needed (else the call can run later as well).
    /// Once several of the kind ran into the limit, further ones get fewer: hundreds of them in a
    /// program shall not make a hang.
    std::uint64_t stepLimit(bool isNeeded) const {
        return runaways_[isNeeded] < 8 ? limits.steps : limits.steps / 1000;
    }
    void countFailure(Failure failure, bool isNeeded) {
        runaways_[isNeeded] += failure == Failure::TooManySteps;
    }
    /// Whether a name near to an unknown one is worth the search: beyond a hundred errors it is
    /// not.
    bool mayAdvise() const { return diagnostics.errorCount() < 100; }

    hir::TypeTable& types() { return design.types; }
    const ast::Module& module(ModuleId id) const { return program.modules[id.index].ast; }
    const ast::Expr& expr(ExprRef ref) const { return module(ref.module)[ref.expr]; }
    const Scope& moduleScope(ModuleId id) const { return *moduleScopes_[id.index]; }
    /// The source text of an expression, shortened for messages.
    std::string text(SourceRange range) const;

    // ---- reporting: nothing is reported while `quiet`
    template <typename... Args>
    Diagnostics::Handle report(DiagId id, SourceRange range, const Args&... args) {
        if (info(id).severity == Severity::Error) ++errors_;
        if (quiet_ > 0 || isSilenced(id, range)) return {};
        return diagnostics.report(id, range, args...);
    }
    void reportFailure(Failure failure, SourceRange range, SourceRange where);
    class Quiet {
    public:
        explicit Quiet(Core& core) : core_(core) { ++core_.quiet_; }
        ~Quiet() { --core_.quiet_; }
        Quiet(const Quiet&) = delete;
        Quiet& operator=(const Quiet&) = delete;

    private:
        Core& core_;
    };
    /// True the first time; unused names of a process are looked for once.
    bool markScanned(const ast::ProcDecl* decl) { return scanned_.insert(decl).second; }
    bool isQuiet() const { return quiet_ > 0; }
    /// Imports and names of networks that nothing uses, and those of module level if the module is
    /// the main one.
    void warnUnused(ModuleId id, bool isMain);

    // ---- warnings about what is so in every instance (judgements.cpp)
    /// Notes whether something that a warning is about is so in the body at hand. The warning comes
    /// if it was so each time that the place was checked.
    template <typename... Args>
    void judge(bool isSo, DiagId id, SourceRange range, const Args&... args) {
        if (quiet_ > 0) return;
        Verdict& verdict = verdicts_[{range.file.index, range.begin, range.end, id}];
        verdict.isAlways &= isSo;
        if (isSo && !verdict.report)
            verdict.report = [this, id, range, args...] { report(id, range, args...); };
    }
    void reportVerdicts();
    /// Errors found so far, also those that were not reported.
    std::uint64_t errors() const { return errors_; }

    // ---- symbols (modules.cpp)
    void buildScopes();
    void checkModules();
    void declare(Scope& scope, const std::vector<ast::Decl>& decls);
    void checkDeclarations(const Scope& scope, const std::vector<ast::Decl>& decls);
    Symbol* add(Scope& scope, Symbol symbol);
    /// A name declared in the module itself, not one it imports.
    Symbol* exported(ModuleId module, std::string_view name) const;
    struct EnumHit {
        const Symbol* symbol;
        const hir::EnumMember* member;
        hir::TypeId type;
    };
    /// Enum members of this name that are visible without qualification.
    std::vector<EnumHit> enumMembers(const Scope& scope, std::string_view name);
    std::string suggestion(const Scope& scope, std::string_view name,
                           std::vector<std::string> more = {});
    /// How to get at something of this name that a module declares: one that is imported, or, where
    /// there is no name near to it (`near`: its suggestion), one of the standard library.
    std::string importHint(ModuleId from, std::string_view name, NameKind kind, std::string near);
    /// The declaration of a module in which a place is; null outside of all.
    const ast::Decl* declarationAt(SourceRange place) const;
    /// Whether nothing was said of an unknown name yet: one in a declaration of a module is told
    /// once there, however often it stands in it.
    bool isNews(SourceRange use, std::string_view name);
    /// Reports an unknown name that is news; counts the others.
    template <typename... Args>
    void reportUnknown(DiagId id, SourceRange range, std::string_view name, const Args&... args) {
        if (isNews(range, name))
            report(id, range, name, args...);
        else
            ++errors_;
    }
    /// The same with a hint, which is made only where it is needed.
    template <typename Hint>
    void reportUnknownWith(Hint hint, DiagId id, SourceRange range, std::string_view name) {
        if (isNews(range, name))
            report(id, range, name, hint());
        else
            ++errors_;
    }
    /// "; did you mean 'x'?", or all that there is where that is little: "; it has 'x' and 'y'".
    static std::string hintAmong(std::string_view name, const std::vector<std::string>& names);
    void reportUnknownType(const Scope& scope, std::string_view name, SourceRange range);
    /// Members of the enums visible from here.
    std::vector<std::string> memberNames(const Scope& scope);

    // ---- constants (constants.cpp)
    /// Evaluates the symbol when that was not done yet; false after an error.
    bool evaluate(Symbol& symbol);
    /// The value of a simple expression over small integers, or nothing: then the checker has to do
    /// it.
    std::optional<std::int64_t> quick(ExprRef expr, const Scope& scope);

    // ---- types (resolve_types.cpp)
    bool resolve(Symbol& symbol);  ///< a type symbol
    /// The symbol that a written type names; reports and returns null when there is none. Not for
    /// built-in types.
    Symbol* namedType(const std::vector<ast::Identifier>& path, const Scope& scope);
    hir::ShapeId internShape(hir::BusShape shape);
    std::optional<ResolvedBus> resolveBusType(const ast::TypeExpr& type, const Scope& scope);
    std::optional<ResolvedBus> resolveBus(const ast::BusDecl& bus, const Scope& scope);

    // ---- functions (functions.cpp)
    /// The version of the function for the constants in its scope, checked now if need be. Null
    /// after an error.
    const FunctionVersion* function(const Symbol& symbol, SourceRange use);

    std::uint32_t internValue(const hir::Value& value);
    std::uint32_t internString(std::string_view text);

private:
    bool isSilenced(DiagId id, SourceRange range) const;
    void importInto(std::size_t module);
    void importNames(Scope& scope, const ast::Import& import, ModuleId from);
    void checkDeclaration(const Scope& scope, const ast::Decl& decl);
    bool resolveEnum(Symbol& symbol);
    bool resolveDeclared(Symbol& symbol);
    bool resolveStruct(Symbol& symbol, const ast::StructType& node, ConstantChecker& checker);
    bool resolveAlias(Symbol& symbol, const ast::AliasType& node, ConstantChecker& checker);
    std::optional<hir::BusShape> shapeOf(const std::vector<ast::FieldDecl>& fields,
                                         ConstantChecker& checker,
                                         std::vector<hir::Value>& defaults);
    std::optional<ResolvedBus> applyWords(const ast::BusDecl& bus, const Scope& scope,
                                          ConstantChecker& checker, hir::BusShape shape,
                                          std::vector<hir::Value> defaults);
    std::unique_ptr<FunctionVersion> checkFunction(const FuncSymbol& symbol);
    bool sameDependencies(const FunctionVersion& version, const Scope& scope);

    struct Verdict {
        bool isAlways = true;
        std::function<void()> report;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, DiagId>, Verdict> verdicts_;
    std::vector<std::unique_ptr<Scope>> moduleScopes_;
    std::unordered_set<std::uint32_t> libraryFiles_;  ///< no warnings in the standard library
    int quiet_ = 0;
    std::size_t runaways_[2] = {0, 0};
    std::uint64_t errors_ = 0;
    std::unordered_map<const void*, std::vector<std::unique_ptr<FunctionVersion>>>
        functions_;  ///< by ast::FuncDecl or ast::ExternFunc
    std::unordered_set<const void*> functionsBusy_;
    std::unordered_set<const ast::ProcDecl*> scanned_;
    std::unordered_map<const ast::BusDecl*, ResolvedBus> busCache_;
    std::unordered_map<std::string, hir::ShapeId> shapes_;
    std::unordered_multimap<std::size_t, std::uint32_t> values_;
    std::unordered_map<std::string, std::uint32_t> strings_;
    Library library_;
    std::set<std::pair<const ast::Decl*, std::string>> told_;  ///< unknown names
};

/// "1 argument", "2 arguments".
std::string counted(std::size_t count, std::string_view noun);

/// Warns of names that a process declares and nothing in it uses; once for each process.
void warnUnused(Core& core, const ast::Module& module, const ast::ProcDecl& decl);

/// Warns of variables that start anew in every run and are used as if they kept their value.
void warnStartsAnew(Core& core, const Scope& scope, const ast::ProcDecl& process);

/// What a symbol is, for messages: "a type", "a variable".
std::string_view kindOf(const Symbol& symbol);

/// u8, i3, bool, f64, uint …; `isReserved` is set for words of that form, also when the width is
/// wrong.
std::optional<hir::TypeId> builtinType(hir::TypeTable& types, std::string_view name,
                                       bool& isReserved);

}  // namespace smec::sema
