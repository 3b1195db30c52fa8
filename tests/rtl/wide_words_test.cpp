#include "rtl/wide_words.h"

#include <catch2/catch.hpp>
#include <map>

namespace smec::rtl::wide_words_test {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

/// What nets are, as cells compute them.
class Values {
public:
    Values(const netlist::Module& module, std::map<Bit, bool> given) : known_(std::move(given)) {
        for (const Cell& cell : module.cells) {
            for (std::size_t i = 0; i < cell["Y"].size(); ++i)
                drivers_[cell["Y"][i]] = {&cell, i};
        }
    }

    bool of(Bit bit) {
        if (!netlist::isNet(bit)) return bit == netlist::kOne;
        if (const auto found = known_.find(bit); found != known_.end()) return found->second;
        REQUIRE(drivers_.contains(bit));
        const auto [cell, i] = drivers_.at(bit);
        return known_[bit] = computed(*cell, i);
    }

private:
    bool computed(const Cell& cell, std::size_t i) {
        if (cell.type == "$eq") {
            for (std::size_t k = 0; k < cell["A"].size(); ++k)
                if (of(cell["A"][k]) != of(cell["B"][k])) return false;
            return true;
        }
        if (cell.type == "$mux") return of(cell[of(cell["S"][0]) ? "B" : "A"][i]);
        if (cell.type == "$not") return !of(cell["A"][i]);
        if (cell.type == "$pos") return of(cell["A"][i]);
        if (cell.type == "$element") {
            const std::size_t at = number(cell["S"]) * cell["Y"].size() + i;
            return at < cell["A"].size() && of(cell["A"][at]);
        }
        REQUIRE((cell.type == "$and" || cell.type == "$or"));
        return cell.type == "$and" ? of(cell["A"][i]) && of(cell["B"][i])
                                   : of(cell["A"][i]) || of(cell["B"][i]);
    }

    std::size_t number(const Bits& bits) {
        std::size_t value = 0;
        for (std::size_t i = 0; i < bits.size(); ++i)
            value |= std::size_t{of(bits[i])} << i;
        return value;
    }

    std::map<Bit, bool> known_;
    std::map<Bit, std::pair<const Cell*, std::size_t>> drivers_;
};

Bits bitsFrom(Bit first, std::size_t count) {
    Bits bits;
    for (Bit i = 0; i < count; ++i)
        bits.push_back(first + i);
    return bits;
}

Bits joined(const Bits& low, const Bits& high) {
    Bits bits = low;
    bits.insert(bits.end(), high.begin(), high.end());
    return bits;
}

constexpr Bit kIndex = 10, kWords = 100, kY = 10'000, kMask = 20'000, kInner = 30'000;

Cell registers(Bit first, std::size_t width) {
    return {"r" + std::to_string(first),
            "$dff",
            {},
            {},
            {{"CLK", {2}}, {"D", Bits(width, netlist::kZero)}, {"Q", bitsFrom(first, width)}}};
}

std::size_t widest(const netlist::Module& module) {
    std::size_t bits = 0;
    for (const Cell& cell : module.cells)
        bits = std::max(bits, cell["Y"].size());
    return bits;
}

/// y = words[index], of `count` registers of 16 bits.
netlist::Module elements(std::size_t count, std::size_t each) {
    netlist::Module module{"m", {}, {{"y", netlist::Direction::Output, bitsFrom(kY, 16)}}, {}, {}};
    for (std::size_t i = 0; i < count * 16 / each; ++i)
        module.cells.push_back(registers(kWords + static_cast<Bit>(i * each), each));
    module.cells.push_back({"s",
                            "$shiftx",
                            {},
                            {},
                            {{"A", bitsFrom(kWords, count * 16)},
                             {"B", joined(Bits(4, netlist::kZero), bitsFrom(kIndex, 4))},
                             {"Y", bitsFrom(kY, 16)}}});
    return module;
}

}  // namespace

TEST_CASE("wide words: one of many registers is chosen") {
    netlist::Module module = elements(11, 16);
    narrowWideWords(module);
    for (const Cell& cell : module.cells)
        CHECK(cell.type != "$shiftx");
    for (unsigned index = 0; index < 16; ++index) {
        std::map<Bit, bool> given;
        for (Bit i = 0; i < 4; ++i)
            given[kIndex + i] = (index >> i & 1U) != 0;
        for (Bit i = 0; i < 11 * 16; ++i)
            given[kWords + i] = ((i / 16 + 3) * 2654435761U >> (i % 16) & 1U) != 0;
        Values values(module, given);
        for (Bit i = 0; i < 16; ++i)
            CHECK(values.of(kY + i) == (index < 11 && given[kWords + 16 * index + i]));
    }
}

