#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driver/verilog/yosys_words.h"

namespace smec::driver {

/// What files and folders are called where Yosys reads them: by words of its scripts. What is read
/// relative to them is found as well.
///
///   rtl/cpu.v           smec_here/rtl/cpu.v        smec_here -> the current folder
///   my core/rtl/cpu.v   SCRATCH/n0000/rtl/cpu.v    n0000 -> my core
///   rtl/a;b.v           SCRATCH/n0001/file.v       n0001 a folder with links to the file, and to
///                                                  what it names in quotes
///
/// Yosys looks in the folder that it runs in before it looks beside a file, so it runs in one of
/// smec's: there is nothing but smec_here, and links to data that is nowhere else.
///
/// A Yosys in WebAssembly sees folders that are mounted and follows no link out of them: there
/// SCRATCH/n0000 is mounted as /smec_n0000, and files are copied.
class YosysNames {
public:
    /// `scratch`: a folder with a plain name.
    YosysNames(std::filesystem::path scratch, bool isWebAssembly);

    YosysWord file(const std::filesystem::path& path);
    YosysWord folder(const std::filesystem::path& path) { return file(path); }
    /// The current folder of the user.
    YosysWord here() const;
    /// To run Yosys in.
    const std::filesystem::path& runFolder() const { return run_; }
    /// Makes a file of the current folder one of the folder that Yosys runs in. `name`: relative.
    void placeData(const std::filesystem::path& name) const;
    /// Of a file of smec's own in the scratch folder.
    YosysWord own(const std::filesystem::path& path) const;

    /// YOWASP_MOUNT for a Yosys in WebAssembly. It has the folders of this machine, and the one to
    /// run in as "/".
    std::string mounts() const;

    /// Gives what Yosys wrote the names of the user again.
    void restore(std::string& text) const;

private:
    struct Other {
        std::string name;          ///< for Yosys
        std::string ours;          ///< of the user
        std::filesystem::path at;  ///< in the scratch folder
        std::filesystem::path real;
        bool isFile;
    };

    /// Of a folder, or of a file of which nothing but the name is not plain.
    const Other& other(const std::filesystem::path& path, bool isFile);
    void copyFile(const std::filesystem::path& path, const std::filesystem::path& folder,
                  const std::string& name) const;
    void place(const std::filesystem::path& from, const std::filesystem::path& to) const;

    const std::filesystem::path scratch_;
    const std::filesystem::path run_;
    const bool isWebAssembly_;
    std::vector<Other> others_;
};

}  // namespace smec::driver
