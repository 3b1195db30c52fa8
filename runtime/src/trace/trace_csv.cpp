#include "trace/trace_csv.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>

#include "output/output_file.h"
#include "values/format.h"
#include "values/value.h"

namespace sme {
namespace {

bool matchesAny(const std::vector<std::string>& globs, std::string_view name) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const std::string& glob) { return globMatches(glob, name); });
}

/// A scalar as CSV shows it. Small integers, most of all columns, take a short way.
void appendCell(std::string& out, const Model& model, std::uint32_t type, const std::byte* at) {
    const Type& shape = model.types[type];
    if ((shape.kind == Kind::Unsigned || shape.kind == Kind::Signed) && shape.bytes <= 8) {
        char digits[24];
        const std::uint64_t raw = loadRaw(at, shape.bytes);
        char* end = shape.kind == Kind::Unsigned
                        ? std::to_chars(digits, digits + sizeof digits, raw).ptr
                        : std::to_chars(digits, digits + sizeof digits,
                                        static_cast<std::int64_t>(signExtend(raw, shape.bytes * 8)))
                              .ptr;
        out.append(digits, end);
        return;
    }
    appendValue(out, model, type, at, {});
}

}  // namespace

TraceColumns selectColumns(const NameTable& names, const TraceSelection& selection) {
    TraceColumns found;
    const bool filtered = !selection.filters.empty();
    names.forEach([&](std::string& name, const Ref& ref) {
        if (!filtered && !selection.all && (ref.flags & kExposed) == 0) return;
        const bool whole = !filtered || matchesAny(selection.filters, name);
        forEachScalar(names.model(), ref, name, [&](const Ref& scalar, const std::string& leaf) {
            if (!whole && !matchesAny(selection.filters, leaf)) return;
            found.names.push_back(leaf);
            found.refs.push_back(scalar);
        });
    });
    std::vector<std::size_t> order(found.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return naturalLess(found.names[a], found.names[b]);
    });
    TraceColumns sorted;
    for (const std::size_t i : order) {
        sorted.names.push_back(std::move(found.names[i]));
        sorted.refs.push_back(found.refs[i]);
    }
    return sorted;
}

CsvTrace::CsvTrace(const Engine& engine, TraceColumns columns, const TraceSelection& selection)
    : sampler_(engine, std::move(columns.refs)),
      names_(std::move(columns.names)),
      start_(selection.start),
      stop_(selection.stop) {}

FileProblem CsvTrace::open(const std::vector<std::string>& paths, TextSink& out) {
    text_ = "cycle";
    for (const std::string& name : names_)
        text_.append(1, ',').append(name);
    text_.push_back('\n');
    for (const std::string& path : paths) {
        std::unique_ptr<FileSink> own = isStandardOutput(path) ? nullptr : openOutput(path);
        TextSink* sink = own ? own.get() : &out;
        files_.push_back({path, std::move(own), sink});
        sink->write(text_);
        if (const int why = sink->problem())
            return {3, "cannot write '" + path + "': " + std::strerror(why)};
    }
    return {};
}

bool CsvTrace::row(std::uint64_t cycle) {
    if (cycle < start_ || cycle >= stop_) return true;
    text_.clear();
    appendUnsigned(text_, cycle);
    const Model& model = sampler_.model();
    for (std::size_t i = 0; i < sampler_.size(); ++i) {
        text_.push_back(',');
        appendCell(text_, model, sampler_.typeIndex(i), sampler_.at(i, cycle));
    }
    text_.push_back('\n');
    bool good = true;
    for (File& file : files_) {
        file.sink->write(text_);
        good &= file.sink->problem() == 0;
    }
    return good;
}

FileProblem CsvTrace::finish() {
    FileProblem problem;
    for (File& file : files_) {
        if (!file.own) continue;  // standard output speaks for itself
        file.sink->flush();
        const int why = file.sink->problem();
        if (why != 0 && !problem)
            problem = {3, "cannot write '" + file.path + "': " + std::strerror(why)};
    }
    return problem;
}

}  // namespace sme
