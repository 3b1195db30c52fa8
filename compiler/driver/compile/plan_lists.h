#pragma once

#include <string>
#include <vector>

namespace smec::driver {

/// Of a simulator.
inline constexpr unsigned kMostThreads = 1024;

/// "4,1,2" to 1 2 4, of an option. Returns what is wrong; empty: nothing.
std::string parseNumberList(const char* option, const std::string& text, unsigned most,
                            std::vector<unsigned>& numbers);
std::string parseThreadList(const std::string& text, std::vector<unsigned>& threads);
/// "m1,m3", each once, in the order given.
std::string parseModelList(const std::string& text, std::vector<std::string>& models);

}  // namespace smec::driver
