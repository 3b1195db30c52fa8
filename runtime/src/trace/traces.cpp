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

/// Of "[2].x[13]": 13.
std::uint64_t largestIndex(std::string_view parts) {
    std::uint64_t largest = 0;
    for (std::size_t at = 0; (at = parts.find('[', at)) != std::string_view::npos;) {
        std::uint64_t index = 0;
        for (++at; at < parts.size() && parts[at] >= '0' && parts[at] <= '9'; ++at)
            index = index * 10 + static_cast<std::uint64_t>(parts[at] - '0');
        largest = std::max(largest, index);
    }
    return largest;
}

}  // namespace

TraceColumns selectColumns(const NameTable& names, const TraceSelection& selection) {
    TraceColumns found;
    const bool filtered = !selection.filters.empty();
    names.forEach([&](std::string& name, const Ref& ref) {
        if (!filtered && !selection.all && (ref.flags & kExposed) == 0) return;
        const std::size_t length = name.size();
        const bool whole = !filtered || matchesAny(selection.filters, name);
        forEachScalar(names.model(), ref, name, [&](const Ref& scalar, const std::string& leaf) {
            if (!whole && !matchesAny(selection.filters, leaf)) return;
            const Type* type = &names.model().types[scalar.type];
            const std::string_view indices = std::string_view(leaf).substr(length);
            found.signals.push_back({leaf, length, type, largestIndex(indices)});
            found.refs.push_back(scalar);
        });
    });
    std::vector<std::size_t> order(found.signals.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return naturalLess(found.signals[a].name, found.signals[b].name);
    });
    TraceColumns sorted;
    for (const std::size_t i : order) {
        sorted.signals.push_back(std::move(found.signals[i]));
        sorted.refs.push_back(found.refs[i]);
    }
    return sorted;
}

Traces::Traces(const Engine& engine, TraceColumns columns, const TraceSelection& selection,
               std::span<const TraceFormat> formats)
    : sampler_(engine, std::move(columns.refs)),
      description_{engine.model().name, std::move(columns.signals), selection.time},
      selection_(selection),
      formats_(formats) {}

bool Traces::isShown(const TraceSignal& signal, const TraceFormat& format) const {
    return !selection_.filters.empty()
           || signal.index < selection_.elements.value_or(format.elements);
}

FileProblem Traces::open(const std::string& path, TextSink& out) {
    const TraceFormat* format = formatOf(path, formats_);
    if (!format)
        return {2, "cannot write a trace to '" + path + "': there are traces that end in "
                       + suffixesOf(formats_)};
    std::unique_ptr<FileSink> own = isStandardOutput(path) ? nullptr : openOutput(path);
    TextSink* sink = own ? own.get() : &out;
    File& file = files_.emplace_back(path, std::move(own), sink, format->make(*sink));
    TraceDescription shown{description_.design, {}, description_.time};
    for (std::size_t i = 0; i < description_.signals.size(); ++i) {
        if (!isShown(description_.signals[i], *format)) continue;
        file.columns.push_back(i);
        shown.signals.push_back(description_.signals[i]);
    }
    file.writer->begin(std::move(shown));
    if (const int why = sink->problem())
        return {3, "cannot write '" + path + "': " + std::strerror(why)};
    return {};
}

bool Traces::row(std::uint64_t cycle) {
    if (cycle < selection_.start || cycle >= selection_.stop) return true;
    bool good = true;
    for (File& file : files_) {
        values_.clear();
        for (const std::size_t column : file.columns)
            values_.push_back(sampler_.at(column, cycle));
        file.writer->row(values_, cycle);
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
