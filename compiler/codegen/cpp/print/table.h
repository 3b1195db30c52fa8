#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "codegen/cpp/print/text.h"
#include "source/source_manager.h"

/// Rows of the model's tables as C++.
namespace smec::codegen::cpp {

/// A table and how many rows it has got.
class Table {
public:
    Table(Writer& out, const char* type, const char* name) : out_(out), name_(name) {
        out_.open("constexpr sme::{} {}[] =", type, name);
    }
    template <typename... Args>
    void row(fmt::format_string<Args...> format, Args&&... args) {
        out_.line(format, std::forward<Args>(args)...);
        ++rows_;
    }
    /// C++ has no empty arrays. Returns what sme::Model says of it.
    std::string close() {
        if (rows_ == 0) out_.line("{{}}");
        out_.close(";");
        return fmt::format("contents::{}, {}", name_, rows_);
    }

private:
    Writer& out_;
    const char* name_;
    std::size_t rows_ = 0;
};

struct Flag {
    bool isSet;
    const char* name;
};
/// `sme::kA | sme::kB`, or 0.
std::string flags(std::initializer_list<Flag> all);

/// As sme::Location.
std::string location(const SourceManager& sources, const SourceRange& range);

/// As a string literal, or nullptr.
std::string optionalText(const std::optional<std::string>& text);

}  // namespace smec::codegen::cpp
