// What is read becomes the value in both slots: the older one is written before anybody reads it.

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

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

/// Values with names, into a state that has its initial ones.
class NamedReader {
public:
    NamedReader(const Model& model, StateReader& in, StateImage& image)
        : model_(model), in_(in), names_(model), image_(image), isGiven_(model.nameRunCount) {}

    std::vector<std::string> read() {
        for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs)
            readRun();
        listNew();
        return std::move(differences_);
    }

private:
    void readRun() {
        const std::string prefix = in_.text();
        const bool hasSuffix = in_.number<std::uint8_t>() != 0;
        const std::string suffix = in_.text();
        const auto index = in_.number<std::uint64_t>();
        const auto count = in_.number<std::uint32_t>();
        const std::string shape = in_.text();
        const auto bytes = in_.number<std::uint64_t>();
        // what takes nothing, the file's end does not count
        if (bytes == 0 && count > 0) throw BadState("is damaged");
        std::string path;
        for (std::uint32_t i = 0; i < count; ++i) {
            path.clear();
            appendRunName(path, prefix.c_str(), hasSuffix ? suffix.c_str() : nullptr, index + i);
            readValue(path, shape, {in_.raw(bytes), bytes});
        }
    }

    void readValue(const std::string& path, const std::string& shape,
                   std::span<const std::byte> bytes) {
        const std::optional<Ref> ref = names_.findWhole(path);
        if (!ref) return differences_.push_back("'" + path + "' is gone");
        const std::ptrdiff_t run = ref->run - model_.names;
        std::vector<bool>& given = isGiven_[static_cast<std::size_t>(run)];
        given.resize(ref->run->count);
        given[ref->number] = true;
        if (ref->type != checkedType_ || shape != checkedShape_) {
            const std::string here = shapeOf(model_, ref->type);
            if (shape != here) return differences_.push_back(otherType(path, shape, here));
            checkedType_ = ref->type;
            checkedShape_ = shape;
        }
        if (bytes.size() != bytesOfValue(model_, ref->type)) throw BadState("is damaged");
        if (!areAll(*ref, bytes.data()))
            return differences_.push_back("'" + path + "' had a value that is none of "
                                          + model_.types[ref->type].name);
        const std::byte* at = bytes.data();
        forEachPiece(model_, *ref, [&](const Ref& piece, std::size_t size) {
            image_.set(piece.plane, piece.element, piece.offset, at, size);
            at += size;
        });
    }

    /// Whether the pieces of a value are values of their types.
    bool areAll(const Ref& ref, const std::byte* at) const {
        bool isGood = true;
        forEachPiece(model_, ref, [&](const Ref& piece, std::size_t size) {
            isGood = isGood && areValues(model_, piece.type, at);
            at += size;
        });
        return isGood;
    }

    void listNew() {
        for (std::uint32_t i = 0; i < model_.nameRunCount; ++i) {
            const NameRun& run = model_.names[i];
            if (!isKept(run)) continue;
            isGiven_[i].resize(run.count);
            for (std::uint32_t number = 0; number < run.count; ++number) {
                if (isGiven_[i][number]) continue;
                std::string path;
                appendRunName(path, run.prefix, run.suffix, run.index + number);
                differences_.push_back("'" + path + "' is new");
            }
        }
    }

    const Model& model_;
    StateReader& in_;
    const NameTable names_;
    StateImage& image_;
    std::vector<std::vector<bool>> isGiven_;  ///< by run of names
    std::vector<std::string> differences_;
    std::uint32_t checkedType_ = ~0u;  ///< of the value before, mostly that of the next one
    std::string checkedShape_;
};

/// What belongs to instances, by their paths and bodies.
class HiddenReader {
public:
    HiddenReader(const Model& model, StateReader& in, StateImage& image)
        : model_(model), in_(in), image_(image), groups_(hiddenGroups(model)) {}

    /// `isSame`: the state is one of this very design, in which everything has its place.
    std::vector<std::string> read(bool isSame) {
        const std::string whose = in_.text();
        if (whose == kHiddenPlanes) {
            readGroups();
            isSame ? putAll() : putByPath();
        } else if (!whose.empty() || !groups_.empty()) {
            differences_.emplace_back(
                "what waits, is delayed, counts or makes random numbers starts "
                "anew: it has no name by which to take it over from the "
                "interpreter");
        }
        isAtEnd_ = whose == kHiddenPlanes || whose.empty();
        return std::move(differences_);
    }
    /// Whether all was read that follows.
    bool isAtEnd() const { return isAtEnd_; }

private:
    struct Kept {
        struct KeptPlane {
            std::string shape;
            std::uint64_t instances;
            std::uint32_t bytes;
            const std::byte* values;
        };
        std::uint64_t body;
        bool hasPaths = false;
        std::vector<KeptPlane> planes;
    };
    struct Place {
        std::size_t group;
        std::uint32_t instance;
    };

