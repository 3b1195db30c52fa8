// What is read becomes the value in both slots: the older one is written before anybody reads it.

#include "engine/state_bytes.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "output/error.h"
#include "sme/state_format.h"
#include "values/instances.h"
#include "values/names.h"
#include "values/value.h"

namespace sme {
namespace {

// ---------------------------------------------------------------- types and places

/// A type with all that makes two of one name differ.
void appendShape(std::string& out, const Model& model, std::uint32_t index) {
    const Type& type = model.types[index];
    out.append(type.name);
    switch (type.kind) {
    case Kind::Array: return appendShape(out.append(" of "), model, type.element);
    case Kind::Struct:
        for (std::uint32_t i = 0; i < type.count; ++i)
            appendShape(out.append(1, ' ').append(type.fields[i].name).append(1, ':'), model,
                        type.fields[i].type);
        return;
    case Kind::Enum:
        for (std::uint32_t i = 0; i < type.count; ++i)
            out.append(1, ' ')
                .append(type.members[i].name)
                .append(1, '=')
                .append(std::to_string(type.members[i].value));
        [[fallthrough]];
    default: out.append(1, '/').append(std::to_string(type.width));
    }
}

std::string shapeOf(const Model& model, std::uint32_t type) {
    std::string shape;
    appendShape(shape, model, type);
    return shape;
}

/// The memory of a snapshot by plane and element.
class Image {
public:
    Image(const Model& model, std::vector<std::byte>& memory, std::uint64_t cycle)
        : model_(model), memory_(memory), cycle_(cycle) {}

    /// As it is read in the next cycle.
    std::byte* at(std::uint32_t index, std::uint64_t element) {
        const Plane& plane = model_.planes[index];
        const std::uint64_t slot = plane.region == Region::State ? 2 : (cycle_ + 1) & 1;
        return inSlot(plane, element, slot);
    }
    void set(std::uint32_t index, std::uint64_t element, std::uint64_t offset,
             const std::byte* value, std::size_t bytes) {
        const Plane& plane = model_.planes[index];
        if (plane.region == Region::State) {
            std::memcpy(inSlot(plane, element, 2) + offset, value, bytes);
            return;
        }
        for (const std::uint64_t slot : {0, 1})
            std::memcpy(inSlot(plane, element, slot) + offset, value, bytes);
    }

private:
    std::byte* inSlot(const Plane& plane, std::uint64_t element, std::uint64_t slot) {
        return memory_.data() + slot * model_.clockedBytes + plane.offset
               + element * model_.types[plane.type].bytes;
    }

    const Model& model_;
    std::vector<std::byte>& memory_;
    const std::uint64_t cycle_;
};

/// visit(ref, bytes) for the parts of a value that lie in one piece, in the order of the value.
template <typename Visit>
void forEachPiece(const Model& model, const Ref& ref, const Visit& visit) {
    const Type& type = model.types[ref.type];
    if (isInOnePiece(model, ref)) {
        visit(ref, type.bytes);
        return;
    }
    for (std::uint32_t i = 0; i < type.count; ++i)
        forEachPiece(model,
                     type.kind == Kind::Struct ? memberOf(model, ref, i) : elementOf(model, ref, i),
                     visit);
}

/// All undriven fields of a run share one value, which nobody writes.
bool isKept(const NameRun& run) { return run.stride != 0 || run.count == 1; }

std::uint32_t typeOf(const Model& model, const NameRun& run) {
    return run.leaves ? run.type : model.planes[run.plane].type;
}

bool holdsObjects(const Model& model, std::uint32_t plane) {
    return std::any_of(model.objects, model.objects + model.objectCount,
                       [&](const Objects& list) { return list.plane == plane; });
}

/// Planes that names do not reach, or not all of them, but for combinational fields, which are computed
/// anew before anybody reads them, and for objects.
std::vector<std::uint32_t> hiddenPlanes(const Model& model) {
    std::vector<std::vector<bool>> named(model.planeCount);
    for (std::uint32_t i = 0; i < model.planeCount; ++i)
        named[i].resize(model.planes[i].instances);
    for (std::uint32_t r = 0; r < model.nameRunCount; ++r) {
        const NameRun& run = model.names[r];
        for (std::uint32_t i = 0; isKept(run) && i < run.count; ++i)
            forEachPiece(model, refOf(model, run, i), [&](const Ref& ref, std::size_t) {
                named[ref.plane][ref.element] = true;
            });
    }
    std::vector<std::uint32_t> hidden;
    for (std::uint32_t i = 0; i < model.planeCount; ++i) {
        const bool isWhole = std::find(named[i].begin(), named[i].end(), false) == named[i].end();
        const Plane& plane = model.planes[i];
        if (!plane.isCombinational && !holdsObjects(model, i) && !isWhole) hidden.push_back(i);
    }
    return hidden;
}

// ---------------------------------------------------------------- writing

void writeRun(StateWriter& out, const Model& model, const NameRun& run, Image& image) {
    out.text(run.prefix);
    out.number<std::uint8_t>(run.suffix != nullptr);
    out.text(run.suffix ? run.suffix : "");
    out.number(run.index);
    out.number(run.count);
    out.text(shapeOf(model, typeOf(model, run)));
    for (std::uint32_t i = 0; i < run.count; ++i)
        forEachPiece(model, refOf(model, run, i), [&](const Ref& ref, std::size_t bytes) {
            out.raw(image.at(ref.plane, ref.element) + ref.offset, bytes);
        });
}

// ---------------------------------------------------------------- reading

class ValueReader {
public:
    ValueReader(const Model& model, StateReader& in, Snapshot& snapshot)
        : model_(model), in_(in), names_(model), image_(model, snapshot.memory, snapshot.cycle) {}

