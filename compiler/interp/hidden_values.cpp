#include "interp/hidden_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "hir/visit.h"
#include "interp/arithmetic.h"
#include "interp/hash.h"
#include "interp/names.h"
#include "interp/value_bytes.h"
#include "source/internal_error.h"

namespace smec::interp {
namespace {

using What = HiddenName::What;
using Numbers = std::unordered_map<std::string, std::size_t>;

/// Processes that keep something.
Numbers processesOf(const Simulation& simulation) {
    Numbers numbers;
    const std::vector<Process>& all = simulation.network().processes;
    for (std::size_t i = 0; i < all.size(); ++i)
        numbers.emplace(hir::pathOf(simulation.design(), all[i].id), i);
    return numbers;
}

/// Fields that are delayed.
Numbers registersOf(const Simulation& simulation, const State& state) {
    std::unordered_map<std::uint32_t, std::size_t> delayed;  // by field
    for (std::size_t i = 0; i < state.underway.size(); ++i)
        if (!state.underway[i].empty()) delayed.emplace(simulation.network().registers[i].field, i);
    Numbers numbers;
    if (delayed.empty()) return numbers;
    for (const Root& root : allRoots(simulation.design())) {
        const auto found = delayed.find(root.field);
        if (!root.isVariable && found != delayed.end()) numbers.emplace(root.name, found->second);
    }
    return numbers;
}

// ---------------------------------------------------------------- numbers and leaves

void appendNumber(std::uint64_t value, std::size_t size, std::vector<std::byte>& out) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    out.insert(out.end(), bytes, bytes + std::min(size, sizeof value));
}

std::optional<std::uint64_t> numberOf(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    if (bytes.size() > sizeof value) return std::nullopt;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
}

std::uint32_t leafCount(const TypeTable& types, TypeId type) {
    if (const auto* array = types.as<hir::ArrayType>(type)) return leafCount(types, array->element);
    const auto* structure = types.as<hir::StructType>(type);
    if (!structure) return 1;
    std::uint32_t leaves = 0;
    for (const hir::StructMember& member : structure->members)
        leaves += leafCount(types, member.type);
    return leaves;
}

/// visit(type, index) for the parts of a value in which a leaf is, and the leaf's number in them.
/// False: it is a scalar.
template <typename Visit>
bool forEachPartOf(const TypeTable& types, TypeId type, std::uint32_t leaf, const Visit& visit) {
    if (const auto* array = types.as<hir::ArrayType>(type)) {
        for (std::uint64_t i = 0; i < array->count; ++i)
            visit(array->element, static_cast<std::size_t>(i), leaf);
        return true;
    }
    const auto* structure = types.as<hir::StructType>(type);
    if (!structure) return false;
    for (std::size_t i = 0; i < structure->members.size(); ++i) {
        const std::uint32_t leaves = leafCount(types, structure->members[i].type);
        if (leaf < leaves) {
            visit(structure->members[i].type, i, leaf);
            break;
        }
        leaf -= leaves;
    }
    return true;
}

void appendLeaf(const TypeTable& types, TypeId type, std::uint32_t leaf, const Value& value,
                std::vector<std::byte>& out) {
    const bool isWhole =
        forEachPartOf(types, type, leaf, [&](TypeId part, std::size_t i, std::uint32_t inPart) {
            appendLeaf(types, part, inPart, value.list()[i], out);
        });
    if (!isWhole) appendBytes(types, type, value, out);
}

/// Takes the bytes from the front. False: they are no values.
bool putLeaf(const TypeTable& types, TypeId type, std::uint32_t leaf, Value& value,
             std::span<const std::byte>& bytes) {
    bool isGood = true;
    const bool isWhole =
        forEachPartOf(types, type, leaf, [&](TypeId part, std::size_t i, std::uint32_t inPart) {
            isGood = isGood && putLeaf(types, part, inPart, value.list().edit(i), bytes);
        });
    if (isWhole) return isGood;
    const std::size_t size = bytesOf(types, type);
    if (bytes.size() < size) return false;
    std::optional<Value> scalar = valueOfBytes(types, type, bytes.first(size));
    bytes = bytes.subspan(size);
    if (scalar) value = std::move(*scalar);
    return scalar.has_value();
}

/// A variable of a block that was not entered has no value yet.
bool isOfType(const TypeTable& types, TypeId type, const Value& value) {
    const bool isList = types.as<hir::ArrayType>(type) || types.as<hir::StructType>(type);
    return value.isList() == isList && value.isFloat() == types.isFloat(type);
}

// ---------------------------------------------------------------- where processes wait

/// 0: at the top; n + 1: behind the n-th wait.
std::uint64_t placeOf(const Process& process, const std::vector<Frame>& frames) {
    if (frames.empty()) return 0;
    const hir::Stmt* at = &(*frames.back().block)[frames.back().next - 1];
    const std::vector<const hir::Stmt*>& waits = process.body->waits;
    return static_cast<std::uint64_t>(std::find(waits.begin(), waits.end(), at) - waits.begin())
           + 1;
}

/// The frames of a body that waits at a statement, the first one that of `block`.
bool findWay(const hir::Block& block, const hir::Stmt* wait, const Frame& first,
             std::vector<Frame>& frames) {
    frames.push_back(first);
    frames.back().block = &block;
    for (std::size_t i = 0; i < block.size(); ++i) {
        const hir::Stmt& stmt = block[i];
        frames.back().next = i + 1;
        if (&stmt == wait) return true;
        Frame inner;
        inner.countLoop = std::get_if<hir::For>(&stmt.node);
        inner.whileLoop = std::get_if<hir::While>(&stmt.node);
        inner.started = inner.countLoop != nullptr;
        if (inner.isLoop()) inner.range = stmt.range;
        bool isFound = false;
        hir::forEachBlock(stmt, [&](const hir::Block& each) {
            isFound = isFound || findWay(each, wait, inner, frames);
        });
        if (isFound) return true;
    }
    frames.pop_back();
    return false;
}

/// The last value of a loop is kept as the bound that its source has.
Value boundOf(const Frame& frame) {
    const bool isUntil = frame.countLoop->kind == hir::LoopKind::Until;
    return isUntil ? binary(hir::BinaryOp::Add, frame.last, small(1)) : frame.last;
}

void setBound(Frame& frame, const Value& bound, const Value& counter) {
    const hir::LoopKind kind = frame.countLoop->kind;
    frame.last = kind == hir::LoopKind::Until ? binary(hir::BinaryOp::Sub, bound, small(1)) : bound;
    frame.down = kind == hir::LoopKind::Downto
                 || (kind == hir::LoopKind::To && compareIntegers(counter, frame.last) > 0);
}

/// What is at a place of the ring of a delay line: the j-th of what is on its way, oldest first. What
/// is written in cycle w comes to place (w + 1) mod `ring`.
std::size_t inRing(std::size_t place, std::uint64_t cycle, std::size_t ring) {
    return (place + ring - static_cast<std::size_t>(cycle % ring)) % ring;
}

}  // namespace

