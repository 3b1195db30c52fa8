#pragma once

#include <cstdint>
#include <vector>

#include "ir/ir.h"

/// Where the instances of classes read from, and in which order they would read from places that
/// go on evenly.
namespace smec::passes {

/// Where one instance reads.
struct Source {
    enum class Kind : std::uint8_t {
        Inside,   ///< a field of the classes at hand: `plane` says which, `element` is the instance
        Outside,  ///< of another plane
        Undriven,  ///< of a plane with defaults
        Free       ///< anything will do
    };
    Kind kind = Kind::Free;
    std::uint64_t plane = 0;
    std::uint32_t element = 0;
};
/// Of all instances, one after the other.
using Wire = std::vector<Source>;

/// A class among others whose instances are to be numbered together, after those of the members
/// before it.
struct Member {
    ir::ClassId cls;
    std::vector<std::uint32_t> inputs;   ///< of each common input the class's own, or kNone
    std::vector<std::uint32_t> outputs;  ///< of each of the class's outputs the common one
    static constexpr std::uint32_t kNone = UINT32_MAX;
};
/// A class by itself.
Member memberOf(const ir::Design& design, ir::ClassId cls);
/// A wire for each element of each common input.
std::vector<Wire> wiresOf(const ir::Design& design, const std::vector<Member>& members);

/// Instance numbers: which one stands at each place.
using Order = std::vector<std::uint32_t>;
Order inverse(const Order& order);

/// By how much most instances in that order read further than the one before.
std::int64_t usualStride(const Wire& wire, const Order& order, const Order& places);
/// How often instances in that order do not read where the one before does, gone on by the usual
/// stride.
std::size_t breaks(const Wire& wire, const Order& order, const Order& places);

/// The order with the fewest breaks of those that the wires suggest: `first`, along each wire
/// between the instances, and by what each other wire reads.
Order bestOrder(const std::vector<Wire>& wires, Order first);
std::size_t breaks(const std::vector<Wire>& wires, const Order& order);

/// The instances of the members, as the source has them.
Order sourceOrder(const ir::Design& design, const std::vector<Member>& members);

/// Whether a connection comes from places that follow no rule, which vector code does not load.
bool isScattered(const ir::Design& design, const ir::Class& cls, const ir::Input& input,
                 const ir::Connection& connection);
bool isScattered(const ir::Design& design, const ir::Class& cls);

/// Who reads what the classes drive.
class Readers {
public:
    struct Place {
        std::uint32_t cls;
        std::uint32_t input;
        std::uint32_t element;
        auto operator<=>(const Place&) const = default;
    };
    explicit Readers(const ir::Design& design);
    /// In ascending order, each once.
    const std::vector<Place>& of(ir::ClassId cls) const { return readers_[cls.index]; }

private:
    void add(const ir::Design& design, const Place& place);

    std::vector<std::vector<Place>> readers_;
};
/// Runs of connections from elsewhere to what the members drive, when these stand at `places`, or
/// (empty) as they are.
std::size_t runsOfReaders(const ir::Design& design, const std::vector<Member>& members,
                          const Readers& readers, const Order& places);

}  // namespace smec::passes
