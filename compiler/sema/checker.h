#pragma once

#include <map>

#include "sema/core.h"
#include "sema/operand.h"

namespace smec::sema {

/// Where a value is stored, for messages: "'small'", "parameter 'r' of 'luma'".
struct Destination {
    hir::TypeId type;
    std::string what;
    bool isInitialiser = false;  ///< a scalar fills an array, surplus elements are dropped
    bool isConstant = false;     ///< of a named constant: uint and int are without bound
};

/// Checks expressions and statements of one body, or one constant expression, in one scope.
class Checker {
public:
    enum class Mode : std::uint8_t { Constant, Function, Process };
    Checker(Core& core, const Scope& scope, Mode mode)
        : core_(core), scope_(&scope), module_(core.module(scope.module())), mode_(mode) {}

    // ---- constants and types
    Operand constant(ast::ExprId expr, std::string_view what);
    /// Converted to the destination's type; nothing after an error.
    std::optional<hir::Value> constantFor(ast::ExprId expr, const Destination& destination,
                                          Operand* checked = nullptr);
    std::optional<hir::Integer> integer(ast::ExprId expr, std::string_view what);
    std::optional<std::uint64_t> size(ast::ExprId expr, std::string_view what);
    hir::TypeId resolveType(const ast::TypeExpr& type);
    void dependOn(const TypeSymbol& type);

    // ---- bodies
    CheckedProcess process(const ast::ProcDecl& decl, Scope& scope,
                           const std::vector<PortInput>& ports, PathResolver& paths);
    hir::Function function(const ast::FuncDecl& decl);
    /// `declared`: the type of a call; hir::Function::result is what C++ gives.
    hir::Function foreignFunction(const ast::ExternFunc& decl, hir::TypeId& declared);

    /// Constants of the instance whose values shaped what was checked (types, sizes …), in the
    /// checker's scope.
    const std::vector<ExprRef>& dependencies() const { return dependencies_; }
    /// A bus outside of the scope was looked at.
    bool usesPaths() const { return !ports_.empty(); }
    bool dependsOnInstance() const { return !touched_.empty() || !dependencies_.empty(); }

private:
    struct Local {
        std::string name;
        hir::VarId var;
        SourceRange range;
        bool used = false;
        bool isLoop = false;
    };
    struct Target {
        bool isBus = false;
        Operand bus;
        hir::Place place;
        std::string name;
        bool isField = false;
    };
    /// Elements of an array port that the text of a body names for one field.
    struct ElementUses {
        bool all = false;
        std::vector<std::uint64_t> elements;
        hir::ElementSet finish(std::uint32_t count) const;
    };
    struct FieldUses {
        ElementUses reads, writes;
    };

    // ---- expressions (check_expr.cpp, check_binary.cpp)
    Operand check(ast::ExprId id);
    Operand checkFor(ast::ExprId id, const Destination& destination);
    Operand checkNode(ast::ExprId id, const ast::Expr& expr);
    Operand bytesFor(const std::string& text, SourceRange range, const Destination& destination);
    Operand arrayFor(const ast::ArrayLiteral& node, SourceRange range,
                     const Destination& destination);
    Operand arrayLiteral(const ast::ArrayLiteral& node, SourceRange range);
    struct ListBuilder;
    Operand finishList(ListBuilder& list, hir::TypeId type, SourceRange range);
    Operand unary(ast::UnaryOp op, Operand operand, SourceRange range);
    Operand unaryInteger(ast::UnaryOp op, Operand operand, SourceRange range);
    Operand conditional(const ast::Conditional& node, SourceRange range);
    Operand binarySpine(ast::ExprId id);
    Operand binary(ast::BinaryOp op, SourceRange opRange, Operand left, Operand right,
                   SourceRange range, std::size_t siteBegin);
    Operand arithmetic(hir::BinaryOp op, Operand left, Operand right, SourceRange range,
                       std::size_t siteBegin);
    Operand foldIntegers(hir::BinaryOp op, const Operand& left, const Operand& right,
                         hir::TypeId type, bool unsized, SourceRange range);
    Operand shift(hir::BinaryOp op, Operand left, Operand right, SourceRange range,
                  std::size_t siteBegin);
    Operand comparison(hir::BinaryOp op, SourceRange opRange, Operand left, Operand right,
                       SourceRange range);
    Operand logical(hir::BinaryOp op, SourceRange opRange, Operand left, Operand right,
                    SourceRange range);
    Operand floats(hir::BinaryOp op, Operand left, Operand right, SourceRange range);
    void adaptPatterns(hir::BinaryOp op, Operand& left, Operand& right);
    bool adaptFloats(Operand& left, Operand& right);
    void adaptUndefined(Operand& left, Operand& right);
    void warnMixed(const ast::Binary& node);
    bool operandsAreValues(const Operand& left, const Operand& right);

