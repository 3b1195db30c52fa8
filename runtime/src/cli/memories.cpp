#include "cli/memories.h"

#include <cstring>

#include "formats/memory_file.h"
#include "values/value.h"
#include "values/words.h"

namespace sme {
namespace {

/// Empty, or why it is nothing that can be loaded.
std::string whyNoMemory(const Model& model, const Ref& ref) {
    const Type& type = model.types[ref.type];
    const Kind element = type.kind == Kind::Array ? model.types[type.element].kind : Kind::Array;
    const bool isWords = element == Kind::Bool || element == Kind::Unsigned
                         || element == Kind::Signed || element == Kind::Enum;
    if (!isWords) return std::string("is of type ") + type.name + "; arrays of integers are loaded";
    const Plane& plane = model.planes[ref.plane];
    const bool isField = (ref.flags & kVariable) == 0;
    if ((ref.flags & (kUndriven | kStartsAnew)) != 0 || plane.home == Home::WrittenSlot
        || (isField && (!plane.hold || plane.home == Home::Given)))
        return "does not keep what it holds; variables of clocked processes are loaded, and "
               "'hold' buses that a process writes";
    return {};
}

/// A word as values of the type are stored.
class StoredWord {
public:
    explicit StoredWord(const Type& type) : type_(type), limbs_((type.bytes + 7) / 8) {}

    /// Whether it is one.
    bool take(std::span<const std::uint64_t> limbs) {
        std::ranges::copy(limbs, limbs_.begin());
        if (isSignedNumber(type_))
            limbs_.back() = signExtend(limbs_.back(), (type_.width - 1) % 64 + 1);
        return isValue(type_, bytes());
    }
    const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(limbs_.data()); }

private:
    const Type& type_;
    std::vector<std::uint64_t> limbs_;
};

void loadMemory(Run& run, const NameTable& names, const std::string& given) {
    const auto option = readMemoryOption(given);
    if (!option) wrongUsage("--memory takes PATH=FILE, not " + quotedWord(given));
    const auto ref = names.find(option->path);
    const std::string what = "'" + option->path + "'";
    if (!ref) wrongUsage("--memory: no memory " + what + names.hint(option->path));
    const Model& model = names.model();
    const std::string why = whyNoMemory(model, *ref);
    if (!why.empty()) wrongUsage("--memory: " + what + " " + why);
    const Type& array = model.types[ref->type];
    const Type& element = model.types[array.element];
    StoredWord word(element);
    const MemoryProblem problem =
        readMemoryFile(option->file, {array.count, element.width},
                       [&](std::uint64_t address, std::span<const std::uint64_t> limbs) {
                           if (!word.take(limbs)) return false;
                           run.set(elementOf(model, *ref, address), word.bytes());
                           return true;
                       });
    throwIfAny(FileProblem{problem.status, problem.message});
}

}  // namespace

void loadMemories(Run& run, const NameTable& names, const std::vector<std::string>& given) {
    for (const std::string& one : given)
        loadMemory(run, names, one);
}

}  // namespace sme
