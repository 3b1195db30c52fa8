#include "trace/traces.h"

#include <cstring>

#include "formats/save_file.h"
#include "output/output_file.h"
#include "values/instances.h"
#include "values/words.h"

namespace sme {
namespace {

FileProblem cannotWriteTrace(const std::string& path, int why) {
    return {3, "cannot write '" + path + "': " + reasonOf(why)};
}

/// By which a checkpoint knows it.
std::string nameOf(const std::string& path) { return isStandardOutput(path) ? "-" : path; }

/// Where the processes of all instances stand in the source.
std::vector<TraceSource> sourcesOf(const Model& model) {
    std::vector<TraceSource> sources;
    for (std::uint32_t i = 0; i < model.instanceRunCount; ++i) {
        const InstanceRun& run = model.instances[i];
        if (run.location.line == 0) continue;
        for (std::uint32_t k = 0; k < run.count; ++k) {
            sources.push_back({{}, run.location.file, run.location.line});
            appendRunName(sources.back().path, run.prefix, run.suffix, run.index + k);
        }
    }
    return sources;
}

/// visit(name, type, ref) for each process that waits: where it does.
template <typename Visit>
void forEachWaiting(const Model& model, const Visit& visit) {
    std::string name;
    for (std::uint32_t i = 0; i < model.instanceRunCount; ++i) {
        const InstanceRun& run = model.instances[i];
        for (std::uint32_t k = 0; run.waits && k < run.count; ++k) {
            name.clear();
            appendRunName(name, run.prefix, run.suffix, run.index + k);
            const Plane& plane = model.planes[run.waits->plane];
            visit(name.append(kWaitName), run.waits->type,
                  Ref{run.waits->plane, run.first + k, 0, plane.type, kVariable, nullptr, 0});
        }
    }
}

}  // namespace

TraceColumns selectColumns(const NameTable& names, const TraceSelection& selection) {
    TraceChooser chooser(selection);
    std::vector<Ref> taken;
    names.forEach([&](std::string& name, const Ref& ref) {
        if (!chooser.enter(name, (ref.flags & kExposed) != 0, (ref.flags & kVariable) == 0)) return;
        forEachScalar(names.model(), ref, name, [&](const Ref& scalar, const std::string& leaf) {
            if (chooser.take(leaf, names.model().types[scalar.type])) taken.push_back(scalar);
        });
    });
    forEachWaiting(names.model(), [&](const std::string& name, const Type& type, const Ref& ref) {
        if (chooser.enter(name, false, false, TraceShown::InWaves)
            && chooser.take(name, type, TraceShown::InWaves))
            taken.push_back(ref);
    });
    TraceChooser::Chosen chosen = chooser.finish();
    TraceColumns columns{std::move(chosen.signals), {}, std::move(chosen.findings)};
    for (const std::size_t i : chosen.order)
        columns.refs.push_back(taken[i]);
    return columns;
}

FilterNotes notesOf(const NameTable& names, const TraceSelection& selection,
                    const TraceColumns& columns, const std::vector<std::string>& paths,
                    std::string_view option) {
    std::vector<std::string> tables;
    for (const std::string& path : paths) {
        const TraceFormat* format = traceFormatOf(path);
        if (format && format->viewer == Viewer::None) tables.push_back(path);
    }
    return notesOf(selection, columns.findings, tables,
                   {option, quotedWord, [&](const std::string& name) { return names.hint(name); }});
}

const TraceFormat* traceFormatOf(const std::string& path, std::span<const TraceFormat> formats) {
    return formatOf(path, path != "-" && !isStream(path) && !descriptorNamedBy(path), formats);
}

FileProblem whyNotContinued(const Model& model, const std::vector<std::string>& paths,
                            const TraceColumns& columns, const TraceSelection& selection,
                            std::span<const KeptTrace> kept) {
    const TraceFiles files(model.name, columns.signals, selection);
    for (const std::string& path : paths) {
        const TraceFormat* format = traceFormatOf(path);
        if (!format) continue;
        const NotContinued problem = whyNotContinued(kept, nameOf(path), files.hashOf(*format));
        if (!problem.why.empty()) return {problem.isUsage ? 2 : 1, problem.why};
    }
    return {};
}

Traces::Traces(const Engine& engine, TraceColumns columns, const TraceSelection& selection,
               std::span<const TraceFormat> formats)
    : model_(engine.model()),
      memory_(engine, columns.refs),
      formats_(formats),
      files_(engine.model().name, std::move(columns.signals), selection, memory_.image()),
      encoder_(
          files_, [this] { return writeAlong(); }, engine.runner().team().processors()) {}

FileProblem Traces::open(const std::vector<std::string>& paths, TextSink& out,
                         std::span<const KeptTrace> kept) {
    for (const std::string& path : paths)
        if (const FileProblem problem = openOne(path, out)) return problem;
    for (const Sink& sink : sinks_) {
        begin(sink, keptTraceAt(kept, nameOf(sink.path)));
        if (const int why = sink.sink->problem()) return cannotWriteTrace(sink.path, why);
        writeSaveFile(sink);
    }
    return {};
}

/// Nothing is lost yet.
FileProblem Traces::openOne(const std::string& path, TextSink& out) {
    const TraceFormat* format = traceFormatOf(path, formats_);
    if (!format) return {2, whyNoFormat(path, formats_)};
    if (const std::string why = whyNotThere(path, *format); !why.empty()) return {2, why};
    std::unique_ptr<FileSink> own;
    if (!isStandardOutput(path)) own = openToWrite(path);
    TextSink* sink = own ? own.get() : &out;
    if (const int why = sink->problem()) return cannotWriteTrace(path, why);
    // what processes print in a cycle stands between its row and the next one
    if (!own) encoder_.beImmediate();
    sinks_.push_back({path, format, std::move(own), sink});
    return {};
}

void Traces::begin(const Sink& sink, const KeptTrace* before) {
    if (sink.own) sink.own->goOnAt(before ? before->length : 0);
    if (sink.format->tellsSources) files_.setSources(sourcesOf(model_));
    if (before)
        files_.resume(*sink.format, *sink.sink, before->writer);
    else
        files_.add(*sink.format, *sink.sink);
}

/// Beside a file that viewers open. Nobody asked for it by name, so that it is no failure if it cannot
/// be written.
void Traces::writeSaveFile(const Sink& sink) const {
    if (!sink.own || !sink.own->isFile() || sink.format->viewer == Viewer::None) return;
    const std::string path = saveFilePath(sink.path, *sink.format);
    if (mayReplaceSaveFile(path)) writeOutput(path, files_.saveFile(*sink.format, sink.path));
}

std::optional<std::vector<KeptTrace>> Traces::keptTraces() {
    if (!encoder_.drain()) return std::nullopt;
    std::vector<KeptTrace> kept;
    for (std::size_t i = 0; i < sinks_.size(); ++i) {
        const Sink& sink = sinks_[i];
        TraceState state = files_.state(i);
        if (sink.own) sink.own->sync();
        if (sink.sink->problem() != 0) return std::nullopt;
        const std::uint64_t shown = files_.hashOf(*sink.format);
        KeptTrace trace = sink.own ? keptTrace(sink.path, *sink.own, shown, std::move(state))
                                   : KeptTrace{"-", 0, 0, shown, 0, std::move(state)};
        if (!trace.path.empty()) kept.push_back(std::move(trace));
    }
    return kept;
}

void Traces::keep(std::uint64_t cycle) {
    if (!wants(cycle)) return;
    memory_.compareBetween(cycle, encoder_);
}

bool Traces::row(std::uint64_t cycle) {
    if (!wants(cycle)) return true;
    next_ = cycle + 1;
    memory_.compareFields(cycle, encoder_);
    return encoder_.row(cycle);
}

void Traces::goAhead() {
    keptNext_ = next_;
    encoder_.hold();
}

void Traces::undo() {
    next_ = keptNext_;
    encoder_.takeBack();
    memory_.forget();
}

/// Somebody who reads along sees a slow run. False when a file cannot be written.
bool Traces::writeAlong() const {
    bool isGood = true;
    for (const Sink& sink : sinks_) {
        if (sink.own) sink.own->endCycle();
        isGood &= sink.sink->problem() == 0;
    }
    return isGood;
}

void Traces::flush() {
    encoder_.drain();
    for (const Sink& sink : sinks_)
        sink.sink->flush();
}

FileProblem Traces::finish() {
    encoder_.finish();
    files_.end();
    FileProblem problem;
    for (const Sink& sink : sinks_) {
        if (!sink.own) continue;  // standard output speaks for itself
        sink.own->flush();
        const int why = sink.own->problem();
        if (why != 0 && !problem) problem = cannotWriteTrace(sink.path, why);
    }
    return problem;
}

}  // namespace sme
