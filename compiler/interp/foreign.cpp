#include "interp/foreign.h"

#include <bit>
#include <cstring>
#include <span>

#include "hir/body.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// Values as generated code lays them out: the leaves of a struct lie apart, a leaf within arrays is
// one array of all its elements. Integers take 1, 2, 4, 8, 16 bytes or whole 64-bit limbs.

namespace smec::interp {

namespace {

struct alignas(16) Chunk {
    std::uint64_t words[2];
};

/// A leaf: `count` scalars of one type.
struct Slot {
    TypeId type;
    std::uint64_t count;
    std::size_t bytes;  ///< of one
    std::vector<Chunk> memory;
    std::byte* at(std::uint64_t index) {
        return reinterpret_cast<std::byte*>(memory.data()) + index * bytes;
    }
};

std::size_t bytesFor(const TypeTable& types, TypeId type) {
    if (type == TypeTable::kBool) return 1;
    const std::uint32_t width = widthOf(types, type);
    if (width > 128) return (width + 63) / 64 * 8;
    return std::bit_ceil(width <= 8 ? std::size_t{1} : std::size_t{(width + 7) / 8});
}

class Slots {
public:
    explicit Slots(const TypeTable& types) : types_(types) {}

    /// Returns the number of the first leaf.
    std::size_t add(TypeId type, std::uint64_t copies = 1) {
        const std::size_t first = slots_.size();
        smec::visit(
            Overloaded{
                [&](const hir::ArrayType& array) { add(array.element, copies * array.count); },
                [&](const hir::StructType& structure) {
                    for (const hir::StructMember& member : structure.members)
                        add(member.type, copies);
                },
                [&](const hir::WholeType auto&) { addScalar(type, copies); },
            },
            types_[type]);
        return first;
    }

    void write(TypeId type, const Value& value, std::size_t slot) { write(type, value, slot, 0); }
    Value read(TypeId type, std::size_t slot) { return read(type, slot, 0); }

    /// Those from a leaf on.
    std::vector<sme::OutsideWorld::Value> valuesFrom(std::size_t first) {
        std::vector<sme::OutsideWorld::Value> result;
        for (Slot& slot : std::span(slots_).subspan(first))
            result.push_back({slot.memory.data(), slot.count * slot.bytes});
        return result;
    }
    void copy(std::size_t from, std::size_t to) { slots_[to].memory = slots_[from].memory; }

    std::vector<void*> pointers() {
        std::vector<void*> result;
        for (Slot& slot : slots_)
            result.push_back(slot.memory.data());
        return result;
    }

private:
    void addScalar(TypeId type, std::uint64_t copies) {
        const std::size_t bytes = bytesFor(types_, type);
        slots_.push_back(
            {type, copies, bytes,
             std::vector<Chunk>((copies * bytes + sizeof(Chunk) - 1) / sizeof(Chunk))});
    }

    /// Slots of the scalars of a type.
    std::size_t slotsOf(TypeId type) const {
        return smec::visit(Overloaded{
                               [&](const hir::ArrayType& array) { return slotsOf(array.element); },
                               [&](const hir::StructType& structure) {
                                   std::size_t count = 0;
                                   for (const hir::StructMember& member : structure.members)
                                       count += slotsOf(member.type);
                                   return count;
                               },
                               [](const hir::WholeType auto&) { return std::size_t{1}; },
                           },
                           types_[type]);
    }

    void write(TypeId type, const Value& value, std::size_t slot, std::uint64_t index) {
        smec::visit(Overloaded{
                        [&](const hir::ArrayType& array) {
                            for (std::uint64_t i = 0; i < array.count; ++i)
                                write(array.element, value.list()[i], slot,
                                      index * array.count + i);
                        },
                        [&](const hir::StructType& structure) {
                            for (std::size_t i = 0; i < structure.members.size(); ++i) {
                                write(structure.members[i].type, value.list()[i], slot, index);
                                slot += slotsOf(structure.members[i].type);
                            }
                        },
                        [&](const hir::WholeType auto&) { store(slots_[slot], index, value); },
                    },
                    types_[type]);
    }

