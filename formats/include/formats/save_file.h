#pragma once

#include <string>
#include <string_view>

#include "formats/trace_writer.h"

namespace sme {

/// GTKWave's save file beside a trace: which signals it shows, and how. Exposed fields, or, where the
/// trace has none, all that it has.
std::string saveFileText(const TraceDescription& description, const TraceFormat& format,
                         std::string_view trace);

/// Where it stands: "a/x.gtkw" beside "a/x.fst".
std::string saveFilePath(std::string_view trace, const TraceFormat& format);

/// Whether nothing is there, or a save file that nobody has changed since saveFileText() made it.
bool mayReplaceSaveFile(const std::string& path);

}  // namespace sme
