#include <map>

#include "ir/builder.h"
#include "ir/operators.h"
#include "ir/text.h"
#include "ir_reader/parser.h"

namespace smec::ir {

namespace {

class BodyParser {
public:
    BodyParser(TextReader& in, const Design& design, const Class* cls, Body& body)
        : in_(in), design_(design), cls_(cls), body_(body) {
        if (cls == nullptr) return;
        addAll(cls->inputs, '@', inputs_);
        addAll(cls->columns, '@', columns_);
    }

    void run() {
        std::uint32_t slots[4] = {};
        while (isLocal())
            local(slots);
        while (in_.acceptLine(1, "%"))
            shared();
        body_.statements = block(1);
        if (!in_.isAtEnd() && in_.depth() != 0) in_.fail("a line that does not belong here");
    }

private:
    using Names = std::map<NumberedName, std::uint32_t>;
    static constexpr std::uint32_t kSeveral = UINT32_MAX;

    /// By name where it is the only one, and by number.
    template <typename List>
    static void addAll(const List& list, char mark, Names& names) {
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            const auto [entry, isNew] = names.try_emplace({list[i].name, 0, 0}, i);
            if (!isNew) entry->second = kSeveral;
            names[{list[i].name, mark, i}] = i;
        }
    }

    // -------------------------------------------------------------- locals

    /// "state a: u8", and not the statement "state = 3" of a local of that name.
    bool isLocal() {
        if (in_.isAtEnd() || in_.depth() != 1) return false;
        const std::size_t begin = in_.start();
        bool result = false;
        for (const std::string_view kind : text::kLocalKinds)
            result = result || (in_.accept(kind) && in_.isNameNext());
        in_.goBack(begin);
        return result;
    }

    /// `slots`: the next of each kind.
    void local(std::uint32_t* slots) {
        Local local{};
        const auto number = static_cast<std::uint32_t>(body_.locals.size());
        const std::uint32_t kind = in_.oneOf(text::kLocalKinds, "a kind of local");
        local.kind = static_cast<LocalKind>(kind);
        const NumberedName name = in_.numberedName();
        const bool hasNumber = name.mark == '#';
        if (local.kind == LocalKind::Temp && !hasNumber) in_.fail("expected '#{}'", number);
        if (name.mark != 0 && (!hasNumber || name.number != number))
            in_.fail("expected '#{}' behind the name", number);
        local.name = name.name;
        if (!locals_.try_emplace(name, number).second)
            in_.fail("another local has this name; expected '#{}' behind it", number);
        in_.expect(":");
        local.type = in_.storage();
        if (in_.accept("common")) local.form = LocalForm::Common;
        if (in_.accept("spread")) local.form = LocalForm::Spread;
        local.range = in_.range();
        local.isHelper = in_.accept("helper");
        local.slot = in_.accept("slot") ? in_.number<std::uint32_t>() : slots[kind];
        if (local.kind != LocalKind::Temp)
            slots[kind] = local.slot + (local.form == LocalForm::Spread ? local.type.length : 1);
        in_.endLine();
        body_.locals.push_back(std::move(local));
    }

    LocalId localNamed(const NumberedName& name, std::size_t begin) const {
        const auto found = locals_.find(name);
        if (found == locals_.end()) in_.failAt(begin, "there is no local " + shown(name));
        return {found->second};
    }

    static std::string shown(const NumberedName& name) {
        const std::string number = name.mark ? fmt::format("{}{}", name.mark, name.number) : "";
        return fmt::format("'{}{}'", name.name, number);
    }

    /// A local that a statement sets.
    LocalId target() {
        const std::size_t begin = in_.start();
        if (in_.accept("_")) return {};
        return localNamed(in_.numberedName(), begin);
    }

    // -------------------------------------------------------------- expressions

    void shared() {
        if (in_.number<std::uint64_t>() != shared_.size()) in_.fail("expected %{}", shared_.size());
        in_.expect("=");
        shared_.push_back(expr());
        in_.endLine();
    }

    ExprId add(ExprType type, auto node) {
        body_.exprs.push_back({type, std::move(node)});
        return {static_cast<std::uint32_t>(body_.exprs.size() - 1)};
    }

    ExprType typeOf(ExprId id) const { return body_[id].type; }

