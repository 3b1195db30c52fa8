#include "hdl/body.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "hdl/expressions.h"
#include "hdl/registers.h"
#include "hdl/states.h"
#include "hdl/texts.h"
#include "hdl/word_part.h"
#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/visit.h"
#include "lower/lower.h"
#include "source/internal_error.h"

// A memory stays one where it is read after few places that set it: a read asks whether it is of
// what one of them has set.
//
//   mem[i] = a;  y.v = mem[j];     mem_at := i;  mem_word := a;  mem[mem_at] <= mem_word;
//                                  y_v <= mem_at == j ? mem_word : mem[j];

namespace smec::hdl {

namespace {

using ir::LocalId;

class ProcessMaker : public Leaves {
public:
    ProcessMaker(const ir::Design& design, const ir::Class& cls,
                 const std::vector<std::int64_t>& sameAs, const SourceManager& sources)
        : design_(design),
          cls_(cls),
          sources_(sources),
          body_(cls.body),
          builder_(module_),
          values_(ir::intervals(body_, cls.columns, cls.inputs, design)),
          registers_(design, cls, values_, sameAs, builder_),
          expressions_(body_, cls.inputs, values_, ir::demandedBits(body_, values_), builder_,
                       *this) {}

    Process run() {
        module_.kind = cls_.combinational ? Kind::Combinational : Kind::Clocked;
        module_.range = cls_.range;
        module_.hasClock = !cls_.combinational;
        for (const char* name : kProcessNames)
            builder_.unique(name);
        registers_.declare();
        for (const LocalId id : registers_.bypassed())
            written_[id.index] = {};
        Block body = capture([&] { convert(body_.statements); });
        module_.body = registers_.begin();
        std::move(body.begin(), body.end(), std::back_inserter(module_.body));
        Block last = registers_.end();
        std::move(last.begin(), last.end(), std::back_inserter(module_.body));
        registers_.findFixed(cycle_);  // which counts in every cycle
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i)
            if (isWaitState(body_.locals[i]))
                nameStates(builder_, registers_.keptIn({i}), registers_.local({i}), sources_);
        result_.module = std::move(module_);
        result_.inputs = registers_.inputs();
        result_.outputs = registers_.outputs();
        result_.initials = registers_.initials();
        return std::move(result_);
    }

    // ------------------------------------------------------------ leaves

