#include "interp/files.h"

#include <algorithm>

#include <fmt/format.h>

namespace smec::interp {

namespace {

constexpr std::uint64_t kMostDifferences = 10;

std::string textOf(const TypeTable& types, const Part& part, const Value& value) {
    return hir::toString(types, part.type, toHir(types, part.type, value));
}

}  // namespace

// ---------------------------------------------------------------- input

InputFile::InputFile(const Simulation& simulation, const NameTable& names, const std::string& path,
                     sme::LineReader::Waiting waiting)
    : rows_(path, simulation.design(), names, CsvRows::Use::Input, std::move(waiting)) {
    for (const Part& column : rows_.columns()) {
        const auto isSame = [&](const InputField& known) {
            return known.root.field == column.root.field;
        };
        const auto known = std::find_if(fields_.begin(), fields_.end(), isSame);
        fieldOf_.push_back(static_cast<std::size_t>(known - fields_.begin()));
        if (known == fields_.end())
            fields_.push_back({column.root, simulation.defaultOf(column.root.field)});
    }
}

void InputFile::apply(Simulation& simulation, std::uint64_t cycle) {
    if (!rows_.seek(cycle)) return release(simulation);
    for (std::size_t i = 0; i < rows_.columns().size(); ++i) {
        Value* target = &fields_[fieldOf_[i]].value;
        for (const std::uint32_t step : rows_.columns()[i].path)
            target = &target->list().edit(step);
        *target = rows_.values()[i];
    }
    for (const InputField& field : fields_)
        simulation.setInput(field.root.field, field.value);
}

/// What holds is kept by the simulation and its states.
void InputFile::release(Simulation& simulation) const {
    for (const InputField& field : fields_) {
        if (!field.root.hold)
            simulation.setInput(field.root.field, simulation.defaultOf(field.root.field));
    }
}

std::vector<Value> InputFile::driven(const Simulation& simulation) const {
    std::vector<Value> values;
    for (const InputField& field : fields_)
        values.push_back(simulation.field(field.root.field));
    return values;
}

void InputFile::putBack(Simulation& simulation, const std::vector<Value>& values) const {
    for (std::size_t i = 0; i < fields_.size(); ++i)
        simulation.setInput(fields_[i].root.field, values[i]);
}

// ---------------------------------------------------------------- samples

void Sample::lookBefore(const Simulation& simulation) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Root& root = parts_[i].root;
        if (root.isVariable && root.combinational) values_[i] = valueOf(simulation, parts_[i]);
    }
}

void Sample::lookDuring(const Simulation& simulation) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Root& root = parts_[i].root;
        if (!root.isVariable || !root.combinational) values_[i] = valueOf(simulation, parts_[i]);
    }
}

// ---------------------------------------------------------------- expect

ExpectFile::ExpectFile(const Simulation& simulation, const NameTable& names,
                       const std::string& path, sme::LineReader::Waiting waiting)
    : rows_(path, simulation.design(), names, CsvRows::Use::Expectation, std::move(waiting)),
      sample_(rows_.columns()) {}

std::string ExpectFile::check(const Simulation& simulation) {
    std::string text;
    const std::uint64_t cycle = simulation.cycle();
    if (!rows_.seek(cycle)) return text;
    const TypeTable& types = simulation.design().types;
    for (std::size_t i = 0; i < rows_.columns().size(); ++i) {
        const Part& part = rows_.columns()[i];
        const Value& expected = rows_.values()[i];
        const Value& got = sample_.values()[i];
        if (expected == got || ++differences_ > kMostDifferences) continue;
        text += fmt::format("{}:{}: error: cycle {}, {}: expected {}, got {}\n", rows_.path(),
                            rows_.line(), cycle, part.name, textOf(types, part, expected),
                            textOf(types, part, got));
    }
    return text;
}

std::string ExpectFile::verdictOfPart() const {
    if (differences_ <= kMostDifferences) return "";
    return fmt::format("{}: error: {} differences in all\n", rows_.path(), differences_);
}

std::string ExpectFile::verdict(std::uint64_t cycles) {
    rows_.readOn();
    const std::uint64_t rows = rows_.count().value_or(0);
    isTooShort_ = cycles < rows;
    std::string text = verdictOfPart();
    if (isTooShort_)
        text += fmt::format("{}: error: the run ended after {} of {} cycles\n", rows_.path(),
                            cycles, rows);
    return text;
}

}  // namespace smec::interp
