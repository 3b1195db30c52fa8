#pragma once

#include <string>

#include <fmt/format.h>

#include "source/one_line.h"
#include "source/source_manager.h"

namespace smec::codegen {

/// Lines of a file of a hardware description language, indented by depth.
class Writer {
public:
    explicit Writer(std::size_t depth = 0) : depth_(depth) {}

    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        text_.append(depth_ * 4, ' ');
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }
    void in() { ++depth_; }
    void out() { --depth_; }
    /// A line at the left margin: a directive of the preprocessor.
    void margin(const char* directive) {
        text_ += directive;
        text_ += '\n';
    }
    /// Lines of another writer, as they are.
    void append(const std::string& lines) { text_ += lines; }
    const std::string& text() const { return text_; }

private:
    std::size_t depth_;
    std::string text_;
};

/// "file.sme:12", or empty.
inline std::string placeOf(const SourceManager& sources, SourceRange range) {
    if (!range.valid()) return {};
    const std::string path = onOneLine(sources.path(range.file));  // for it stands in a comment
    const std::size_t slash = path.find_last_of('/');
    return fmt::format("{}:{}", slash == std::string::npos ? path : path.substr(slash + 1),
                       sources.lineNumber(range.file, range.begin));
}

}  // namespace smec::codegen
