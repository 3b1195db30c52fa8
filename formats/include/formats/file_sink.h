#pragma once

#include <cstdint>
#include <string>

#include "formats/text_sink.h"

namespace sme {

/// All of a text, whatever signals come. errno, or 0.
int writeAll(int descriptor, std::string_view text);

/// A file descriptor with a buffer.
/// What a cycle says is written out when the last time was a while ago, so that somebody who reads
/// along sees a slow run.
class FileSink final : public TextSink {
public:
    /// `lively`: written out after every cycle (terminals).
    explicit FileSink(int descriptor, bool lively = false);
    /// A descriptor that it closes in the end; negative: the opening failed, for the reason in
    /// errno.
    struct Owned {
        bool isFile = false;    ///< of its own: it may be cut
        bool isLocked = false;  ///< by lockFile(): it is unlocked then
    };
    FileSink(int descriptor, Owned);
    ~FileSink() override;
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;

    void write(std::string_view text) override;
    void flush() override;
    void overwrite(std::uint64_t at, std::string_view bytes) override;
    void truncate(std::uint64_t size) override;
    /// Whether it is a file of its own, and no stream and no file that others write, too.
    bool isFile() const { return file_; }
    /// Writes out what is buffered, and cuts a file of its own, if it is longer: what comes next
    /// follows there. Others go on where they are.
    void goOnAt(std::uint64_t length);
    /// What has been written is on the disk afterwards.
    void sync();
    /// What it says from now on is lost, for this reason.
    void fail(int why) { problem_ = why; }
    void endCycle() override;
    /// Also of its opening: reasonOf() (formats/opened_output.h) says it in words.
    int problem() const override { return problem_; }
    int descriptor() const { return descriptor_; }

private:
    void writeOut(std::string_view text);

    int descriptor_ = -1;
    bool owned_ = false;
    bool file_ = false;
    bool locked_ = false;
    bool lively_ = false;
    int problem_ = 0;
    std::int64_t writtenMs_ = 0;  ///< when, roughly
    std::string buffer_;
};

}  // namespace sme
