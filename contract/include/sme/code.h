#pragma once

// What the compiled C++ of a design gives beside model.bin: addresses. Generated code defines one
// sme::Code; all it points to lives as long as the program or library that holds it.

#include <cstddef>
#include <cstdint>

#include <sme/model.h>

namespace sme {

/// What Objects says of them.
using ReleaseObject = void (*)(std::uint64_t object);
using ObjectFunction = std::uint64_t (*)(std::uint64_t object);

/// Rows of model.bin name functions by their place in these tables (sme/model_rows.h).
struct Code {
    std::uint32_t version;  ///< kModelVersion
    const char* name;       ///< top network
    const char* processor;  ///< kProcessorFeatures (sme/processor.h): what the compiler might use
    /// Of all its C++ and constant tables, whatever comments say: ImageHeader::code of each model.bin
    /// that was made with it, and of no other. In a unit of its own, which changes with it.
    const std::uint64_t* identity;
    /// Of works that can be divided, and of those that cannot.
    const Instances* instances;
    std::uint32_t instancesCount;
    const Block* blocks;
    std::uint32_t blockCount;
    /// Of works with unobserved cycles: two tables of equal length.
    const Cycles* cycles;
    const Settle* settles;
    std::uint32_t unobservedCount;
    /// Of extern processes: three tables of equal length.
    const ReleaseObject* releases;
    const ObjectFunction* copies;
    const ObjectFunction* saves;
    std::uint32_t objectCount;
    /// model.bin in memory: at a multiple of kImageAlignment, writable, loaded by who asks first. Null
    /// where it is a file beside a library.
    std::byte* image;
    std::byte* imageEnd;
};

/// The model of a design, whose image is loaded by the first call; thread-safe. Throws sme::Error
/// where the image is damaged or of another version.
const Model& modelOf(const Code& code);

/// main() of a generated simulator, over its model: see run(const Model&, int, char**).
int run(const Code& code, int argc, char** argv);

/// main() of who loads both parts of a design: argv[1] is a library of its code, which defines
/// sme_program_code, and argv[2] its model.bin; what follows are options of the simulator, whose name is
/// argv[0].
int runFiles(int argc, char** argv);

}  // namespace sme

/// That of a program, which ends before any code made for its processor runs, where that lacks
/// something. Libraries have none.
extern "C" const sme::Code* const sme_program_code;
