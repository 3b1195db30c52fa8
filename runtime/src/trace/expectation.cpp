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

Expectation::Expectation(const Engine& engine, Rows& rows, TextSink& err)
    : rows_(rows), sampler_(engine, refsOf(rows)), err_(err) {}

Rows::Found Expectation::check(std::uint64_t cycle) {
    const Rows::Found found = rows_.seek(cycle);
    if (found != Rows::Found::Row) return found;
    const std::byte* row = rows_.values();
    for (std::size_t i = 0; i < sampler_.size(); ++i) {
        const Rows::Column& column = rows_.columns()[i];
        const std::byte* got = sampler_.at(i, cycle);
        if (std::memcmp(got, row + column.offset, column.bytes) == 0) continue;
        if (isQuiet_) {
            hasToTell_ = true;
            break;
        }
        if (++differences_ <= kMostDifferences) tell(i, cycle, got);
    }
    return found;
}

void Expectation::tell(std::size_t index, std::uint64_t cycle, const std::byte* got) {
    const Rows::Column& column = rows_.columns()[index];
    std::string text = rows_.path() + ":" + std::to_string(rows_.line()) + ": error: cycle "
                       + std::to_string(cycle) + ", " + column.name + ": expected ";
    appendValue(text, sampler_.model(), column.ref.type, rows_.values() + column.offset, {});
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
    rows_.readOn();
    const std::uint64_t rows = rows_.count().value_or(0);
    const bool tooShort = cycles < rows;
    if (tooShort) {
        err_.write(rows_.path() + ": error: the run ended after " + std::to_string(cycles) + " of "
                   + std::to_string(rows) + " cycles\n");
    }
    return good() && !tooShort;
}

}  // namespace sme
