#include "interp/memories.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/memory_file.h"
#include "interp/options.h"
#include "source/one_line.h"

namespace smec::interp {
namespace {

bool isWord(const TypeTable& types, TypeId type) {
    const auto* element = types.as<hir::ArrayType>(type);
    if (!element) return false;
    const Value initial = fromHir(hir::defaultValue(types, element->element));
    return !initial.isList() && !initial.isFloat();
}

/// Empty, or why it is nothing that can be loaded.
std::string whyNoMemory(const TypeTable& types, const Part& part) {
    if (!isWord(types, part.type))
        return fmt::format("is of type {}; arrays of integers are loaded", types.name(part.type));
    const Root& root = part.root;
    const bool isHeld = root.hold && !root.isInput && root.driver.valid();
    if (root.combinational || (!root.isVariable && !isHeld))
        return "does not keep what it holds; variables of clocked processes are loaded, and "
               "'hold' buses that a process writes";
    return {};
}

/// Nothing: the type has no such value.
std::optional<Value> wordOf(const TypeTable& types, TypeId type,
                            std::span<const std::uint64_t> limbs) {
    Integer bits = 0;
    for (std::size_t i = limbs.size(); i-- > 0;)
        bits = (bits << 64) | limbs[i];
    const Value value = wrap(number(bits), widthOf(types, type), isSignedType(types, type));
    const Integer exact = toInteger(value);
    if (const auto* enumeration = types.as<hir::EnumType>(type)) {
        const auto isOne = [&](const hir::EnumMember& member) { return member.value == exact; };
        if (std::ranges::none_of(enumeration->members, isOne)) return std::nullopt;
    } else if (types.as<hir::IntType>(type)
               && (exact < types.minimum(type) || exact > types.maximum(type))) {
        return std::nullopt;
    }
    return value;
}

void loadMemory(Simulation& simulation, const NameTable& names, const std::string& given) {
    const auto option = sme::readMemoryOption(given);
    if (!option) throw RunError{kUsage, "--memory takes PATH=FILE, not " + quotedWord(given)};
    auto part = names.find(option->path);
    if (!part)
        throw RunError{kUsage, fmt::format("--memory: no memory '{}'{}", option->path,
                                           names.hint(option->path))};
    const TypeTable& types = simulation.design().types;
    const std::string why = whyNoMemory(types, *part);
    if (!why.empty()) throw RunError{kUsage, fmt::format("--memory: '{}' {}", option->path, why)};
    const auto& array = *types.as<hir::ArrayType>(part->type);
    part->path.push_back(0);
    const auto store = [&](std::uint64_t address, std::span<const std::uint64_t> limbs) {
        const std::optional<Value> value = wordOf(types, array.element, limbs);
        if (!value) return false;
        part->path.back() = static_cast<std::uint32_t>(address);
        const Root& root = part->root;
        if (root.isVariable)
            simulation.setVariable(root.process, root.variable, part->path, *value);
        else
            simulation.setField(root.field, part->path, *value);
        return true;
    };
    const sme::MemoryProblem problem =
        sme::readMemoryFile(option->file, {array.count, widthOf(types, array.element)}, store);
    if (problem) throw RunError{problem.status, problem.message};
}

}  // namespace

void loadMemories(Simulation& simulation, const NameTable& names,
                  const std::vector<std::string>& given) {
    for (const std::string& one : given)
        loadMemory(simulation, names, one);
}

}  // namespace smec::interp