    void readGroups() {
        for (auto count = in_.number<std::uint32_t>(); count > 0; --count) {
            Kept& kept = kept_.emplace_back();
            kept.body = in_.number<std::uint64_t>();
            for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs)
                readPaths(kept_.size() - 1);
            for (auto planes = in_.number<std::uint32_t>(); planes > 0; --planes) {
                Kept::KeptPlane& plane = kept.planes.emplace_back();
                plane.shape = in_.text();
                plane.instances = in_.number<std::uint64_t>();
                plane.bytes = in_.number<std::uint32_t>();
                if (plane.instances > ~std::uint32_t{0}) throw BadState("is damaged");
                plane.values = in_.raw(plane.instances * plane.bytes);
            }
        }
    }

    void readPaths(std::size_t group) {
        const std::string prefix = in_.text();
        const bool hasSuffix = in_.number<std::uint8_t>() != 0;
        const std::string suffix = in_.text();
        const auto index = in_.number<std::uint64_t>();
        const auto first = in_.number<std::uint32_t>();
        const auto count = in_.number<std::uint32_t>();
        kept_[group].hasPaths = true;
        // each has values, which follow
        if (count > in_.rest().size()) throw BadState("is damaged");
        for (std::uint32_t i = 0; i < count; ++i) {
            std::string path;
            appendRunName(path, prefix.c_str(), hasSuffix ? suffix.c_str() : nullptr, index + i);
            places_.emplace(std::move(path), Place{group, first + i});
        }
    }

    bool isAlike(const HiddenGroup& group, const Kept& kept) const {
        return std::equal(group.values.begin(), group.values.end(), kept.planes.begin(),
                          kept.planes.end(), [&](const HiddenValue& value, const auto& other) {
                              return shapeOf(model_, value.type) == other.shape
                                     && model_.types[value.type].bytes == other.bytes;
                          });
    }

    /// All instances, where there are as many. Whether there are.
    bool putGroup(const HiddenGroup& group, const Kept& kept) {
        if (!isAlike(group, kept)) return false;
        const auto instancesOf = [&](std::size_t i) {
            return model_.planes[group.values[i].plane].instances;
        };
        for (std::size_t i = 0; i < group.values.size(); ++i)
            if (kept.planes[i].instances != instancesOf(i)) return false;
        for (std::size_t i = 0; i < group.values.size(); ++i)
            put(group.values[i], 0, kept.planes[i], 0, instancesOf(i));
        return true;
    }

    void putAll() {
        bool isGood = groups_.size() == kept_.size();
        for (std::size_t i = 0; isGood && i < groups_.size(); ++i)
            isGood = putGroup(groups_[i], kept_[i]);
        if (!isGood) throw BadState("is damaged");
    }

    void putByPath() {
        for (const HiddenGroup& group : groups_) {
            bool hasPaths = false;
            for (std::uint32_t i = 0; i < model_.instanceRunCount; ++i) {
                const InstanceRun& run = model_.instances[i];
                if (run.cls != group.owner) continue;
                hasPaths = true;
                for (std::uint32_t number = 0; number < run.count; ++number)
                    putInstance(group, run, number);
            }
            if (!hasPaths) putUnnamed(group);
        }
    }

    /// Delay lines: by their order, where there are as many of their kind.
    void putUnnamed(const HiddenGroup& group) {
        const std::uint64_t body =
            group.owner < model_.classCount ? model_.classes[group.owner].body : 0;
        const auto kept = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& each) {
            return !each.hasPaths && each.body == body;
        });
        if (kept == kept_.end() || !putGroup(group, *kept))
            differences_.emplace_back("what is delayed starts anew");
    }

    void putInstance(const HiddenGroup& group, const InstanceRun& run, std::uint32_t number) {
        std::string path;
        appendRunName(path, run.prefix, run.suffix, run.index + number);
        const auto place = places_.find(path);
        if (place == places_.end()) return;  // what is new starts at its top
        const Kept& kept = kept_[place->second.group];
        if (kept.body != model_.classes[group.owner].body || !isAlike(group, kept))
            return differences_.push_back("process '" + path + "' starts from its top");
        for (std::size_t i = 0; i < group.values.size(); ++i) {
            const HiddenValue& value = group.values[i];
            const std::uint32_t each =  // elements of an instance
                model_.planes[value.plane].instances / model_.classes[group.owner].instances;
            const std::uint64_t from = std::uint64_t{place->second.instance} * each;
            if (from + each > kept.planes[i].instances) throw BadState("is damaged");
            put(value, (run.first + number) * each, kept.planes[i],
                static_cast<std::uint32_t>(from), each);
        }
    }

    void put(const HiddenValue& value, std::uint32_t to, const Kept::KeptPlane& kept,
             std::uint32_t from, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            image_.set(value.plane, to + i, value.offset,
                       kept.values + std::size_t{from + i} * kept.bytes, kept.bytes);
    }

    const Model& model_;
    StateReader& in_;
    StateImage& image_;
    const std::vector<HiddenGroup> groups_;
    std::vector<Kept> kept_;
    std::unordered_map<std::string, Place> places_;
    std::vector<std::string> differences_;
    bool isAtEnd_ = true;
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
    ReadState read{
        {{model.hash, head.cycle, {}}, {}}, head.hash == 0 || head.hash == model.hash, head.design};
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
    HiddenReader hidden(model, in, image);
    add(hidden.read(head.hash == model.hash));
    if (hidden.isAtEnd() && !in.isAtEnd()) throw BadState("goes on after its end");
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
