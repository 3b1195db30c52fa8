#include "interp/traces.h"

#include <fmt/format.h>

#include "formats/opened_output.h"
#include "formats/save_file.h"
#include "interp/value_bytes.h"
#include "source/one_line.h"
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

/// Throws RunError.
OutputPlace placeOf(const std::string& path) {
    try {
        return findOutput(path == "-" ? "/dev/stdout" : path, {});
    } catch (const FileError& error) {
        throw RunError{kFileSystem, error.message};
    }
}

/// By which a checkpoint knows it.
std::string nameOf(const std::string& path, const OutputPlace& place) {
    return place.kind == OutputPlace::Kind::StandardOutput ? "-" : path;
}

/// visit(name, process, spec) for each process that waits.
template <typename Visit>
void forEachWaiting(const hir::Design& design, const Visit& visit) {
    std::uint32_t process = 0;
    for (std::uint32_t i = 0; i < design.instances.size(); ++i) {
        const hir::Instance& instance = design.instances[i];
        if (instance.kind != hir::InstanceKind::Process) continue;
        const hir::Specialisation& spec = design.specs[instance.spec.index];
        if (spec.body.canWait)
            visit(hir::pathOf(design, hir::InstanceId{i}).append(sme::kWaitName), process, spec);
        ++process;
    }
}

}  // namespace

TraceColumns selectColumns(const hir::Design& design, const SourceManager& sources,
                           const NameTable& names, const sme::TraceSelection& selection) {
    TraceColumns columns{std::make_unique<ModelTypes>(design.types), {}, {}, {}, {}, {}};
    sme::TraceChooser chooser(selection);
    std::vector<Part> taken;
    for (const Root& root : names.roots()) {
        if (!chooser.enter(root.name, root.exposed, !root.isVariable)) continue;
        for (Part& leaf : leavesOf(design.types, root))
            if (chooser.take(leaf.name, columns.types->of(leaf.type)))
                taken.push_back(std::move(leaf));
    }
    std::vector<std::uint32_t> waiting;
    forEachWaiting(design, [&](const std::string& name, std::uint32_t process,
                               const hir::Specialisation& spec) {
        if (chooser.enter(name, false, false, sme::TraceShown::InWaves)
            && chooser.take(name, columns.types->ofWaits(spec, sources), sme::TraceShown::InWaves))
            waiting.push_back(process);
    });
    sme::TraceChooser::Chosen chosen = chooser.finish();
    columns.signals = std::move(chosen.signals);
    columns.findings = std::move(chosen.findings);
    for (std::size_t signal = 0; signal < chosen.order.size(); ++signal) {
        const std::size_t i = chosen.order[signal];
        if (i >= taken.size()) {
            columns.waits.push_back({signal, waiting[i - taken.size()]});
            continue;
        }
        columns.parts.push_back(std::move(taken[i]));
        columns.partSignals.push_back(signal);
    }
    return columns;
}

sme::FilterNotes notesOf(const NameTable& names, const sme::TraceSelection& selection,
                         const TraceColumns& columns, const std::vector<std::string>& paths,
                         std::string_view option) {
    std::vector<std::string> tables;
    for (const std::string& path : paths) {
        const sme::TraceFormat* format = traceFormatOf(path);
        if (format && format->viewer == sme::Viewer::None) tables.push_back(path);
    }
    return sme::notesOf(
        selection, columns.findings, tables,
        {option, quotedWord, [&](const std::string& name) { return names.hint(name); }});
}

const sme::TraceFormat* traceFormatOf(const std::string& path) {
    return sme::formatOf(path, path != "-" && !isStream(path) && !sme::descriptorNamedBy(path));
}

void checkContinued(const hir::Design& design, const std::vector<std::string>& paths,
                    const TraceColumns& columns, const sme::TraceSelection& selection,
                    std::span<const sme::KeptTrace> kept) {
    const sme::TraceFiles files(design.topName, columns.signals, selection);
    for (const std::string& path : paths) {
        const sme::TraceFormat* format = traceFormatOf(path);
        if (!format) continue;
        const std::string name = nameOf(path, placeOf(path));
        const sme::NotContinued problem = sme::whyNotContinued(kept, name, files.hashOf(*format));
        if (!problem.why.empty()) throw RunError{problem.isUsage ? kUsage : kFailure, problem.why};
    }
}

/// Where the processes of all instances stand in the source.
std::vector<sme::TraceSource> Traces::sourcesOfInstances() const {
    std::vector<sme::TraceSource> sources;
    for (const hir::Specialisation& spec : design_.specs) {
        if (!spec.range.valid()) continue;
        const std::string file(sources_.path(spec.range.file));
        const LineColumn position = sources_.position(spec.range.file, spec.range.begin);
        for (const hir::InstanceId id : spec.instances)
            sources.push_back({hir::pathOf(design_, id), file, position.line});
    }
    return sources;
}

