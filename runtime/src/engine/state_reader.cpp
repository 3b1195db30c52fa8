// What is read becomes the value in both slots: the older one is written before anybody reads it.

#include <algorithm>
#include <cstring>
#include <optional>

#include "engine/arena.h"
#include "engine/state_bytes.h"
#include "engine/state_layout.h"
#include "engine/state_objects.h"
#include "formats/state_owners.h"
#include "output/error.h"
#include "sme/state_format.h"
#include "values/instances.h"
#include "values/value.h"

namespace sme {
namespace {

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
        readValueRuns(in_,
                      [this](const std::string& path, const std::string& shape,
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
          image_(image),
          owners_(in, isSame),
          names_(model_),
          given_(model_) {}

    std::vector<std::string> read() {
        owners_.readBodies();
        if (owners_.comparesBodies())
            for (const InstanceRun& run : std::span(model_.instances, model_.instanceRunCount))
                for (std::uint32_t i = 0; run.body != 0 && i < run.count; ++i)
                    owners_.addHere(pathOf(&run, run.first + i), run.body);
        owners_.readValues([this](const std::string& path, std::span<const std::byte> bytes) {
            return put(path, bytes);
        });
        given_.forEachMissing([&](const std::string& path) { owners_.lack(path); });
        return owners_.takeDifferences();
    }

private:
    /// False: there is no such value, or it has no such bytes.
    bool put(const std::string& path, std::span<const std::byte> bytes) {
        const std::optional<Ref> ref = names_.findWhole(path);
        if (!ref || bytes.size() != bytesOfValue(model_, ref->type)
            || !areAll(model_, *ref, bytes.data()))
            return false;
        given_.add(*ref);
        sme::put(model_, *ref, bytes.data(), image_);
        return true;
    }

    const Model model_;
    StateImage& image_;
    StateOwners owners_;
    const NameTable names_;
    Given given_;
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
        {{model.hash, head.cycle, head.activations}, {}}, head.hash == model.hash, head.design};
    Snapshot& snapshot = read.taken.snapshot;
    std::vector<std::string>& differences = read.taken.differences;
    snapshot.seed = head.seed;
    if (head.isInitial) return read;
    snapshot.memory = initialMemory(model);
    StateImage image(model, snapshot);
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