std::optional<HiddenName> HiddenName::of(const std::string& path) {
    constexpr std::array<std::pair<std::string_view, int>, 8> kWhats{{{"random", 0},
                                                                      {"cover", 1},
                                                                      {"wait", 0},
                                                                      {"left", 0},
                                                                      {"end", 1},
                                                                      {"var", 2},
                                                                      {"last", 1},
                                                                      {"ring", 1}}};
    const std::size_t mark = path.rfind('#');
    if (mark == path.npos) return std::nullopt;
    std::string_view rest = std::string_view(path).substr(mark + 1);
    const std::string_view word = rest.substr(0, rest.find('.'));
    const auto known = std::ranges::find(kWhats, word, &std::pair<std::string_view, int>::first);
    if (known == kWhats.end()) return std::nullopt;
    rest.remove_prefix(word.size());
    std::array<std::uint32_t, 2> numbers{};
    for (int i = 0; i < known->second; ++i) {
        if (!rest.starts_with('.')) return std::nullopt;
        const auto [end, error] =
            std::from_chars(rest.data() + 1, rest.data() + rest.size(), numbers.at(std::size_t(i)));
        if (error != std::errc()) return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    if (!rest.empty()) return std::nullopt;
    HiddenName name{path.substr(0, mark), static_cast<What>(known - kWhats.begin()), numbers[0],
                    numbers[1]};
    if (name.what == What::Last || name.what == What::Ring)
        name.leaf = std::exchange(name.number, 0);
    return name;
}

// ---------------------------------------------------------------- writing

HiddenWriter::HiddenWriter(const Simulation& simulation, const State& state)
    : simulation_(simulation),
      state_(state),
      processes_(processesOf(simulation)),
      registers_(registersOf(simulation, state)) {}

void HiddenWriter::append(const std::string& path, std::size_t size,
                          std::vector<std::byte>& out) const {
    const std::optional<HiddenName> name = HiddenName::of(path);
    require(name.has_value(), "an unknown hidden value");
    const hir::Design& design = simulation_.design();
    if (name->what == What::Last || name->what == What::Ring) {
        const std::size_t number = registers_.at(name->owner);
        const TypeId type = simulation_.network().registers[number].type;
        const std::vector<Value>& underway = state_.underway[number];
        if (name->what == What::Last)
            return appendLeaf(design.types, type, name->leaf, underway.back(), out);
        const std::size_t ring = underway.size() - 1;
        for (std::size_t place = 0; place < ring; ++place)
            appendLeaf(design.types, type, name->leaf, underway[inRing(place, state_.cycle, ring)],
                       out);
        return;
    }
    const std::size_t number = processes_.at(name->owner);
    const Process& process = simulation_.network().processes[number];
    const State::Activity& activity = state_.activities[number];
    const auto variable = [&](const Value& value) {
        const TypeId type = process.spec->body.vars[name->number].type;
        const std::size_t first = out.size();
        if (isOfType(design.types, type, value))
            appendLeaf(design.types, type, name->leaf, value, out);
        Value some = fromHir(hir::defaultValue(design.types, type));
        std::span<const std::byte> bytes = std::span(out).subspan(first);
        if (!bytes.empty() && putLeaf(design.types, type, name->leaf, some, bytes)) return;
        // its block was not entered: what it has is of no type, or of another range
        out.resize(first);
        appendLeaf(design.types, type, name->leaf, fromHir(hir::defaultValue(design.types, type)),
                   out);
    };
    switch (name->what) {
    case What::Random:
        return appendNumber(activity.randomState - randomStart(name->owner, state_.seed), size,
                            out);
    case What::Cover:
        return appendNumber(
            name->number < activity.covers.size() ? activity.covers[name->number].cycles : 0, size,
            out);
    case What::Wait: return appendNumber(placeOf(process, activity.frames), size, out);
    case What::Left: return appendNumber(activity.cyclesToWait, size, out);
    case What::End: {
        const auto loop = std::ranges::find_if(activity.frames, [&](const Frame& frame) {
            return frame.countLoop && frame.countLoop->var.index == name->number;
        });
        if (loop != activity.frames.end()) return variable(boundOf(*loop));
        const TypeId type = process.spec->body.vars[name->number].type;
        return variable(fromHir(hir::defaultValue(design.types, type)));
    }
    case What::Variable:
        return variable(
            state_.variables[simulation_.network().firstVariable(process) + name->number]);
    case What::Last:
    case What::Ring: break;
    }
}

// ---------------------------------------------------------------- reading

HiddenReader::HiddenReader(const Simulation& simulation, State& state)
    : simulation_(simulation),
      state_(state),
      processes_(processesOf(simulation)),
      registers_(registersOf(simulation, state)) {}

bool HiddenReader::put(const std::string& path, std::span<const std::byte> bytes,
                       std::uint64_t at) {
    const std::optional<HiddenName> name = HiddenName::of(path);
    if (!name) return false;
    const bool isDelayed = name->what == What::Last || name->what == What::Ring;
    const Numbers& numbers = isDelayed ? registers_ : processes_;
    const auto number = numbers.find(name->owner);
    if (number == numbers.end()) return false;
    return isDelayed ? putDelayed(*name, number->second, bytes)
                     : putOfProcess(*name, number->second, bytes, at);
}

bool HiddenReader::putDelayed(const HiddenName& name, std::size_t number,
                              std::span<const std::byte> bytes) {
    const TypeTable& types = simulation_.design().types;
    const Register& reg = simulation_.network().registers[number];
    std::vector<Value>& underway = state_.underway[number];
    if (name.leaf >= leafCount(types, reg.type)) return false;
    const auto take = [&](Value& value) {
        return putLeaf(types, reg.type, name.leaf, value, bytes);
    };
    bool isGood = true;
    if (name.what == What::Last) {
        isGood = take(underway.back());
        if (reg.hold) state_.write[reg.field] = underway.back();
        return isGood && bytes.empty();
    }
    const std::size_t ring = underway.size() - 1;
    for (std::size_t place = 0; isGood && place < ring; ++place)
        isGood = take(underway[inRing(place, state_.cycle, ring)]);
    return isGood && bytes.empty();
}

bool HiddenReader::putOfProcess(const HiddenName& name, std::size_t number,
                                std::span<const std::byte> bytes, std::uint64_t at) {
    const hir::Design& design = simulation_.design();
    const Process& process = simulation_.network().processes[number];
    const hir::Body& body = process.spec->body;
    State::Activity& activity = state_.activities[number];
    const auto variable = [&](Value& value) {
        const TypeId type = body.vars[name.number].type;
        if (name.leaf >= leafCount(design.types, type)) return false;
        if (!isOfType(design.types, type, value))
            value = fromHir(hir::defaultValue(design.types, type));
        return putLeaf(design.types, type, name.leaf, value, bytes) && bytes.empty();
    };
    if (name.what == What::End || name.what == What::Variable) {
        if (name.number >= body.vars.size()) return false;
        if (name.what == What::End) return variable(waiting_[number].ends[name.number]);
        return variable(
            state_.variables[simulation_.network().firstVariable(process) + name.number]);
    }
    const std::optional<std::uint64_t> value = numberOf(bytes);
    if (!value) return false;
    if (name.what == What::Random)
        activity.randomState = randomStart(name.owner, state_.seed) + *value;
    if (name.what == What::Wait) {
        waiting_[number].place = *value;
        waiting_[number].at = at;
    }
    if (name.what == What::Left) waiting_[number].left = std::max<std::uint64_t>(*value, 1);
    if (name.what == What::Cover) {
        if (name.number >= body.exprs.size()) return false;
        if (name.number >= activity.covers.size()) activity.covers.resize(name.number + 1);
        activity.covers[name.number].cycles = *value;
    }
    return true;
}

std::optional<std::uint64_t> HiddenReader::finish() {
    std::optional<std::uint64_t> first;
    for (const auto& [number, waiting] : waiting_)
        if (!goThere(number)) first = std::min(first.value_or(waiting.at), waiting.at);
    return first;
}

bool HiddenReader::goThere(std::size_t number) {
    const Process& process = simulation_.network().processes[number];
    const Waiting& waiting = waiting_.at(number);
    if (waiting.place == 0) return true;
    if (waiting.place > process.body->waits.size()) return false;
    const hir::Stmt* wait = process.body->waits[waiting.place - 1];
    State::Activity& activity = state_.activities[number];
    if (!findWay(process.spec->body.statements, wait, {}, activity.frames)) return false;
    const Value* variables = &state_.variables[simulation_.network().firstVariable(process)];
    for (Frame& frame : activity.frames) {
        if (!frame.countLoop) continue;
        const std::uint32_t variable = frame.countLoop->var.index;
        const auto bound = waiting.ends.find(variable);
        if (bound == waiting.ends.end() || variables[variable].isList()) return false;
        setBound(frame, bound->second, variables[variable]);
    }
    if (const auto* until = std::get_if<hir::WaitUntil>(&wait->node))
        activity.waitUntil = until->condition;
    else
        activity.cyclesToWait = std::get<hir::Wait>(wait->node).count.valid() ? waiting.left : 1;
    return true;
}

}  // namespace smec::interp