    // ---- warnings by intervals (judgements.cpp). Named constants configure a design, so that what
    // they decide is no mistake: `mark` is namedConstants_ before the operands were checked.
    void judgeComparison(const ast::Binary& node, const Operand& left, const Operand& right,
                         std::size_t mark);
    void judgeCondition(ast::ExprId expr, const Operand& condition, bool isTrueMeant);
    void judgeStored(const Operand& operand, hir::TypeId type, std::size_t mark);
    void judgeIndex(const Operand& index, std::uint64_t count, std::size_t mark);
    void judgeLoop(const ast::For& node, const Operand& from, const Operand& to, SourceRange range);
    void judgeReachable(const hir::Block& block);
    void judgeAssertions();
    bool isLiteral(ast::ExprId id) const;

    // ---- names (check_names.cpp, check_paths.cpp)
    Operand name(ast::ExprId id, const std::string& text, SourceRange range);
    Operand symbolOperand(Symbol& symbol, SourceRange range, ast::ExprId id);
    Operand constantSymbol(Symbol& symbol, ast::ExprId id, SourceRange range);
    Operand enumMember(Symbol& symbol, const ast::Identifier& member, SourceRange range);
    void reportUnknown(std::string_view name, SourceRange range);
    Operand bareEnumMember(const std::string& text, SourceRange range, bool& found);
    Operand member(ast::ExprId id, const ast::Member& node, SourceRange range);
    Operand memberOf(Operand base, const ast::Identifier& name, SourceRange range);
    Operand fieldOf(Operand bus, const ast::Identifier& name, SourceRange range);
    Operand index(ast::ExprId id, const ast::Index& node, SourceRange range);
    Operand indexOf(Operand base, ast::ExprId index, SourceRange range);
    Operand busElement(Operand bus, ast::ExprId index, SourceRange range, bool isTarget);
    hir::ExprId elementOffset(Operand& index, std::uint64_t count, std::uint64_t stride,
                              SourceRange range);
    hir::ExprId elementExpr(const Operand& bus);
    std::optional<Operand> checkedIndex(ast::ExprId expr, std::uint64_t count,
                                        const std::string& what, std::string_view unit);
    hir::ExprId useIndex(Operand& index, std::uint64_t count);
    Operand elementOf(Operand base, ast::ExprId index, SourceRange range);
    Operand bitOfInteger(Operand base, ast::ExprId index, SourceRange range);
    std::optional<Operand> indexValue(ast::ExprId expr);
    bool isSliceable(const Operand& base, SourceRange range);
    Operand slice(const ast::Slice& node, SourceRange range);
    Operand slice(const ast::IndexedSlice& node, SourceRange range);
    /// Bits of an integer, numbered from 0.
    struct BitRange {
        std::uint32_t high;
        std::uint32_t low;
    };
    Operand sliceOfInteger(const Operand& base, const BitRange& bits, SourceRange range);
    /// Bits from `low` on, which may be known only while the simulation runs.
    struct IndexedBits {
        Operand low;
        std::uint32_t width;
        /// Nothing where the first bit may differ from instance to instance, or later.
        std::optional<BitRange> known() const;
    };
    std::optional<BitRange> sliceBounds(const ast::Slice& node, std::uint32_t width,
                                        const std::string& what);
    std::optional<IndexedBits> indexedBits(const ast::IndexedSlice& node, std::uint32_t width,
                                           const std::string& what);
    Local* findLocal(std::string_view name);
    /// A module-level name, `alias.name`, or null; reports only an unknown name behind an alias.
    Symbol* symbolAt(ast::ExprId id, bool& failed);
    const ast::Name* rootOf(ast::ExprId id) const;
    bool startsOutside(ast::ExprId id);
    /// The bus at the start of a path that leaves the process; the nodes behind it go to `rest`,
    /// innermost first.
    Operand busPath(ast::ExprId id, std::vector<ast::ExprId>& rest);
    Operand pathOperand(ast::ExprId id);

