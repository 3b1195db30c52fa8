#include "hdl/body.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "hdl/assertions.h"
#include "hdl/process_leaves.h"
#include "hdl/states.h"
#include "hdl/stores.h"
#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/visit.h"
#include "lower/lower.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::hdl {

namespace {

using ir::LocalId;

/// Names of loops' counters. Loops side by side may share one.
class CounterNames {
public:
    explicit CounterNames(ModuleBuilder& builder) : builder_(builder) {}

    /// A name that no loop around has, for a loop that begins.
    const std::string& enter(const std::string& wanted) {
        std::vector<std::string>& names = names_[wanted];
        const auto isFree = [&](const std::string& name) {
            return std::find(counting_.begin(), counting_.end(), name) == counting_.end();
        };
        auto found = std::find_if(names.begin(), names.end(), isFree);
        if (found == names.end()) found = names.insert(found, builder_.unique(wanted));
        return counting_.emplace_back(*found);
    }
    void leave() { counting_.pop_back(); }

private:
    ModuleBuilder& builder_;
    std::map<std::string, std::vector<std::string>> names_;  ///< by that in the source
    std::vector<std::string> counting_;                      ///< of the loops around
};

/// Statements of a straight body as statements of its module.
class BodyConverter {
public:
    BodyConverter(const ir::Body& body, Registers& registers, Expressions& expressions,
                  Stores& stores, Assertions& assertions, ModuleBuilder& builder,
                  WrittenWords& written, BlockWriter& block)
        : body_(body),
          registers_(registers),
          expressions_(expressions),
          stores_(stores),
          assertions_(assertions),
          builder_(builder),
          written_(written),
          block_(block),
          counters_(builder) {}

    void convert(const ir::Block& block) {
        for (const ir::Stmt& stmt : block) {
            block_.at(stmt.range);
            std::vector<ir::ExprId> roots;
            ir::forEachExpr(stmt, [&](ir::ExprId id) { roots.push_back(id); });
            expressions_.begin(roots);
            smec::visit([&](const auto& node) { convert(node); }, stmt.node);
        }
    }

private:
    void convert(const ir::AnyOf<ir::Set, ir::CopyArray, ir::FillArray> auto& node) {
        stores_.convert(node);
    }
    void convert(const ir::Check& node) { assertions_.convert(node); }

    Block nested(const ir::Block& block) {
        return block_.nested([&] { convert(block); });
    }

    void convert(const ir::If& node) {
        const ExprId condition = expressions_.boolean(node.condition);
        const WrittenWords before = written_;
        Block yes = nested(node.yes);
        const WrittenWords after = std::exchange(written_, before);
        Block no = nested(node.no);
        written_.join(before, after);
        if (yes.empty() && no.empty()) return;
        if (yes.empty())
            block_.emit(If{builder_.logicalNot(condition), std::move(no), {}});
        else
            block_.emit(If{condition, std::move(yes), std::move(no)});
    }

    void convert(const ir::Switch& node) {
        const ExprId subject = expressions_.exact(node.subject);
        const Type type = builder_.type(subject);
        Case result{subject, {}, {}};
        const WrittenWords before = written_;
        WrittenWords after = written_;
        for (const ir::SwitchCase& one : node.cases) {
            Choice choice;
            for (const Integer& label : one.labels)
                if (ir::wrapInteger(label, type.width, type.isSigned) == label)
                    choice.labels.push_back(label);
            if (choice.labels.empty()) continue;
            choice.body = nested(one.body);
            written_.join(before, after);
            after = std::exchange(written_, before);
            result.choices.push_back(std::move(choice));
        }
        result.otherwise = nested(node.otherwise);
        written_.join(before, after);
        block_.emit(std::move(result));
    }

    void convert(const ir::For& node) {
        const ir::Rounds rounds = *ir::roundsOf(body_, node);
        const Integer first = rounds.first, last = first + (rounds.count - 1) * rounds.step;
        Signal signal;
        signal.role = Role::Counter;
        signal.type = typeOf(ir::Interval{std::min(first, last), std::max(first, last)});
        signal.initial = {first, last};
        signal.source = body_.locals[node.var.index].name;
        signal.name = counters_.enter(signal.source);
        For loop{builder_.add(std::move(signal)), {}};
        const SignalId outer = std::exchange(registers_.local(node.var), loop.counter);
        loop.body = block_.capture([&] { convert(node.body); });
        registers_.local(node.var) = outer;
        counters_.leave();
        if (!loop.body.empty()) block_.emit(std::move(loop));
    }

    /// straightBody() left none.
    void convert(const ir::AnyOf<ir::Loop, ir::CountRound, ir::Break, ir::Continue, ir::Call,
                                 ir::Return, ir::Trace, ir::Stop> auto&) {
        throw InternalError("a statement that hardware does not have", block_.range());
    }

    const ir::Body& body_;
    Registers& registers_;
    Expressions& expressions_;
    Stores& stores_;
    Assertions& assertions_;
    ModuleBuilder& builder_;
    WrittenWords& written_;  ///< so far
    BlockWriter& block_;
    CounterNames counters_;
};

Module emptyModule(const ir::Class& cls) {
    Module module;
    module.kind = cls.combinational ? Kind::Combinational : Kind::Clocked;
    module.range = cls.range;
    module.hasClock = !cls.combinational;
    return module;
}

bool isWaitState(const ir::Design& design, const ir::Class& cls, const ir::Local& local) {
    if (local.kind != ir::LocalKind::State || local.name != lower::kWaitState) return false;
    return design.planes[cls.state[local.slot].index].hidden;
}

/// In front of what there is, what each activation begins with, and the end after it.
Block framed(Registers& registers, Block body) {
    Block whole = registers.begin();
    std::move(body.begin(), body.end(), std::back_inserter(whole));
    Block last = registers.end();
    std::move(last.begin(), last.end(), std::back_inserter(whole));
    return whole;
}

}  // namespace

Process makeProcess(const ir::Design& design, const ir::Class& cls,
                    const std::vector<std::int64_t>& sameAs, const SourceManager& sources) {
    Process result{emptyModule(cls), {}, {}, {}, {}, {}};
    ModuleBuilder builder(result.module);
    for (const char* name : kProcessNames)
        builder.unique(name);

    const std::vector<ir::Interval> values =
        ir::intervals(cls.body, cls.columns, cls.inputs, design);
    Registers registers(design, cls, values, sameAs, builder);
    registers.declare();
    WrittenWords written;
    for (const LocalId id : registers.bypassed())
        written.follow(id);

    BlockWriter block;
    ProcessLeaves leaves(design, cls, builder, registers, written, block);
    Expressions expressions(cls.body, cls.inputs, values, ir::demandedBits(cls.body, values),
                            builder, leaves);
    Stores stores(design, cls.body, values, registers, expressions, leaves, builder, written,
                  block);
    Assertions assertions(design, cls, registers, expressions, leaves, builder, block);
    BodyConverter converter(cls.body, registers, expressions, stores, assertions, builder, written,
                            block);
    Block body = block.capture([&] { converter.convert(cls.body.statements); });
    result.module.body = framed(registers, std::move(body));
    registers.findFixed(leaves.cycleCounter());  // which counts in every cycle

    for (std::uint32_t i = 0; i < cls.body.locals.size(); ++i)
        if (isWaitState(design, cls, cls.body.locals[i]))
            nameStates(builder, registers.keptIn({i}), registers.local({i}), sources);
    result.inputs = registers.inputs();
    result.outputs = registers.outputs();
    result.initials = registers.initials();
    result.columns = leaves.columns();
    return result;
}

}  // namespace smec::hdl
