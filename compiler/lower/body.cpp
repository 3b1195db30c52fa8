#include "lower/body.h"

#include <utility>

#include "hir/visit.h"
#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/internal_error.h"

namespace smec::lower {

namespace {

/// Values of more bits are kept in limbs.
constexpr std::uint32_t kLongBits = 128;

std::uint64_t saturatingMul(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}
std::uint64_t saturatingAdd(std::uint64_t a, std::uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/// At most so many rounds of counted loops with known bounds.
std::uint64_t uncountedRounds(const ir::Block& block) {
    std::uint64_t sum = 0;
    for (const ir::Stmt& stmt : block) {
        std::uint64_t inner = 0;
        ir::forEachBlock(
            stmt, [&](const ir::Block& b) { inner = saturatingAdd(inner, uncountedRounds(b)); });
        const auto* loop = std::get_if<ir::For>(&stmt.node);
        if (loop && loop->rounds) inner = saturatingMul(*loop->rounds, saturatingAdd(inner, 1));
        sum = saturatingAdd(sum, inner);
    }
    return sum;
}

/// Marks the variables that the block's statements store to.
void collectAssigned(const hir::Block& block, std::vector<bool>& assigned) {
    for (const hir::Stmt& stmt : block) {
        const auto* store = std::get_if<hir::Assign>(&stmt.node);
        const auto* var = store ? std::get_if<hir::VarId>(&store->place.root) : nullptr;
        if (var) assigned[var->index] = true;
        hir::forEachBlock(stmt, [&](const hir::Block& inner) { collectAssigned(inner, assigned); });
    }
}

}  // namespace

BodyLowering::BodyLowering(Context& context, const ClassShape& shape, const hir::Body& source,
                           ir::Body& body, ir::Body& sites, const hir::Function* function,
                           const ir::Leaves& leaves)
    : context_(context),
      shape_(shape),
      source_(source),
      body_(body),
      sites_(sites),
      function_(function),
      leaves_(leaves),
      builder_(body, leaves),
      block_(&body.statements) {}

void BodyLowering::run() {
    declareVariables();
    if (function_) {
        ownAssignedParameters();
    } else {
        declareHidden();
        declareOutputs();
        startVariables();
    }
    if (source_.canWait)
        runStates();
    else
        statements(source_.statements);
    limitLoops();
    narrowLongTemps();
}

void BodyLowering::declareVariables() {
    std::uint32_t stateSlot = 0;
    for (const hir::Variable& variable : source_.vars)
        declare(variable, stateSlot);
}

void BodyLowering::declare(const hir::Variable& variable, std::uint32_t& stateSlot) {
    const auto number = static_cast<std::uint32_t>(vars_.size());
    const auto kept = function_ ? shape_.keptSlots.end() : shape_.keptSlots.find(number);
    const bool isKept = kept != shape_.keptSlots.end();
    std::uint32_t keptSlot = isKept ? kept->second : 0;
    std::uint32_t& slot = isKept ? keptSlot : stateSlot;
    const bool isState = variable.kind == hir::VarKind::Process || isKept;
    const bool isParam = variable.kind == hir::VarKind::Param;
    std::vector<ir::LocalId>& leaves = vars_.emplace_back();
    for (const Leaf& leaf : context_.layouts.of(variable.type)) {
        const ir::LocalKind kind = isState   ? ir::LocalKind::State
                                   : isParam ? ir::LocalKind::Param
                                             : ir::LocalKind::Temp;
        leaves.push_back({static_cast<std::uint32_t>(body_.locals.size())});
        body_.locals.push_back({variable.name + leaf.path, kind, storageOf(leaf),
                                isState ? slot++ : 0, context_.trustedRange(leaf.type)});
    }
}

/// Parameters do not change in the IR: what a function assigns to is a variable of its own.
void BodyLowering::ownAssignedParameters() {
    std::vector<bool> assigned(source_.vars.size());
    collectAssigned(source_.statements, assigned);
    for (std::uint32_t i = 0; i < function_->paramCount; ++i) {
        if (!assigned[i]) continue;
        const hir::Variable& variable = source_.vars[i];
        const std::vector<ir::LocalId> given = std::exchange(vars_[i], {});
        for (const Leaf& leaf : context_.layouts.of(variable.type)) {
            vars_[i].push_back({static_cast<std::uint32_t>(body_.locals.size())});
            body_.locals.push_back({variable.name + leaf.path, ir::LocalKind::Temp, storageOf(leaf),
                                    0, context_.trustedRange(leaf.type)});
        }
        const Part from{Part::Locals{&given}, variable.type, variable.type, 0, {}, {}};
        copy(this->variable({i}), from, variable.range);
    }
}

void BodyLowering::declareHidden() {
    const ir::Class& cls = context_.out.classes[shape_.id.index];
    const std::uint32_t end = shape_.firstHidden + shape_.hiddenCount;
    for (std::uint32_t slot = shape_.firstHidden; slot < end; ++slot) {
        const ir::Plane& plane = context_.out.planes[cls.state[slot].index];
        hidden_.push_back({static_cast<std::uint32_t>(body_.locals.size())});
        body_.locals.push_back({plane.name, ir::LocalKind::State, plane.type, slot, std::nullopt});
    }
    std::size_t next = (shape_.usesRandom ? 1 : 0) + cls.covers.size();
    if (source_.canWait) {
        state_ = hidden_[next++];
        if (shape_.waits.counts) waitCount_ = hidden_[next++];
        for (const hir::For* loop : shape_.waits.loops)
            lastValues_[loop] = hidden_[next++];
    }
    for (std::size_t i = 0; i < cls.covers.size(); ++i) {
        covered_.push_back(temp({ir::ScalarKind::Bool, false, 1}, "covered"));
        set(cls.range, covered_.back(), {}, builder_.constant(false));
    }
}

/// The variables of a combinational process begin anew at every run.
void BodyLowering::startVariables() {
    for (std::uint32_t i = 0; i < shape_.starts.size(); ++i) {
        const hir::Variable& variable = source_.vars[i];
        Part from{Part::PerInstance{&shape_.starts[i]}, variable.type, variable.type, 0, {}, {}};
        if (shape_.starts[i].uniform) from.root = Part::Fixed{shape_.starts[i].uniform};
        copy(this->variable({i}), from, variable.range);
    }
}

void BodyLowering::declareOutputs() {
    const ir::Class& cls = context_.out.classes[shape_.id.index];
    for (std::size_t p = 0; p < shape_.spec->ports.size(); ++p) {
        const auto& fields = context_.hir.shapes[shape_.spec->ports[p].shape.index].fields;
        auto& ofPort = outputs_.emplace_back(fields.size());
        for (std::size_t f = 0; f < fields.size(); ++f) {
            std::uint32_t slot = shape_.outputs[p][f];
            if (slot == kNone) continue;
            for (const Leaf& leaf : context_.layouts.of(fields[f].type)) {
                ofPort[f].push_back({static_cast<std::uint32_t>(body_.locals.size())});
                const auto range = context_.trustedRange(leaf.type);
                body_.locals.push_back(
                    {cls.outputs[slot].name, ir::LocalKind::Output,
                     context_.out.planes[cls.outputs[slot].plane.index].ownType(), slot, range});
                ++slot;
            }
        }
    }
}

ir::LocalId BodyLowering::temp(const ir::Scalar& type, const std::string& name) {
    const ir::LocalId id{static_cast<std::uint32_t>(body_.locals.size())};
    body_.locals.push_back({name, ir::LocalKind::Temp, {type, 0}, 0, std::nullopt, name == "t"});
    return id;
}

std::vector<ir::LocalId>& BodyLowering::tempsFor(hir::TypeId type) {
    std::vector<ir::LocalId>& result = temps_.emplace_back();
    for (const Leaf& leaf : context_.layouts.of(type)) {
        result.push_back({static_cast<std::uint32_t>(body_.locals.size())});
        body_.locals.push_back({"t" + leaf.path, ir::LocalKind::Temp, storageOf(leaf), 0,
                                context_.trustedRange(leaf.type), true});
    }
    return result;
}

ir::LocalId BodyLowering::tempFor(ir::ExprId a, ir::ExprId b) {
    switch (body_[a].type) {
    case ir::ExprType::Bool: return temp({ir::ScalarKind::Bool, false, 1});
    case ir::ExprType::F32: return temp({ir::ScalarKind::F32, true, 32});
    case ir::ExprType::F64: return temp({ir::ScalarKind::F64, true, 64});
    case ir::ExprType::Int: break;
    }
    const ir::Interval all = ir::hull(builder_.interval(a), builder_.interval(b));
    const bool isSigned = all.low < 0;
    const ir::Scalar type{ir::ScalarKind::Int, isSigned, ir::bitsOf(all, isSigned)};
    const ir::LocalId local = temp(type);
    if (type.width > kLongBits) longTemps_.push_back(local);
    return local;
}

ir::ExprId BodyLowering::held(ir::ExprId value, SourceRange range) {
    if (builder_.integer(value)) return value;
    const ir::LocalId local = tempFor(value, value);
    set(range, local, {}, value);
    return builder_.read(local);
}

/// Loops whose rounds may add up to more than the limit are counted, all of them.
void BodyLowering::limitLoops() {
    if (uncountedRounds(body_.statements) <= kUncountedRounds) return;
    ir::forEachStmt(body_.statements, [&](ir::Stmt& stmt) {
        auto* loop = std::get_if<ir::For>(&stmt.node);
        if (!loop || !loop->rounds) return;
        loop->rounds.reset();
        const std::uint32_t site = addSite(failSite(ir::FailureKind::LoopLimit, stmt.range));
        loop->body.insert(loop->body.begin(), {stmt.range, ir::CountRound{site}});
    });
}

/// Long temporaries keep what is looked at of them:  u8(c ? x << n : f(y))  needs eight bits of the
/// shift.
void BodyLowering::narrowLongTemps() {
    constexpr int kRounds = 4;  // one for each choice within a choice
    static const std::vector<ir::Column> noColumns;
    static const std::vector<ir::Input> noInputs;
    bool changed = !longTemps_.empty();
    for (int round = 0; changed && round < kRounds; ++round) {
        const auto intervals =
            ir::intervals(body_, leaves_.columns ? *leaves_.columns : noColumns,
                          leaves_.inputs ? *leaves_.inputs : noInputs, context_.out);
        const auto demanded = ir::demandedBits(body_, intervals);
        std::vector<std::uint32_t> wanted(body_.locals.size(), 0);
        for (std::size_t i = 0; i < demanded.size(); ++i) {
            if (const auto* read = std::get_if<ir::ReadLocal>(&body_.exprs[i].node))
                wanted[read->local.index] = std::max(wanted[read->local.index], demanded[i]);
        }
        changed = false;
        for (const ir::LocalId local : longTemps_)
            changed = narrow(local, wanted[local.index]) || changed;
    }
}

bool BodyLowering::narrow(ir::LocalId local, std::uint32_t width) {
    ir::Scalar& type = body_.locals[local.index].type.scalar;
    if (width == 0 || width >= type.width) return false;
    type = {ir::ScalarKind::Int, false, width};
    ir::forEachStmt(body_.statements, [&](ir::Stmt& stmt) {
        if (auto* store = std::get_if<ir::Set>(&stmt.node); store && store->local == local)
            store->value = builder_.wrap(store->value, width, false);
    });
    return true;
}

}  // namespace smec::lower
