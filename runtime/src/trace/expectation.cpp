#include "trace/expectation.h"

#include <cstring>

#include "values/format.h"

namespace sme {
namespace {

constexpr std::uint64_t kMostDifferences = 10;

std::vector<Ref> refsOf(const Rows& rows) {
    std::vector<Ref> refs;
    for (const Rows::Column& column : rows.columns())
        refs.push_back(column.ref);
    return refs;
}

}  // namespace

Expectation::Expectation(const Engine& engine, const Rows& rows, TextSink& err)
    : rows_(rows), sampler_(engine, refsOf(rows)), err_(err) {}

void Expectation::check(std::uint64_t cycle) {
    if (cycle >= rows_.count()) return;
    const std::byte* row = rows_.row(cycle);
    for (std::size_t i = 0; i < sampler_.size(); ++i) {
        const Rows::Column& column = rows_.columns()[i];
        const std::byte* got = sampler_.at(i, cycle);
        if (std::memcmp(got, row + column.offset, column.bytes) == 0) continue;
        if (++differences_ <= kMostDifferences) tell(i, cycle, got);
    }
}

void Expectation::tell(std::size_t index, std::uint64_t cycle, const std::byte* got) {
    const Rows::Column& column = rows_.columns()[index];
    std::string text = rows_.path() + ":" + std::to_string(rows_.line(cycle)) + ": error: cycle "
                       + std::to_string(cycle) + ", " + column.name + ": expected ";
    appendValue(text, sampler_.model(), column.ref.type, rows_.row(cycle) + column.offset, {});
    text.append(", got ");
    appendValue(text, sampler_.model(), column.ref.type, got, {});
    text.push_back('\n');
    err_.write(text);
}

bool Expectation::finish(std::uint64_t cycles) {
    if (differences_ > kMostDifferences) {
        err_.write(rows_.path() + ": error: " + std::to_string(differences_)
                   + " differences in all\n");
    }
    const bool tooShort = cycles < rows_.count();
    if (tooShort) {
        err_.write(rows_.path() + ": error: the run ended after " + std::to_string(cycles) + " of "
                   + std::to_string(rows_.count()) + " cycles\n");
    }
    return good() && !tooShort;
}

}  // namespace sme
