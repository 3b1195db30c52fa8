#pragma once

#include <string>
#include <vector>

#include "interp/csv.h"
#include "interp/report.h"

/// The files that a run reads and writes cycle by cycle.
namespace smec::interp {

/// Drives exposed inputs: row k is what is read during cycle k.
class InputFile {
public:
    InputFile(const Simulation& simulation, const NameTable& names, const std::string& path);
    std::uint64_t rows() const { return table_.rows.size(); }
    /// Before anything runs in the cycle. After the last row: defaults; `hold` inputs keep what
    /// they have.
    void apply(Simulation& simulation, std::uint64_t cycle);
    /// After the run: a row lasts its cycle.
    void release(Simulation& simulation) const;

private:
    struct InputField {
        Root root;
        Value value;
    };

    CsvTable table_;
    std::vector<InputField> fields_;
    std::vector<std::size_t> fieldOf_;  ///< by column
};

/// Values of parts of the design as they are read in one cycle: look() in two steps, because a
/// combinational process runs in it.
class Sample {
public:
    explicit Sample(std::vector<Part> parts) : parts_(std::move(parts)), values_(parts_.size()) {}
    const std::vector<Part>& parts() const { return parts_; }
    const std::vector<Value>& values() const { return values_; }
    void lookBefore(const Simulation& simulation);  ///< variables of combinational processes: what
                                                    ///< the last run left
    void lookDuring(
        const Simulation& simulation);  ///< everything else, after the combinational processes

private:
    std::vector<Part> parts_;
    std::vector<Value> values_;
};

/// Compares with what is read in each cycle.
class ExpectFile {
public:
    ExpectFile(const Simulation& simulation, const NameTable& names, const std::string& path);
    std::uint64_t rows() const { return table_.rows.size(); }
    Sample& sample() { return sample_; }
    /// Differences of this cycle as text, as long as there have not been too many.
    std::string check(const Simulation& simulation);
    /// After the run: what else is to be said.
    std::string verdict(std::uint64_t cycles) const;
    bool good(std::uint64_t cycles) const { return differences_ == 0 && cycles >= rows(); }

private:
    CsvTable table_;
    Sample sample_;
    std::uint64_t differences_ = 0;
};

}  // namespace smec::interp
