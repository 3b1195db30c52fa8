#pragma once

#include <deque>
#include <utility>

#include "ir/builder.h"
#include "lower/context.h"

namespace smec::lower {

/// Rounds of loops between constants that one activation may do uncounted: the default of
/// --loop-limit.
inline constexpr std::uint64_t kUncountedRounds = 1'000'000'000;

/// A value, or a part of one, where it lies: the leaves of `type` behind `leaf`, at `indices`.
///   trail[k].x  ->  root: the locals of trail; leaf 0; indices {k}
struct Part {
    struct Locals {
        const std::vector<ir::LocalId>* leaves;
    };
    struct Inputs {
        std::uint32_t first;
    };
    struct Fixed {
        const hir::Value* value;
        std::string name{};  ///< in the source, where it has one
    };
    struct PerInstance {
        const ConstantSource* constant;
    };
    std::variant<Locals, Inputs, Fixed, PerInstance> root;
    hir::TypeId rootType;
    hir::TypeId type;
    std::uint32_t leaf = 0;
    std::vector<ir::ExprId> indices;
    ir::ExprId element{};  ///< of an array port with several elements
    ir::ExprId inside{};   ///< unchecked: whether every index is in range (those that are not were
                           ///< replaced by 0); invalid: all are
};

/// Lowers one body: of a process, or of a function for the processes of a class. Expressions become
/// pure IR expressions; whatever can fail or has an effect becomes statements in front of the one
/// that uses it.
class BodyLowering {
public:
    /// `shape`: the class whose process this is, or on whose behalf the function is lowered.
    /// `sites`: the class's body, which owns the traces and failures. `function`: null for a
    /// process.
    BodyLowering(Context& context, const ClassShape& shape, const hir::Body& source, ir::Body& body,
                 ir::Body& sites, const hir::Function* function, const ir::Leaves& leaves);
    void run();
    bool usesOwner() const { return usesOwner_; }  ///< has sites, or calls a function that does
    bool mayFail() const { return mayFail_; }
    bool mayTrace() const { return mayTrace_; }

private:
    // ---- variables and blocks (body.cpp)
    void declareVariables();
    void declareOutputs();
    void ownAssignedParameters();
    void declareHidden();
    void startVariables();
    void declare(const hir::Variable& variable, std::uint32_t& stateSlot);
    ir::LocalId temp(const ir::Scalar& type, const std::string& name = "t");
    /// A temporary that holds the values of both.
    ir::LocalId tempFor(ir::ExprId a, ir::ExprId b);
    ir::ExprId held(ir::ExprId value,
                    SourceRange range);  ///< stored in a temporary, unless it is a constant
    std::vector<ir::LocalId>& tempsFor(hir::TypeId type);
    void emit(SourceRange range, decltype(ir::Stmt::node) node) {
        block_->push_back({range, std::move(node)});
    }
    void set(SourceRange range, ir::LocalId local, ir::ExprId index, ir::ExprId value) {
        emit(range, ir::Set{local, index, value});
    }
    template <typename F>
    ir::Block capture(F&& fill) {
        ir::Block inner;
        ir::Block* outer = std::exchange(block_, &inner);
        fill();
        block_ = outer;
        return inner;
    }
    void limitLoops();
    void narrowLongTemps();
    bool narrow(ir::LocalId local, std::uint32_t width);

    // ---- expressions (expressions.cpp, operators.cpp, builtins.cpp)
    ir::ExprId scalar(hir::ExprId id);
    ir::ExprId lower(const hir::Constant& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::BitSelect& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::SliceSelect& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::IndexedSliceSelect& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::UnaryExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::BinaryExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::ConditionalExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::CastExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::CallExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::BuiltinExpr& node, const hir::Expr& expr);
    ir::ExprId castToEnum(ir::ExprId value, hir::TypeId to, SourceRange range);
    ir::ExprId castToInt(ir::ExprId value, hir::TypeId to, SourceRange range);
    ir::ExprId castToFloat(ir::ExprId value, ir::ExprType to);
    ir::ExprId logical(bool isAnd, ir::ExprId left, hir::ExprId right, SourceRange range);
    ir::ExprId apply(const hir::BinaryExpr& node, const hir::Expr& expr, ir::ExprId left);
    ir::ExprId integerOperator(hir::BinaryOp op, ir::ExprId left, ir::ExprId right,
                               SourceRange range);
    ir::ExprId divide(hir::BinaryOp op, ir::ExprId left, ir::ExprId right, SourceRange range);
    ir::ExprId shift(hir::BinaryOp op, ir::ExprId left, ir::ExprId right, SourceRange range);
    ir::ExprId compare(hir::BinaryOp op, ir::ExprId left, ir::ExprId right);
    ir::ExprId pattern(hir::ExprId id,
                       std::uint32_t& width);  ///< unsigned, at the width of the operand type
    ir::ExprId extreme(bool isMin, ir::ExprId best, ir::ExprId other);
    ir::ExprId concatenate(const hir::BuiltinExpr& node);
    ir::ExprId random(SourceRange range);
    ir::ExprId repeatByDoubling(ir::ExprId bits, std::uint32_t width, std::uint64_t count);
    ir::ExprId constantOf(const hir::Value& value, hir::TypeId type);
    ir::ExprId constantOf(const ir::Constant& value, ir::ExprType type);
    ir::ExprId integer(const ir::Integer& value) { return builder_.constant(value); }
    hir::TypeId typeOf(hir::ExprId id) const { return source_[id].type; }
    std::uint32_t widthOf(hir::TypeId type) const;

