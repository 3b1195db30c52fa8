#pragma once

#include "sme/option_words.h"

namespace smec::interp {

/// What smec tells an interpreter that it starts itself; not offered to users.
inline constexpr sme::SimulatorOption kInternalOptions[] = {
    {sme::OptionGroup::Other, sme::TakenBy::Run, sme::OptionValue::Number, "--most-cycles", "N",
     ""},
    {sme::OptionGroup::Other, sme::TakenBy::Run, sme::OptionValue::Number, "--most-values", "N",
     ""},
    {sme::OptionGroup::Other,
     sme::TakenBy::Run,
     sme::OptionValue::File,
     "--ending",
     "FILE",
     "",
     {},
     sme::OptionFile::Written}};

}  // namespace smec::interp
