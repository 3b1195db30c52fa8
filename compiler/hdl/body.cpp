#include "hdl/body.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "hdl/expressions.h"
#include "hdl/long_loops.h"
#include "hdl/read_after_write.h"
#include "hdl/states.h"
#include "hdl/texts.h"
#include "hdl/walk.h"
#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/visit.h"
#include "lower/lower.h"
#include "source/internal_error.h"

// The registers of a clocked process are its outputs and variables. Where a variable is not read
// behind a place that sets it, it is assigned like a register; else a local of the process carries
// its value through the activation:
//
//   n = n + 1;  y.v = n;     n_next := n;  n_next := n_next + 1;  y_v <= n_next;  n <= n_next;
//
// A memory stays one where it is read behind few places that set it: a read asks whether it is of
// what one of them has set.
//
//   mem[i] = a;  y.v = mem[j];     mem_at := i;  mem_word := a;  mem[mem_at] <= mem_word;
//                                  y_v <= mem_at == j ? mem_word : mem[j];

namespace smec::hdl {

namespace {

using ir::LocalId;
using ir::LocalKind;

class ProcessMaker : public Leaves {
public:
    ProcessMaker(const ir::Design& design, const ir::Class& cls,
                 const std::vector<std::int64_t>& sameAs, const SourceManager& sources)
        : design_(design),
          cls_(cls),
          sources_(sources),
          body_(cls.body),
          sameAs_(sameAs),
          builder_(module_),
          values_(ir::intervals(body_, cls.columns, cls.inputs, design)),
          expressions_(body_, cls.inputs, values_, ir::demandedBits(body_, values_), builder_,
                       *this),
          isReadBack_(readAfterWrite(body_, startsAnew(cls))),
          isConditional_(setInBranch(body_)),
          isSetInLongLoop_(setInLongLoops(body_)),
          setsMemory_(!cls.combinational && setsMemory(body_)) {}

    Process run() {
        module_.kind = cls_.combinational ? Kind::Combinational : Kind::Clocked;
        module_.range = cls_.range;
        module_.hasClock = !cls_.combinational;
        for (const char* name :
             {"clk", "rst", "rst_n", "k", "contents", "process_body", "process_logic",
              "process_checks", "process_memories", "start", "unused_start"})
            builder_.unique(name);
        declarePorts();
        locals_.resize(body_.locals.size());
        registers_.resize(body_.locals.size());
        const std::vector<bool> onlyCounts = counters();
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i)
            if (!onlyCounts[i]) declare({i});
        block_ = &module_.body;
        ir::Block const& statements = body_.statements;
        Block main = capture([&] { convert(statements); });
        Block all = capture([&] { begin(); });
        std::move(main.begin(), main.end(), std::back_inserter(all));
        Block last = capture([&] { end(); });
        std::move(last.begin(), last.end(), std::back_inserter(all));
        module_.body = std::move(all);
        findFixed();
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i)
            if (isWaitState(body_.locals[i]))
                nameStates(builder_, registers_[i], locals_[i], sources_);
        result_.module = std::move(module_);
        result_.inputs = std::move(inputs_);
        result_.outputs = std::move(outputs_);
        return std::move(result_);
    }

    // ------------------------------------------------------------ leaves

    ExprId local(LocalId id, ExprId index) override {
        const auto written = written_.find(id.index);
        if (written == written_.end() || written->second.empty())
            return read(locals_[id.index], index);
        if (const Op op = module_[index].op; op != Op::Ref && op != Op::Const) index = hold(index);
        ExprId word = read(locals_[id.index], index);
        for (const Written& one : written->second) {
            const Type isThere{1, false, true};
            ExprId hits = builder_.make(Op::Eq, isThere, index, builder_.ref(one.at));
            if (one.isSet.valid())
                hits = builder_.make(Op::LogicalAnd, isThere, builder_.ref(one.isSet), hits);
            word =
                builder_.make(Op::Choose, builder_.type(word), hits, builder_.ref(one.word), word);
        }
        return word;
    }

    ExprId input(std::uint32_t number, ExprId place) override {
        return read(inputs_[number], place);
    }

    ExprId column(std::uint32_t number) override {
        const ir::Column& column = cls_.columns[number];
        const auto [it, added] = columns_.try_emplace(number);
        if (added) {
            Signal signal;
            signal.role = Role::Parameter;
            signal.type = column.type.kind == ir::ScalarKind::Bool ? Type{1, false, true}
                                                                   : typeOf(column.range);
            signal.source = column.name;
            it->second = builder_.signal(column.name, std::move(signal));
            result_.columns.emplace_back(it->second, number);
        }
        return builder_.ref(it->second);
    }

