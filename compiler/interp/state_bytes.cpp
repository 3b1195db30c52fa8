// Hidden parts, as the interpreter has them: a mark of the bodies, then for each field that is
// delayed what is under way, for each process where it is in its body, its variables without a
// name, its random numbers and the counts of its covers.

#include "interp/state_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include <fmt/format.h>

#include "interp/hash.h"
#include "interp/names.h"
#include "interp/options.h"
#include "sme/state_format.h"

namespace smec::interp {

namespace {

using sme::BadState;
using sme::StateReader;
using sme::StateWriter;

// ---------------------------------------------------------------- values

std::size_t bytesOfScalar(const TypeTable& types, TypeId type) {
    const std::size_t bits = widthOf(types, type);
    return bits > 64 ? (bits + 63) / 64 * 8 : std::bit_ceil((bits + 7) / 8);
}

void appendScalar(const TypeTable& types, TypeId type, const Value& value,
                  std::vector<std::byte>& bytes) {
    const std::size_t size = bytesOfScalar(types, type);
    const std::size_t at = bytes.size();
    bytes.resize(at + size);
    std::byte* to = bytes.data() + at;
    if (const auto* single = std::get_if<float>(&value.data)) {
        std::memcpy(to, single, sizeof *single);
    } else if (const auto* twice = std::get_if<double>(&value.data)) {
        std::memcpy(to, twice, sizeof *twice);
    } else if (value.isSmall() && size <= sizeof(std::int64_t)) {
        const std::int64_t number = value.small();
        std::memcpy(to, &number, size);
    } else {
        Integer rest = toInteger(wrap(value, static_cast<std::uint32_t>(8 * size), false));
        for (std::size_t i = 0; i < size; ++i, rest >>= 8)
            to[i] = static_cast<std::byte>(static_cast<unsigned>(rest & 255));
    }
}

template <typename Float>
std::optional<Value> floatOfBytes(std::span<const std::byte> bytes) {
    Float number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    const Value value = real(number);  // NaN has one bit pattern
    return std::memcmp(&std::get<Float>(value.data), bytes.data(), sizeof number) == 0
               ? std::optional(value)
               : std::nullopt;
}

Value integerOfBytes(std::span<const std::byte> bytes, bool isSigned) {
    Integer pattern = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        pattern = (pattern << 8) + std::to_integer<unsigned>(bytes[i]);
    return wrap(number(std::move(pattern)), static_cast<std::uint32_t>(8 * bytes.size()), isSigned);
}

std::optional<Value> scalarOfBytes(const TypeTable& types, TypeId type,
                                   std::span<const std::byte> bytes) {
    if (type == TypeTable::kF32) return floatOfBytes<float>(bytes);
    if (type == TypeTable::kF64) return floatOfBytes<double>(bytes);
    Value value = integerOfBytes(bytes, isSignedType(types, type));
    const Integer number = toInteger(value);
    bool isGood = number == 0 || number == 1;  // of a bool
    if (const auto* enumeration = types.as<hir::EnumType>(type))
        isGood = std::any_of(enumeration->members.begin(), enumeration->members.end(),
                             [&](const hir::EnumMember& member) { return member.value == number; });
    if (types.isInteger(type))
        isGood = number >= types.minimum(type) && number <= types.maximum(type);
    return isGood ? std::optional(std::move(value)) : std::nullopt;
}

/// Calls visit(type of a part) for the parts of an array or a struct; false: it is a scalar.
template <typename Visit>
bool forEachPart(const TypeTable& types, TypeId type, const Visit& visit) {
    if (const auto* array = types.as<hir::ArrayType>(type)) {
        for (std::uint64_t i = 0; i < array->count; ++i)
            visit(i, array->element);
        return true;
    }
    const auto* structure = types.as<hir::StructType>(type);
    if (!structure) return false;
    for (std::size_t i = 0; i < structure->members.size(); ++i)
        visit(i, structure->members[i].type);
    return true;
}

/// A type with all that makes two of one name differ; as the runtime writes it.
void appendShape(std::string& out, const TypeTable& types, TypeId type) {
    out += types.name(type);
    if (const auto* array = types.as<hir::ArrayType>(type)) {
        appendShape(out += " of ", types, array->element);
        return;
    }
    if (const auto* structure = types.as<hir::StructType>(type)) {
        for (const hir::StructMember& member : structure->members)
            appendShape(out += " " + member.name + ":", types, member.type);
        return;
    }
    if (const auto* enumeration = types.as<hir::EnumType>(type)) {
        for (const hir::EnumMember& member : enumeration->members)
            out += fmt::format(" {}={}", member.name,
                               static_cast<std::uint64_t>(hir::wrap(member.value, 64, false)));
    }
    out += fmt::format("/{}", widthOf(types, type));
}

std::string shapeOf(const TypeTable& types, TypeId type) {
    std::string shape;
    appendShape(shape, types, type);
    return shape;
}

// ---------------------------------------------------------------- bodies

/// The blocks of a body in the order of its text, and the loops that they are rounds of.
struct Blocks {
    struct Entry {
        const hir::Block* block;
        const hir::For* countLoop = nullptr;
        const hir::While* whileLoop = nullptr;
        SourceRange range{};
    };
    explicit Blocks(const hir::Block& body) { add({&body}); }

