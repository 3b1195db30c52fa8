#include "formats/trace_files.h"

namespace sme {

TraceFiles::TraceFiles(std::string design, std::vector<TraceSignal> signals,
                       const TraceSelection& selection)
    : description_{std::move(design), std::move(signals), selection.time}, selection_(selection) {}

bool TraceFiles::isShown(const TraceSignal& signal, const TraceFormat& format) const {
    return !selection_.filters.empty()
           || signal.index < selection_.elements.value_or(format.elements);
}

void TraceFiles::add(const TraceFormat& format, TextSink& sink) {
    File& file = files_.emplace_back(File{format.make(sink), {}});
    TraceDescription shown{description_.design, {}, description_.time};
    for (std::size_t i = 0; i < description_.signals.size(); ++i) {
        if (!isShown(description_.signals[i], format)) continue;
        file.columns.push_back(i);
        shown.signals.push_back(description_.signals[i]);
    }
    file.writer->begin(std::move(shown));
}

bool TraceFiles::wants(std::uint64_t cycle) const {
    return cycle >= selection_.start && cycle < selection_.stop;
}

void TraceFiles::row(TraceRow values, std::uint64_t cycle) {
    for (const File& file : files_) {
        if (file.columns.size() == values.size()) {
            file.writer->row(values, cycle);
            continue;
        }
        values_.clear();
        for (const std::size_t column : file.columns)
            values_.push_back(values[column]);
        file.writer->row(values_, cycle);
    }
}

void TraceFiles::end() {
    for (const File& file : files_)
        file.writer->end();
}

}  // namespace sme