    ExprId table(ir::TableId id, ExprId index) override {
        const ir::Table& table = design_.tables[id.index];
        const auto [it, added] = tables_.try_emplace(id.index);
        if (added) {
            Signal signal;
            signal.role = Role::Table;
            signal.type = typeOf(table.type.scalar);
            signal.length = static_cast<std::uint32_t>(table.type.elements());
            for (const ir::Constant& value : table.values)
                signal.initial.push_back(std::get<Integer>(value.value));
            it->second =
                builder_.signal(table.name.empty() ? "constants" : table.name, std::move(signal));
        }
        const Type place{indexWidth(table.type.elements()), false, false};
        return builder_.element(it->second, builder_.resize(index, place));
    }

    ExprId cycle() override {
        if (!cycle_.valid()) {
            Signal signal;
            signal.role = Role::Register;
            signal.isRegister = true;
            signal.type = {64, false, false};
            signal.initial = {0};
            cycle_ = builder_.signal("cycle", std::move(signal));
            module_.usesCycle = true;
            module_.hasClock = true;
        }
        return builder_.ref(cycle_);
    }

    ExprId hold(ExprId value) override {
        Signal signal;
        signal.role = Role::Local;
        signal.type = builder_.type(value);
        const SignalId id = builder_.signal("t", std::move(signal));
        if (cls_.combinational || isNested_) zeroed_.push_back(id);
        emit(range_, Assign{id, {}, value});
        return builder_.ref(id);
    }

private:
    /// Outputs that start each activation with their default.
    static std::vector<bool> startsAnew(const ir::Class& cls) {
        std::vector<bool> result;
        for (const ir::Local& local : cls.body.locals)
            result.push_back(local.kind == LocalKind::Output && !cls.outputs[local.slot].hold);
        return result;
    }

    bool isWaitState(const ir::Local& local) const {
        if (local.kind != LocalKind::State || local.name != lower::kWaitState) return false;
        return design_.planes[cls_.state[local.slot].index].hidden;
    }

    ExprId read(SignalId id, ExprId index) {
        const Signal& signal = module_[id];
        if (signal.length == 0) return builder_.ref(id);
        if (!index.valid()) index = builder_.constant(0, {indexWidth(signal.length), false, false});
        return builder_.element(id, index);
    }

    template <typename F>
    Block capture(F&& fill) {
        Block inner;
        Block* outer = std::exchange(block_, &inner);
        fill();
        block_ = outer;
        return inner;
    }
    void emit(SourceRange range, decltype(Stmt::node) node) {
        block_->push_back({range, std::move(node)});
    }

    // ------------------------------------------------------------ signals

    void declarePorts() {
        for (std::size_t i = 0; i < cls_.inputs.size(); ++i) {
            inputs_.push_back({});
            if (sameAs_[i] >= 0) continue;
            const ir::Input& input = cls_.inputs[i];
            Signal signal = inputPort(input);
            inputs_[i] = builder_.signal(isOutput(input.name) ? input.name + "_read" : input.name,
                                         std::move(signal));
        }
        for (const ir::Output& output : cls_.outputs) {
            Signal signal = outputPort(design_, output);
            signal.isRegister = !cls_.combinational;
            setInitial(signal, output.plane);
            outputs_.push_back(builder_.signal(output.name, std::move(signal)));
        }
        for (std::size_t i = 0; i < cls_.inputs.size(); ++i)
            if (sameAs_[i] >= 0) inputs_[i] = outputs_[static_cast<std::size_t>(sameAs_[i])];
    }

    bool isOutput(const std::string& name) const {
        return std::any_of(cls_.outputs.begin(), cls_.outputs.end(),
                           [&](const ir::Output& output) { return output.name == name; });
    }

