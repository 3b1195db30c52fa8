#pragma once

#include <string>

namespace CLI {
class App;
}

namespace smec::driver {

struct RunArguments;
class CompileArguments;

/// A command of `smec`. It owns what its options are parsed into: the command line declares all
/// commands, lets the chosen one finish what was parsed, and carries it out.
class Command {
public:
    virtual ~Command() = default;
    virtual const char* name() const = 0;
    virtual const char* help() const = 0;
    virtual void declare(CLI::App& app) = 0;
    /// After parsing. Returns what is wrong with the options; empty: nothing.
    virtual std::string finish(const CLI::App& app) = 0;
    /// Returns the exit status. Throws FileError and Interrupted.
    virtual int execute() = 0;
    /// The options of the simulator that it passes on; null: it takes none.
    virtual RunArguments* runArguments() { return nullptr; }
    /// What it compiles; null: nothing.
    virtual CompileArguments* compileArguments() { return nullptr; }
};

}  // namespace smec::driver
