#include "codegen/cpp/print/table.h"

namespace smec::codegen::cpp {

std::string flags(std::initializer_list<Flag> all) {
    std::string text;
    for (const Flag& flag : all) {
        if (flag.isSet) text += fmt::format("{}sme::{}", text.empty() ? "" : " | ", flag.name);
    }
    return text.empty() ? "0" : text;
}

std::string optionalText(const std::optional<std::string>& text) {
    return text ? stringLiteral(*text) : "nullptr";
}

std::string location(const SourceManager& sources, const SourceRange& range) {
    if (!range.valid()) return "{\"\", 0, 0}";
    const LineColumn position = sources.position(range.file, range.begin);
    return fmt::format("{{{}, {}, {}}}", stringLiteral(sources.path(range.file)), position.line,
                       position.column);
}

}  // namespace smec::codegen::cpp
