#include "rtl/gather_words.h"

#include <catch2/catch.hpp>
#include <map>

using namespace smec;
using namespace smec::rtl;

namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

/// What nets are, as far as cells compute them by bits.
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
        const auto [cell, i] = drivers_.at(bit);
        const bool a = of((*cell)["A"][i]);
        if (cell->type == "$not") return known_[bit] = !a;
        if (cell->type == "$pos") return known_[bit] = a;
        const bool b = of((*cell)["B"][i]);
        REQUIRE((cell->type == "$and" || cell->type == "$or"));
        return known_[bit] = cell->type == "$and" ? a && b : a || b;
    }

private:
    std::map<Bit, bool> known_;
    std::map<Bit, std::pair<const Cell*, std::size_t>> drivers_;
};

constexpr Bit kTable = 10, kA = 100, kB = 200, kY = 300;

/// y[i] = table[{b[i], a[i]}], in an order of their own.
netlist::Module lookUps(std::size_t count) {
    netlist::Module module{"m", {}, {}, {}, {}};
    for (Bit k = 0; k < count; ++k) {
        const Bit i = (k * 5 + 3) % static_cast<Bit>(count);
        module.cells.push_back({"l" + std::to_string(i),
                                "$shiftx",
                                {},
                                {},
                                {{"A", {kTable, kTable + 1, kTable + 2, kTable + 3}},
                                 {"B", {kA + i, kB + i}},
                                 {"Y", {kY + i}}}});
    }
    return module;
}

}  // namespace

TEST_CASE("words: bits looked up in one table are a word") {
    netlist::Module module = lookUps(16);
    gatherWords(module);
    for (const Cell& cell : module.cells)
        CHECK(cell["Y"].size() == 16);
    for (unsigned table = 0; table < 16; ++table) {
        std::map<Bit, bool> given;
        for (Bit i = 0; i < 4; ++i)
            given[kTable + i] = (table >> i & 1U) != 0;
        for (Bit i = 0; i < 16; ++i) {
            given[kA + i] = i % 2 == 1;
            given[kB + i] = i / 2 % 2 == 1;
        }
        Values values(module, given);
        for (Bit i = 0; i < 16; ++i)
            CHECK(values.of(kY + i) == ((table >> (i % 4) & 1U) != 0));
    }
}

TEST_CASE("words: a few bits, or bits of several tables, stay what they are") {
    netlist::Module few = lookUps(7);
    gatherWords(few);
    CHECK(few.cells.size() == 7);
    netlist::Module several = lookUps(8);
    several.cells[2].connections["A"][0] = kTable + 9;
    gatherWords(several);
    CHECK(several.cells.size() == 8);
}

TEST_CASE("words: bits in reverse come from masks, whole bytes of them") {
    const std::size_t width = GENERATE(8, 19, 32);
    netlist::Module module{"m", {}, {}, {}, {}};
    Bits backwards;
    for (std::size_t i = width; i-- > 0;)
        backwards.push_back(kA + static_cast<Bit>(i));
    module.cells = {
        {"c", "$mux", {}, {}, {{"A", backwards}, {"B", Bits(width, 0)}, {"S", {kB}}, {"Y", {kY}}}}};
    gatherWords(module);
    CHECK(module.cells.size() > 1);
    const Bits now = module.cells[0]["A"];
    CHECK(now[0] != backwards[0]);
    for (std::size_t one = 0; one < width; ++one) {
        std::map<Bit, bool> given;
        for (std::size_t i = 0; i < width; ++i)
            given[kA + static_cast<Bit>(i)] = i == one;
        Values values(module, given);
        for (std::size_t i = 0; i < width; ++i)
            CHECK(values.of(now[i]) == (i == width - 1 - one));
    }
}