// y = 10 bits of words[index * stride], of `count` registers.
void checkProduct(std::size_t count, std::uint64_t stride, std::size_t productBits, bool isChosen) {
    netlist::Module module{"m", {}, {{"y", netlist::Direction::Output, bitsFrom(kY, 10)}}, {}, {}};
    const auto width = static_cast<std::size_t>(stride);
    for (std::size_t i = 0; i < count; ++i)
        module.cells.push_back(registers(kWords + static_cast<Bit>(i * width), width));
    Bits factor(6, netlist::kZero);
    for (std::size_t i = 0; i < 6; ++i)
        factor[i] = (stride / 2 >> i & 1U) != 0 ? netlist::kOne : netlist::kZero;
    module.cells.push_back(
        {"p",
         "$mul",
         {},
         {},
         {{"A", factor}, {"B", bitsFrom(kIndex, 7)}, {"Y", bitsFrom(kInner, productBits)}}});
    module.cells.push_back({"s",
                            "$shiftx",
                            {},
                            {},
                            {{"A", bitsFrom(kWords, count * width)},
                             {"B", joined({netlist::kZero}, bitsFrom(kInner, productBits))},
                             {"Y", bitsFrom(kY, 10)}}});
    narrowWideWords(module);
    bool isShifted = false;
    for (const Cell& cell : module.cells)
        isShifted = isShifted || cell.type == "$shiftx";
    CHECK(isShifted != isChosen);
    if (!isChosen) return;
    for (unsigned index = 0; index < 128; ++index) {
        std::map<Bit, bool> given;
        for (Bit i = 0; i < 7; ++i)
            given[kIndex + i] = (index >> i & 1U) != 0;
        for (Bit i = 0; i < count * width; ++i)
            given[kWords + i] = ((i + 3) * 2654435761U >> 9 & 1U) != 0;
        Values values(module, given);
        for (Bit i = 0; i < 10; ++i)
            CHECK(values.of(kY + i)
                  == (index < count && given[kWords + static_cast<Bit>(index * width) + i]));
    }
}

TEST_CASE("wide words: an index times the width of elements chooses one, of many from a table") {
    checkProduct(20, 24, 11, true);
    checkProduct(90, 24, 11, true);
    checkProduct(90, 40, 12, true);
    checkProduct(90, 40, 11, false);  // 127 * 20 is cut
}

TEST_CASE("wide words: one word is indexed where it lies") {
    netlist::Module module = elements(8, 128);
    narrowWideWords(module);
    CHECK(module.cells.back().type == "$shiftx");
}

// y = word 2 of ({16{d}} & demux(index)) | (old & ~demux(index))
TEST_CASE("wide words: of an element that is written the bits that are read are left") {
    const auto wide = [](Bit first) { return bitsFrom(first, 256); };
    netlist::Module module{"m",
                           {},
                           {{"y", netlist::Direction::Output, bitsFrom(kInner + 768 + 32, 16)}},
                           {registers(kWords, 256)},
                           {}};
    const auto add = [&](const char* type, netlist::Named<Bits> connections) {
        module.cells.push_back(
            {"c" + std::to_string(module.cells.size()), type, {}, {}, std::move(connections)});
    };
    add("$demux", {{"A", Bits(16, netlist::kOne)}, {"S", bitsFrom(kIndex, 4)}, {"Y", wide(kMask)}});
    add("$and", {{"A", Bits(256, 50)}, {"B", wide(kMask)}, {"Y", wide(kInner)}});
    add("$not", {{"A", wide(kMask)}, {"Y", wide(kInner + 256)}});
    add("$and", {{"A", wide(kWords)}, {"B", wide(kInner + 256)}, {"Y", wide(kInner + 512)}});
    add("$or", {{"A", wide(kInner)}, {"B", wide(kInner + 512)}, {"Y", wide(kInner + 768)}});
    narrowWideWords(module);
    CHECK(widest(module) == 16);
    for (unsigned index = 0; index < 16; ++index) {
        std::map<Bit, bool> given{{50, true}};
        for (Bit i = 0; i < 4; ++i)
            given[kIndex + i] = (index >> i & 1U) != 0;
        for (Bit i = 0; i < 256; ++i)
            given[kWords + i] = i % 3 == 0;
        Values values(module, given);
        for (Bit i = 32; i < 48; ++i)
            CHECK(values.of(kInner + 768 + i) == (index == 2 || i % 3 == 0));
    }
}

}  // namespace smec::rtl::wide_words_test
