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
    InputFile(const Simulation& simulation, const NameTable& names, const std::string& path,
              sme::LineReader::Waiting waiting);
    CsvRows& rows() { return rows_; }
    const CsvRows& rows() const { return rows_; }
    /// Before anything runs in the cycle. After the last row: defaults; `hold` inputs keep what
    /// they have.
    void apply(Simulation& simulation, std::uint64_t cycle);
    /// After the run: a row lasts its cycle.
    void release(Simulation& simulation) const;
    /// What the inputs that it drives are.
    std::vector<Value> driven(const Simulation& simulation) const;
    void putBack(Simulation& simulation, const std::vector<Value>& values) const;

private:
    struct InputField {
        Root root;
        Value value;
    };

    CsvRows rows_;
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
    ExpectFile(const Simulation& simulation, const NameTable& names, const std::string& path,
               sme::LineReader::Waiting waiting);
    CsvRows& rows() { return rows_; }
    const CsvRows& rows() const { return rows_; }
    Sample& sample() { return sample_; }
    /// Differences of this cycle as text, as long as there have not been too many.
    std::string check(const Simulation& simulation);
    /// After a run of so many cycles: what else is to be said. Reads what is left of live rows.
    std::string verdict(std::uint64_t cycles);
    /// The same for a run that was cut off: missing rows are no fault.
    std::string verdictOfPart() const;
    bool good() const { return differences_ == 0 && !isTooShort_; }

private:
    CsvRows rows_;
    Sample sample_;
    std::uint64_t differences_ = 0;
    bool isTooShort_ = false;  ///< the run
};

}  // namespace smec::interp