    void add(const Entry& entry) {
        numbers.emplace(entry.block, static_cast<std::uint32_t>(all.size()));
        all.push_back(entry);
        for (const hir::Stmt& stmt : *entry.block) {
            if (const auto* loop = std::get_if<hir::For>(&stmt.node))
                add({&loop->body, loop, nullptr, stmt.range});
            if (const auto* loop = std::get_if<hir::While>(&stmt.node))
                add({&loop->body, nullptr, loop, stmt.range});
            if (const auto* branch = std::get_if<hir::If>(&stmt.node)) {
                add({&branch->yes});
                add({&branch->no});
            }
            if (const auto* choice = std::get_if<hir::Switch>(&stmt.node)) {
                for (const hir::SwitchCase& each : choice->cases)
                    add({&each.body});
                if (choice->otherwise) add({&*choice->otherwise});
            }
        }
    }

    std::vector<Entry> all;
    std::unordered_map<const hir::Block*, std::uint32_t> numbers;
};

bool hidesState(const hir::Specialisation& spec) {
    return spec.body.canWait || spec.body.usesRandom;
}

/// Tells bodies from others in which the same numbers mean something else.
std::uint64_t markOf(const hir::Design& design) {
    std::string text;
    for (const hir::Specialisation& spec : design.specs)
        text += fmt::format("{} {} {} {};", spec.name, spec.body.exprs.size(),
                            spec.body.vars.size(), Blocks(spec.body.statements).all.size());
    return fnv1a64(text);
}

class HiddenWriter {
public:
    HiddenWriter(const Simulation& simulation, const State& state, StateWriter& out)
        : simulation_(simulation), state_(state), out_(out), types_(simulation.design().types) {}

    void write() {
        const bool isDelayed = std::any_of(state_.underway.begin(), state_.underway.end(),
                                           [](const auto& values) { return !values.empty(); });
        const bool isCounted =
            std::any_of(state_.activities.begin(), state_.activities.end(),
                        [](const State::Activity& each) { return !each.covers.empty(); });
        const std::vector<hir::Specialisation>& specs = simulation_.design().specs;
        if (!isDelayed && !isCounted && std::none_of(specs.begin(), specs.end(), hidesState)) {
            out_.text("");
            return;
        }
        out_.text(sme::kHiddenBodies);
        out_.number(markOf(simulation_.design()));
        for (std::size_t i = 0; i < state_.underway.size(); ++i)
            for (const Value& value : state_.underway[i])
                writeValue(simulation_.typeOfRegister(i), value);
        for (std::size_t i = 0; i < state_.activities.size(); ++i)
            writeActivity(simulation_.processes()[i], state_.activities[i]);
    }

private:
    void writeValue(TypeId type, const Value& value) {
        bytes_.clear();
        appendBytes(types_, type, value, bytes_);
        out_.raw(bytes_.data(), bytes_.size());
    }

    void writeActivity(const Process& process, const State::Activity& activity) {
        out_.number(activity.cyclesToWait);
        out_.number(activity.waitUntil.index);
        out_.number(activity.randomState);
        out_.number(static_cast<std::uint32_t>(activity.covers.size()));
        for (const CoverCount& cover : activity.covers) {
            out_.number(cover.cycles);
            out_.number(cover.lastCycle);
        }
        if (!process.spec->body.canWait) return;
        const Value* vars = &state_.variables[simulation_.firstVariable(process)];
        const std::vector<hir::Variable>& declared = process.spec->body.vars;
        for (std::size_t i = 0; i < declared.size(); ++i) {
            if (declared[i].kind == hir::VarKind::Process) continue;
            const bool isSet = isOfType(vars[i], declared[i].type);
            out_.number<std::uint8_t>(isSet);
            if (isSet) writeValue(declared[i].type, vars[i]);
        }
        const Blocks blocks(process.spec->body.statements);
        out_.number(static_cast<std::uint32_t>(activity.frames.size()));
        for (const Frame& frame : activity.frames) {
            out_.number(blocks.numbers.at(frame.block));
            out_.number(static_cast<std::uint32_t>(frame.next));
            out_.number<std::uint8_t>(frame.started);
            out_.number<std::uint8_t>(frame.down);
            out_.text(frame.countLoop ? toInteger(frame.last).str() : "");
        }
    }

