#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "interp/foreign.h"
#include "interp/hidden_values.h"
#include "interp/names.h"
#include "interp/options.h"
#include "interp/state_bytes.h"
#include "interp/value_bytes.h"
#include "sme/state_format.h"

namespace smec::interp {
namespace {

using sme::BadState;
using sme::StateReader;

class Reader {
public:
    Reader(const Simulation& simulation, std::span<const std::byte> bytes)
        : design_(simulation.design()),
          network_(simulation.network()),
          foreign_(simulation.foreign()),
          form_(simulation.stateForm()),
          in_(bytes),
          names_(simulation.design()) {}

    TakenOver read(const Simulation& simulation) {
        const sme::StateHead head = in_.begin();
        designName_ = head.design;
        isSame_ = head.hash == form_.design;
        state_ = simulation.initialState(head.seed);
        state_.cycle = head.cycle;
        if (head.isInitial) return {std::move(state_), {}};
        isSet_.resize(names_.roots().size());
        readRuns([this](const std::string& path, const std::string& shape,
                        std::span<const std::byte> bytes) { readNamed(path, shape, bytes); });
        for (std::size_t i = 0; i < isSet_.size(); ++i)
            if (!isSet_[i] && !isUndriven(names_.roots()[i]))
                differences_.push_back("'" + names_.roots()[i].name + "' is new");
        for (auto objects = in_.number<std::uint32_t>(); objects > 0; --objects)
            readObject();
        readHidden(simulation);
        if (!in_.isAtEnd()) throw BadState("goes on after its end" + in_.place());
        return {std::move(state_), std::move(differences_)};
    }

private:
    bool isUndriven(const Root& root) const {
        return !root.isVariable && !root.isInput && !design_.fields[root.field].driver.valid();
    }

    PathRun readPaths() {
        PathRun run;
        run.prefix = in_.text();
        const bool hasSuffix = in_.number<std::uint8_t>() != 0;
        std::string suffix = in_.text();
        if (hasSuffix) run.suffix = std::move(suffix);
        run.index = in_.number<std::uint64_t>();
        run.count = in_.number<std::uint32_t>();
        return run;
    }

    /// visit(path, shape, bytes) for the values of runs of names.
    template <typename Visit>
    void readRuns(const Visit& visit) {
        for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs) {
            const PathRun run = readPaths();
            const std::string shape = in_.text();
            const auto bytes = in_.number<std::uint64_t>();
            // what takes nothing, the file's end does not count
            if (bytes == 0 && run.count > 0) in_.failAsDamaged();
            for (std::uint32_t i = 0; i < run.count; ++i)
                visit(run.path(i), shape, std::span(in_.raw(bytes), bytes));
        }
    }

    void readNamed(const std::string& path, const std::string& shape,
                   std::span<const std::byte> bytes) {
        const std::optional<std::uint32_t> number = names_.rootCalled(path);
        if (!number) return differences_.push_back("'" + path + "' is gone");
        const Root& root = names_.roots()[*number];
        isSet_[*number] = true;
        const std::string here = shapeOf(design_.types, root.type);
        if (shape != here || bytes.size() != bytesOf(design_.types, root.type))
            return differences_.push_back(sme::otherType(path, shape, here));
        const std::optional<Value> given = valueOfBytes(design_.types, root.type, bytes);
        if (!given)
            return differences_.push_back("'" + path + "' had a value that is none of "
                                          + design_.types.name(root.type));
        const Value& value = *given;
        if (isUndriven(root)) return;
        if (root.isVariable) {
            const Process& process = network_.processes[root.process];
            state_.variables[network_.firstVariable(process) + root.variable] = value;
            return;
        }
        state_.read[root.field] = value;
        if (root.hold) state_.write[root.field] = value;
    }

    void readObject() {
        const std::string path = in_.text();
        const auto size = in_.number<std::uint64_t>();
        const std::string_view bytes{reinterpret_cast<const char*>(in_.raw(size)), size};
        const auto process = std::find_if(
            network_.processes.begin(), network_.processes.end(), [&](const Process& each) {
                return each.spec->foreign.valid() && hir::pathOf(design_, each.id) == path;
            });
        if (process == network_.processes.end() || !foreign_)
            return differences_.push_back("the object of '" + path + "' is gone");
        const auto& functions = foreign_->functions[process->spec->foreign.index].objects;
        if (!functions.save || functions.save(0) == 0)
            return differences_.push_back("the object of '" + path
                                          + "' is made anew: its class has no save() and load()");
        state_.objects.push_back({static_cast<std::uint32_t>(process - network_.processes.begin()),
                                  sme::ForeignObject::ofSaved(bytes, functions)});
    }