Traces::Traces(const hir::Design& design, const SourceManager& sources, TraceColumns columns,
               const sme::TraceSelection& selection)
    : design_(design),
      sources_(sources),
      types_(std::move(columns.types)),
      sample_(std::move(columns.parts)),
      partSignals_(std::move(columns.partSignals)),
      waits_(std::move(columns.waits)),
      files_(design.topName, std::move(columns.signals), selection),
      values_(files_.size()) {
    for (const Part& part : sample_.parts())
        sizes_.push_back(bytesOf(design.types, part.type));
}

void Traces::open(const std::vector<std::string>& paths, Output& output,
                  std::span<const sme::KeptTrace> kept) {
    for (const std::string& path : paths)
        openOne(path, output);
    for (const Sink& sink : sinks_) {
        begin(sink, sme::keptTraceAt(kept, sink.file ? sink.path : "-"));
        writeSaveFile(sink);
    }
}

/// Nothing is lost yet.
void Traces::openOne(const std::string& path, Output& output) {
    const sme::TraceFormat* format = traceFormatOf(path);
    if (!format) throw RunError{kUsage, sme::whyNoFormat(path)};
    if (const std::string why = sme::whyNotThere(path, *format); !why.empty())
        throw RunError{kUsage, why};
    const OutputPlace place = placeOf(path);
    Sink& sink = sinks_.emplace_back(Sink{path, format, nullptr, nullptr});
    if (place.kind == OutputPlace::Kind::StandardOutput) {
        sink.printed = std::make_unique<PrintedSink>(output);
        return;
    }
    sink.file = sme::openToWrite(path);
    if (const int why = sink.file->problem())
        throw RunError{kFileSystem, fmt::format("cannot write '{}': {}", path, sme::reasonOf(why))};
}

void Traces::begin(const Sink& sink, const sme::KeptTrace* before) {
    if (sink.file) sink.file->goOnAt(before ? before->length : 0);
    sme::TextSink& text = sink.file ? static_cast<sme::TextSink&>(*sink.file) : *sink.printed;
    if (sink.format->tellsSources) files_.setSources(sourcesOfInstances());
    if (before)
        files_.resume(*sink.format, text, before->writer);
    else
        files_.add(*sink.format, text);
}

/// Beside a file that viewers open. Nobody asked for it by name, so that it is no failure if it cannot
/// be written.
void Traces::writeSaveFile(const Sink& sink) const {
    if (!sink.file || !sink.file->isFile() || sink.format->viewer == sme::Viewer::None) return;
    const std::string path = sme::saveFilePath(sink.path, *sink.format);
    if (!sme::mayReplaceSaveFile(path)) return;
    try {
        writeOutput(path, files_.saveFile(*sink.format, sink.path), {});
    } catch (const FileError&) {
        return;
    }
}

std::optional<std::vector<sme::KeptTrace>> Traces::keep() {
    std::vector<sme::KeptTrace> kept;
    for (std::size_t i = 0; i < sinks_.size(); ++i) {
        const Sink& sink = sinks_[i];
        sme::TraceState state = files_.state(i);
        if (sink.file) sink.file->sync();
        if (isBroken()) return std::nullopt;
        const std::uint64_t shown = files_.hashOf(*sink.format);
        sme::KeptTrace trace = sink.file
                                   ? sme::keptTrace(sink.path, *sink.file, shown, std::move(state))
                                   : sme::KeptTrace{"-", 0, 0, shown, 0, std::move(state)};
        if (!trace.path.empty()) kept.push_back(std::move(trace));
    }
    return kept;
}

void Traces::row(const Simulation& simulation) {
    if (simulation.cycle() < next_ || !files_.wants(simulation.cycle())) return;
    next_ = simulation.cycle() + 1;
    const TypeTable& types = simulation.design().types;
    const std::vector<Part>& parts = sample_.parts();
    bytes_.clear();
    for (std::size_t i = 0; i < parts.size(); ++i)
        appendBytes(types, parts[i].type, sample_.values()[i], bytes_);
    for (const WaitSignal& wait : waits_) {
        const std::uint32_t number = simulation.waitOf(wait.process);
        const auto* bytes = reinterpret_cast<const std::byte*>(&number);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof number);
    }
    const std::byte* at = bytes_.data();
    for (std::size_t i = 0; i < parts.size(); at += sizes_[i++])
        values_[partSignals_[i]] = at;
    for (const WaitSignal& wait : waits_) {
        values_[wait.signal] = at;
        at += sizeof(std::uint32_t);
    }
    files_.row(values_, simulation.cycle());
}

bool Traces::isBroken() const {
    for (const Sink& sink : sinks_)
        if (sink.file && sink.file->problem() != 0) return true;
    return false;
}

void Traces::flush() {
    for (const Sink& sink : sinks_)
        (sink.file ? static_cast<sme::TextSink&>(*sink.file) : *sink.printed).flush();
}

void Traces::close() {
    files_.end();
    for (const Sink& sink : sinks_) {
        if (!sink.file) continue;  // standard output speaks for itself
        sink.file->flush();
        if (const int why = sink.file->problem())
            throw RunError{kFileSystem,
                           fmt::format("cannot write '{}': {}", sink.path, sme::reasonOf(why))};
    }
}

}  // namespace smec::interp