    /// A value for all instances, or a parameter.
    void setInitial(Signal& signal, ir::PlaneId id) {
        const ir::Plane& plane = design_.planes[id.index];
        const std::size_t own = plane.perOwner * plane.type.elements();
        const auto& values = plane.initial.values;
        const auto at = [&](std::size_t i) -> const Integer& {
            const std::size_t k = plane.initial.perInstance ? i : i % plane.type.elements();
            return std::get<Integer>(values[k].value);
        };
        bool isSame = true;
        if (plane.initial.perInstance)
            for (std::size_t i = own; i < values.size() && isSame; ++i)
                isSame = values[i] == values[i % own];
        if (!isSame) {
            Signal parameter;
            parameter.role = Role::Parameter;
            parameter.type = {static_cast<std::uint32_t>(signal.type.width * own), false, false};
            parameter.source = plane.name;
            signal.initialFrom = builder_.signal(plane.name + "_init", std::move(parameter));
            result_.initials.emplace_back(*signal.initialFrom, id);
            return;
        }
        for (std::size_t i = 0; i < own; ++i)
            signal.initial.push_back(at(i));
        const bool isUniform =
            std::all_of(signal.initial.begin(), signal.initial.end(),
                        [&](const Integer& value) { return value == signal.initial.front(); });
        if (isUniform) signal.initial.resize(1);
    }

    /// Whether a variable becomes a memory that the body sets: what sets it may be a process of its
    /// own, which sees registers, and no arrays that another process assigns at once.
    static bool setsMemory(const ir::Body& body) {
        bool found = false;
        ir::forEachStmt(body.statements, [&](const ir::Stmt& stmt) {
            const auto* set = std::get_if<ir::Set>(&stmt.node);
            if (!set) return;
            const ir::Local& local = body.locals[set->local.index];
            found = found || (local.kind == LocalKind::State && local.type.elements() > kMostReset);
        });
        return found;
    }

    /// Variables of loops that nothing else sets.
    std::vector<bool> counters() const {
        std::vector<bool> result(body_.locals.size(), false), isSet(body_.locals.size(), false);
        ir::forEachStmt(body_.statements, [&](const ir::Stmt& stmt) {
            if (const auto* loop = std::get_if<ir::For>(&stmt.node)) result[loop->var.index] = true;
            if (const auto* set = std::get_if<ir::Set>(&stmt.node)) isSet[set->local.index] = true;
        });
        for (std::size_t i = 0; i < result.size(); ++i)
            if (isSet[i]) result[i] = false;
        return result;
    }

    void declare(LocalId id) {
        const ir::Local& local = body_.locals[id.index];
        Signal signal;
        signal.type = typeOf(local.type.scalar);
        signal.length = local.type.length;
        signal.isPacked = signal.length != 0;
        signal.source = local.name;
        const bool isState = local.kind == LocalKind::State;
        if (local.kind == LocalKind::Temp || (isState && cls_.combinational)) {
            locals_[id.index] = builder_.signal(local.name, std::move(signal));
            if (isConditional_[id.index]) zeroed_.push_back(locals_[id.index]);
            return;
        }
        SignalId& own = registers_[id.index];
        bool needsCopy = isReadBack_[id.index];
        if (isState) {
            Signal variable = signal;
            variable.role = Role::Register;
            variable.isRegister = true;
            variable.isPacked = false;
            variable.isMemory = variable.length > kMostReset;
            const auto set = variable.isMemory ? wordsSet(body_, id) : std::nullopt;
            const bool isBypassed = set.value_or(SIZE_MAX) <= kMostBypassed;
            const bool isAtOnce =
                (isReadBack_[id.index] && !isBypassed) || isSetInLongLoop_[id.index];
            variable.isBlocking =
                variable.length != 0 && isAtOnce && (variable.isMemory || !setsMemory_);
            needsCopy = needsCopy || (variable.length != 0 && isAtOnce);
            if (isBypassed && isReadBack_[id.index]) written_[id.index] = {};
            setInitial(variable, cls_.state[local.slot]);
            own = builder_.signal(local.name, std::move(variable));
        } else {
            own = outputs_[local.slot];
        }
        locals_[id.index] = own;
        if (!needsCopy || module_[own].isBlocking || module_[own].isMemory) return;
        locals_[id.index] = builder_.signal(local.name + "_next", std::move(signal));
    }

    ExprId initialOf(SignalId id) {
        const Signal& signal = module_[id];
        const std::uint32_t width =
            static_cast<std::uint32_t>(signal.type.width * signal.elements());
        const Type type = signal.length == 0 ? signal.type : Type{width, false, false};
        if (signal.initialFrom) {
            const SignalId from = *signal.initialFrom;
            return builder_.resize(builder_.ref(from), type);
        }
        Integer all = 0;
        for (std::size_t i = signal.elements(); i-- > 0;) {
            const Integer& value = signal.initial[signal.initial.size() == 1 ? 0 : i];
            all = (all << signal.type.width) | ir::wrapInteger(value, signal.type.width, false);
        }
        return builder_.constant(all, type);
    }

