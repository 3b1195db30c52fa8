#include "lower/body/writer.h"

#include <algorithm>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "source/overloaded.h"

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

/// Of a statement whose blocks take `inner` rounds when they are run once.
std::uint64_t uncountedRounds(const ir::Stmt& stmt, std::uint64_t inner) {
    return smec::visit(
        Overloaded{
            [&](const ir::For& n) {
                return n.rounds ? saturatingMul(*n.rounds, saturatingAdd(inner, 1)) : inner;
            },
            [&](const ir::AnyOf<ir::If, ir::Switch, ir::Loop> auto&) { return inner; },
            [](const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray, ir::Check, ir::CountRound,
                               ir::Break, ir::Continue, ir::Call, ir::Return, ir::Trace,
                               ir::Stop> auto&) { return std::uint64_t{0}; },
        },
        stmt.node);
}

/// At most so many rounds of counted loops with known bounds.
std::uint64_t uncountedRounds(const ir::Block& block) {
    std::uint64_t sum = 0;
    for (const ir::Stmt& stmt : block) {
        std::uint64_t inner = 0;
        ir::forEachBlock(
            stmt, [&](const ir::Block& b) { inner = saturatingAdd(inner, uncountedRounds(b)); });
        sum = saturatingAdd(sum, uncountedRounds(stmt, inner));
    }
    return sum;
}

}  // namespace

Writer::Writer(Context& context, ir::Body& body, ir::Body& sites, const ir::Leaves& leaves)
    : context_(context),
      body_(body),
      sites_(sites),
      leaves_(leaves),
      builder_(body, leaves),
      block_(&body.statements) {}

void Writer::finish() {
    limitLoops();
    narrowLongTemps();
}

std::uint32_t Writer::addTrace(ir::TraceSite site) {
    effects_.usesOwner = true;
    effects_.mayTrace = true;
    sites_.traces.push_back(std::move(site));
    return static_cast<std::uint32_t>(sites_.traces.size() - 1);
}

ir::LocalId Writer::temp(const ir::Scalar& type, const std::string& name) {
    const ir::LocalId id{static_cast<std::uint32_t>(body_.locals.size())};
    body_.locals.push_back({name, ir::LocalKind::Temp, {type, 0}, 0, std::nullopt, name == "t"});
    return id;
}

std::vector<ir::LocalId>& Writer::tempsFor(hir::TypeId type) {
    std::vector<ir::LocalId>& result = temps_.emplace_back();
    for (const Leaf& leaf : context_.layouts.of(type)) {
        result.push_back({static_cast<std::uint32_t>(body_.locals.size())});
        body_.locals.push_back({"t" + leaf.path, ir::LocalKind::Temp, storageOf(leaf), 0,
                                context_.trustedRange(leaf.type), true});
    }
    return result;
}

ir::LocalId Writer::tempFor(ir::ExprId a, ir::ExprId b) {
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

ir::ExprId Writer::held(ir::ExprId value, SourceRange range) {
    if (builder_.integer(value)) return value;
    const ir::LocalId local = tempFor(value, value);
    set(range, local, {}, value);
    return builder_.read(local);
}

/// Loops whose rounds may add up to more than the limit are counted, all of them.
void Writer::limitLoops() {
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
void Writer::narrowLongTemps() {
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

bool Writer::narrow(ir::LocalId local, std::uint32_t width) {
    ir::Scalar& type = body_.locals[local.index].type.scalar;
    if (width == 0 || width >= type.width) return false;
    type = {ir::ScalarKind::Int, false, width};
    ir::forEachStmt(body_.statements, [&](ir::Stmt& stmt) {
        if (auto* store = std::get_if<ir::Set>(&stmt.node); store && store->local == local)
            store->value = builder_.wrap(store->value, width, false);
    });
    return true;
}

std::uint32_t Writer::addSite(ir::FailSite site) {
    effects_.usesOwner = true;
    effects_.mayFail = true;
    sites_.fails.push_back(std::move(site));
    return static_cast<std::uint32_t>(sites_.fails.size() - 1);
}

/// As 128-bit two's complement, unless only an unsigned one holds it.
ir::ArgFormat Writer::numberFormat(ir::ExprId value) const {
    const bool isSigned =
        body_[value].type != ir::ExprType::Int || ir::bitsOf(builder_.interval(value), true) <= 128;
    return {body_[value].type, isSigned, 64, std::nullopt};
}

/// Nothing where `ok` is known to hold.
void Writer::check(ir::ExprId ok, ir::FailSite site, std::vector<ir::ExprId> args,
                   SourceRange range) {
    const bool* known = builder_.boolean(ok);
    if (known && *known) return;
    if (site.text.args.empty()) {
        for (ir::ExprId arg : args)
            site.text.args.push_back(numberFormat(arg));
    }
    emit(range, ir::Check{ok, addSite(std::move(site)), std::move(args)});
}

}  // namespace smec::lower