    /// A variable of a block that was not entered has no value yet.
    bool isOfType(const Value& value, TypeId type) const {
        const bool isList = types_.as<hir::ArrayType>(type) || types_.as<hir::StructType>(type);
        return value.isList() == isList && value.isFloat() == types_.isFloat(type);
    }

    const Simulation& simulation_;
    const State& state_;
    StateWriter& out_;
    const TypeTable& types_;
    std::vector<std::byte> bytes_;
};

// ---------------------------------------------------------------- reading

class Reader {
public:
    Reader(const Simulation& simulation, std::span<const std::byte> bytes)
        : simulation_(simulation),
          in_(bytes),
          types_(simulation.design().types),
          names_(simulation.design()) {}

    State read() {
        const sme::StateHead head = in_.begin();
        state_ = simulation_.initialState(head.seed);
        state_.cycle = head.cycle;
        if (head.isInitial) return std::move(state_);
        isSet_.resize(names_.roots().size());
        for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs)
            readRun();
        for (std::size_t i = 0; i < isSet_.size(); ++i)
            if (!isSet_[i] && !isUndriven(names_.roots()[i]))
                throw BadState("lacks values of this design");
        readHidden();
        if (!in_.isAtEnd()) throw BadState("goes on after its end");
        return std::move(state_);
    }

private:
    bool isUndriven(const Root& root) const {
        return !root.isVariable && !root.isInput
               && !simulation_.design().fields[root.field].driver.valid();
    }

    void readRun() {
        const std::string prefix = in_.text();
        const bool hasSuffix = in_.number<std::uint8_t>() != 0;
        const std::string suffix = in_.text();
        const auto index = in_.number<std::uint64_t>();
        const auto count = in_.number<std::uint32_t>();
        const std::string shape = in_.text();
        for (std::uint32_t i = 0; i < count; ++i)
            readNamed(hasSuffix ? prefix + std::to_string(index + i) + suffix : prefix, shape);
    }

    void readNamed(const std::string& path, const std::string& shape) {
        const std::optional<std::uint32_t> number = names_.rootCalled(path);
        if (!number) throw BadState("has a value of '" + path + "', which this design lacks");
        const Root& root = names_.roots()[*number];
        if (shape != shapeOf(types_, root.type))
            throw BadState("has another type for '" + path + "', which is a "
                           + types_.name(root.type));
        const Value value = readValue(root.type, path);
        isSet_[*number] = true;
        if (isUndriven(root)) return;
        if (root.isVariable) {
            const Process& process = simulation_.processes()[root.process];
            state_.variables[simulation_.firstVariable(process) + root.variable] = value;
            return;
        }
        state_.read[root.field] = value;
        if (root.hold) state_.write[root.field] = value;
    }

    Value readValue(TypeId type, const std::string& path) {
        const std::size_t size = bytesOf(types_, type);
        std::optional<Value> value = valueOfBytes(types_, type, {in_.raw(size), size});
        if (!value)
            throw BadState("has a value that is none of " + types_.name(type) + " for '" + path
                           + "'");
        return std::move(*value);
    }

    void readHidden() {
        const std::string whose = in_.text();
        if (whose.empty()) return;
        if (whose != sme::kHiddenBodies)
            throw BadState("is one of a compiled simulator, and what waits, is delayed, counts or "
                           "makes random numbers has no name by which to take it over");
        if (in_.number<std::uint64_t>() != markOf(simulation_.design()))
            throw BadState("is one of another design");
        for (std::size_t i = 0; i < state_.underway.size(); ++i)
            for (Value& value : state_.underway[i])
                value = readValue(simulation_.typeOfRegister(i), "a delayed field");
        for (std::size_t i = 0; i < state_.activities.size(); ++i)
            readActivity(simulation_.processes()[i], state_.activities[i]);
    }

    void readActivity(const Process& process, State::Activity& activity) {
        const hir::Body& body = process.spec->body;
        activity.cyclesToWait = in_.number<std::uint64_t>();
        activity.waitUntil.index = in_.number<std::uint32_t>();
        check(!activity.waitUntil.valid() || activity.waitUntil.index < body.exprs.size());
        activity.randomState = in_.number<std::uint64_t>();
        const auto covers = in_.number<std::uint32_t>();
        check(covers <= body.exprs.size());
        activity.covers.resize(covers);
        for (CoverCount& cover : activity.covers) {
            cover.cycles = in_.number<std::uint64_t>();
            cover.lastCycle = in_.number<std::uint64_t>();
        }
        if (!body.canWait) return;
        Value* vars = &state_.variables[simulation_.firstVariable(process)];
        for (std::size_t i = 0; i < body.vars.size(); ++i) {
            if (body.vars[i].kind == hir::VarKind::Process) continue;
            if (in_.number<std::uint8_t>() != 0)
                vars[i] = readValue(body.vars[i].type, body.vars[i].name);
        }
        readFrames(body, activity);
    }