    static std::string ownerOf(const std::string& path) { return path.substr(0, path.rfind('#')); }

    void readBodies() {
        for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs) {
            const PathRun run = readPaths();
            const auto body = in_.number<std::uint64_t>();
            // each has values, which follow
            if (run.count > in_.rest().size()) in_.failAsDamaged();
            for (std::uint32_t i = 0; !isSame_ && i < run.count; ++i)
                kept_.emplace(run.path(i), body);
        }
        if (isSame_) return;
        for (const StateForm::Body& body : form_.bodies)
            for (std::uint32_t i = 0; i < body.processes.count; ++i)
                here_.emplace(body.processes.path(i), body.hash);
    }

    void readHidden(const Simulation& simulation) {
        readBodies();
        HiddenReader hidden(simulation, state_);
        std::unordered_set<std::string> given;
        readRuns(
            [&](const std::string& path, const std::string&, std::span<const std::byte> bytes) {
                if (!isSame_ && !isTaken(ownerOf(path))) return;
                if (hidden.put(path, bytes))
                    given.insert(path);
                else if (isSame_)
                    throw BadState("is damaged" + in_.place() + ", behind '" + path + "'");
                else
                    startAnew(ownerOf(path), here_.contains(ownerOf(path)));
            });
        for (const StateForm::Hidden& run : form_.hidden)
            for (std::uint32_t i = 0; i < run.names.count; ++i)
                if (const std::string path = run.names.path(i); !given.contains(path)) lack(path);
        if (!hidden.finish()) throw BadState("is damaged: a process waits where it cannot");
    }

    void lack(const std::string& path) {
        if (isSame_) in_.failAsDamaged();
        if (!here_.contains(ownerOf(path))) startAnew(ownerOf(path), false);
    }

    /// Whether something here has the path and the body that the state's had. What is delayed has none.
    bool isTaken(const std::string& owner) {
        const auto here = here_.find(owner), kept = kept_.find(owner);
        if (kept == kept_.end()) return here == here_.end();
        if (here == here_.end()) return false;  // it is gone, as its variables tell
        if (here->second != kept->second) startAnew(owner, true);
        return here->second == kept->second;
    }

    void startAnew(const std::string& owner, bool isProcess) {
        if (!anew_.insert(owner).second) return;
        differences_.push_back(isProcess ? "process '" + owner + "' starts from its top"
                                         : "what is delayed in '" + owner + "' starts anew");
    }

public:
    /// Once it is read: whether it is one of this very design, and what its own was called.
    bool isSame() const { return isSame_; }
    const std::string& design() const { return designName_; }

private:
    const hir::Design& design_;
    const Network& network_;
    const ForeignCode* foreign_;
    const StateForm& form_;
    bool isSame_ = false;
    std::string designName_;
    std::unordered_map<std::string, std::uint64_t> kept_, here_;  ///< bodies by process
    std::unordered_set<std::string> anew_;                        ///< of whom something differs
    StateReader in_;
    const NameTable names_;
    State state_;
    std::vector<bool> isSet_;
    std::vector<std::string> differences_;
};

}  // namespace

namespace {

template <typename Use>
auto reading(const Simulation& simulation, std::span<const std::byte> bytes, const Use& use) {
    try {
        Reader reader(simulation, bytes);
        TakenOver taken = reader.read(simulation);
        return use(reader, std::move(taken));
    } catch (const BadState& problem) {
        throw RunError{kFailure, problem.what()};
    }
}

}  // namespace

TakenOver takeOver(const Simulation& simulation, std::span<const std::byte> bytes) {
    return reading(simulation, bytes, [](const Reader&, TakenOver taken) { return taken; });
}

State fromBytes(const Simulation& simulation, std::span<const std::byte> bytes) {
    return reading(simulation, bytes, [](const Reader& reader, TakenOver taken) {
        if (reader.isSame() && taken.differences.empty()) return std::move(taken.state);
        throw RunError{kFailure,
                       fmt::format("the state is one of '{}', another design or another version of "
                                   "this one{}{}",
                                   reader.design(), taken.differences.empty() ? "" : ": ",
                                   sme::listed(taken.differences, sme::kMostListed))};
    });
}

}  // namespace smec::interp
