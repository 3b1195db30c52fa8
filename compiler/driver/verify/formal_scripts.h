#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "driver/verify/formal_netlist.h"
#include "driver/verilog/yosys_words.h"

namespace smec::driver {

// What Yosys is told. The reference is "gold", the design "gate"; of each there are SIDE.il and
// SIDE.json in the scratch folder.

/// One of the two that are compared.
struct FormalSide {
    std::string name;              ///< gold or gate
    std::vector<YosysWord> files;  ///< SystemVerilog
    std::string module;
    std::vector<std::pair<std::string, std::string>> parameters;  ///< values as Yosys writes them
};

/// Lists the modules of the files in list.json.
YosysScript listScript(const FormalSide& side);

/// Makes one flat netlist of the module, without memories and asynchronous resets.
YosysScript prepareScript(const FormalSide& side);

/// Proves that equal registers stay equal and that outputs are equal then (equiv_*), for named
/// pairs of registers beside those of the same name; then that all are equal in the first cycles
/// after a reset, which makes it a proof. `onlyRegisters`: not with other signals of the same name
/// on the way.
YosysScript equivalenceScript(const FormalPorts& ports, const std::string& reset, bool isActiveLow,
                              const std::vector<std::pair<std::string, std::string>>& pairs,
                              bool onlyRegisters);

/// Both beside each other, with the same inputs, and the assertion that outputs are equal after
/// the reset of the first cycle. Inputs are in_NAME, outputs gold_NAME and gate_NAME.
std::string miterText(const FormalPorts& ports, const std::string& reset, bool isActiveLow);

/// Searches the first `cycles` cycles after the reset for a difference, and tries to prove by
/// induction that there is none later (sat -tempinduct).
YosysScript searchScript(std::uint64_t cycles);
/// The same without the proof. `isResetOnce`: resets in the first cycle only.
YosysScript boundedSearchScript(std::uint64_t cycles, bool isResetOnce);

/// Writes miter.aig for yosys-abc.
YosysScript aigerScript();

}  // namespace smec::driver
