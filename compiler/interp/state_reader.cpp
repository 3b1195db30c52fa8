#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "formats/state_owners.h"
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
        sme::readValueRuns(
            in_, [this](const std::string& path, const std::string& shape,
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

    void readHidden(const Simulation& simulation) {
        sme::StateOwners owners(in_, isSame_);
        owners.readBodies();
        if (owners.comparesBodies())
            for (const StateForm::Body& body : form_.bodies)
                for (std::uint32_t i = 0; i < body.processes.count; ++i)
                    owners.addHere(body.processes.path(i), body.hash);
        HiddenReader hidden(simulation, state_);
        std::unordered_set<std::string> given;
        owners.readValues([&](const std::string& path, std::span<const std::byte> bytes) {
            const bool isPut = hidden.put(path, bytes, in_.offset() - bytes.size());
            if (isPut) given.insert(path);
            return isPut;
        });
        for (const StateForm::Hidden& run : form_.hidden)
            for (std::uint32_t i = 0; i < run.names.count; ++i)
                if (const std::string path = run.names.path(i); !given.contains(path))
                    owners.lack(path);
        for (std::string& text : owners.takeDifferences())
            differences_.push_back(std::move(text));
        if (const std::optional<std::uint64_t> at = hidden.finish())
            throw BadState(
                fmt::format("is damaged at byte {}: a process waits where it cannot", *at));
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
