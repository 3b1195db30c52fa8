// What is read becomes the value in both slots: the older one is written before anybody reads it.

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "engine/arena.h"
#include "engine/state_bytes.h"
#include "engine/state_layout.h"
#include "engine/state_objects.h"
#include "output/error.h"
#include "sme/state_format.h"
#include "values/instances.h"
#include "values/value.h"

namespace sme {
namespace {

/// `count` paths: prefix, suffix and the first number.
struct PathRun {
    explicit PathRun(StateReader& in)
        : prefix(in.text()),
          hasSuffix(in.number<std::uint8_t>() != 0),
          suffix(in.text()),
          index(in.number<std::uint64_t>()),
          count(in.number<std::uint32_t>()) {}
    void name(std::string& path, std::uint32_t i) const {
        path.clear();
        appendRunName(path, prefix.c_str(), hasSuffix ? suffix.c_str() : nullptr, index + i);
    }
    std::string prefix;
    bool hasSuffix;
    std::string suffix;
    std::uint64_t index;
    std::uint32_t count;
};

/// visit(path, shape, bytes) for the values of runs of names.
template <typename Visit>
void readRuns(StateReader& in, const Visit& visit) {
    std::string path;
    for (auto runs = in.number<std::uint32_t>(); runs > 0; --runs) {
        const PathRun run(in);
        const std::string shape = in.text();
        const auto bytes = in.number<std::uint64_t>();
        // what takes nothing, the file's end does not count
        if (bytes == 0 && run.count > 0) in.failAsDamaged();
        for (std::uint32_t i = 0; i < run.count; ++i) {
            run.name(path, i);
            visit(path, shape, std::span(in.raw(bytes), bytes));
        }
    }
}

/// Whether the pieces of a value are values of their types.
bool areAll(const Model& model, const Ref& ref, const std::byte* at) {
    bool isGood = true;
    forEachPiece(model, ref, [&](const Ref& piece, std::size_t size) {
        isGood = isGood && areValues(model, piece.type, at);
        at += size;
    });
    return isGood;
}

void put(const Model& model, const Ref& ref, const std::byte* at, StateImage& image) {
    forEachPiece(model, ref, [&](const Ref& piece, std::size_t size) {
        image.set(piece.plane, piece.element, piece.offset, at, size);
        at += size;
    });
}

/// Which values of runs of names were given.
class Given {
public:
    explicit Given(const Model& model) : model_(model), isGiven_(model.nameRunCount) {}
    void add(const Ref& ref) {
        std::vector<bool>& given = isGiven_[static_cast<std::size_t>(ref.run - model_.names)];
        given.resize(ref.run->count);
        given[ref.number] = true;
    }
    /// visit(path) for the others.
    template <typename Visit>
    void forEachMissing(const Visit& visit) {
        for (std::uint32_t i = 0; i < model_.nameRunCount; ++i) {
            const NameRun& run = model_.names[i];
            if (!isKept(run)) continue;
            isGiven_[i].resize(run.count);
            for (std::uint32_t number = 0; number < run.count; ++number) {
                if (isGiven_[i][number]) continue;
                std::string path;
                appendRunName(path, run.prefix, run.suffix, run.index + number);
                visit(path);
            }
        }
    }

private:
    const Model& model_;
    std::vector<std::vector<bool>> isGiven_;  ///< by run of names
};

/// Values with names, into a state that has its initial ones.
class NamedReader {
public:
    NamedReader(const Model& model, StateReader& in, StateImage& image)
        : model_(model), in_(in), names_(model), image_(image), given_(model) {}

    std::vector<std::string> read() {
        readRuns(in_, [this](const std::string& path, const std::string& shape,
                             std::span<const std::byte> bytes) { readValue(path, shape, bytes); });
        listNew();
        return std::move(differences_);
    }

private:
    void readValue(const std::string& path, const std::string& shape,
                   std::span<const std::byte> bytes) {
        const std::optional<Ref> ref = names_.findWhole(path);
        if (!ref) return differences_.push_back("'" + path + "' is gone");
        given_.add(*ref);
        if (ref->type != checkedType_ || shape != checkedShape_) {
            const std::string here = shapeOf(model_, ref->type);
            if (shape != here) return differences_.push_back(otherType(path, shape, here));
            checkedType_ = ref->type;
            checkedShape_ = shape;
        }
        if (bytes.size() != bytesOfValue(model_, ref->type)) in_.failAsDamaged();
        if (!areAll(model_, *ref, bytes.data()))
            return differences_.push_back("'" + path + "' had a value that is none of "
                                          + model_.types[ref->type].name);
        put(model_, *ref, bytes.data(), image_);
    }

    void listNew() {
        given_.forEachMissing(
            [&](const std::string& path) { differences_.push_back("'" + path + "' is new"); });
    }

    const Model& model_;
    StateReader& in_;
    const NameTable names_;
    StateImage& image_;
    Given given_;
    std::vector<std::string> differences_;
    std::uint32_t checkedType_ = ~0u;  ///< of the value before, mostly that of the next one
    std::string checkedShape_;
};

/// What a body keeps, by the path of its process, and what is delayed, by that of its field.
class HiddenReader {
public:
    /// `isSame`: the state is one of this very design, in which everything has its place.
    HiddenReader(const Model& model, StateReader& in, StateImage& image, bool isSame)
        : model_(withHiddenNames(model)),
          in_(in),
          image_(image),
          isSame_(isSame),
          names_(model_),
          given_(model_) {}