    Value read(TypeId type, std::size_t slot, std::uint64_t index) {
        return smec::visit(
            Overloaded{
                [&](const hir::ArrayType& array) {
                    Value::List values;
                    for (std::uint64_t i = 0; i < array.count; ++i)
                        values.push_back(read(array.element, slot, index * array.count + i));
                    return Value{std::move(values)};
                },
                [&](const hir::StructType& structure) {
                    Value::List values;
                    for (const hir::StructMember& member : structure.members) {
                        values.push_back(read(member.type, slot, index));
                        slot += slotsOf(member.type);
                    }
                    return Value{std::move(values)};
                },
                [&](const hir::WholeType auto&) { return scalarAt(type, slots_[slot], index); },
            },
            types_[type]);
    }

    static void store(Slot& slot, std::uint64_t index, const Value& value) {
        std::byte* to = slot.at(index);
        if (const auto* single = std::get_if<float>(&value.data)) {
            std::memcpy(to, single, sizeof *single);
        } else if (const auto* twice = std::get_if<double>(&value.data)) {
            std::memcpy(to, twice, sizeof *twice);
        } else {
            Integer rest =
                toInteger(wrap(value, static_cast<std::uint32_t>(8 * slot.bytes), false));
            for (std::size_t i = 0; i < slot.bytes; ++i, rest >>= 8)
                to[i] = static_cast<std::byte>(static_cast<unsigned>(rest & 255));
        }
    }

    Value scalarAt(TypeId type, Slot& slot, std::uint64_t index) const {
        const std::byte* from = slot.at(index);
        if (type == TypeTable::kF32) {
            float value = 0;
            std::memcpy(&value, from, sizeof value);
            return real(value);
        }
        if (type == TypeTable::kF64) {
            double value = 0;
            std::memcpy(&value, from, sizeof value);
            return real(value);
        }
        Integer pattern = 0;
        for (std::size_t i = slot.bytes; i-- > 0;)
            pattern = (pattern << 8) + static_cast<unsigned>(from[i]);
        return wrap(number(std::move(pattern)), widthOf(types_, type), isSignedType(types_, type));
    }

    const TypeTable& types_;
    std::vector<Slot> slots_;
};

}  // namespace

namespace {

/// Whether a call must not be made twice for one activation.
bool isOnce(const hir::Foreign& external, const ForeignCode::Entry& code) {
    if (!external.isProcess) return external.isSerial;
    return code.objects.copy && sme::ForeignObject::areOutside(code.objects);
}

}  // namespace

Value callForeign(const TypeTable& types, const hir::Function& function,
                  const ForeignCode::Entry& code, const Value* arguments, const ForeignSite& site) {
    require(code.call != nullptr, "C++ was not loaded");
    Slots slots(types);
    for (std::uint32_t i = 0; i < function.paramCount; ++i) {
        const TypeId type = function.body.vars[i].type;
        const std::size_t slot = slots.add(type);
        slots.write(type, arguments[i], slot);
    }
    const std::size_t result = slots.add(function.result);
    const hir::Foreign& external = *function.external;
    if (!site.outside || !isOnce(external, code)) {
        code.call(slots.pointers().data());
        return slots.read(function.result, result);
    }
    // the first result of a process is its object, which stays as it is
    const auto values = slots.valuesFrom(external.isProcess ? result + 1 : result);
    const sme::OutsideWorld::Caller caller{external.name.c_str(), site.function, 0, site.process};
    if (external.isProcess) slots.copy(0, result);
    sme::OutsideWorld& outside = *site.outside;
    if (outside.give(&outside, site.cycle, &caller, values.data(), values.size()))
        return slots.read(function.result, result);
    code.call(slots.pointers().data());
    outside.take(&outside, site.cycle, &caller, values.data(), values.size());
    return slots.read(function.result, result);
}

}  // namespace smec::interp
