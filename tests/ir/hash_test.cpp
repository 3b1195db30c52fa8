#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <set>

#include "ir/every_node.h"
#include "ir/hash.h"
#include "ir/visit.h"

using namespace smec::ir;
using namespace every;

namespace {

using Mutation = std::function<void(Design&)>;

Expr& exprOf(Design& design, std::size_t kind) {
    for (Expr& expr : design.classes[0].body.exprs)
        if (expr.node.index() == kind) return expr;
    throw std::logic_error("no such expression");
}
template <typename T>
T& expr(Design& design) {
    return std::get<T>(exprOf(design, Expr{{}, T{}}.node.index()).node);
}
/// The n-th statement of its kind.
template <typename T>
T& statement(Design& design, std::size_t n = 0) {
    for (Stmt& stmt : design.classes[0].body.statements)
        if (T* node = std::get_if<T>(&stmt.node); node && n-- == 0) return *node;
    throw std::logic_error("no such statement");
}

std::vector<Mutation> ofExpressions() {
    const ExprId other{3};
    return {
        [](Design& d) { expr<ConstInt>(d).value = 4; },
        [](Design& d) { expr<ConstInt>(d).value = Integer(1) << 100; },
        [](Design& d) { expr<ConstBool>(d).value = false; },
        [](Design& d) { expr<ConstFloat>(d).value = -1.5; },
        [](Design& d) { expr<ReadColumn>(d).column = 1; },
        [](Design& d) { expr<ReadInput>(d).input = 1; },
        [=](Design& d) { expr<ReadInput>(d).element = other; },
        [](Design& d) { expr<ReadInput>(d).element = {}; },
        [=](Design& d) { expr<ReadInput>(d).index = other; },
        [](Design& d) { expr<ReadLocal>(d).local = {1}; },
        [=](Design& d) { expr<ReadLocal>(d).index = other; },
        [](Design& d) { expr<ReadTable>(d).table = {1}; },
        [=](Design& d) { expr<ReadTable>(d).index = other; },
        [](Design& d) {
            exprOf(d, Expr{{}, Cycle{}}.node.index()).node = Seed{};
        },
        [](Design& d) { expr<Unary>(d).op = UnaryOp::BitNot; },
        [=](Design& d) { expr<Unary>(d).operand = other; },
        [](Design& d) { expr<Binary>(d).op = BinaryOp::Sub; },
        [=](Design& d) { expr<Binary>(d).left = other; },
        [=](Design& d) { expr<Binary>(d).right = other; },
        [](Design& d) { std::swap(expr<Binary>(d).left, expr<Binary>(d).right); },
        [=](Design& d) { expr<Select>(d).condition = other; },
        [=](Design& d) { expr<Select>(d).yes = other; },
        [=](Design& d) { expr<Select>(d).no = other; },
        [=](Design& d) { expr<Wrap>(d).operand = other; },
        [](Design& d) { expr<Wrap>(d).width = 9; },
        [](Design& d) { expr<Wrap>(d).isSigned = true; },
        [](Design& d) { expr<Convert>(d).op = ConvertOp::BoolToInt; },
        [=](Design& d) { expr<Convert>(d).operand = other; },
        [](Design& d) { expr<Convert>(d).width = 9; },
        [](Design& d) { expr<Convert>(d).isSigned = true; },
        [](Design& d) {
            exprOf(d, Expr{{}, ConstFloat{}}.node.index()).type = ExprType::F32;
        },
    };
}

std::vector<Mutation> ofStatements() {
    const ExprId other{3};
    const LocalId local{2};
    return {
        [=](Design& d) { statement<Set>(d).local = local; },
        [=](Design& d) { statement<Set>(d).index = other; },
        [](Design& d) { statement<Set>(d).index = {}; },
        [=](Design& d) { statement<Set>(d).value = other; },
        [=](Design& d) { statement<CopyArray>(d).to = local; },
        [=](Design& d) { statement<CopyArray>(d).from = local; },
        [](Design& d) { std::get<ReadInput>(statement<CopyArray>(d, 1).from).input = 1; },
        [=](Design& d) { std::get<ReadInput>(statement<CopyArray>(d, 1).from).element = other; },
        [](Design& d) { statement<CopyArray>(d, 2).from = TableId{1}; },
        [](Design& d) { statement<CopyArray>(d, 2).from = LocalId{0}; },
        [=](Design& d) { statement<FillArray>(d).to = local; },
        [=](Design& d) { statement<FillArray>(d).value = other; },
        [=](Design& d) { statement<Check>(d).ok = other; },
        [](Design& d) { statement<Check>(d).site = 1; },
        [=](Design& d) { statement<Check>(d).args = {other}; },
        [=](Design& d) { statement<If>(d).condition = other; },
        [](Design& d) { statement<If>(d).yes.clear(); },
        [](Design& d) { statement<If>(d).no.clear(); },
        [=](Design& d) { statement<For>(d).var = local; },
        [](Design& d) { statement<For>(d).kind = LoopKind::Down; },
        [=](Design& d) { statement<For>(d).from = other; },
        [=](Design& d) { statement<For>(d).to = other; },
        [](Design& d) { statement<For>(d).body.clear(); },
        [](Design& d) { statement<For>(d).rounds = 5; },
        [](Design& d) { statement<For>(d).rounds.reset(); },
        [](Design& d) { statement<Loop>(d).body.clear(); },
        [](Design& d) { statement<Loop>(d).isStateMachine = true; },
        [](Design& d) { statement<CountRound>(d).site = 1; },
        [=](Design& d) { statement<Switch>(d).subject = other; },
        [](Design& d) { statement<Switch>(d).cases[1].labels = {4}; },
        [](Design& d) {  // the same labels, parted otherwise
            statement<Switch>(d).cases[0].labels = {1};
            statement<Switch>(d).cases[1].labels = {2, 3};
        },
        [](Design& d) { statement<Switch>(d).cases[1].body.clear(); },
        [](Design& d) { statement<Switch>(d).otherwise.clear(); },
        [=](Design& d) { statement<Call>(d).results = {local}; },
        [](Design& d) { statement<Call>(d).function = {1}; },
        [=](Design& d) { statement<Call>(d).args = {other}; },
        [=](Design& d) { statement<Return>(d).values = {other}; },
        [](Design& d) { statement<Trace>(d).site = 1; },
        [=](Design& d) { statement<Trace>(d).args = {other}; },
        [=](Design& d) { statement<Stop>(d).status = other; },
        [](Design& d) {
            std::swap(d.classes[0].body.statements[0], d.classes[0].body.statements[1]);
        },
        [](Design& d) { d.classes[0].body.statements[11].node = Break{}; },
    };
}

std::vector<Mutation> ofBodies() {
    const auto body = [](Design& d) -> Body& { return d.classes[0].body; };
    return {
        [=](Design& d) { body(d).locals[0].name = "z"; },
        [=](Design& d) { body(d).locals[0].kind = LocalKind::Output; },
        [=](Design& d) { body(d).locals[0].type.length = 2; },
        [=](Design& d) { body(d).locals[0].slot = 1; },
        [=](Design& d) { body(d).locals[0].range->high = 8; },
        [=](Design& d) { body(d).locals[0].isHelper = true; },
        [=](Design& d) { body(d).traces[0].format = "y={}"; },
        [=](Design& d) { body(d).traces[0].args[0].type = ExprType::Bool; },
        [=](Design& d) { body(d).traces[0].args[0].isSigned = false; },
        [=](Design& d) { body(d).traces[0].args[0].bits = 9; },
        [=](Design& d) { body(d).traces[0].args[0].enumeration = 0; },
        [=](Design& d) { body(d).fails[0].kind = FailureKind::Assumption; },
        [=](Design& d) { body(d).fails[0].text.format = "too small {}"; },
        [=](Design& d) { body(d).fails[0].hasText = false; },
        [=](Design& d) { body(d).fails[0].subject = "y"; },
    };
}

std::vector<Mutation> ofClasses() {
    const auto cls = [](Design& d) -> Class& { return d.classes[0]; };
    const auto run = [](Design& d) -> Run& { return d.classes[0].inputs[0].elements[0].runs[0]; };
    return {
        [=](Design& d) { cls(d).name = "q"; },
        [=](Design& d) { cls(d).instances = 3; },
        [=](Design& d) { cls(d).combinational = true; },
        [=](Design& d) { cls(d).isDelayLine = true; },
        [=](Design& d) { cls(d).inputs[0].name = "in.w"; },
        [=](Design& d) { cls(d).inputs[0].type.scalar.width = 9; },
        [=](Design& d) { cls(d).inputs[0].range.reset(); },
        [=](Design& d) { run(d).first = 1; },
        [=](Design& d) { run(d).count = 1; },
        [=](Design& d) { run(d).plane = {1}; },
        [=](Design& d) { run(d).start = 1; },
        [=](Design& d) { run(d).stride = -1; },
        [=](Design& d) { cls(d).outputs[0].name = "out.w"; },
        [=](Design& d) { cls(d).outputs[0].plane = {1}; },
        [=](Design& d) { cls(d).outputs[0].hold = true; },
        [=](Design& d) { cls(d).state[0] = {0}; },
        [=](Design& d) { cls(d).columns[0].name = "step"; },
        [=](Design& d) { cls(d).columns[0].type.isSigned = true; },
        [=](Design& d) { cls(d).columns[0].values[1] = {Integer(3)}; },
        [=](Design& d) { cls(d).columns[0].range.high = 3; },
        [=](Design& d) { cls(d).covers[0].name = "empty"; },
        [=](Design& d) { cls(d).covers[0].counter = {0}; },
        [=](Design& d) { cls(d).runs[0].first = 1; },
        [=](Design& d) { cls(d).runs[0].count = 1; },
        [=](Design& d) { cls(d).runs[0].prefix = "t["; },
        [=](Design& d) { cls(d).runs[0].suffix.reset(); },
        [=](Design& d) { cls(d).runs[0].index = 1; },
        [=](Design& d) { cls(d).runs[0].order = 2; },
        [=](Design& d) { cls(d).runs[0].orderStride = 2; },
    };
}

std::vector<Mutation> ofFunctions() {
    const auto function = [](Design& d) -> Function& { return d.functions[0]; };
    const auto foreign = [](Design& d) -> Foreign& { return *d.functions[0].external; };
    return {
        [=](Design& d) { function(d).name = "g"; },
        [=](Design& d) { function(d).owner = {}; },
        [=](Design& d) { function(d).results[0].scalar.width = 9; },
        [=](Design& d) { function(d).paramCount = 2; },
        [=](Design& d) { function(d).body.exprs.pop_back(); },
        [=](Design& d) { function(d).mayFail = true; },
        [=](Design& d) { function(d).mayTrace = true; },
        [=](Design& d) { function(d).callsForeign = true; },
        [=](Design& d) { function(d).external.reset(); },
        [=](Design& d) { foreign(d).isProcess = true; },
        [=](Design& d) { foreign(d).isSerial = true; },
        [=](Design& d) { foreign(d).name = "fir"; },
        [=](Design& d) { foreign(d).header = "lib/fir.hpp"; },
        [=](Design& d) { foreign(d).isFile = false; },
        [=](Design& d) { foreign(d).id = 1; },
        [=](Design& d) { foreign(d).constants = 1; },
        [=](Design& d) { foreign(d).ports[0].name = "out"; },
        [=](Design& d) { foreign(d).ports[0].isArray = true; },
        [=](Design& d) { foreign(d).ports[0].elements = 2; },
        [=](Design& d) { foreign(d).ports[0].fields[0].name = "w"; },
        [=](Design& d) { foreign(d).ports[0].fields[0].shape = 1; },
        [=](Design& d) { foreign(d).ports[0].fields[0].written = true; },
    };
}

std::vector<Mutation> ofStorage() {
    const auto plane = [](Design& d) -> Plane& { return d.planes[0]; };
    return {
        [=](Design& d) { plane(d).name = "y.w"; },
        [=](Design& d) { plane(d).kind = PlaneKind::State; },
        [=](Design& d) { plane(d).type.scalar.kind = ScalarKind::Bool; },
        [=](Design& d) { plane(d).enumeration = 0; },
        [=](Design& d) { plane(d).range->low = -1; },
        [=](Design& d) { plane(d).owner = {1}; },
        [=](Design& d) { plane(d).instances = 3; },
        [=](Design& d) { plane(d).perOwner = 2; },
        [=](Design& d) { plane(d).hold = true; },
        [=](Design& d) { plane(d).combinational = true; },
        [=](Design& d) { plane(d).hidden = true; },
        [=](Design& d) { plane(d).objects = 0; },
        [=](Design& d) { plane(d).initial.perInstance = true; },
        [=](Design& d) { plane(d).initial.values.edit(1) = {Integer(8)}; },
        [=](Design& d) {
            plane(d).dimensions = {1, 2};
        },
    };
}

std::vector<Mutation> ofNames() {
    const auto name = [](Design& d) -> NameRun& { return d.names[0]; };
    const auto shape = [](Design& d) -> Shape& { return d.shapes[0]; };
    return {
        [=](Design& d) { name(d).prefix = "l["; },
        [=](Design& d) { name(d).suffix = "].w"; },
        [=](Design& d) { name(d).index = 1; },
        [=](Design& d) { name(d).count = 1; },
        [=](Design& d) { name(d).plane = {1}; },
        [=](Design& d) { name(d).start = 1; },
        [=](Design& d) { name(d).stride = 2; },
        [=](Design& d) { name(d).exposed = true; },
        [=](Design& d) { name(d).variable = true; },
        [=](Design& d) { name(d).shape = 0; },
        [=](Design& d) { name(d).leaves[0].plane = {1}; },
        [=](Design& d) { name(d).leaves[0].start = 1; },
        [=](Design& d) { name(d).leaves[0].stride = 2; },
        [=](Design& d) { name(d).leaves[0].elements = {{1}}; },
        [=](Design& d) { shape(d).kind = Shape::Kind::Struct; },
        [=](Design& d) { shape(d).name = "point"; },
        [=](Design& d) { shape(d).scalar.width = 9; },
        [=](Design& d) { shape(d).enumeration = 0; },
        [=](Design& d) {
            shape(d).range = Interval{0, 1};
        },
        [=](Design& d) { shape(d).element = 1; },
        [=](Design& d) { shape(d).count = 1; },
        [=](Design& d) { shape(d).members[0].name = "y"; },
        [=](Design& d) { shape(d).members[0].shape = 1; },
        [=](Design& d) { shape(d).members[0].leaf = 1; },
    };
}

std::vector<Mutation> ofDesigns() {
    return {
        [](Design& d) { d.name = "other"; },
        [](Design& d) { d.processCount = 3; },
        [](Design& d) { d.unchecked = true; },
        [](Design& d) { d.uncountedRounds = 1; },
        [](Design& d) { d.tables[0].type.scalar.width = 9; },
        [](Design& d) { d.tables[0].values.edit(1) = {3.5}; },
        [](Design& d) { d.tables[0].name = "l"; },
        [](Design& d) { d.enums[0].name = "mode"; },
        [](Design& d) { d.enums[0].width = 2; },
        [](Design& d) { d.enums[0].isSigned = true; },
        [](Design& d) { d.enums[0].members[0].name = "WAIT"; },
        [](Design& d) { d.enums[0].members[1].value = 2; },
    };
}

/// The same with a statement for each expression: what nobody uses does not count.
Design withUses(Design design) {
    const auto use = [](Body& body) {
        for (std::uint32_t i = 0; i < body.exprs.size(); ++i)
            body.statements.push_back({{}, Set{{0}, {}, ExprId{i}}});
    };
    for (Class& cls : design.classes)
        use(cls.body);
    for (Function& function : design.functions)
        use(function.body);
    return design;
}

/// Each mutation gives a hash of its own.
void checkAll(const std::vector<Mutation>& mutations) {
    std::set<std::uint64_t> seen{hashOf(withUses(everyDesign()))};
    for (std::size_t i = 0; i < mutations.size(); ++i) {
        Design design = everyDesign();
        mutations[i](design);
        INFO("mutation " << i);
        CHECK(seen.insert(hashOf(withUses(design))).second);
    }
}

}  // namespace

