#include "driver/cli/format_command.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "driver/cli/line_diff.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "source/read_text.h"
#include "syntax/format.h"

namespace smec::driver {
namespace {

ReadText readInput(const std::string& file) { return readText(file == "-" ? "/dev/stdin" : file); }

/// Formats one file. Returns its exit status.
int formatFile(const std::string& file, const Invocation& invocation) {
    const bool isStandardInput = file == "-";
    SourceManager sources;
    Diagnostics diagnostics;
    const ReadText input = readInput(file);
    std::optional<std::string> formatted;
    if (!input.problem.empty()) {
        diagnostics.report(DiagId::CannotRead, {}, file, input.problem);
    } else {
        const FileId id = sources.add(isStandardInput ? "<stdin>" : file, input.text);
        formatted = syntax::format(sources, id, diagnostics);
    }
    if (!formatted) {
        fmt::print(stderr, "{}", render(diagnostics, sources, invocation.compile.rendering));
        return exit_status::kSource;
    }
    if (invocation.checkOnly) {
        fmt::print("{}", lineDiff(input.text, *formatted, isStandardInput ? "<stdin>" : file));
        return *formatted == input.text ? exit_status::kGood : exit_status::kSource;
    }
    if (isStandardInput) {
        fmt::print("{}", *formatted);
    } else if (*formatted != input.text) {
        replaceFile(file, *formatted);
    }
    return exit_status::kGood;
}

}  // namespace

int formatFiles(const Invocation& invocation) {
    int status = exit_status::kGood;
    for (const std::string& file : invocation.words)
        status = std::max(status, formatFile(file, invocation));
    return status;
}

}  // namespace smec::driver