    void readRuns() {
        for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs)
            readRun();
        std::uint64_t expected = 0;
        for (std::uint32_t i = 0; i < model_.nameRunCount; ++i)
            if (isKept(model_.names[i])) expected += model_.names[i].count;
        if (values_ != expected) throw BadState("lacks values of this design");
    }

    void readHidden() {
        const std::vector<std::uint32_t> hidden = hiddenPlanes(model_);
        const std::string whose = in_.text();
        if (whose != kHiddenPlanes && !hidden.empty())
            throw BadState("is one of the interpreter, and what waits, is delayed, counts or makes "
                           "random numbers has no name by which to take it over");
        if (hidden.empty() != whose.empty()) throw BadState("is one of another design");
        if (hidden.empty()) return;
        if (in_.number<std::uint32_t>() != hidden.size())
            throw BadState("is one of another design");
        for (const std::uint32_t index : hidden) {
            const Plane& plane = model_.planes[index];
            const bool isAlike = in_.text() == shapeOf(model_, plane.type);
            if (in_.number<std::uint64_t>() != plane.instances || !isAlike)
                throw BadState("is one of another design");
            const std::size_t bytes = model_.types[plane.type].bytes;
            for (std::uint32_t i = 0; i < plane.instances; ++i)
                image_.set(index, i, 0, in_.raw(bytes), bytes);
        }
    }

private:
    void readRun() {
        const std::string prefix = in_.text();
        const bool hasSuffix = in_.number<std::uint8_t>() != 0;
        const std::string suffix = in_.text();
        const auto index = in_.number<std::uint64_t>();
        const auto count = in_.number<std::uint32_t>();
        const std::string shape = in_.text();
        std::string path;
        for (std::uint32_t i = 0; i < count; ++i) {
            path.clear();
            appendRunName(path, prefix.c_str(), hasSuffix ? suffix.c_str() : nullptr, index + i);
            readValue(path, shape);
        }
    }

    void readValue(const std::string& path, const std::string& shape) {
        const std::optional<Ref> ref = names_.find(path);
        if (!ref) throw BadState("has a value of '" + path + "', which this design lacks");
        if (isKept(*ref->run)) ++values_;
        if (ref->type != checkedType_ || shape != checkedShape_) {
            if (shape != shapeOf(model_, ref->type))
                throw BadState("has another type for '" + path + "', which is a "
                               + model_.types[ref->type].name);
            checkedType_ = ref->type;
            checkedShape_ = shape;
        }
        forEachPiece(model_, *ref, [&](const Ref& piece, std::size_t bytes) {
            const std::byte* value = in_.raw(bytes);
            if (!areValues(model_, piece.type, value))
                throw BadState("has a value that is none of "
                               + std::string(model_.types[piece.type].name) + " for '" + path
                               + "'");
            image_.set(piece.plane, piece.element, piece.offset, value, bytes);
        });
    }

    const Model& model_;
    StateReader& in_;
    NameTable names_;
    Image image_;
    std::uint64_t values_ = 0;
    std::uint32_t checkedType_ = ~0u;  ///< of the value before, mostly that of the next one
    std::string checkedShape_;
};

}  // namespace

std::vector<std::byte> toBytes(const Model& model, const Snapshot& snapshot) {
    if (!snapshot.objects.empty())
        throw Error(ErrorKind::Usage, std::string("the state has objects of the extern process '")
                                          + model.objects[snapshot.objects.front().list].process
                                          + "', which cannot be written");
    StateWriter out;
    out.begin({snapshot.design, model.name, snapshot.cycle, snapshot.seed.value_or(0),
               snapshot.memory.empty()});
    if (snapshot.memory.empty()) return out.take();

    std::vector<std::byte> memory = snapshot.memory;
    Image image(model, memory, snapshot.cycle);
    std::uint32_t runs = 0;
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i)
        runs += isKept(model.names[i]);
    out.number(runs);
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i)
        if (isKept(model.names[i])) writeRun(out, model, model.names[i], image);
    const std::vector<std::uint32_t> hidden = hiddenPlanes(model);
    out.text(hidden.empty() ? "" : kHiddenPlanes);
    if (hidden.empty()) return out.take();
    out.number(static_cast<std::uint32_t>(hidden.size()));
    for (const std::uint32_t index : hidden) {
        const Plane& plane = model.planes[index];
        out.text(shapeOf(model, plane.type));
        out.number<std::uint64_t>(plane.instances);
        out.raw(image.at(index, 0), std::size_t{plane.instances} * model.types[plane.type].bytes);
    }
    return out.take();
}

namespace {

Snapshot readState(const Model& model, std::span<const std::byte> bytes) {
    StateReader in(bytes);
    const StateHead head = in.begin();
    if (head.hash != 0 && head.hash != model.hash)
        throw BadState("is one of '" + head.design
                       + "', another design or another version of this one");
    Snapshot snapshot{model.hash, head.cycle, {}};
    snapshot.seed = head.seed;
    if (head.isInitial) return snapshot;
    snapshot.memory.resize(2 * model.clockedBytes + model.stateBytes);
    ValueReader reader(model, in, snapshot);
    reader.readRuns();
    reader.readHidden();
    if (!in.isAtEnd()) throw BadState("goes on after its end");
    return snapshot;
}

}  // namespace

Snapshot fromBytes(const Model& model, std::span<const std::byte> bytes) {
    try {
        return readState(model, bytes);
    } catch (const BadState& problem) {
        throw Error(ErrorKind::State, problem.what());
    }
}

}  // namespace sme
