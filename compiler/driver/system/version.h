#pragma once

namespace smec::driver {
#ifndef SMEC_VERSION
#define SMEC_VERSION "0.1.0"
#endif
inline constexpr const char* kVersion = SMEC_VERSION;
}  // namespace smec::driver