    Operand referenceTo(ast::ExprId id, const ResolvedPath& path);
    Operand busOperand(std::uint32_t port, SourceRange range);
    std::optional<std::uint32_t> fieldIndex(const Operand& bus, const ast::Identifier& name);
    hir::TypeId writtenType(const ast::TypeExpr& type);
    hir::TypeId namedType(const ast::NamedType& node, SourceRange range);
    hir::TypeId sizedType(const ast::SizedType& node, SourceRange range);
    hir::TypeId arrayType(const ast::ArrayType& node, SourceRange range);
    hir::TypeId typeOf(const ast::TypeOf& node);
    hir::TypeId rangedType(hir::TypeId base, const ast::RangeBound& bound, SourceRange range);
    Operand readVar(hir::VarId var, SourceRange range);
    Operand notConstant(std::string_view what, std::string_view name, SourceRange range);

    // ---- elements of array ports (port_elements.cpp)
    struct LoopBounds {
        hir::LoopKind kind;
        hir::ExprId from, to;
    };
    bool shapesElements(bool isTarget) const;
    void noteRead(const Operand& bus, std::uint32_t field);
    void noteElement(ElementUses& uses, const Operand& bus, bool isTarget);
    class Unroller;

    // ---- calls (check_call.cpp, check_builtins.cpp)
    Operand call(ast::ExprId id, const ast::Call& node, SourceRange range);
    Operand cast(const ast::Call& node, hir::TypeId type, SourceRange range);
    Operand castTo(Operand operand, hir::TypeId type, SourceRange range);
    bool castAllowed(const Operand& operand, hir::TypeId type, SourceRange range);
    Operand structLiteral(const ast::Call& node, hir::TypeId type, SourceRange range);
    Operand callFunction(Symbol& symbol, const ast::Call& node, SourceRange range);
    Operand foldCall(const FunctionVersion& version, const std::vector<Operand>& arguments,
                     SourceRange range, bool& folded);
    std::optional<std::vector<ast::ExprId>> orderArguments(const ast::Call& node,
                                                           const std::vector<std::string>& names,
                                                           std::string_view what,
                                                           SourceRange range);
    Operand builtinCall(const std::string& name, const ast::Call& node, SourceRange range,
                        bool& known);
    Operand lengthOf(const ast::Call& node, SourceRange range);
    Operand clog2(const ast::Call& node, SourceRange range);
    Operand concatenation(const ast::Call& node, SourceRange range);
    Operand repetition(const ast::Call& node, SourceRange range);
    Operand extreme(hir::Builtin builtin, const ast::Call& node, SourceRange range);
    Operand bitCount(hir::Builtin builtin, const ast::Call& node, SourceRange range);
    Operand clock(hir::Builtin builtin, const ast::Call& node, SourceRange range);
    bool takes(std::string_view name, const ast::Call& node, std::size_t count, SourceRange range);
    Operand integerArgument(std::string_view name, ast::ExprId argument, bool boolToo = false);
    Operand foldOrEmit(hir::Builtin builtin, std::vector<Operand> arguments, std::uint32_t count,
                       hir::TypeId type, Interval interval, SourceRange range);

