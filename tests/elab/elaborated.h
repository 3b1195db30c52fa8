#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elab/elaborate.h"
#include "syntax/parse.h"

namespace smec::test {

/// A module elaborated from its text, with all that belongs to it.
struct Elaborated {
    SourceManager sources;
    Diagnostics diagnostics;
    sema::Program program;
    std::optional<hir::Design> design;

    explicit Elaborated(std::string text, const elab::Options& options = {}) {
        const FileId file = sources.add("test.sme", std::move(text));
        program.modules.push_back(
            {syntax::parse(sources, file, diagnostics), "/nowhere/test.sme", false, {}});
        design = elab::elaborate(program, sources, options, diagnostics);
    }

    /// "5 [two-drivers] 'b.v' is driven by …", in the order of reporting.
    std::vector<std::string> messages(Severity severity = Severity::Error) const {
        std::vector<std::string> result;
        for (const Diagnostic& one : diagnostics.all()) {
            if (one.severity != severity) continue;
            const std::uint32_t line = sources.position(one.range.file, one.range.begin).line;
            result.push_back(fmt::format("{} [{}] {}", line, info(one.id).name, one.message));
        }
        return result;
    }

    /// The only error, or all of them in one line.
    std::string error() const {
        std::string result;
        for (const std::string& message : messages())
            result += (result.empty() ? "" : " | ") + message;
        return result;
    }

    /// "a s[0] s[1]": processes in output order.
    std::string processes() const {
        if (!design) return error();
        std::string result;
        for (std::uint32_t i = 0; i < design->instances.size(); ++i) {
            if (design->instances[i].kind == hir::InstanceKind::Process)
                result += (result.empty() ? "" : " ") + pathOf(*design, hir::InstanceId{i});
        }
        return result;
    }

    std::optional<hir::InstanceId> find(const std::string& path) const {
        for (std::uint32_t i = 0; design && i < design->instances.size(); ++i) {
            if (pathOf(*design, hir::InstanceId{i}) == path) return hir::InstanceId{i};
        }
        return std::nullopt;
    }

    /// The buses bound to the ports of an instance: "link[0] link[1]".
    std::string buses(const std::string& path) const {
        const auto id = find(path);
        if (!id) return "no instance " + path + " " + error();
        const hir::Instance& instance = design->instances[id->index];
        std::size_t count = 0;
        for (const hir::Port& port : design->specs[instance.spec.index].ports)
            count += port.elements;
        std::string result;
        for (std::size_t i = 0; i < count; ++i) {
            result +=
                (i == 0 ? "" : " ") + pathOf(*design, design->bindings[instance.firstBus + i]);
        }
        return result;
    }

    /// "s clocked", "combinational", "none" for a field such as link[2].v.
    std::string driver(const std::string& path) const {
        for (std::uint32_t i = 0; design && i < design->buses.size(); ++i) {
            const auto& fields = design->shapes[design->buses[i].shape.index].fields;
            for (std::size_t k = 0; k < fields.size(); ++k) {
                if (pathOf(*design, hir::BusId{i}) + "." + fields[k].name != path) continue;
                const hir::Field& field = design->fields[design->buses[i].firstField + k];
                if (field.kind == hir::FieldDriver::None) return "none";
                return pathOf(*design, field.driver)
                       + (field.kind == hir::FieldDriver::Clocked ? " clocked" : " combinational");
            }
        }
        return "no field " + path + " " + error();
    }
};

}  // namespace smec::test
