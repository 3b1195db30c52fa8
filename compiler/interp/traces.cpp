#include "interp/traces.h"

#include <cstring>

#include <fmt/format.h>

#include "interp/value_bytes.h"
#include "source/output_file.h"

namespace smec::interp {

namespace {

/// Standard output, among what the processes say.
class PrintedSink final : public sme::TextSink {
public:
    explicit PrintedSink(Output& output) : output_(output) {}
    void write(std::string_view text) override { output_.put(text); }
    void flush() override { output_.flush(); }
    int problem() const override { return output_.problem(); }

private:
    Output& output_;
};

}  // namespace

TraceColumns selectColumns(const hir::Design& design, const NameTable& names,
                           const sme::TraceSelection& selection) {
    TraceColumns columns{std::make_unique<ModelTypes>(design.types), {}, {}};
    sme::TraceChooser chooser(selection);
    std::vector<Part> taken;
    for (const Root& root : names.roots()) {
        if (!chooser.enter(root.name, root.exposed)) continue;
        for (Part& leaf : leavesOf(design.types, root))
            if (chooser.take(leaf.name, columns.types->of(leaf.type)))
                taken.push_back(std::move(leaf));
    }
    sme::TraceChooser::Chosen chosen = chooser.finish();
    columns.signals = std::move(chosen.signals);
    for (const std::size_t i : chosen.order)
        columns.parts.push_back(std::move(taken[i]));
    return columns;
}

const sme::TraceFormat* traceFormatOf(const std::string& path) {
    return sme::formatOf(path, path != "-" && !isStream(path));
}

Traces::Traces(const hir::Design& design, TraceColumns columns,
               const sme::TraceSelection& selection)
    : types_(std::move(columns.types)),
      sample_(std::move(columns.parts)),
      files_(design.topName, std::move(columns.signals), selection),
      values_(sample_.parts().size()) {
    for (const Part& part : sample_.parts())
        sizes_.push_back(bytesOf(design.types, part.type));
}

void Traces::open(const std::string& path, Output& output) {
    const sme::TraceFormat* format = traceFormatOf(path);
    if (!format) throw RunError{kUsage, sme::whyNoFormat(path)};
    Sink& sink = sinks_.emplace_back(Sink{path, nullptr, nullptr});
    try {
        const OutputPlace place = findOutput(path == "-" ? "/dev/stdout" : path, {});
        if (place.kind == OutputPlace::Kind::StandardOutput)
            sink.printed = std::make_unique<PrintedSink>(output);
        else
            sink.file =
                std::make_unique<sme::FileSink>(openOutput(path, place), sme::FileSink::Owned{});
    } catch (const FileError& error) {
        throw RunError{kFileSystem, error.message};
    }
    files_.add(*format, sink.file ? *sink.file : *sink.printed);
}

void Traces::row(const Simulation& simulation) {
    if (!files_.wants(simulation.cycle())) return;
    const TypeTable& types = simulation.design().types;
    const std::vector<Part>& parts = sample_.parts();
    bytes_.clear();
    for (std::size_t i = 0; i < parts.size(); ++i)
        appendBytes(types, parts[i].type, sample_.values()[i], bytes_);
    const std::byte* at = bytes_.data();
    for (std::size_t i = 0; i < parts.size(); at += sizes_[i++])
        values_[i] = at;
    files_.row(values_, simulation.cycle());
}

bool Traces::isBroken() const {
    for (const Sink& sink : sinks_)
        if (sink.file && sink.file->problem() != 0) return true;
    return false;
}

void Traces::close() {
    files_.end();
    for (const Sink& sink : sinks_) {
        if (!sink.file) continue;  // standard output speaks for itself
        sink.file->flush();
        if (const int why = sink.file->problem())
            throw RunError{kFileSystem,
                           fmt::format("cannot write '{}': {}", sink.path, std::strerror(why))};
    }
}

}  // namespace smec::interp
