// Numbers as digits, and rows made from the rows before.

#include <array>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "digits.h"
#include "formats/scalar_text.h"
#include "rows.h"

using namespace sme;

namespace {

std::string digitsOf(std::uint64_t value) {
    char text[20 + kBeyondDigits];
    const std::string digits(text, putDigits(text, value));
    if (value <= UINT32_MAX)
        CHECK(std::string(text, putDigits(text, static_cast<std::uint32_t>(value))) == digits);
    return digits;
}

Type integer(Kind kind, std::uint32_t bytes) {
    return {kind, 8 * bytes, bytes, "", 0, 0, nullptr, nullptr, 0, 0};
}

/// Random values of all kinds of columns, of which some change in each row.
class CsvTable {
public:
    explicit CsvTable(unsigned seed) : random_(seed) {
        for (const Kind kind : {Kind::Unsigned, Kind::Signed})
            for (const std::uint32_t bytes : {1, 2, 4, 8, 16})
                types_.push_back(integer(kind, bytes));
        types_.push_back({Kind::Bool, 1, 1, "bool", 0, 0, nullptr, nullptr, 0, 0});
        types_.push_back({Kind::F64, 64, 8, "f64", 0, 0, nullptr, nullptr, 0, 0});
        for (const Type& type : types_)
            columns_.push_back({"c", 1, &type, 0});
        values_.resize(types_.size());
    }

    TraceDescription description() const { return {"top", columns_, {}}; }

    /// The columns that have other values then.
    std::vector<std::uint32_t> step(bool all) {
        std::vector<std::uint32_t> changed;
        for (std::uint32_t i = 0; i < types_.size(); ++i) {
            if (!all && random_() % 4 != 0) continue;
            changed.push_back(i);
            set(i);
        }
        return changed;
    }

    std::vector<const std::byte*> places() const {
        std::vector<const std::byte*> places;
        for (const auto& value : values_)
            places.push_back(value.data());
        return places;
    }

    std::string line(std::uint64_t cycle) const {
        std::string text = std::to_string(cycle);
        for (std::size_t i = 0; i < types_.size(); ++i)
            appendScalar(text.append(1, ','), types_[i], values_[i].data(), {});
        return text.append(1, '\n');
    }

private:
    /// Of any number of digits.
    void set(std::uint32_t i) {
        if (types_[i].kind == Kind::Bool) {
            values_[i][0] = std::byte{static_cast<unsigned char>(random_() % 2)};
            return;
        }
        const std::uint64_t low = random_() >> (random_() % 64), high = random_() % 3 - 1;
        const std::uint64_t limbs[2] = {random_() % 2 == 0 ? low : 0 - low, high};
        std::memcpy(values_[i].data(), limbs, sizeof limbs);
    }

    std::mt19937_64 random_;
    std::vector<Type> types_;
    std::vector<TraceSignal> columns_;
    std::vector<std::array<std::byte, 16>> values_;
};

}  // namespace

TEST_CASE("digits: around powers of ten and two") {
    for (std::uint64_t power = 1;; power *= 10) {
        for (const std::uint64_t value : {power - 1, power, power + 1, 9 * power})
            CHECK(digitsOf(value) == std::to_string(value));
        if (power == 10'000'000'000'000'000'000U) break;
    }
    for (int bit = 0; bit < 64; ++bit) {
        const std::uint64_t power = std::uint64_t{1} << bit;
        for (const std::uint64_t value : {power - 1, power, power + 1})
            CHECK(digitsOf(value) == std::to_string(value));
    }
    CHECK(digitsOf(~std::uint64_t{0}) == "18446744073709551615");
}

TEST_CASE("digits: all of four, in all places") {
    for (std::uint64_t value = 0; value < 10'000; ++value) {
        for (const std::uint64_t scale : {1U, 10'000U, 100'000'000U}) {
            if (digitsOf(value * scale) != std::to_string(value * scale))
                FAIL_CHECK(value << " * " << scale);
        }
    }
}

TEST_CASE("CSV: a row made from the one before is what it says") {
    const std::uint64_t cycles = 2000;
    CsvTable table(1);
    StringSink sink;
    const std::unique_ptr<TraceWriter> writer = makeCsvWriter(sink);
    writer->begin(table.description());
    std::string wanted = "cycle,c,c,c,c,c,c,c,c,c,c,c,c\n";
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        const std::vector<std::uint32_t> changed = table.step(cycle % 5 == 0);
        writer->row({table.places(), changed}, cycle * cycle * cycle);
        wanted += table.line(cycle * cycle * cycle);
    }
    CHECK(sink.text == wanted);
}

TEST_CASE("CSV: no columns, and rows in which nothing changes") {
    StringSink sink;
    const std::unique_ptr<TraceWriter> writer = makeCsvWriter(sink);
    writer->begin({"top", {}, {}});
    writer->row({}, 0);
    writer->row({}, 10);
    CHECK(sink.text == "cycle\n0\n10\n");
}