    void readFrames(const hir::Body& body, State::Activity& activity) {
        const Blocks blocks(body.statements);
        const auto count = in_.number<std::uint32_t>();
        check(count <= blocks.all.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto number = in_.number<std::uint32_t>();
            check(number < blocks.all.size());
            const Blocks::Entry& entry = blocks.all[number];
            Frame& frame = activity.frames.emplace_back();
            frame.block = entry.block;
            frame.next = in_.number<std::uint32_t>();
            check(frame.next <= entry.block->size());
            frame.countLoop = entry.countLoop;
            frame.whileLoop = entry.whileLoop;
            frame.range = entry.range;
            frame.started = in_.number<std::uint8_t>() != 0;
            frame.down = in_.number<std::uint8_t>() != 0;
            const std::string last = in_.text();
            const bool isNumber =
                !last.empty() && last.find_first_not_of("0123456789", last[0] == '-') == last.npos
                && last != "-";
            check(isNumber == (frame.countLoop != nullptr));
            if (isNumber) frame.last = interp::number(Integer(last));
        }
    }

    static void check(bool isGood) {
        if (!isGood) throw BadState("is one of another design");
    }

    const Simulation& simulation_;
    StateReader in_;
    const TypeTable& types_;
    const NameTable names_;
    State state_;
    std::vector<bool> isSet_;
};

}  // namespace

std::size_t bytesOf(const TypeTable& types, TypeId type) {
    if (const auto* array = types.as<hir::ArrayType>(type))
        return array->count * bytesOf(types, array->element);
    std::size_t bytes = 0;
    const bool isWhole = forEachPart(
        types, type, [&](std::uint64_t, TypeId part) { bytes += bytesOf(types, part); });
    return isWhole ? bytes : bytesOfScalar(types, type);
}

void appendBytes(const TypeTable& types, TypeId type, const Value& value,
                 std::vector<std::byte>& bytes) {
    const bool isWhole = forEachPart(types, type, [&](std::uint64_t i, TypeId part) {
        appendBytes(types, part, value.list()[i], bytes);
    });
    if (!isWhole) appendScalar(types, type, value, bytes);
}

std::optional<Value> valueOfBytes(const TypeTable& types, TypeId type,
                                  std::span<const std::byte> bytes) {
    Value::List parts;
    bool isGood = true;
    const bool isWhole = forEachPart(types, type, [&](std::uint64_t, TypeId part) {
        const std::size_t size = bytesOf(types, part);
        std::optional<Value> value =
            isGood ? valueOfBytes(types, part, bytes.first(size)) : std::nullopt;
        bytes = bytes.subspan(size);
        isGood = value.has_value();
        if (isGood) parts.push_back(std::move(*value));
    });
    if (!isWhole) return scalarOfBytes(types, type, bytes);
    return isGood ? std::optional(Value{std::move(parts)}) : std::nullopt;
}

std::vector<std::byte> toBytes(const Simulation& simulation, const State& state) {
    const hir::Design& design = simulation.design();
    if (!state.objects.empty())
        throw RunError{
            kUsage,
            fmt::format("the state has objects of the extern process '{}', which cannot be written",
                        classOf(design, simulation.processes()[state.objects.front().process]))};
    StateWriter out;
    out.begin({0, design.topName, state.cycle, state.seed, false});
    const std::vector<Root> roots = allRoots(design);
    out.number(static_cast<std::uint32_t>(roots.size()));
    std::vector<std::byte> bytes;
    for (const Root& root : roots) {
        out.text(root.name);
        out.number<std::uint8_t>(0);
        out.text("");
        out.number<std::uint64_t>(0);
        out.number<std::uint32_t>(1);
        out.text(shapeOf(design.types, root.type));
        bytes.clear();
        const std::size_t variable =
            root.isVariable
                ? simulation.firstVariable(simulation.processes()[root.process]) + root.variable
                : 0;
        appendBytes(design.types, root.type,
                    root.isVariable ? state.variables[variable] : state.read[root.field], bytes);
        out.raw(bytes.data(), bytes.size());
    }
    HiddenWriter(simulation, state, out).write();
    return out.take();
}

State fromBytes(const Simulation& simulation, std::span<const std::byte> bytes) {
    try {
        return Reader(simulation, bytes).read();
    } catch (const BadState& problem) {
        throw RunError{kFailure, problem.what()};
    }
}

}  // namespace smec::interp