TEST_CASE("a design's hash hangs on every expression", "[ir][hash]") { checkAll(ofExpressions()); }
TEST_CASE("a design's hash hangs on every statement", "[ir][hash]") { checkAll(ofStatements()); }
TEST_CASE("a design's hash hangs on locals and texts", "[ir][hash]") { checkAll(ofBodies()); }
TEST_CASE("a design's hash hangs on classes and wiring", "[ir][hash]") { checkAll(ofClasses()); }
TEST_CASE("a design's hash hangs on functions", "[ir][hash]") { checkAll(ofFunctions()); }
TEST_CASE("a design's hash hangs on storage", "[ir][hash]") { checkAll(ofStorage()); }
TEST_CASE("a design's hash hangs on names and shapes", "[ir][hash]") { checkAll(ofNames()); }
TEST_CASE("a design's hash hangs on tables and enums", "[ir][hash]") { checkAll(ofDesigns()); }

TEST_CASE("the order in which a body has its expressions does not count in a design's hash",
          "[ir][hash]") {
    Design design = withUses(everyDesign());
    Body& body = design.classes[0].body;
    const auto count = static_cast<std::uint32_t>(body.exprs.size());
    std::reverse(body.exprs.begin(), body.exprs.end());
    const auto move = [&](ExprId& id) {
        if (id.valid()) id.index = count - 1 - id.index;
    };
    for (Expr& expr : body.exprs)
        forEachOperand(expr, move);
    forEachStmt(body.statements, [&](Stmt& stmt) { forEachExpr(stmt, move); });
    CHECK(hashOf(design) == hashOf(withUses(everyDesign())));
    CHECK(hashOf(design, design.classes[0]) == hashOf(design, withUses(everyDesign()).classes[0]));
}

TEST_CASE("places in the source and folders do not count in a design's hash", "[ir][hash]") {
    Design moved = everyDesign();
    moved.classes[0].range = {{1}, 20, 30};
    moved.classes[0].body.fails[0].range = {{1}, 40, 50};
    moved.classes[0].body.statements[0].range = {{1}, 60, 70};
    moved.functions[0].range = moved.functions[0].external->range = {{1}, 80, 90};
    moved.functions[0].external->header = "/elsewhere/dsp.hpp";
    CHECK(hashOf(moved) == hashOf(everyDesign()));
}
