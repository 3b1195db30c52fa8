#pragma once

#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>

#include "support/files.h"

namespace smec::test {

/// Compares a text with tests/golden/NAME; SMEC_UPDATE_GOLDEN=1 writes it first.
inline void checkGolden(const std::string& name, const std::string& text) {
    const std::string path = SMEC_SOURCE_DIR "/tests/golden/" + name;
    INFO(path);
    if (std::getenv("SMEC_UPDATE_GOLDEN") != nullptr) writeFile(path, text);
    CHECK(text == readFile(path));
}

}  // namespace smec::test