    ExprId expr() {
        if (++depth_ > kDeepestExpr) in_.fail("an expression of more than {} levels", kDeepestExpr);
        const ExprId result = operand();
        --depth_;
        return result;
    }

    ExprId operand() {
        if (in_.isRealNext()) return real();
        if (in_.isNumberNext()) return add(ExprType::Int, ConstInt{in_.integer()});
        if (in_.accept("%")) return named();
        if (in_.accept("$")) return column();
        if (in_.accept("(")) return infix();
        if (in_.accept("true")) return add(ExprType::Bool, ConstBool{true});
        if (in_.accept("false")) return add(ExprType::Bool, ConstBool{false});
        if (in_.accept("cycle")) return add(ExprType::Int, Cycle{});
        if (in_.accept("seed")) return add(ExprType::Int, Seed{});
        if (in_.accept("wrap")) return wrap();
        if (in_.accept("saturate")) return saturate();
        for (std::uint32_t i = 0; i < unary_.size(); ++i)
            if (in_.accept(std::string(unary_[i]) + "("))
                return unary(UnaryOp{static_cast<std::uint8_t>(i)});
        for (std::uint32_t i = 0; i < binary_.size(); ++i)
            if (text::isCalled(binary_[i]) && in_.accept(std::string(binary_[i]) + "("))
                return called(BinaryOp{static_cast<std::uint8_t>(i)});
        for (std::uint32_t i = 0; i < std::size(text::kTypes); ++i)
            if (in_.accept(std::string(text::kTypes[i]) + "("))
                return convert(ExprType{static_cast<std::uint8_t>(i)});
        if (const auto table = tableNext()) return readTable(*table);
        return read();
    }

    ExprId real() {
        const double value = in_.real();
        // no word ends between them
        if (in_.accept("f32")) return add(ExprType::F32, ConstFloat{value});
        in_.expect("f64");
        return add(ExprType::F64, ConstFloat{value});
    }

    ExprId named() {
        const std::size_t begin = in_.start();
        const auto number = in_.number<std::uint64_t>();
        if (number >= shared_.size())
            in_.failAt(begin, fmt::format("there is no %{} in front", number));
        return shared_[number];
    }

    ExprId column() {
        const std::size_t begin = in_.start();
        const std::uint32_t number = numberOf(in_.numberedName(), columns_, "column", begin);
        return add(exprTypeOf(cls_->columns[number].type), ReadColumn{number});
    }

    std::uint32_t numberOf(const NumberedName& name, const Names& names, std::string_view what,
                           std::size_t begin) const {
        const auto found = names.find(name);
        if (found == names.end())
            in_.failAt(begin, fmt::format("there is no {} {}", what, shown(name)));
        if (found->second == kSeveral)
            in_.failAt(begin, fmt::format("there are several {}s {}", what, shown(name)));
        return found->second;
    }

    /// Behind "(".
    ExprId infix() {
        const ExprId left = expr();
        if (in_.accept("?")) {
            const ExprId yes = expr();
            in_.expect(":");
            const ExprId no = expr();
            in_.expect(")");
            return add(typeOf(yes), Select{left, yes, no});
        }
        const auto op = static_cast<BinaryOp>(in_.oneOf(binary_, "an operator"));
        const ExprId right = expr();
        in_.expect(")");
        return binary(op, left, right);
    }

    /// Behind "min(".
    ExprId called(BinaryOp op) {
        const ExprId left = expr();
        in_.expect(",");
        const ExprId right = expr();
        in_.expect(")");
        return binary(op, left, right);
    }

    ExprId binary(BinaryOp op, ExprId left, ExprId right) {
        const ExprType type = isArithmetic(op) ? ExprType::Int
                              : isIntegerComparison(op) || isLogical(op) || isFloatComparison(op)
                                  ? ExprType::Bool
                                  : typeOf(left);
        return add(type, Binary{op, left, right});
    }

    ExprId unary(UnaryOp op) {
        const ExprId operand = inner();
        switch (op) {
        case UnaryOp::Not:
        case UnaryOp::Parity: return add(ExprType::Bool, Unary{op, operand});
        case UnaryOp::FNeg: return add(typeOf(operand), Unary{op, operand});
        case UnaryOp::Neg:
        case UnaryOp::BitNot:
        case UnaryOp::Abs:
        case UnaryOp::Popcount: break;
        }
        return add(ExprType::Int, Unary{op, operand});
    }

