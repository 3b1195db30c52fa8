#include "driver/diff/diff_traces.h"

#include <catch2/catch.hpp>

#include "driver/diff/diff_text.h"
#include "support/files.h"

namespace smec::driver {
namespace {

constexpr const char* kHead = "$timescale 1 ns $end\n$scope module top $end\n"
                              "$var wire 1 ! clk $end\n"
                              "$scope module unit[2] $end\n$var wire 4 a v [3:0] $end\n"
                              "$scope begin p $end\n$scope begin m $end\n"
                              "$var real 64 b m[1] $end\n$upscope $end\n"
                              "$var string 1 c e $end\n$upscope $end\n$upscope $end\n"
                              "$upscope $end\n$enddefinitions $end\n";

/// Writes both and compares them. Names end in .csv or .vcd.
class TracePair {
public:
    TraceDifference diff(const std::string& left, const std::string& right) {
        return diffTraces(*open("left", left), *open("right", right));
    }
    std::unique_ptr<TraceReader> open(const std::string& name, const std::string& text) {
        const char* ending = text.starts_with("cycle") ? ".csv" : ".vcd";
        return openTrace(folder_.write(name + ending, text), 10);
    }

private:
    test::Folder folder_;
};

std::string tell(const TraceDifference& difference) { return toText(difference, "a", "b", 20); }

TEST_CASE("diff: CSV and waves of one run are the same") {
    const std::string csv = "cycle,unit[2].p.e,unit[2].p.m[1],unit[2].v\n"
                            "0,IDLE,0.5,3\n1,IDLE,-0.0,3\n2,BUSY,nan,-1\n";
    const std::string vcd = std::string(kHead)
                            + "#0\n$dumpvars\n0!\nb0011 a\nr0.5 b\nsIDLE c\n$end\n#10\n1!\nr-0 b\n"
                              "#15\n0!\n#20\n1!\nb1111 a\nrnan b\nsBUSY c\n#25\n0!\n#30\n";
    TracePair pair;
    const TraceDifference difference = pair.diff(csv, vcd);
    CHECK(difference.isSame());
    CHECK(tell(difference) == "3 signals are the same in cycles 0 to 2\n");
    CHECK(pair.diff(vcd, csv).isSame());
}

TEST_CASE("diff: the field v of a bus is the bus itself in waves") {
    const std::string csv = "cycle,cpu.v[0].addr.v,cpu.v[0].ram.v[1]\n0,3,1\n1,4,1\n";
    const std::string vcd = "$timescale 1 ns $end\n$scope module top $end\n$scope module cpu $end\n"
                            "$scope module v[0] $end\n"
                            "$var wire 4 a addr [3:0] $end\n$scope begin ram $end\n"
                            "$var wire 4 b ram[1] [3:0] $end\n$upscope $end\n$upscope $end\n"
                            "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
                            "#0\nb0011 a\nb0001 b\n#10\nb0100 a\n#20\n";
    TracePair pair;
    CHECK(tell(pair.diff(csv, vcd)) == "2 signals are the same in cycles 0 to 1\n");
    CHECK(tell(pair.diff(vcd, csv)) == "2 signals are the same in cycles 0 to 1\n");
}

TEST_CASE("diff: signals are counted for as long as they differ") {
    TracePair pair;
    const TraceDifference difference = pair.diff("cycle,a,b\n0,1,1\n1,2,1\n2,2,1\n3,4,1\n",
                                                 "cycle,b,a\n0,1,1\n1,1,3\n2,5,3\n3,5,4\n");
    CHECK(difference.signals
          == std::vector<SignalDifference>{{"a", 2, 1, "2", "3"}, {"b", 2, 2, "1", "5"}});
    CHECK(tell(difference)
          == "2 of 2 signals differ in cycles 0 to 3, first in cycle 1\n\n"
             "signal     cycles      first  a  b\n"
             "a               2          1  2  3\n"
             "b               2          2  1  5\n");
}

TEST_CASE("diff: what differs again is counted again, with its first values") {
    TracePair pair;
    const TraceDifference difference =
        pair.diff("cycle,a\n0,1\n1,2\n2,1\n3,7\n", "cycle,a\n0,1\n1,1\n2,1\n3,1\n");
    CHECK(difference.signals == std::vector<SignalDifference>{{"a", 2, 1, "2", "1"}});
}

TEST_CASE("diff: traces of other cycles are compared where both have some") {
    TracePair pair;
    const TraceDifference late = pair.diff("cycle,a\n0,1\n1,2\n2,3\n", "cycle,a\n1,2\n2,3\n");
    CHECK(late.isSame());
    CHECK(tell(late)
          == "a starts with cycle 0, b with cycle 1\n1 signal is the same in cycles 1 to 2\n");
    const TraceDifference shorter = pair.diff("cycle,a\n0,1\n1,2\n2,3\n", "cycle,a\n0,1\n1,2\n");
    CHECK_FALSE(shorter.isSame());
    CHECK(shorter.signals.empty());
    CHECK(tell(shorter)
          == "a has cycles 0 to 2, b has cycles 0 to 1\n1 signal is the same in cycles 0 to 1\n");
}

TEST_CASE("diff: what has no cycle is not the same") {
    TracePair pair;
    const TraceDifference none = pair.diff("cycle,a\n", "cycle,a\n");
    CHECK_FALSE(none.isSame());
    CHECK(tell(none) == "nothing to compare: neither trace has a cycle\n");
    const TraceDifference one = pair.diff("cycle,a\n0,1\n", "cycle,a\n");
    CHECK_FALSE(one.isSame());
    CHECK(tell(one) == "a has cycle 0, b has no cycle\nnothing to compare: no cycle is in both\n");
    const TraceDifference apart = pair.diff("cycle,a\n0,1\n1,1\n", "cycle,a\n2,1\n");
    CHECK_FALSE(apart.isSame());
    CHECK(tell(apart)
          == "a starts with cycle 0, b with cycle 2\na has cycles 0 to 1, b has cycle 2\n"
             "nothing to compare: no cycle is in both\n");
}

TEST_CASE("diff: a difference in the first common cycle is found, whoever changed last") {
    TracePair pair;
    const TraceDifference difference =
        pair.diff("cycle,a\n0,1\n1,1\n2,1\n3,1\n", "cycle,a\n2,2\n3,2\n");
    CHECK(difference.signals == std::vector<SignalDifference>{{"a", 2, 2, "1", "2"}});
}

TEST_CASE("diff: signals of one trace only are told and no difference") {
    TracePair pair;
    const TraceDifference difference = pair.diff("cycle,a,b\n0,1,1\n", "cycle,a\n0,1\n");
    CHECK(difference.isSame());
    CHECK(tell(difference) == "1 signal is in a only: b\n1 signal is the same in cycle 0\n");
    const TraceDifference none = pair.diff("cycle,a\n0,1\n", "cycle,b\n0,1\n");
    CHECK_FALSE(none.isSame());
}

TEST_CASE("diff: waves without a clock leave out cycles in which nothing changes") {
    const std::string head = "$scope module top $end $var wire 8 a v $end $upscope $end\n"
                             "$enddefinitions $end\n";
    TracePair pair;
    const TraceDifference difference =
        pair.diff("cycle,v\n0,1\n1,1\n2,5\n3,5\n", head + "#0 b1 a #20 b111 a #40");
    CHECK(difference.signals == std::vector<SignalDifference>{{"v", 2, 2, "5", "7"}});
    CHECK(difference.rightEnd == 4);
}

TEST_CASE("diff: enums with a table, as fst2vcd writes it") {
    const std::string head = "$scope module top $end\n"
                             "$attrbegin misc 07 state 2 IDLE BUSY 0 1 1 $end\n"
                             "$attrbegin misc 07 \"\" 1 $end\n$var wire 1 a s $end\n$upscope $end\n"
                             "$enddefinitions $end\n";
    TracePair pair;
    CHECK(pair.diff("cycle,s\n0,IDLE\n1,BUSY\n", head + "#0\n0a\n#10\n1a\n#20\n").isSame());
}

TEST_CASE("diff: wide and negative numbers, bits that are unknown") {
    const TracedSignal text{"a", Spelling::Text, 0}, bits{"a", Spelling::Bits, 100};
    const std::string ones(100, '1');
    CHECK(isSameValue(text, "1267650600228229401496703205375", bits, ones));
    CHECK(isSameValue(text, "-1", bits, ones));
    CHECK_FALSE(isSameValue(text, "-2", bits, ones));
    CHECK_FALSE(isSameValue(text, "0", bits, "x"));
    CHECK(isSameValue(bits, "x", bits, "x"));
    CHECK(isSameValue(text, "010", bits, "1010"));
    const TracedSignal real{"a", Spelling::Real, 64};
    CHECK(isSameValue(text, "0.1", real, "0.10000000149011612"));  // an f32
    CHECK(isSameValue(text, "0.1", real, "0.1"));
    CHECK_FALSE(isSameValue(text, "0.1", real, "0.10000000000000002"));
    CHECK_FALSE(isSameValue(text, "0.0", real, "-0"));
    CHECK(isSameValue(text, "0x0f", text, "15"));
    CHECK(isSameValue(text, "true", text, "1"));
    CHECK_FALSE(isSameValue(text, "0x10", text, "15"));
    CHECK_FALSE(isSameValue(text, "A", text, "10"));
    CHECK(shownValue(bits, "1010") == "10");
    CHECK(shownValue(bits, "1x1") == "1x1");
}

TEST_CASE("diff: what is no trace is told with its place") {
    TracePair pair;
    const auto why = [&](const std::string& name, const std::string& text) -> std::string {
        try {
            const auto reader = pair.open(name, text);
            while (reader->next()) {}
        } catch (const BadTrace& bad) {
            const std::string message = bad.what();
            return message.substr(message.rfind('/') + 1);
        }
        return {};
    };
    CHECK(why("x", "cycle,a\n0,1\n0,1\n") == "x.csv:3: error: cycle 0 after cycle 0");
    CHECK(why("x", "cycle,a\n0\n") == "x.csv:2: error: 1 cells where the first line has 2");
    CHECK(why("x", "cycle,a,a\n") == "x.csv:1: error: two columns are called 'a'");
    CHECK(why("x", "cycle,a\nx,1\n") == "x.csv:2: error: 'x' is no cycle");
    CHECK(why("x", "$scope module top $end\n").ends_with("the file ends before '$enddefinitions'"));
    CHECK(why("x", std::string(kHead) + "#10\n#5\n").ends_with("time #5 after a later one"));
    CHECK(why("x", std::string(kHead) + "#0\n1?\n").ends_with("no signal '?'"));
    CHECK(why("x", std::string(kHead) + "#0\nq\n").ends_with("'q' is no value"));
    CHECK(why("x", "junk").ends_with("'junk' where a section starts with '$'"));
}

}  // namespace
}  // namespace smec::driver
