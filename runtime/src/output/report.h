#pragma once

#include <cstdint>
#include <string>

#include "sme/model.h"

namespace sme {

/// Appends `path:line:col: error: MESSAGE` and a newline.
void appendReport(std::string& out, const Model& model, const FailSite& site, const Arg* args,
                  std::uint64_t loopLimit);
/// Appends `  in instance 'PATH', cycle N` and a newline.
void appendPlace(std::string& out, const std::string& path, std::uint64_t cycle);

}  // namespace sme