    // ---- storing (convert.cpp, sites.cpp)
    /// The value as part of the body, ready to be stored there; invalid after an error.
    hir::ExprId store(Operand operand, const Destination& destination);
    bool convert(Operand& operand, const Destination& destination);
    bool convertConstant(Operand& operand, const Destination& destination);
    bool convertInteger(Operand& operand, const Destination& destination);
    bool convertValue(Operand& operand, const Destination& destination);
    bool narrowConstant(Operand& operand, const Destination& destination);
    bool fillArray(Operand& operand, const Destination& destination);
    void reportMismatch(const Operand& operand, const Destination& destination);
    std::string typeName(const Operand& operand);
    std::string described(const Operand& operand);
    Operand dataFile(const ast::Call& node, SourceRange range, const Destination& destination);
    bool isDataFile(ast::ExprId id);
    hir::ExprId use(Operand& operand, SiteNeeds needs = {});
    hir::ExprId
    leaf(Operand& operand);  ///< an operand of an operator: counts by its width when unsized
    std::uint32_t column(const Operand& operand, hir::TypeId type, const SiteNeeds& needs);
    void dependOn(const Operand& operand);
    void upgradeSites(std::size_t begin);
    hir::ExprId emit(hir::TypeId type, SourceRange range, decltype(hir::Expr::node) node);
    Operand valueOperand(hir::ExprId id, hir::TypeId type, SourceRange range);
    Operand integerValue(hir::ExprId id, hir::TypeId type, SourceRange range, Interval interval,
                         bool wide);
    Operand constantOperand(hir::Value value, hir::TypeId type, SourceRange range);
    Operand unsizedConstant(hir::Integer value, SourceRange range);
    void merge(Operand& result, const Operand& part);
    Operand fail(Failure failure, SourceRange range, const Operand& substitute);
    /// Tells apart what needs more than kMaxBits bits when `bits` of the value are wanted
    /// (kAllBits: all).
    bool demand(const Operand& operand, std::uint64_t bits);
    bool demand(hir::ExprId id, std::uint64_t bits);
    hir::ExprId culpritOf(const hir::BinaryExpr& node) const;
    std::uint32_t widthOf(hir::TypeId type) const;
    static constexpr std::uint64_t kAllBits = UINT64_MAX;

    // ---- statements (check_stmt.cpp, check_flow.cpp, check_text.cpp, check_place.cpp)
    hir::Block block(const ast::Block& block);
    void statement(const ast::Stmt& statement, hir::Block& out);
    void variable(const ast::VarDecl& decl, SourceRange range, hir::Block& out);
    void assign(const ast::Assign& node, SourceRange range, hir::Block& out);
    void assignCompound(const ast::Assign& node, Target& target, SourceRange range,
                        hir::Block& out);
    void assignBus(Target& target, const ast::Assign& node, SourceRange range, hir::Block& out);
    hir::ShapeId fieldsOf(std::uint32_t port);
    void copyField(const Operand& to, const Operand& from, const hir::FieldShape& field,
                   SourceRange range, hir::Block& out);
    std::optional<Target> target(ast::ExprId id);
    std::optional<Target> targetName(const std::string& text, SourceRange range);
    std::optional<Target> targetStep(Target base, ast::ExprId id);
    std::optional<Target> targetMember(Target base, const ast::Identifier& name, SourceRange range);
    std::optional<Target> targetIndex(Target base, ast::ExprId index, SourceRange range);
    bool isSliceable(const Target& base, SourceRange range);
    std::optional<Target> targetSlice(Target base, const ast::Slice& node, SourceRange range);
    std::optional<Target> targetSlice(Target base, const ast::IndexedSlice& node,
                                      SourceRange range);
    Target slicedTarget(Target base, hir::PlaceStep step, std::uint32_t width);
    bool writeField(const Operand& bus, std::uint32_t field, SourceRange range);
    bool mayWrite(const hir::Port& port, bool flip) const;
    Operand readBack(const Target& target);
    hir::ExprId condition(ast::ExprId expr, Operand* checked = nullptr);
    void conditional(const ast::If& node, SourceRange range, hir::Block& out);
    void loop(const ast::For& node, SourceRange range, hir::Block& out);
    bool loopBound(Operand& operand, hir::TypeId& type);
    void loop(const ast::While& node, SourceRange range, hir::Block& out);
    void choose(const ast::Switch& node, SourceRange range, hir::Block& out);
    struct Labels {
        Operand subject;
        struct Place {
            hir::Integer high;
            SourceRange range;
        };
        std::map<hir::Integer, Place> places;                      ///< by their lowest values
        std::vector<std::pair<std::size_t, Operand>> perInstance;  ///< with the number of the case
    };
    bool labelFits(const Operand& label, const Operand& subject);
    bool take(Labels& labels, const hir::Integer& low, const hir::Integer& high, SourceRange range,
              const std::string& shown);
    void addLabel(ast::ExprId id, Labels& labels, hir::Switch& out);
    void addRange(const ast::CaseLabel& range, Labels& labels, hir::Switch& out);
    bool coversAll(const Labels& labels) const;
    void finishLabels(Labels& labels, hir::Switch& out);
    void warnUncovered(const ast::Switch& node, const Operand& subject, const hir::Switch& out,
                       SourceRange range);
    void leave(const ast::Stmt& statement, hir::Block& out);
    void giveBack(const ast::Return& node, SourceRange range, hir::Block& out);
    void trace(const ast::Trace& node, SourceRange range, hir::Block& out);
    void assertion(const ast::Assert& node, SourceRange range, hir::Block& out);
    void cover(const ast::Cover& node, SourceRange range, hir::Block& out);
    void stop(const ast::Stop& node, SourceRange range, hir::Block& out);
    void wait(const ast::Wait& node, SourceRange range, hir::Block& out);
    void waitUntil(const ast::WaitUntil& node, SourceRange range, hir::Block& out);
    bool canWait(SourceRange range);
    Operand constantOrUndefined(ast::ExprId id);
    std::optional<hir::Text> text(ast::ExprId format, const std::vector<ast::ExprId>& arguments,
                                  SourceRange range);
    bool placeholderFits(const hir::FormatSpec& spec, const Operand& argument);
    hir::VarId declare(const ast::Identifier& name, hir::TypeId type, hir::VarKind kind);
    void leaveScope(std::size_t begin);