    /// Behind "(".
    ExprId inner() {
        const ExprId operand = expr();
        in_.expect(")");
        return operand;
    }

    ExprId wrap() {
        const auto [isSigned, width] = in_.sized(1);
        in_.expect("(");
        return add(ExprType::Int, Wrap{inner(), width, isSigned});
    }

    ExprId saturate() {
        const auto [isSigned, width] = in_.sized(1);
        in_.expect("(");
        return add(ExprType::Int, Convert{ConvertOp::FloatToInt, inner(), width, isSigned});
    }

    ExprId convert(ExprType to) {
        const ExprId operand = inner();
        const ConvertOp op = to == ExprType::Bool               ? ConvertOp::IntToBool
                             : to == ExprType::Int              ? ConvertOp::BoolToInt
                             : typeOf(operand) == ExprType::Int ? ConvertOp::IntToFloat
                                                                : ConvertOp::FloatToFloat;
        return add(to, Convert{op, operand, 0, false});
    }

    /// "table3".
    std::optional<TableId> tableNext() {
        const std::size_t begin = in_.start();
        if (in_.isQuotedNext()) return std::nullopt;
        const std::string word = in_.name();
        in_.goBack(begin);
        if (!word.starts_with("table") || word.size() == 5
            || word.find_first_not_of("0123456789", 5) != std::string::npos)
            return std::nullopt;
        in_.goBack(begin + 5);
        const auto number = in_.number<std::uint32_t>();
        if (number >= design_.tables.size())
            in_.failAt(begin, fmt::format("there is no table {}", number));
        return TableId{number};
    }

    ExprId index() {
        if (!in_.accept("[")) return {};
        const ExprId result = expr();
        in_.expect("]");
        return result;
    }

    ExprId readTable(TableId table) {
        const ExprId at = index();
        return add(exprTypeOf(design_.tables[table.index].type.scalar), ReadTable{table, at});
    }

    /// Of a local or an input.
    ExprId read() {
        const std::size_t begin = in_.start();
        const NumberedName name = in_.numberedName();
        if (const auto found = locals_.find(name); found != locals_.end()) {
            const ExprId at = index();
            return add(exprTypeOf(body_.locals[found->second].type.scalar),
                       ReadLocal{{found->second}, at});
        }
        ReadInput input = readInput(name, begin);
        input.index = index();
        return add(exprTypeOf(cls_->inputs[input.input].type.scalar), input);
    }

    ReadInput readInput(const NumberedName& name, std::size_t begin) {
        const std::uint32_t number = numberOf(name, inputs_, "local or input", begin);
        ExprId element;
        if (in_.accept("{")) {
            element = expr();
            in_.expect("}");
        }
        return {number, element, {}};
    }

    /// In parentheses.
    std::vector<ExprId> arguments() {
        in_.expect("(");
        std::vector<ExprId> result;
        if (in_.accept(")")) return result;
        result = list();
        in_.expect(")");
        return result;
    }

    std::vector<ExprId> list() {
        std::vector<ExprId> result;
        do {
            result.push_back(expr());
        } while (in_.accept(","));
        return result;
    }

    // -------------------------------------------------------------- statements

    Block block(std::uint32_t depth) {
        if (depth > kDeepestBlock) in_.fail("blocks of more than {} levels", kDeepestBlock);
        Block result;
        while (!in_.isAtEnd() && in_.depth() == depth && !isContinued())
            result.push_back({{}, statement(depth)});
        if (!in_.isAtEnd() && in_.depth() > depth) in_.fail("a line that is too far to the right");
        return result;
    }

    /// What goes on with the statement around the block.
    bool isContinued() { return in_.isNext("else") || in_.isNext("case") || in_.isNext("default"); }

    decltype(Stmt::node) statement(std::uint32_t depth) {
        if (in_.accept("if")) return branch(depth);
        if (in_.accept("for")) return loopOver(depth);
        if (in_.accept("switch")) return choice(depth);
        if (in_.isNext("loop") || in_.isNext("states")) {
            const bool isStateMachine = in_.accept("states");
            if (!isStateMachine) in_.expect("loop");
            in_.endLine();
            return Loop{block(depth + 1), isStateMachine};
        }
        decltype(Stmt::node) node = simple();
        in_.endLine();
        return node;
    }