    ExprId local(LocalId id, ExprId index) override {
        const auto written = written_.find(id.index);
        if (written == written_.end() || written->second.empty())
            return read(registers_.local(id), index);
        if (const Op op = module_[index].op; op != Op::Ref && op != Op::Const) index = hold(index);
        ExprId word = read(registers_.local(id), index);
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
        return read(registers_.inputs()[number], place);
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
        if (cls_.combinational || isNested_) registers_.startsAtZero(id);
        emit(range_, Assign{id, {}, value});
        return builder_.ref(id);
    }

private:
    bool isWaitState(const ir::Local& local) const {
        if (local.kind != ir::LocalKind::State || local.name != lower::kWaitState) return false;
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
        const SignalId to = registers_.local(node.local);
        const Type type = module_[to].type;
        const bool isInParts =
            module_[to].isMemory && !module_[to].isBlocking && !written_.contains(node.local.index);
        if (const auto part = wordPart(body_, values_, node); part && isInParts)
            return convertPart(*part, node, range);
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

    void convertPart(const WordPart& part, const ir::Set& node, SourceRange range) {
        const SignalId to = registers_.local(node.local);
        ExprId value = insertedBits(part.bits);
        ExprId index = expressions_.index(node.index, module_[to].length);
        if (!part.lane.valid()) return emit(range, Assign{to, index, value, part.bits.low});
        value = once(value);
        index = once(index);
        const auto lane = [&](std::uint32_t k) {
            return Block{{range, Assign{to, index, value, k * part.step}}};
        };
        Case lanes{expressions_.exact(part.lane), {}, lane(part.lanes - 1)};
        const Type type = builder_.type(lanes.subject);
        for (std::uint32_t k = 0; k + 1 < part.lanes; ++k)
            if (ir::wrapInteger(k, type.width, type.isSigned) == k)
                lanes.choices.push_back({{k}, lane(k)});
        emit(range, std::move(lanes));
    }

    ExprId insertedBits(const ir::Inserted& bits) {
        const Type type{bits.width, false, false};
        if (!bits.value.valid()) return builder_.constant(0, type);
        if (!bits.isPlaced) return expressions_.low(bits.value, bits.width);
        const Integer& placed = std::get<ir::ConstInt>(body_[bits.value].node).value;
        return builder_.constant(placed >> bits.low, type);
    }

    /// For several places.
    ExprId once(ExprId value) {
        const Op op = module_[value].op;
        return op == Op::Ref || op == Op::Slice || op == Op::Const ? value : hold(value);
    }

    /// A local with a value of this activation: 0 where this is not reached.
    SignalId kept(SignalId of, const char* suffix, ExprId value, SourceRange range) {
        Signal signal;
        signal.role = Role::Local;
        signal.type = builder_.type(value);
        const SignalId id = builder_.signal(module_[of].name + suffix, std::move(signal));
        if (isNested_) registers_.startsAtZero(id);
        emit(range, Assign{id, {}, value});
        return id;
    }

    void convert(const ir::CopyArray& node, SourceRange range) {
        const SignalId to = registers_.local(node.to);
        std::visit(Overloaded{
                       [&](const LocalId& from) {
                           emit(range, CopyArray{to, registers_.local(from)});
                       },
                       [&](const ir::TableId& from) { copyTable(to, from, range); },
                       [&](const ir::ReadInput& from) { copyInput(to, from, range); },
                   },
                   node.from);
    }

    void copyTable(SignalId to, ir::TableId from, SourceRange range) {
        const ir::Table& table = design_.tables[from.index];
        for (std::uint32_t i = 0; i < table.values.size(); ++i)
            emit(range, Assign{to, place(to, i),
                               builder_.constant(std::get<Integer>(table.values[i].value),
                                                 module_[to].type)});
    }

    void copyInput(SignalId to, const ir::ReadInput& read, SourceRange range) {
        const std::uint32_t length = module_[to].length;
        for (std::uint32_t i = 0; i < length; ++i) {
            const SignalId from = registers_.inputs()[read.input];
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
        const SignalId to = registers_.local(node.to);
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
            if (shown.bits) shown.value = patternOf(shown.value, *shown.bits);
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

    ExprId patternOf(ExprId value, std::uint32_t bits) {
        const Op op = module_[value].op;
        const bool isUsedOnce = builder_.type(value).width <= bits || op == Op::Ref;
        return pattern(builder_, isUsedOnce || op == Op::Const ? value : hold(value), bits);
    }

    /// A value as it is where a combinational process ends.
    ExprId checked(ExprId value, const char* name, SourceRange range) {
        const Expr& expr = module_[value];
        if (expr.op == Op::Ref && module_[expr.signal].role == Role::Input) return value;
        Signal signal;
        signal.role = Role::Check;
        signal.type = builder_.type(value);
        const SignalId id = builder_.signal(name, std::move(signal));
        registers_.startsAtZero(id);
        emit(range, Assign{id, {}, value});
        return builder_.ref(id);
    }

    void convert(const ir::If& node, SourceRange range) {
        const ExprId condition = expressions_.boolean(node.condition);
        const auto before = written_;
        Block yes = nested(node.yes);
        const auto after = std::exchange(written_, before);
        Block no = nested(node.no);
        joinWritten(before, after);
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
        auto after = written_;
        for (const ir::SwitchCase& one : node.cases) {
            Choice choice;
            for (const Integer& label : one.labels)
                if (ir::wrapInteger(label, type.width, type.isSigned) == label)
                    choice.labels.push_back(label);
            if (choice.labels.empty()) continue;
            choice.body = nested(one.body);
            joinWritten(before, after);
            after = std::exchange(written_, before);
            result.choices.push_back(std::move(choice));
        }
        result.otherwise = nested(node.otherwise);
        joinWritten(before, after);
        emit(range, std::move(result));
    }

    /// A word that the activation has set: `isSet` is invalid where it always does.
    struct Written {
        SignalId isSet, at, word;
    };
    using WrittenWords = std::unordered_map<std::uint32_t, std::vector<Written>>;  ///< by LocalId

    /// After branches: what another one has set, too.
    void joinWritten(const WrittenWords& before, const WrittenWords& other) {
        for (auto& [local, words] : written_) {
            const std::size_t known = before.at(local).size();
            const std::vector<Written>& more = other.at(local);
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(known),
                         more.begin() + static_cast<std::ptrdiff_t>(known), more.end());
        }
    }

    void convert(const ir::For& node, SourceRange range) {
        const ir::Rounds rounds = *ir::roundsOf(body_, node);
        const Integer first = rounds.first, last = first + (rounds.count - 1) * rounds.step;
        Signal signal;
        signal.role = Role::Counter;
        signal.type = typeOf(ir::Interval{std::min(first, last), std::max(first, last)});
        signal.initial = {first, last};
        signal.name = counterName(body_.locals[node.var.index].name);
        signal.source = body_.locals[node.var.index].name;
        counting_.push_back(signal.name);
        For loop{builder_.add(std::move(signal)), {}};
        const SignalId outer = std::exchange(registers_.local(node.var), loop.counter);
        loop.body = capture([&] { convert(node.body); });
        registers_.local(node.var) = outer;
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

    /// straightBody() left none.
    void convert(const ir::AnyOf<ir::Loop, ir::CountRound, ir::Break, ir::Continue, ir::Call,
                                 ir::Return, ir::Trace, ir::Stop> auto&,
                 SourceRange range) {
        throw InternalError("a statement that hardware does not have", range);
    }

    const ir::Design& design_;
    const ir::Class& cls_;
    const SourceManager& sources_;
    const ir::Body& body_;
    Process result_;
    Module module_;
    ModuleBuilder builder_;
    std::vector<ir::Interval> values_;
    Registers registers_;
    Expressions expressions_;
    std::unordered_map<std::uint32_t, SignalId> columns_, tables_;
    SignalId cycle_;
    std::map<std::string, std::vector<std::string>> counters_;  ///< names, by that in the source
    std::vector<std::string> counting_;                         ///< of the loops around
    WrittenWords written_;  ///< of memories that are read after: what they read instead
    Block* block_ = nullptr;
    SourceRange range_;
    bool isNested_ = false;
};

}  // namespace

Process makeProcess(const ir::Design& design, const ir::Class& cls,
                    const std::vector<std::int64_t>& sameAs, const SourceManager& sources) {
    return ProcessMaker(design, cls, sameAs, sources).run();
}

}  // namespace smec::hdl