    // ---- processes (check_process.cpp, unused.cpp)
    void addPorts(const std::vector<PortInput>& inputs);
    void addVariables(const ast::ProcDecl& decl, Scope& scope, CheckedProcess& result);
    void initialValue(const ast::VarDecl& decl, hir::TypeId type, CheckedProcess& result);
    void finishPorts();
    void finishSites(CheckedProcess& result);
    void warnUnused(const ast::ProcDecl& decl);

    // ---- extern (foreign.cpp)
    /// Beside the module, or in a folder of -I.
    std::optional<std::string> findFile(const std::string& name) const;
    bool findHeader(const std::string& name, SourceRange range, hir::Foreign& foreign);
    bool checkBodies(const ast::ProcDecl& decl, hir::Foreign& foreign);
    class ForeignBody;
    void foreignBody(const ast::ProcDecl& decl, CheckedProcess& result);

    Core& core_;
    const Scope* scope_;
    const ast::Module& module_;
    Mode mode_;
    hir::Body body_;
    hir::ProcKind kind_ = hir::ProcKind::Clocked;
    const ast::ProcDecl* process_ = nullptr;
    PathResolver* paths_ = nullptr;
    hir::TypeId result_;  ///< of a function
    std::string functionName_;

    std::vector<Local> locals_;  ///< innermost last
    std::vector<std::size_t> scopeStarts_;
    std::vector<hir::Port> ports_;
    std::vector<bool> isOut_;  ///< parallel to ports_
    std::unordered_map<std::string, std::uint32_t> portNames_;
    std::unordered_map<std::string, std::uint32_t> references_;
    std::vector<ExprRef> referencePaths_;
    std::vector<std::vector<FieldUses>> elementUses_;  ///< parallel to the fields of ports_
    std::unordered_map<std::uint32_t, LoopBounds> loopBounds_;  ///< by the loop's variable

    std::vector<ExprRef> touched_;  ///< uses of the instance's constants
    std::vector<ExprRef> dependencies_;
    std::vector<ConstantSite> sites_;
    std::vector<hir::SpecConstant> columns_;
    std::unordered_map<std::string, std::uint32_t> columnOf_;
    std::size_t upgradedFrom_ = 0, upgradedTo_ = 0;
    std::unordered_map<const Symbol*, hir::ExprId>
        tables_;                              ///< constant arrays already in the body
    std::unordered_set<std::uint32_t> wide_;  ///< expressions whose interval is unbounded

    int constantOnly_ = 0;  ///< inside an expression that must be constant
    int typeOnly_ = 0;      ///< inside len(e) or type(e): nothing is read
    int unevaluated_ =
        0;  ///< inside an operand that is not evaluated: constant failures are no errors
    int assertions_ = 0;              ///< inside a condition that is meant to hold always
    std::size_t namedConstants_ = 0;  ///< uses of named constants so far
    int loopDepth_ = 0;
    std::uint32_t covers_ = 0;
};

}  // namespace smec::sema
