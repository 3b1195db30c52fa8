#include "interp/report.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "formats/names.h"
#include "hir/visit.h"
#include "interp/names.h"
#include "source/overloaded.h"

namespace smec::interp {

namespace {

constexpr std::size_t kBufferSize = 1 << 16;
constexpr std::size_t kMostFailures = 20;

void collectCovers(const hir::Block& block, std::vector<const hir::Cover*>& covers) {
    for (const hir::Stmt& stmt : block) {
        if (const auto* cover = std::get_if<hir::Cover>(&stmt.node)) covers.push_back(cover);
        hir::forEachBlock(stmt, [&](const hir::Block& inner) { collectCovers(inner, covers); });
    }
}

std::uint64_t totalBits(const TypeTable& types, TypeId type) {
    return smec::visit(
        Overloaded{
            [&](const hir::ArrayType& array) {
                return array.count * totalBits(types, array.element);
            },
            [&](const hir::StructType& structure) {
                std::uint64_t bits = 0;
                for (const hir::StructMember& member : structure.members)
                    bits += totalBits(types, member.type);
                return bits;
            },
            [&](const hir::WholeType auto&) { return std::uint64_t{widthOf(types, type)}; },
        },
        types[type]);
}

const char* kindOf(const Root& root) {
    if (root.isVariable) return "variable";
    if (!root.exposed) return "field";
    return root.isInput ? "exposed input" : "exposed output";
}

}  // namespace

void Output::write(const std::vector<Message>& messages, std::uint64_t cycle) {
    std::size_t failures = 0;
    std::string reports;
    for (const Message& message : messages) {
        if (!message.isFailure)
            line(message.text);
        else if (++failures <= kMostFailures)
            reports += message.text + "\n";
    }
    if (failures > kMostFailures)
        reports += fmt::format("{} more failures in cycle {}\n", failures - kMostFailures, cycle);
    note(reports);
}

void Output::line(const std::string& text) {
    put(text);
    put("\n");
}

void Output::put(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferSize) flush();
}

void Output::note(const std::string& text) {
    if (text.empty()) return;
    flush();
    sinks_.err(text);
}

void Output::flush() {
    if (problem_ == 0 && !buffer_.empty()) problem_ = sinks_.out(buffer_);
    buffer_.clear();
}

Sinks standardSinks() {
    const auto out = [](std::string_view text) {
        const bool isGood = std::fwrite(text.data(), 1, text.size(), stdout) == text.size()
                            && std::fflush(stdout) == 0;
        return isGood ? 0 : errno;
    };
    const auto err = [](std::string_view text) {
        std::fwrite(text.data(), 1, text.size(), stderr);
    };
    return {out, err};
}

std::string coverReport(const Simulation& simulation) {
    std::string report;
    for (const Process& process : simulation.network().processes) {
        std::vector<const hir::Cover*> covers;
        collectCovers(process.spec->body.statements, covers);
        for (const hir::Cover* cover : covers) {
            const std::uint64_t cycles =
                cover->index < process.covers.size() ? process.covers[cover->index].cycles : 0;
            report += fmt::format(
                "{}cover '{}' in '{}': {} cycle{}\n", cycles == 0 ? "warning: " : "", cover->name,
                hir::pathOf(simulation.design(), process.id), cycles, cycles == 1 ? "" : "s");
        }
    }
    return report;
}

std::string summary(std::uint64_t cycles, std::size_t processes, double seconds) {
    std::string text =
        fmt::format("cycles          {}\nwall time       {:.6f} s\n", cycles, seconds);
    if (cycles > 0 && seconds > 0) {
        const double rate = static_cast<double>(cycles) / seconds;
        text += fmt::format("cycles/s        {:.0f}\n", rate);
        text += fmt::format("process steps/s {:.0f}\n", rate * static_cast<double>(processes));
    }
    return text + "runs in         the interpreter\n";
}

std::string listing(const hir::Design& design) {
    std::vector<Root> roots = allRoots(design);
    std::stable_sort(roots.begin(), roots.end(),
                     [](const Root& a, const Root& b) { return sme::naturalLess(a.name, b.name); });
    std::size_t nameWidth = 4;
    std::size_t typeWidth = 4;
    for (const Root& root : roots) {
        nameWidth = std::max(nameWidth, root.name.size());
        typeWidth = std::max(typeWidth, design.types.name(root.type).size());
    }
    std::string text =
        fmt::format("{:<{}}  {:<{}}  bits   kind\n", "name", nameWidth, "type", typeWidth);
    for (const Root& root : roots) {
        text += fmt::format("{:<{}}  {:<{}}  {:<5}  {}\n", root.name, nameWidth,
                            design.types.name(root.type), typeWidth,
                            totalBits(design.types, root.type), kindOf(root));
    }
    return text;
}

}  // namespace smec::interp
