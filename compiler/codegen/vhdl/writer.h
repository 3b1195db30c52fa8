#pragma once

#include <string>

#include <fmt/format.h>

#include "source/source_manager.h"

namespace smec::codegen::vhdl {

/// Lines of a file, indented by depth.
class Writer {
public:
    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        text_.append(depth_ * 4, ' ');
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }
    void in() { ++depth_; }
    void out() { --depth_; }
    /// Lines of another writer, as they are.
    void append(const std::string& lines) { text_ += lines; }
    const std::string& text() const { return text_; }

private:
    std::string text_;
    std::size_t depth_ = 0;
};

/// "file.sme:12", or empty.
inline std::string placeOf(const SourceManager& sources, SourceRange range) {
    if (!range.valid()) return {};
    const std::string& path = sources.path(range.file);
    const std::size_t slash = path.find_last_of('/');
    return fmt::format("{}:{}", slash == std::string::npos ? path : path.substr(slash + 1),
                       sources.lineNumber(range.file, range.begin));
}

}  // namespace smec::codegen::vhdl
