#include "driver/cli/execute.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "driver/compile/compile_arguments.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/process.h"
#include "source/internal_error.h"
#include "source/one_line.h"

namespace smec::driver {

namespace {

/// Does not throw where standard error cannot be written either.
int failWith(const std::string& message, int status) {
    std::fputs(("smec: " + onOneLine(message) + "\n").c_str(), stderr);
    return status;
}

int standardOutputFailed(int reason) {
    if (reason == EPIPE) return exit_status::kNobodyReads;
    return failWith(fmt::format("error: cannot write standard output: {}", std::strerror(reason)),
                    exit_status::kEnvironment);
}

/// fmt::print() throws where it cannot write; files and threads fail like that, too.
int systemFailed(const std::system_error& error) {
    if (std::ferror(stderr) != 0) return exit_status::kEnvironment;
    if (std::ferror(stdout) != 0) return standardOutputFailed(error.code().value());
    return failWith(fmt::format("error: {}", error.what()), exit_status::kEnvironment);
}

template <typename Action>
int guarded(const Action& action) {
    try {
        return action();
    } catch (const Ended& ended) {
        return ended.status;
    } catch (const FileError& error) {
        return failWith("error: " + error.message,
                        error.isMisuse ? exit_status::kUsage : exit_status::kEnvironment);
    } catch (const Interrupted& interrupted) {
        return failWith("interrupted", 128 + interrupted.signal);
    } catch (const InternalError& error) {
        return failWith(fmt::format("internal error: {}; please report it", error.what()),
                        exit_status::kInternal);
    } catch (const std::bad_alloc&) {
        return failWith("error: out of memory", exit_status::kLimit);
    } catch (const std::system_error& error) {
        return systemFailed(error);
    } catch (const std::exception& error) {
        return failWith(fmt::format("internal error: {}; please report it", error.what()),
                        exit_status::kInternal);
    }
}

/// What was printed is written, or the status says that it is not.
int flushed(int status) {
    const bool isKnown = std::ferror(stdout) != 0;  // and has been told
    if (std::fflush(stdout) == 0 || isKnown) return status;
    return standardOutputFailed(errno);
}

}  // namespace

int execute(Command& command) {
    return flushed(guarded([&] {
        if (CompileArguments* const compiled = command.compileArguments()) {
            compiled->findCache();
            compiled->importVerilog();
        }
        return command.execute();
    }));
}

int print(const std::string& text) {
    return flushed(guarded([&] {
        fmt::print("{}", text);
        return exit_status::kGood;
    }));
}

}  // namespace smec::driver
