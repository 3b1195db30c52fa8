#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "interp/foreign.h"
#include "interp/names.h"
#include "interp/options.h"
#include "interp/state_bodies.h"
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
          in_(bytes),
          names_(simulation.design()) {}

    TakenOver read(const Simulation& simulation) {
        const sme::StateHead head = in_.begin();
        state_ = simulation.initialState(head.seed);
        state_.cycle = head.cycle;
        if (head.isInitial) return {std::move(state_), {}};
        isSet_.resize(names_.roots().size());
        for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs)
            readRun();
        for (std::size_t i = 0; i < isSet_.size(); ++i)
            if (!isSet_[i] && !isUndriven(names_.roots()[i]))
                differences_.push_back("'" + names_.roots()[i].name + "' is new");
        for (auto objects = in_.number<std::uint32_t>(); objects > 0; --objects)
            readObject();
        if (readHidden() && !in_.isAtEnd()) throw BadState("goes on after its end");
        return {std::move(state_), std::move(differences_)};
    }

private:
    bool isUndriven(const Root& root) const {
        return !root.isVariable && !root.isInput && !design_.fields[root.field].driver.valid();
    }

    void readRun() {
        const std::string prefix = in_.text();
        const bool hasSuffix = in_.number<std::uint8_t>() != 0;
        const std::string suffix = in_.text();
        const auto index = in_.number<std::uint64_t>();
        const auto count = in_.number<std::uint32_t>();
        const std::string shape = in_.text();
        const auto bytes = in_.number<std::uint64_t>();
        // what takes nothing, the file's end does not count
        if (bytes == 0 && count > 0) throw sme::BadState("is damaged");
        for (std::uint32_t i = 0; i < count; ++i)
            readNamed(hasSuffix ? prefix + std::to_string(index + i) + suffix : prefix, shape,
                      {in_.raw(bytes), bytes});
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

    Value readValue(TypeId type, const std::string& path) {
        const std::size_t size = bytesOf(design_.types, type);
        std::optional<Value> value = valueOfBytes(design_.types, type, {in_.raw(size), size});
        if (!value)
            throw BadState("has a value that is none of " + design_.types.name(type) + " for '"
                           + path + "'");
        return std::move(*value);
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

    /// False: what follows is nothing for the interpreter, and was not read.
    bool readHidden() {
        const std::string whose = in_.text();
        if (whose.empty()) return true;
        if (whose != sme::kHiddenBodies) {
            differences_.push_back(
                "what waits, is delayed, counts or makes random numbers starts anew: it has no "
                "name by which to take it over from a compiled simulator");
            return false;
        }
        readDelayed();
        readProcesses();
        return true;
    }

    /// Fields that are delayed, by path.
    void readDelayed() {
        std::unordered_map<std::string, std::size_t> numbers;  // of registers
        std::unordered_map<std::uint32_t, std::size_t> registers;
        for (std::size_t i = 0; i < network_.registers.size(); ++i)
            registers.emplace(network_.registers[i].field, i);
        for (std::size_t i = 0; i < names_.roots().size(); ++i) {
            const Root& root = names_.roots()[i];
            const auto found = registers.find(root.field);
            if (isSet_[i] && !root.isVariable && found != registers.end())
                numbers.emplace(root.name, found->second);
        }
        for (auto count = in_.number<std::uint32_t>(); count > 0; --count) {
            const std::string path = in_.text();
            const auto number = numbers.find(path);
            if (!readUnderway(number == numbers.end() ? nullptr : &number->second))
                differences_.push_back("what is delayed in '" + path + "' starts anew");
            if (number != numbers.end()) numbers.erase(number);
        }
        for (const auto& [path, number] : numbers)
            if (!state_.underway[number].empty())
                differences_.push_back("what is delayed in '" + path + "' starts anew");
    }
    /// Whether the values are taken over. Null: there is no such field.
    bool readUnderway(const std::size_t* number) {
        const std::string shape = in_.text();
        const auto count = in_.number<std::uint32_t>();
        const auto bytes = in_.number<std::uint64_t>();
        const std::span<const std::byte> values(in_.raw(bytes), bytes);
        if (!number) return false;
        const TypeId type = network_.registers[*number].type;
        const std::size_t size = bytesOf(design_.types, type);
        std::vector<Value>& underway = state_.underway[*number];
        if (shape != shapeOf(design_.types, type) || count != underway.size()) return false;
        check(bytes == count * size);
        for (std::size_t i = 0; i < count; ++i) {
            std::optional<Value> value =
                valueOfBytes(design_.types, type, values.subspan(i * size, size));
            check(value.has_value());
            underway[i] = std::move(*value);
        }
        return true;
    }

    /// What processes hide, by path and body.
    void readProcesses() {
        std::unordered_map<std::string, std::size_t> numbers;
        auto count = in_.number<std::uint32_t>();
        for (std::size_t i = 0; count > 0 && i < network_.processes.size(); ++i)
            numbers.emplace(hir::pathOf(design_, network_.processes[i].id), i);
        std::unordered_map<const hir::Specialisation*, std::uint64_t> marks;
        for (; count > 0; --count) {
            const std::string path = in_.text();
            const auto mark = in_.number<std::uint64_t>();
            const auto size = in_.number<std::uint64_t>();
            const auto number = numbers.find(path);
            if (number == numbers.end()) {
                in_.raw(size);
                differences_.push_back("process '" + path + "' is gone");
                continue;
            }
            const Process& process = network_.processes[number->second];
            const auto [here, isNew] = marks.try_emplace(process.spec, 0);
            if (isNew) here->second = markOf(design_, *process.spec);
            if (mark != here->second) {
                in_.raw(size);
                differences_.push_back("process '" + path + "' starts from its top");
                continue;
            }
            const std::size_t before = in_.rest().size();
            readActivity(process, state_.activities[number->second]);
            check(before - in_.rest().size() == size);
        }
    }

    void readActivity(const Process& process, State::Activity& activity) {
        const hir::Body& body = process.spec->body;
        activity.cyclesToWait = in_.number<std::uint64_t>();
        activity.waitUntil.index = in_.number<std::uint32_t>();
        check(!activity.waitUntil.valid() || activity.waitUntil.index < body.exprs.size());
        activity.randomState = in_.number<std::uint64_t>();
        const auto covers = in_.number<std::uint32_t>();
        check(covers <= body.exprs.size());
        activity.covers.resize(covers);
        for (CoverCount& cover : activity.covers) {
            cover.cycles = in_.number<std::uint64_t>();
            cover.lastCycle = in_.number<std::uint64_t>();
        }
        if (!body.canWait) return;
        Value* vars = &state_.variables[network_.firstVariable(process)];
        for (std::size_t i = 0; i < body.vars.size(); ++i) {
            if (body.vars[i].kind == hir::VarKind::Process) continue;
            if (in_.number<std::uint8_t>() != 0)
                vars[i] = readValue(body.vars[i].type, body.vars[i].name);
        }
        readFrames(body, activity);
    }

    void readFrames(const hir::Body& body, State::Activity& activity) {
        const Blocks blocks(body.statements);
        const auto count = in_.number<std::uint32_t>();
        check(count <= blocks.all.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto number = in_.number<std::uint32_t>();
            check(number < blocks.all.size());
            const Blocks::Entry& entry = blocks.all[number];
            Frame& frame = activity.frames.emplace_back();
            frame.block = entry.block;
            frame.next = in_.number<std::uint32_t>();
            check(frame.next <= entry.block->size());
            frame.countLoop = entry.countLoop;
            frame.whileLoop = entry.whileLoop;
            frame.range = entry.range;
            frame.started = in_.number<std::uint8_t>() != 0;
            frame.down = in_.number<std::uint8_t>() != 0;
            const std::string last = in_.text();
            const bool isNumber =
                !last.empty() && last.find_first_not_of("0123456789", last[0] == '-') == last.npos
                && last != "-";
            check(isNumber == (frame.countLoop != nullptr));
            if (isNumber) frame.last = interp::number(Integer(last));
        }
    }

    static void check(bool isGood) {
        if (!isGood) throw BadState("is one of another design");
    }

    const hir::Design& design_;
    const Network& network_;
    const ForeignCode* foreign_;
    StateReader in_;
    const NameTable names_;
    State state_;
    std::vector<bool> isSet_;
    std::vector<std::string> differences_;
};

}  // namespace

TakenOver takeOver(const Simulation& simulation, std::span<const std::byte> bytes) {
    try {
        return Reader(simulation, bytes).read(simulation);
    } catch (const BadState& problem) {
        throw RunError{kFailure, problem.what()};
    }
}

State fromBytes(const Simulation& simulation, std::span<const std::byte> bytes) {
    TakenOver read = takeOver(simulation, bytes);
    if (read.differences.empty()) return std::move(read.state);
    throw RunError{kFailure, "the state is one of another design or another version of this one: "
                                 + sme::listed(read.differences, sme::kMostListed)};
}

}  // namespace smec::interp