    std::vector<std::string> read() {
        readBodies();
        readRuns(in_, [this](const std::string& path, const std::string&,
                             std::span<const std::byte> bytes) { readValue(path, bytes); });
        given_.forEachMissing([&](const std::string& path) {
            if (isSame_) in_.failAsDamaged();
            const std::string owner = ownerOf(path);
            if (!here_.contains(owner)) startAnew(owner, false);
        });
        return std::move(differences_);
    }

private:
    static std::string ownerOf(const std::string& path) { return path.substr(0, path.rfind('#')); }

    void readBodies() {
        std::string path;
        for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs) {
            const PathRun run(in_);
            const auto body = in_.number<std::uint64_t>();
            // each has values, which follow
            if (run.count > in_.rest().size()) in_.failAsDamaged();
            for (std::uint32_t i = 0; !isSame_ && i < run.count; ++i) {
                run.name(path, i);
                kept_.emplace(path, body);
            }
        }
        if (isSame_) return;
        for (const InstanceRun& run : std::span(model_.instances, model_.instanceRunCount))
            for (std::uint32_t i = 0; run.body != 0 && i < run.count; ++i)
                here_.emplace(pathOf(&run, run.first + i), run.body);
    }

    void readValue(const std::string& path, std::span<const std::byte> bytes) {
        if (!isSame_ && !isTaken(ownerOf(path))) return;
        const std::optional<Ref> ref = names_.findWhole(path);
        const bool fits = ref && bytes.size() == bytesOfValue(model_, ref->type)
                          && areAll(model_, *ref, bytes.data());
        if (!fits && isSame_)
            throw BadState("is damaged" + in_.place() + ", behind '" + path + "'");
        if (!fits) return startAnew(ownerOf(path), here_.contains(ownerOf(path)));
        given_.add(*ref);
        put(model_, *ref, bytes.data(), image_);
    }

    /// Whether something here has the path and the body that the state's had. What is delayed has none.
    bool isTaken(const std::string& owner) {
        const auto here = here_.find(owner), kept = kept_.find(owner);
        if (kept == kept_.end()) return here == here_.end();
        if (here == here_.end()) return false;  // it is gone, as its variables tell
        if (here->second != kept->second) startAnew(owner, true);
        return here->second == kept->second;
    }

    void startAnew(const std::string& owner, bool isProcess) {
        if (!anew_.insert(owner).second) return;
        differences_.push_back(isProcess ? "process '" + owner + "' starts from its top"
                                         : "what is delayed in '" + owner + "' starts anew");
    }

    const Model model_;
    StateReader& in_;
    StateImage& image_;
    const bool isSame_;
    const NameTable names_;
    Given given_;
    std::unordered_map<std::string, std::uint64_t> kept_, here_;  ///< bodies by process
    std::unordered_set<std::string> anew_;                        ///< of whom something differs
    std::vector<std::string> differences_;
};

/// The memory of a design before cycle 0, as Snapshot has it.
std::vector<std::byte> initialMemory(const Model& model) {
    Arena arena(model);
    arena.initialise(0, 1);
    return arena.copy();
}

struct ReadState {
    TakenOver taken;
    bool isSame;  ///< one of this very design, as far as can be told
    std::string design;
};

ReadState readState(const Model& model, std::span<const std::byte> bytes) {
    StateReader in(bytes);
    const StateHead head = in.begin();
    ReadState read{{{model.hash, head.cycle, {}}, {}}, head.hash == model.hash, head.design};
    Snapshot& snapshot = read.taken.snapshot;
    std::vector<std::string>& differences = read.taken.differences;
    snapshot.seed = head.seed;
    if (head.isInitial) return read;
    snapshot.memory = initialMemory(model);
    StateImage image(model, snapshot.memory, snapshot.cycle);
    differences = NamedReader(model, in, image).read();
    const auto add = [&](const std::vector<std::string>& more) {
        differences.insert(differences.end(), more.begin(), more.end());
    };
    const auto count = in.number<std::uint32_t>();
    add(readObjects(in, model, count, snapshot.objects));
    add(HiddenReader(model, in, image, read.isSame).read());
    if (!in.isAtEnd()) throw BadState("goes on after its end" + in.place());
    return read;
}

ReadState readGoodState(const Model& model, std::span<const std::byte> bytes) {
    try {
        return readState(model, bytes);
    } catch (const BadState& problem) {
        throw Error(ErrorKind::State, problem.what());
    }
}

}  // namespace

TakenOver takeOver(const Model& model, std::span<const std::byte> bytes) {
    return readGoodState(model, bytes).taken;
}

Snapshot fromBytes(const Model& model, std::span<const std::byte> bytes) {
    ReadState read = readGoodState(model, bytes);
    const std::vector<std::string>& differences = read.taken.differences;
    if (read.isSame && differences.empty()) return std::move(read.taken.snapshot);
    throw Error(ErrorKind::State,
                "the state is one of '" + read.design
                    + "', another design or another version of this one"
                    + (differences.empty() ? "" : ": " + listed(differences, kMostListed)));
}

}  // namespace sme
