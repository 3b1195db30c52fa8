#include "interp/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "source/output_file.h"

namespace smec::interp {

namespace {

constexpr std::uint64_t kMostDifferences = 10;

std::string textOf(const TypeTable& types, const Part& part, const Value& value) {
    return hir::toString(types, part.type, toHir(types, part.type, value));
}

bool matchesAny(const std::vector<std::string>& globs, const std::string& name) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const std::string& glob) { return matchesGlob(glob, name); });
}

/// Of "unit[7].mem[2].x[13]", a part of unit[7].mem: 13.
std::uint64_t largestIndex(const Part& part) {
    std::uint64_t largest = 0;
    for (std::size_t at = part.root.name.size();
         (at = part.name.find('[', at)) != std::string::npos; ++at)
        largest = std::max<std::uint64_t>(largest, std::stoull(part.name.substr(at + 1)));
    return largest;
}

}  // namespace

// ---------------------------------------------------------------- input

InputFile::InputFile(const Simulation& simulation, const NameTable& names, const std::string& path)
    : table_(readCsv(path, simulation.design(), names, CsvTable::Use::Input)) {
    for (const Part& column : table_.columns) {
        const auto isSame = [&](const InputField& known) {
            return known.root.field == column.root.field;
        };
        const auto known = std::find_if(fields_.begin(), fields_.end(), isSame);
        fieldOf_.push_back(static_cast<std::size_t>(known - fields_.begin()));
        if (known == fields_.end())
            fields_.push_back({column.root, simulation.defaultOf(column.root.field)});
    }
}

void InputFile::reset(const Simulation& simulation) {
    for (InputField& field : fields_) {
        if (!field.root.hold) field.value = simulation.defaultOf(field.root.field);
    }
}

void InputFile::apply(Simulation& simulation, std::uint64_t cycle) {
    reset(simulation);
    for (std::size_t i = 0; cycle < rows() && i < table_.columns.size(); ++i) {
        Value* target = &fields_[fieldOf_[i]].value;
        for (const std::uint32_t step : table_.columns[i].path)
            target = &target->list().edit(step);
        *target = table_.rows[cycle][i];
    }
    for (const InputField& field : fields_)
        simulation.setInput(field.root.field, field.value);
}

void InputFile::release(Simulation& simulation) {
    reset(simulation);
    for (const InputField& field : fields_)
        simulation.setInput(field.root.field, field.value);
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
                       const std::string& path)
    : table_(readCsv(path, simulation.design(), names, CsvTable::Use::Expectation)),
      sample_(table_.columns) {}

std::string ExpectFile::check(const Simulation& simulation) {
    std::string text;
    const std::uint64_t cycle = simulation.cycle();
    if (cycle >= rows()) return text;
    const TypeTable& types = simulation.design().types;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
        const Part& part = table_.columns[i];
        const Value& expected = table_.rows[cycle][i];
        const Value& got = sample_.values()[i];
        if (expected == got || ++differences_ > kMostDifferences) continue;
        text += fmt::format("{}:{}: error: cycle {}, {}: expected {}, got {}\n", table_.path,
                            table_.lines[cycle], cycle, part.name, textOf(types, part, expected),
                            textOf(types, part, got));
    }
    return text;
}

std::string ExpectFile::verdict(std::uint64_t cycles) const {
    std::string text;
    if (differences_ > kMostDifferences)
        text += fmt::format("{}: error: {} differences in all\n", table_.path, differences_);
    if (cycles < rows())
        text += fmt::format("{}: error: the run ended after {} of {} cycles\n", table_.path, cycles,
                            rows());
    return text;
}

// ---------------------------------------------------------------- trace

std::vector<Part> TraceFile::select(const hir::Design& design, const NameTable& names,
                                    const Options& options) {
    const std::vector<std::string>& filters = options.traceFilters;
    std::vector<Part> parts;
    for (const Root& root : names.roots()) {
        if (filters.empty() && !options.traceAll && !root.exposed) continue;
        const bool whole = filters.empty() || matchesAny(filters, root.name);
        for (Part& leaf : leavesOf(design.types, root)) {
            const bool isFew = !filters.empty() || largestIndex(leaf) < options.traceElements;
            if (isFew && (whole || matchesAny(filters, leaf.name)))
                parts.push_back(std::move(leaf));
        }
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return naturalLess(a.name, b.name); });
    return parts;
}

TraceFile::TraceFile(std::vector<Part> parts, const std::string& path, const Options& options,
                     Output& output)
    : sample_(std::move(parts)),
      path_(path),
      output_(output),
      start_(options.traceStart),
      stop_(options.traceStop) {
    if (!path.ends_with(".csv") && path != "-" && !isStream(path))
        throw RunError{kUsage,
                       "cannot write a trace to '" + path + "': there are traces that end in .csv"};
    try {
        const OutputPlace place = findOutput(path == "-" ? "/dev/stdout" : path, {});
        if (place.kind != OutputPlace::Kind::StandardOutput)
            file_.reset(fdopen(openOutput(path, place), "wb"));
    } catch (const FileError& error) {
        throw RunError{kFileSystem, error.message};
    }
    std::string names = "cycle";
    for (const Part& part : sample_.parts())
        names += ',' + part.name;
    put(names + '\n');
}

void TraceFile::put(const std::string& text) {
    if (file_)
        std::fwrite(text.data(), 1, text.size(), file_.get());
    else
        output_.put(text);
}

void TraceFile::row(const Simulation& simulation) {
    const std::uint64_t cycle = simulation.cycle();
    if (cycle < start_ || cycle >= stop_) return;
    const TypeTable& types = simulation.design().types;
    std::string text = std::to_string(cycle);
    for (std::size_t i = 0; i < sample_.parts().size(); ++i)
        text += ',' + textOf(types, sample_.parts()[i], sample_.values()[i]);
    put(text + '\n');
}

void TraceFile::close() {
    if (!file_) return;
    errno = 0;
    const bool isGood = std::fflush(file_.get()) == 0 && std::ferror(file_.get()) == 0;
    if (isGood && std::fclose(file_.release()) == 0) return;
    throw RunError{kFileSystem, fmt::format("cannot write '{}': {}", path_, std::strerror(errno))};
}

}  // namespace smec::interp
