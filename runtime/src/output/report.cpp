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

}  // namespace

void appendReport(std::string& out, const Model& model, const FailSite& site, const Arg* args,
                  std::uint64_t loopLimit) {
    const auto number = [&](std::uint32_t n) { appendNumber(out, model, site, args, n); };
    out.append(site.location.file).append(1, ':');
    appendUnsigned(out, site.location.line);
    out.append(1, ':');
    appendUnsigned(out, site.location.column);
    out.append(": error: ");
    switch (site.kind) {
    case Failure::Assertion: appendTextOf(out, "assertion failed", model, site, args); break;
    case Failure::Assumption: appendTextOf(out, "assumption failed", model, site, args); break;
    case Failure::DivisionByZero: out.append("division by zero"); break;
    case Failure::IndexOutOfRange:
        out.append("index ");
        number(0);
        out.append(" is out of range for ");
        appendSubject(out, "", site);
        out.append(site.subject ? " of length " : "length ");
        number(1);
        break;
    case Failure::NegativeShift:
        out.append("negative shift count ");
        number(0);
        break;
    case Failure::RangeViolation:
        out.append("value ");
        number(0);
        out.append(" is outside of the range ");
        number(1);
        out.append(" to ");
        number(2);
        break;
    case Failure::EnumValue:
        number(0);
        out.append(" is no member of ").append(site.subject ? "enum" : "the enum");
        appendSubject(out, " ", site);
        break;
    case Failure::LoopLimit:
        out.append("more than ");
        appendUnsigned(out, loopLimit);
        out.append(" loop rounds in one activation");
        break;
    case Failure::WaitCount:
        out.append("wait count ");
        number(0);
        out.append(" is below 1");
        break;
    }
    out.push_back('\n');
}

void appendPlace(std::string& out, const std::string& path, std::uint64_t cycle) {
    out.append("  in instance '").append(path).append("', cycle ");
    appendUnsigned(out, cycle);
    out.push_back('\n');
}

}  // namespace sme
