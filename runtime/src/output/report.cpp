#include "output/report.h"

#include "values/format.h"

namespace sme {
namespace {

/// The n-th argument as a number; models may leave out the formats of what is always signed.
void appendNumber(std::string& out, const Model& model, const FailSite& site, const Arg* args,
                  std::uint32_t n) {
    static constexpr ArgFormat kSigned{ArgKind::Signed, 128, 0};
    appendArgument(out, model, n < site.text.argCount ? site.text.args[n] : kSigned, args[n], {});
}

void appendTextOf(std::string& out, const char* what, const Model& model, const FailSite& site,
                  const Arg* args) {
    out.append(what);
    if (!site.text.format) return;
    out.append(": ");
    appendText(out, model, site.text, args);
}

void appendSubject(std::string& out, const char* before, const FailSite& site) {
    if (site.subject) out.append(before).append("'").append(site.subject).append("'");
}

/// Texts, with the number of an argument where it stands.
struct Sentence {
    std::string& out;
    const Model& model;
    const FailSite& site;
    const Arg* args;

    Sentence& operator<<(const char* text) {
        out.append(text);
        return *this;
    }
    Sentence& operator<<(std::uint32_t argument) {
        appendNumber(out, model, site, args, argument);
        return *this;
    }
};

void appendReason(std::string& out, const Model& model, const FailSite& site, const Arg* args,
                  std::uint64_t loopLimit) {
    Sentence says{out, model, site, args};
    switch (site.kind) {
    case Failure::Assertion: return appendTextOf(out, "assertion failed", model, site, args);
    case Failure::Assumption: return appendTextOf(out, "assumption failed", model, site, args);
    case Failure::DivisionByZero: out.append("division by zero"); return;
    case Failure::IndexOutOfRange:
        says << "index " << 0u << " is out of range for ";
        appendSubject(out, "", site);
        says << (site.subject ? " of length " : "length ") << 1u;
        return;
    case Failure::NegativeShift: says << "negative shift count " << 0u; return;
    case Failure::RangeViolation:
        says << "value " << 0u << " is outside of the range " << 1u << " to " << 2u;
        return;
    case Failure::EnumValue:
        says << 0u << " is no member of " << (site.subject ? "enum" : "the enum");
        return appendSubject(out, " ", site);
    case Failure::LoopLimit:
        out.append("more than ");
        appendUnsigned(out, loopLimit);
        out.append(" loop rounds in one activation");
        return;
    case Failure::WaitCount: says << "wait count " << 0u << " is below 1"; return;
    }
}

}  // namespace

void appendReport(std::string& out, const Model& model, const FailSite& site, const Arg* args,
                  std::uint64_t loopLimit) {
    out.append(site.location.file).append(1, ':');
    appendUnsigned(out, site.location.line);
    out.append(1, ':');
    appendUnsigned(out, site.location.column);
    out.append(": error: ");
    appendReason(out, model, site, args, loopLimit);
    out.push_back('\n');
}

void appendPlace(std::string& out, const std::string& path, std::uint64_t cycle) {
    out.append("  in instance '").append(path).append("', cycle ");
    appendUnsigned(out, cycle);
    out.push_back('\n');
}

}  // namespace sme
