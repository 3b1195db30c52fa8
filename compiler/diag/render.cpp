#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "diag/diagnostics.h"
#include "diag/excerpt.h"

// Text:  path:line:col: error: cannot assign u16 to 'v' of type u8; cast with u8(...)
// [assign-width]
//            v = wide;
//                ^~~~
//        path:line:col: note: 'v' is declared here
//        ...

namespace smec {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kMark = "\x1b[1;32m";

std::string_view word(Severity severity) {
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
    }
    return "";
}

std::string_view colourOf(Severity severity) {
    switch (severity) {
    case Severity::Error: return "\x1b[1;31m";
    case Severity::Warning: return "\x1b[1;35m";
    case Severity::Note: return "\x1b[1;36m";
    }
    return "";
}

// By file, then by place; what has no place comes last. Equal places keep the order of reporting.
std::vector<const Diagnostic*> inSourceOrder(const Diagnostics& diagnostics) {
    std::vector<const Diagnostic*> order;
    for (const Diagnostic& d : diagnostics.all())
        order.push_back(&d);
    std::stable_sort(order.begin(), order.end(), [](const Diagnostic* a, const Diagnostic* b) {
        if (a->range.file.index != b->range.file.index)
            return a->range.file.index < b->range.file.index;
        return a->range.begin < b->range.begin;
    });
    return order;
}

class TextRenderer {
public:
    TextRenderer(const SourceManager& sources, bool colour) : sources_(sources), colour_(colour) {}

    void add(const Diagnostic& d) {
        addMessage(d.severity, d.range, d.message, info(d.id).name);
        for (const Note& note : d.notes)
            addMessage(Severity::Note, note.range, note.message, "");
    }

    void addHidden(std::string_view, const std::string& message) { out_ += message + "\n"; }

    std::string take() { return std::move(out_); }

private:
    void addMessage(Severity severity, SourceRange range, const std::string& message,
                    std::string_view name) {
        if (range.valid()) {
            LineColumn at = sources_.position(range.file, range.begin);
            paint(kBold, fmt::format("{}:{}:{}: ", sources_.path(range.file), at.line, at.column));
        }
        paint(colourOf(severity), fmt::format("{}: ", word(severity)));
        paint(severity == Severity::Note ? std::string_view() : kBold, message);
        if (!name.empty()) out_ += fmt::format(" [{}]", name);
        out_ += '\n';
        if (range.valid()) addExcerpt(makeExcerpt(sources_, range));
    }

    void addExcerpt(const Excerpt& excerpt) {
        out_ += excerpt.text;
        out_ += '\n';
        out_.append(excerpt.caret, ' ');
        paint(kMark, '^' + std::string(excerpt.width - 1, '~'));
        out_ += '\n';
    }

    void paint(std::string_view colour, std::string_view text) {
        bool painted = colour_ && !colour.empty();
        if (painted) out_ += colour;
        out_ += text;
        if (painted) out_ += kReset;
    }

    const SourceManager& sources_;
    bool colour_;
    std::string out_;
};

class JsonRenderer {
public:
    explicit JsonRenderer(const SourceManager& sources) : sources_(sources) {}

    void add(const Diagnostic& d) {
        Json object;
        object["severity"] = word(d.severity);
        object["id"] = info(d.id).name;
        object["message"] = d.message;
        addPlace(object, d.range);
        LineColumn end = d.range.valid()
                             ? sources_.position(d.range.file, std::max(d.range.begin, d.range.end))
                             : LineColumn{};
        object["endLine"] = end.line;
        object["endColumn"] = end.column;
        object["notes"] = Json::array();
        for (const Note& note : d.notes) {
            Json inner;
            inner["message"] = note.message;
            addPlace(inner, note.range);
            object["notes"].push_back(std::move(inner));
        }
        addLine(object);
    }

    void addHidden(std::string_view id, const std::string& message) {
        Json object;
        object["severity"] = "note";
        object["id"] = id;
        object["message"] = message;
        addPlace(object, {});
        object["endLine"] = 0;
        object["endColumn"] = 0;
        object["notes"] = Json::array();
        addLine(object);
    }

    std::string take() { return std::move(out_); }

private:
    void addPlace(Json& object, SourceRange range) {
        LineColumn at = range.valid() ? sources_.position(range.file, range.begin) : LineColumn{};
        object["file"] = range.valid() ? sources_.path(range.file) : std::string();
        object["line"] = at.line;
        object["column"] = at.column;
    }

    void addLine(const Json& object) {
        out_ += object.dump(-1, ' ', false, Json::error_handler_t::replace);
        out_ += '\n';
    }

    const SourceManager& sources_;
    std::string out_;
};

/// What is shown: of errors, and of each kind of warning, as many as the limit says. A warning that
/// -Werror makes an error counts among its kind, so that it takes no place of an error's.
class Limits {
public:
    explicit Limits(std::size_t limit) : limit_(limit) {}

    bool shows(const Diagnostic& d) {
        Shown& shown = of(d.id);
        const bool isShown = shown.count < limit_;
        ++(isShown ? shown.count : shown.hidden);
        return isShown;
    }
    /// Those of which nothing but their number is known.
    void hide(DiagId id, std::size_t count) {
        if (count > 0) of(id).hidden += count;
    }

    template <typename Renderer>
    void addHidden(Renderer& renderer) const {
        for (const auto& [name, shown] : warnings_)
            if (shown.hidden > 0)
                renderer.addHidden("too-many-warnings",
                                   fmt::format("and {} more [{}]", shown.hidden, name));
        if (errors_.hidden > 0)
            renderer.addHidden("too-many-errors",
                               fmt::format("too many errors; {} more not shown", errors_.hidden));
    }

private:
    struct Shown {
        std::size_t count = 0;
        std::size_t hidden = 0;
    };

    Shown& of(DiagId id) {
        const bool isWarning = info(id).severity == Severity::Warning;
        return isWarning ? warnings_[info(id).name] : errors_;
    }

    std::size_t limit_;
    Shown errors_;
    std::map<std::string_view, Shown> warnings_;
};

template <typename Renderer>
std::string renderWith(Renderer renderer, const Diagnostics& diagnostics, std::size_t limit) {
    Limits limits(limit);
    for (const Diagnostic* d : inSourceOrder(diagnostics))
        if (limits.shows(*d)) renderer.add(*d);
    for (std::size_t i = 0; i < static_cast<std::size_t>(DiagId::Count); ++i)
        limits.hide(static_cast<DiagId>(i), diagnostics.unkept(static_cast<DiagId>(i)));
    limits.addHidden(renderer);
    return renderer.take();
}

}  // namespace

std::string render(const Diagnostics& diagnostics, const SourceManager& sources,
                   const RenderOptions& options) {
    std::size_t limit = options.errorLimit == 0 ? SIZE_MAX : options.errorLimit;
    if (options.json) return renderWith(JsonRenderer(sources), diagnostics, limit);
    return renderWith(TextRenderer(sources, options.colour), diagnostics, limit);
}

}  // namespace smec
