#include "trace/traces.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "output/output_file.h"

namespace sme {
namespace {

bool matchesAny(const std::vector<std::string>& globs, std::string_view name) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const std::string& glob) { return globMatches(glob, name); });
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

Traces::Traces(const Engine& engine, TraceColumns columns, const TraceSelection& selection,
               std::span<const TraceFormat> formats)
    : sampler_(engine, std::move(columns.refs)),
      names_(std::move(columns.names)),
      start_(selection.start),
      stop_(selection.stop),
      formats_(formats) {}

FileProblem Traces::open(const std::string& path, TextSink& out) {
    const TraceFormat* format = formatOf(path, formats_);
    if (!format)
        return {2, "cannot write a trace to '" + path + "': there are traces that end in "
                       + suffixesOf(formats_)};
    std::unique_ptr<FileSink> own = isStandardOutput(path) ? nullptr : openOutput(path);
    TextSink* sink = own ? own.get() : &out;
    files_.push_back({path, std::move(own), sink, format->make(*sink)});
    files_.back().writer->begin(names_);
    if (const int why = sink->problem())
        return {3, "cannot write '" + path + "': " + std::strerror(why)};
    return {};
}

bool Traces::row(std::uint64_t cycle) {
    if (cycle < start_ || cycle >= stop_) return true;
    bool good = true;
    for (File& file : files_) {
        file.writer->row(sampler_, cycle);
        good &= file.sink->problem() == 0;
    }
    return good;
}

FileProblem Traces::finish() {
    FileProblem problem;
    for (File& file : files_) {
        file.writer->end();
        if (!file.own) continue;  // standard output speaks for itself
        file.sink->flush();
        const int why = file.sink->problem();
        if (why != 0 && !problem)
            problem = {3, "cannot write '" + file.path + "': " + std::strerror(why)};
    }
    return problem;
}

}  // namespace sme