    // ---- parts (parts.cpp)
    Part part(hir::ExprId id);
    Part variable(hir::VarId var);
    Part field(std::uint32_t port, std::uint32_t field, hir::ExprId element, bool written,
               SourceRange range);
    ir::ExprId usedIndex(const hir::Port& port, const hir::ElementSet& used, ir::ExprId element);
    void selectElement(Part& part, const hir::Port& port, const hir::ElementSet& used,
                       hir::ExprId element, SourceRange range);
    /// The index, in range behind a check; unchecked: 0 where it is not, and `inside` says so.
    ir::ExprId indexBelow(ir::ExprId index, std::uint64_t count, SourceRange range,
                          const std::string& subject, ir::ExprId& inside);
    Part element(Part base, ir::ExprId index, SourceRange range, const std::string& subject);
    Part member(Part base, std::uint32_t member);
    Part elementAt(const Part& base, std::uint64_t index);
    ir::ExprId shortIndex(ir::ExprId index);
    Part materialise(hir::ExprId id);
    Part ownPart(hir::ExprId id);
    Part callForPart(const hir::CallExpr& node, const hir::Expr& expr);
    ir::Call prepareCall(const hir::CallExpr& node);
    const Leaf& leafOf(const Part& part, std::uint32_t offset);
    std::uint64_t remaining(const Part& part,
                            const Leaf& leaf) const;  ///< elements of the leaf within the part
    /// Place of the part's first element within the leaf; invalid for scalars.
    ir::ExprId offsetOf(const Part& part, const Leaf& leaf);
    ir::ExprId read(const Part& part, std::uint32_t leaf = 0, ir::ExprId within = {});
    ir::ExprId readFixed(const Part::Fixed& root, const Part& part, std::uint32_t leaf,
                         ir::ExprId index);
    ir::ExprId readPerInstance(const ConstantSource& constant, std::uint32_t leaf,
                               ir::ExprType type, ir::ExprId index);
    std::string subjectOf(hir::ExprId id) const;
    std::string textOf(hir::ExprId id) const;  ///< source text, if at hand
    std::string nameOf(hir::ExprId id) const;

    // ---- checks (checks.cpp)
    ir::FailSite failSite(ir::FailureKind kind, SourceRange range, std::string subject = {}) const;
    void check(ir::ExprId ok, ir::FailSite site, std::vector<ir::ExprId> args, SourceRange range);
    ir::ExprId within(ir::ExprId value, const ir::Integer& low, const ir::Integer& high);
    /// The first of some bits of an integer, behind its check; `inside`: whether all of them are
    /// there, which without checks it may be asked.
    struct FirstBit {
        ir::ExprId index;
        ir::ExprId inside;
    };
    FirstBit firstBit(ir::ExprId index, std::uint32_t width, std::uint32_t bits,
                      const std::string& subject, SourceRange range);
    /// What the type holds after the value was stored: wrapped; ranged: fails outside.
    ir::ExprId fit(ir::ExprId value, hir::TypeId type, SourceRange range);
    ir::ArgFormat numberFormat(ir::ExprId value) const;
    std::uint32_t addSite(ir::FailSite site);

    // ---- stores (stores.cpp, copies.cpp)
    void assign(const hir::Assign& node, SourceRange range);
    void assignAggregate(const hir::Assign& node, SourceRange range);
    bool storeDirectly(const hir::Assign& node);
    void storeValue(const Part& to, hir::ExprId value, SourceRange range);
    void storeScalar(const Part& to, ir::ExprId value, SourceRange range);
    void storeLiteral(const Part& to, hir::ExprId value, SourceRange range);
    void storeDefault(const Part& to, SourceRange range);
    bool reads(const ir::Block& block, const std::vector<ir::LocalId>& locals) const;
    void copy(Part to, Part from, SourceRange range);
    void copyLeaf(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range);
    bool copyWhole(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range);
    void copyElements(const Part& to, const Part& from, std::uint32_t leaf, SourceRange range);
    /// Up to the first bit or slice; `steps` becomes its number (or that of all steps).
    Part target(const hir::Place& place, std::size_t& steps);
    ir::ExprId replaceBits(const Part& to, ir::ExprId& inside, const hir::Place& place,
                           std::size_t step, ir::ExprId value);
    std::string placeText(const hir::Place& place, std::size_t steps) const;
    bool isLiteral(hir::ExprId id) const;
    const std::vector<ir::LocalId>& localsOf(const Part& part) const {
        return *std::get<Part::Locals>(part.root).leaves;
    }