    /// Values at the start of an activation.
    void begin() {
        for (const SignalId id : zeroed_) {
            const Signal& signal = module_[id];
            const Type type{static_cast<std::uint32_t>(signal.type.width * signal.elements()),
                            false, signal.type.isBool && signal.length == 0};
            emit({}, Assign{id, {}, builder_.constant(0, type)});
        }
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i) {
            const ir::Local& local = body_.locals[i];
            if (local.kind == LocalKind::Output && !cls_.outputs[local.slot].hold) {
                emit({}, Assign{locals_[i], {}, initialOf(outputs_[local.slot])});
            } else if (locals_[i] != registers_[i] && registers_[i].valid()) {
                transfer(locals_[i], registers_[i]);
            }
        }
        // outputs that the body never mentions
        std::vector<bool> has(cls_.outputs.size(), false);
        for (const ir::Local& local : body_.locals)
            if (local.kind == LocalKind::Output) has[local.slot] = true;
        for (std::size_t i = 0; i < has.size(); ++i)
            if (!has[i] && !cls_.outputs[i].hold)
                emit({}, Assign{outputs_[i], {}, initialOf(outputs_[i])});
    }

    void findFixed() {
        std::vector<bool> isSet(module_.signals.size(), false);
        if (cycle_.valid()) isSet[cycle_.index] = true;  // in every cycle
        (void)anyStatement(module_.body, [&](const Stmt& stmt) {
            if (const auto to = targetOf(stmt)) isSet[to->index] = true;
            return false;
        });
        for (std::size_t i = 0; i < isSet.size(); ++i)
            module_.signals[i].isFixed = module_.signals[i].isRegister && !isSet[i];
    }

    void transfer(SignalId to, SignalId from) {
        const auto isUnpacked = [&](SignalId id) {
            return module_[id].length != 0 && !module_[id].isPacked;
        };
        if (isUnpacked(to) || isUnpacked(from))
            emit({}, CopyArray{to, from});
        else
            emit({}, Assign{to, {}, builder_.ref(from)});
    }

    void end() {
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i)
            if (registers_[i].valid() && locals_[i] != registers_[i])
                transfer(registers_[i], locals_[i]);
    }

    // ------------------------------------------------------------ statements

    void convert(const ir::Block& block) {
        for (const ir::Stmt& stmt : block) {
            range_ = stmt.range;
            std::vector<ir::ExprId> roots;
            ir::forEachExpr(stmt, [&](ir::ExprId id) { roots.push_back(id); });
            expressions_.begin(roots);
            std::visit([&](const auto& node) { convert(node, stmt.range); }, stmt.node);
        }
    }

    Block nested(const ir::Block& block) {
        const bool outer = std::exchange(isNested_, true);
        Block result = capture([&] { convert(block); });
        isNested_ = outer;
        return result;
    }

    void convert(const ir::Set& node, SourceRange range) {
        const SignalId to = locals_[node.local.index];
        const Type type = module_[to].type;
        const ExprId value = expressions_.stored(node.value, type);
        ExprId index;
        if (node.index.valid()) index = expressions_.index(node.index, module_[to].length);
        const auto written = written_.find(node.local.index);
        if (written == written_.end()) return emit(range, Assign{to, index, value});
        Written one{{}, kept(to, "_at", index, range), kept(to, "_word", value, range)};
        if (isNested_) {
            const ExprId yes = builder_.constant(1, {1, false, true});
            one.isSet = kept(to, "_set", yes, range);
        }
        written->second.push_back(one);
        emit(range, Assign{to, builder_.ref(one.at), builder_.ref(one.word)});
    }

    /// A local with a value of this activation: 0 where this is not reached.
    SignalId kept(SignalId of, const char* suffix, ExprId value, SourceRange range) {
        Signal signal;
        signal.role = Role::Local;
        signal.type = builder_.type(value);
        const SignalId id = builder_.signal(module_[of].name + suffix, std::move(signal));
        if (isNested_) zeroed_.push_back(id);
        emit(range, Assign{id, {}, value});
        return id;
    }

    void convert(const ir::CopyArray& node, SourceRange range) {
        const SignalId to = locals_[node.to.index];
        if (const auto* from = std::get_if<LocalId>(&node.from))
            return emit(range, CopyArray{to, locals_[from->index]});
        if (const auto* table = std::get_if<ir::TableId>(&node.from)) {
            const ir::Table& values = design_.tables[table->index];
            for (std::uint32_t i = 0; i < values.values.size(); ++i)
                emit(range, Assign{to, place(to, i),
                                   builder_.constant(std::get<Integer>(values.values[i].value),
                                                     module_[to].type)});
            return;
        }
        const auto& read = std::get<ir::ReadInput>(node.from);
        const std::uint32_t length = module_[to].length;
        for (std::uint32_t i = 0; i < length; ++i) {
            const SignalId from = inputs_[read.input];
            const Type type{indexWidth(module_[from].length), false, false};
            ExprId at = builder_.constant(i, type);
            if (read.element.valid()) {
                const ExprId element = expressions_.low(read.element, type.width);
                const ExprId start =
                    builder_.make(Op::Mul, type, element, builder_.constant(Integer(length), type));
                at = builder_.make(Op::Add, type, start, at);
            }
            emit(range, Assign{to, place(to, i), builder_.element(from, at)});
        }
    }

    ExprId place(SignalId to, std::uint32_t i) {
        return builder_.constant(i, {indexWidth(module_[to].length), false, false});
    }

    void convert(const ir::FillArray& node, SourceRange range) {
        const SignalId to = locals_[node.to.index];
        const Type type = module_[to].type;
        emit(range, FillArray{to, expressions_.stored(node.value, type)});
    }

    void convert(const ir::Check& node, SourceRange range) {
        const ir::FailSite& site = body_.fails[node.site];
        if (site.kind != ir::FailureKind::Assertion && site.kind != ir::FailureKind::Assumption)
            return;
        Assert result{expressions_.boolean(node.ok), {}, {}};
        if (site.hasText)
            std::tie(result.pieces, result.values) = textOf(site.text, design_.enums);
        else
            result.pieces = {site.kind == ir::FailureKind::Assertion ? "assertion failed"
                                                                     : "assumption failed"};
        for (std::size_t i = 0; i < result.values.size(); ++i) {
            const ir::ExprId arg = node.args[i];
            Shown& shown = result.values[i];
            shown.value = body_[arg].type == ir::ExprType::Bool ? expressions_.boolean(arg)
                                                                : expressions_.exact(arg);
            if (shown.type) shown.value = builder_.resize(shown.value, *shown.type);
        }
        if (!cls_.combinational) return emit(range, std::move(result));
        const ExprId fails = builder_.make(Op::LogicalNot, Type{1, false, true}, result.condition);
        result.condition = builder_.make(Op::LogicalNot, Type{1, false, true},
                                         checked(fails, "check_fails", range));
        for (Shown& shown : result.values)
            shown.value = checked(shown.value, "check_value", range);
        module_.checks.push_back({range, std::move(result)});
        module_.hasClock = true;
    }

    /// A value as it is where a combinational process ends.
    ExprId checked(ExprId value, const char* name, SourceRange range) {
        const Expr& expr = module_[value];
        if (expr.op == Op::Ref && module_[expr.signal].role == Role::Input) return value;
        Signal signal;
        signal.role = Role::Check;
        signal.type = builder_.type(value);
        const SignalId id = builder_.signal(name, std::move(signal));
        zeroed_.push_back(id);
        emit(range, Assign{id, {}, value});
        return builder_.ref(id);
    }

    void convert(const ir::If& node, SourceRange range) {
        const ExprId condition = expressions_.boolean(node.condition);
        const auto before = written_;
        Block yes = nested(node.yes);
        const auto behind = std::exchange(written_, before);
        Block no = nested(node.no);
        joinWritten(before, behind);
        if (yes.empty() && no.empty()) return;
        if (yes.empty()) {
            emit(range, If{builder_.logicalNot(condition), std::move(no), {}});
        } else {
            emit(range, If{condition, std::move(yes), std::move(no)});
        }
    }

    void convert(const ir::Switch& node, SourceRange range) {
        const ExprId subject = expressions_.exact(node.subject);
        const Type type = builder_.type(subject);
        Case result{subject, {}, {}};
        const auto before = written_;
        auto behind = written_;
        for (const ir::SwitchCase& one : node.cases) {
            Choice choice;
            for (const Integer& label : one.labels)
                if (ir::wrapInteger(label, type.width, type.isSigned) == label)
                    choice.labels.push_back(label);
            if (choice.labels.empty()) continue;
            choice.body = nested(one.body);
            joinWritten(before, behind);
            behind = std::exchange(written_, before);
            result.choices.push_back(std::move(choice));
        }
        result.otherwise = nested(node.otherwise);
        joinWritten(before, behind);
        emit(range, std::move(result));
    }

    /// A word that the activation has set: `isSet` is invalid where it always does.
    struct Written {
        SignalId isSet, at, word;
    };
    using WrittenWords = std::unordered_map<std::uint32_t, std::vector<Written>>;  ///< by LocalId

    /// Behind branches: what another one has set, too.
    void joinWritten(const WrittenWords& before, const WrittenWords& other) {
        for (auto& [local, words] : written_) {
            const std::size_t known = before.at(local).size();
            const std::vector<Written>& more = other.at(local);
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(known),
                         more.begin() + static_cast<std::ptrdiff_t>(known), more.end());
        }
    }

    void convert(const ir::For& node, SourceRange range) {
        const auto number = [&](ir::ExprId id) {
            return std::get<ir::ConstInt>(body_[id].node).value;
        };
        const Integer first = number(node.from), last = number(node.to);
        Signal signal;
        signal.role = Role::Counter;
        signal.type = typeOf(ir::Interval{std::min(first, last), std::max(first, last)});
        signal.initial = {first, last};
        signal.name = counterName(body_.locals[node.var.index].name);
        signal.source = body_.locals[node.var.index].name;
        counting_.push_back(signal.name);
        For loop{builder_.add(std::move(signal)), {}};
        const SignalId outer = std::exchange(locals_[node.var.index], loop.counter);
        loop.body = capture([&] { convert(node.body); });
        locals_[node.var.index] = outer;
        counting_.pop_back();
        if (!loop.body.empty()) emit(range, std::move(loop));
    }

    /// A name that no loop around this one has.
    std::string counterName(const std::string& wanted) {
        std::vector<std::string>& names = counters_[wanted];
        for (const std::string& name : names)
            if (std::find(counting_.begin(), counting_.end(), name) == counting_.end()) return name;
        names.push_back(builder_.unique(wanted));
        return names.back();
    }

    template <typename T>
    void convert(const T&, SourceRange range) {
        throw InternalError("a statement that hardware does not have", range);
    }

    static constexpr std::size_t kMostBypassed = 4;  ///< words set in front of a read of a memory

    const ir::Design& design_;
    const ir::Class& cls_;
    const SourceManager& sources_;
    const ir::Body& body_;
    const std::vector<std::int64_t>& sameAs_;
    Process result_;
    Module module_;
    ModuleBuilder builder_;
    std::vector<ir::Interval> values_;
    Expressions expressions_;
    std::vector<bool> isReadBack_;
    std::vector<bool> isConditional_;
    std::vector<bool> isSetInLongLoop_;
    bool setsMemory_;
    std::vector<SignalId> inputs_, outputs_;    ///< by number in the class
    std::vector<SignalId> locals_, registers_;  ///< by LocalId: what the body uses; what keeps it
    std::unordered_map<std::uint32_t, SignalId> columns_, tables_;
    std::vector<SignalId> zeroed_;  ///< locals set in branches
    SignalId cycle_;
    std::map<std::string, std::vector<std::string>> counters_;  ///< names, by that in the source
    std::vector<std::string> counting_;                         ///< of the loops around
    WrittenWords written_;  ///< of memories that are read behind: what they read instead
    Block* block_ = nullptr;
    SourceRange range_;
    bool isNested_ = false;
};

}  // namespace

Signal inputPort(const ir::Input& input) {
    Signal signal;
    signal.role = Role::Input;
    signal.type = typeOf(input.type.scalar);
    const std::uint64_t count = input.elements.size() * input.type.elements();
    const bool isArray = input.elements.size() > 1 || input.type.isArray();
    signal.length = isArray ? static_cast<std::uint32_t>(count) : 0;
    signal.isPacked = isArray;
    signal.source = input.name;
    return signal;
}

Signal outputPort(const ir::Design& design, const ir::Output& output) {
    const ir::Plane& plane = design.planes[output.plane.index];
    Signal signal;
    signal.role = Role::Output;
    signal.type = typeOf(plane.type.scalar);
    signal.length = plane.ownType().length;
    signal.isPacked = signal.length != 0;
    signal.source = output.name;
    return signal;
}

Process makeProcess(const ir::Design& design, const ir::Class& cls,
                    const std::vector<std::int64_t>& sameAs, const SourceManager& sources) {
    return ProcessMaker(design, cls, sameAs, sources).run();
}

}  // namespace smec::hdl