    /// Of one line.
    decltype(Stmt::node) simple() {
        if (in_.accept("copy")) return copy();
        if (in_.accept("fill")) {
            const LocalId to = target();
            in_.expect("=");
            return FillArray{to, expr()};
        }
        if (in_.accept("check")) {
            const ExprId ok = expr();
            const std::uint32_t number = site();
            return Check{ok, number, arguments()};
        }
        if (in_.accept("count round")) return CountRound{site()};
        if (in_.accept("break")) return Break{};
        if (in_.accept("continue")) return Continue{};
        if (in_.accept("return")) return Return{in_.isLineDone() ? std::vector<ExprId>() : list()};
        if (in_.isNext("trace site")) {
            in_.expect("trace");
            const std::uint32_t number = site();
            return Trace{number, arguments()};
        }
        if (in_.accept("stop")) return Stop{expr()};
        if (in_.accept("call")) return call({});
        return assignment();
    }

    std::uint32_t site() {
        in_.expect("site");
        return in_.number<std::uint32_t>();
    }

    decltype(Stmt::node) assignment() {
        std::vector<LocalId> targets{target()};
        const ExprId at = index();
        while (in_.accept(","))
            targets.push_back(target());
        in_.expect("=");
        if (in_.accept("call")) return call(std::move(targets));
        if (targets.size() != 1 || !targets[0].valid()) in_.fail("expected 'call'");
        return Set{targets[0], at, expr()};
    }

    Call call(std::vector<LocalId> results) {
        if (functions_.empty()) addAll(design_.functions, '#', functions_);
        const std::size_t begin = in_.start();
        const std::uint32_t number = numberOf(in_.numberedName(), functions_, "function", begin);
        return {std::move(results), {number}, arguments()};
    }

    CopyArray copy() {
        CopyArray copy{target(), LocalId{}};
        in_.expect("=");
        if (const auto table = tableNext()) {
            copy.from = *table;
            return copy;
        }
        const std::size_t begin = in_.start();
        const NumberedName name = in_.numberedName();
        if (const auto found = locals_.find(name); found != locals_.end())
            copy.from = LocalId{found->second};
        else
            copy.from = readInput(name, begin);
        return copy;
    }

    If branch(std::uint32_t depth) {
        If first = condition(depth);
        If* last = &first;
        while (in_.acceptLine(depth, "else")) {
            if (in_.accept("if")) {
                last->no.push_back({{}, condition(depth)});
                last = &std::get<If>(last->no.front().node);
                continue;
            }
            in_.endLine();
            last->no = block(depth + 1);
            break;
        }
        return first;
    }

    If condition(std::uint32_t depth) {
        const ExprId condition = expr();
        in_.endLine();
        return {condition, block(depth + 1), {}};
    }

    For loopOver(std::uint32_t depth) {
        For loop{};
        loop.var = target();
        in_.expect("=");
        loop.from = expr();
        loop.kind = static_cast<LoopKind>(in_.oneOf(text::kLoops, "'up', 'down' or 'either'"));
        in_.expect("to");
        loop.to = expr();
        if (in_.accept("at most")) loop.rounds = in_.number<std::uint64_t>();
        in_.endLine();
        loop.body = block(depth + 1);
        return loop;
    }

    Switch choice(std::uint32_t depth) {
        Switch choice{expr(), {}, {}};
        in_.endLine();
        while (in_.acceptLine(depth, "case")) {
            SwitchCase one;
            if (!in_.isLineDone()) {
                do {
                    one.labels.push_back(in_.integer());
                } while (in_.accept(","));
            }
            in_.endLine();
            one.body = block(depth + 1);
            choice.cases.push_back(std::move(one));
        }
        if (!in_.acceptLine(depth, "default")) in_.fail("expected 'default' of a switch");
        in_.endLine();
        choice.otherwise = block(depth + 1);
        return choice;
    }

    TextReader& in_;
    const Design& design_;
    const Class* cls_;
    Body& body_;
    Names locals_, inputs_, columns_, functions_;
    const std::vector<std::string_view> unary_ = text::unaryWords(), binary_ = text::binaryWords();
    std::vector<ExprId> shared_;
    std::uint32_t depth_ = 0;  ///< of the expression being read
};

}  // namespace

void parseBody(TextReader& in, const Design& design, const Class* cls, Body& body) {
    BodyParser(in, design, cls, body).run();
}

}  // namespace smec::ir