    // ---- statements (statements.cpp, loops.cpp, texts.cpp)
    void statements(const hir::Block& block);
    void statement(const hir::Stmt& stmt);
    void lower(const hir::Assign& node, SourceRange range) { assign(node, range); }
    void lower(const hir::InitVar& node, SourceRange range);
    void lower(const hir::If& node, SourceRange range);
    void lower(const hir::For& node, SourceRange range);
    void lower(const hir::While& node, SourceRange range);
    void lower(const hir::Switch& node, SourceRange range);
    void lower(const hir::Break& node, SourceRange range);
    void lower(const hir::Continue& node, SourceRange range);
    void lower(const hir::Return& node, SourceRange range);
    void lower(const hir::Trace& node, SourceRange range);
    void lower(const hir::Assert& node, SourceRange range);
    void lower(const hir::Cover& node, SourceRange range);
    void lower(const hir::Stop& node, SourceRange range);
    void lower(const hir::Wait& node, SourceRange range);
    void lower(const hir::WaitUntil& node, SourceRange range);
    // ---- waits (wait.cpp)
    struct Branch {
        std::uint32_t state;
        const hir::Block* block;
    };
    struct WaitLoop {
        std::uint32_t next, behind;
    };
    void runStates();
    std::uint32_t narrowHidden(ir::LocalId id, const ir::Integer& most);
    std::uint32_t newState();
    void enter(std::uint32_t state) { block_ = &states_[state]; }
    void goTo(std::uint32_t state, SourceRange range);      ///< within the activation
    void leaveFor(std::uint32_t state, SourceRange range);  ///< the next activation begins there
    void takeApart(const hir::Block& block);
    void takeApart(const hir::Stmt& stmt);
    void takeApart(const hir::While& node, SourceRange range);
    void takeApart(const hir::For& node, SourceRange range);
    void takeApart(const hir::Wait& node, SourceRange range);
    void takeApart(const hir::WaitUntil& node, SourceRange range);
    void takeChoiceApart(const hir::Stmt& stmt);
    void branch(const hir::Block& block, SourceRange range);

    void switchOnComparisons(const hir::Switch& node, ir::ExprId subject, SourceRange range,
                             std::size_t next);
    void switchOnLabels(const hir::Switch& node, ir::ExprId subject, SourceRange range);
    ir::ExprId matches(const hir::SwitchCase& choice, ir::ExprId subject);
    bool isCompared(const hir::SwitchCase& choice) const;
    std::vector<ir::Integer> listed(const hir::SwitchCase& choice) const;
    void countRound(SourceRange range);
    std::optional<std::uint64_t> roundsOf(ir::LoopKind kind, ir::ExprId from, ir::ExprId to) const;
    ir::TraceSite text(const hir::Text& text, std::vector<ir::ExprId>& args);
    std::optional<std::string> constantText(hir::ExprId id, const hir::FormatSpec& spec) const;
    void argument(hir::TypeId type, ir::ExprId value, const hir::FormatSpec& spec,
                  ir::TraceSite& site, std::vector<ir::ExprId>& args);
    void argument(const Part& part, const hir::FormatSpec& spec, ir::TraceSite& site,
                  std::vector<ir::ExprId>& args);
    ir::ArgFormat formatOf(hir::TypeId type, ir::ExprId value);

    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
    ir::Body& body_;
    ir::Body& sites_;
    const hir::Function* function_;
    ir::Leaves leaves_;
    ir::Builder builder_;
    ir::Block* block_;
    std::deque<std::vector<ir::LocalId>> vars_;   ///< by VarId; one local per leaf
    std::deque<std::vector<ir::LocalId>> temps_;  ///< of aggregates
    std::vector<std::vector<std::vector<ir::LocalId>>>
        outputs_;                      ///< [port][field]: one local per leaf
    std::vector<ir::LocalId> hidden_;  ///< State locals from ClassShape::firstHidden on
    std::deque<ir::Block> states_;
    ir::LocalId state_, waitCount_;
    ir::Integer mostWait_ = 0;            ///< largest value of waitCount_
    std::vector<ir::ExprId> fewerWaits_;  ///< where it counts down
    std::unordered_map<const hir::For*, ir::LocalId> lastValues_;
    std::vector<WaitLoop> waitLoops_;          ///< taken apart, innermost last
    std::vector<Branch>* branches_ = nullptr;  ///< of the choice being taken apart
    std::uint32_t structuredLoops_ = 0;        ///< loops that stay whole around the statement
    std::vector<ir::LocalId> covered_;         ///< by Cover: held already in this activation
    std::vector<ir::LocalId> longTemps_;  ///< scalars of many bits that no declaration asks for
    SourceRange storedAt_{};  ///< the place that an array or struct being evaluated goes to
    bool usesOwner_ = false;
    bool mayFail_ = false;
    bool mayTrace_ = false;
};

/// The function for the class, lowered at its first use.
ir::FunctionId lowerFunction(Context& context, hir::FunctionId id, const ClassShape& shape,
                             ir::Body& sites);

}  // namespace smec::lower
