// Files in and out: --input, --expect, --trace.

#include "trace/csv.h"

#include <catch2/catch.hpp>

#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

/// The cells of a file, '|' between cells and '/' between rows; or the problem.
std::string cellsOf(const std::string& content) {
    CsvReader reader("", writeFile("cells.csv", content), {});
    std::string text;
    std::vector<CsvReader::Cell> cells;
    while (reader.next(cells) == CsvReader::Next::Row) {
        if (!text.empty()) text += '/';
        for (std::size_t i = 0; i < cells.size(); ++i)
            text.append(i > 0 ? "|" : "").append(cells[i].text);
    }
    return reader.problem() ? reader.problem().message : text;
}

const std::string kDefaults = "0 false -1 RED 0.5 [7, 7] (x: 0, y: 0) 0\n";

Result drive(const std::string& content, std::vector<std::string> more = {}) {
    static Inputs inputs;
    more.insert(more.begin(), {"--input", writeFile("input.csv", content)});
    return simulate(inputs.model(), more);
}

/// What is said about an input file, without its path.
std::string complaint(const std::string& content) {
    const Result result = drive(content);
    CHECK(result.status == 1);
    CHECK(result.out.empty());
    const std::string path = temporaryPath("input.csv");
    REQUIRE(result.err.starts_with(path));
    return result.err.substr(path.size());
}

}  // namespace

TEST_CASE("csv: rows and cells") {
    CHECK(cellsOf("") == "");
    CHECK(cellsOf("\n\n") == "");
    CHECK(cellsOf("a") == "a");
    CHECK(cellsOf("a,b\n1,2\n") == "a|b/1|2");
    CHECK(cellsOf("a,b\r\n1,2\r\n\r\n  \n") == "a|b/1|2");
    CHECK(cellsOf("\xEF\xBB\xBF"
                  "a,b\n")
          == "a|b");
    CHECK(cellsOf(" a , b c\t,\n") == "a|b c|");
    CHECK(cellsOf("a\n\nb\n") == "a//b");
    CHECK(cellsOf("\"a,b\",\"c\"\"d\" ,\"\"\n1") == "a,b|c\"d|/1");
    CHECK(cellsOf("\"a\nb\",c\nd") == ":1:1: error: this quotation mark is not closed");
    CHECK(cellsOf("\"a\"\"\",\"b,\"\r\n\"\"\"c\"") == "a\"|b,/\"c");
    CHECK(cellsOf("\"a\"") == "a");
    CHECK(cellsOf("a\n\"b") == ":2:1: error: this quotation mark is not closed");
    CHECK(cellsOf("\"a\"b") == ":1:4: error: expected ',' or the end of the line");
    CHECK(cellsOf("a\nc\"d\"\n \"x") == ":3:2: error: this quotation mark is not closed");
    for (const char* path : {"/no/such/file", "/tmp"}) {
        CsvReader reader("it", path, {});
        std::vector<CsvReader::Cell> cells;
        CHECK(reader.next(cells) == CsvReader::Next::Problem);
        CHECK(reader.problem().status == 3);
    }
}

TEST_CASE("input: a row lasts its cycle, hold keeps, missing columns are defaults") {
    const Result result = drive("cycle,cmd.v,cmd.go,cmd.keep\n0,5,true,100\n1,7,false,-7\n",
                                {"--cycles", "5", "--print", "a.t"});
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(result.out
          == "5 true 100 RED 0.5 [7, 7] (x: 0, y: 0) 0\n"
             "7 false -7 RED 0.5 [7, 7] (x: 0, y: 0) 0\n"
             "0 false -7 RED 0.5 [7, 7] (x: 0, y: 0) 0\n"
             "0 false -7 RED 0.5 [7, 7] (x: 0, y: 0) 0\n"
             "0 false -7 RED 0.5 [7, 7] (x: 0, y: 0) 0\n"
             "a.t: 5\n");
}

TEST_CASE("input: every kind of scalar") {
    const Result result =
        drive("cycle,cmd.light,cmd.gain,cmd.list[1],cmd.list[0],cmd.pair.y,cmd.pair.x,cmd.digit\n"
              "0,BLUE,1e-3,15,0,-128,255,9\n"
              "1,2,-inf,1,2,3,4,0\n");
    CHECK(result.status == 0);
    CHECK(result.out
          == "0 false -1 BLUE 0.001 [0, 15] (x: 255, y: -128) 9\n"
             "0 false -1 GREEN -inf [2, 1] (x: 4, y: 3) 0\n");
}

TEST_CASE("input: how long the run is") {
    CHECK(drive("cycle,cmd.v\n").out.empty());
    CHECK(drive("cycle,cmd.v\n0,1\n1,2\n2,3\n", {"--cycles", "1"}).out.starts_with("1 "));
    CHECK(drive("cycle\n0\n1\n").out == kDefaults + kDefaults);
    const Result few = drive("cycle,cmd.v\n0,1\n1,2\n", {"--cycles", "1", "--print", "cmd.v"});
    CHECK(few.out.ends_with("\ncmd.v: 2\n"));  // the moment after a cycle is that of the next row
    const Result held =
        drive("cycle,cmd.keep\n0,1\n1,2\n", {"--cycles", "1", "--print", "cmd.keep"});
    CHECK(held.out.ends_with("\ncmd.keep: 2\n"));
    const Result none = drive("cycle,cmd.keep,cmd.v\n0,1,9\n",
                              {"--cycles", "0", "--print", "cmd.keep", "--print", "cmd.v"});
    CHECK(none.out == "cmd.keep: 1\ncmd.v: 9\n");
}

TEST_CASE("input: mistakes have a place") {
    CHECK(complaint("") == ":1:1: error: the file is empty; expected a header\n");
    CHECK(complaint("cmd.v\n") == ":1:1: error: the first column is 'cmd.v'; expected 'cycle'\n");
    CHECK(complaint("cycle;cmd.v\n")
          == ":1:1: error: the first column is 'cycle;cmd.v'; columns are separated by commas\n");
    CHECK(complaint("cycle,cmd.w\n")
          == ":1:7: error: unknown input 'cmd.w'; did you mean 'cmd.v'?\n");
    CHECK(complaint("cycle,res.sum\n") == ":1:7: error: 'res.sum' is no exposed input\n");
    CHECK(complaint("cycle,a.t\n") == ":1:7: error: 'a.t' is no exposed input\n");
    CHECK(complaint("cycle,cmd.list\n")
          == ":1:7: error: 'cmd.list' is of type [2]u4; give each element a column, 'cmd.list[0]' "
             "first\n");
    CHECK(complaint("cycle,cmd.v,cmd.v\n") == ":1:13: error: two columns are called 'cmd.v'\n");
    CHECK(complaint("cycle,cmd.v\n1,2\n") == ":2:1: error: cycle '1' where 0 comes next\n");
    CHECK(complaint("cycle,cmd.v\n0,2\n2,2\n") == ":3:1: error: cycle '2' where 1 comes next\n");
    CHECK(complaint("cycle,cmd.v\n0,2\n\n1,2\n") == ":3:1: error: cycle '' where 1 comes next\n");
    CHECK(complaint("cycle,cmd.v\n0\n") == ":2:1: error: 1 values, but the header names 2\n");
    CHECK(complaint("cycle,cmd.v\n0,1,2\n") == ":2:1: error: 3 values, but the header names 2\n");
    CHECK(complaint("cycle,cmd.v\n0,256\n")
          == ":2:3: error: '256' does not fit into u8 ('cmd.v')\n");
    CHECK(complaint("cycle,cmd.digit\n0,10\n")
          == ":2:3: error: '10' does not fit into uint range 0 to 9 ('cmd.digit')\n");
    CHECK(complaint("cycle,cmd.light\n0,1\n")
          == ":2:3: error: '1' is no member of enum 'light' ('cmd.light')\n");
    CHECK(complaint("cycle,cmd.go\n0,yes\n")
          == ":2:3: error: 'yes' is no value of bool ('cmd.go')\n");
    Inputs inputs;
    const Result unreadable = simulate(inputs.model(), {"--input", "/no/such.csv"});
    CHECK(unreadable.status == 3);
    CHECK(unreadable.err == "sim: error: cannot read '/no/such.csv': No such file or directory\n");
}

TEST_CASE("trace: row k is what is read in cycle k") {
    Inputs inputs;
    const std::string input = writeFile(
        "in.csv", "cycle,cmd.v,cmd.go,cmd.light\n0,5,true,BLUE\n1,7,false,RED\n2,200,true,2\n");
    const std::string trace = temporaryPath("trace.csv");
    const auto traced = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"--input", input, "--trace", trace});
        const Result result = simulate(inputs.model(), more);
        CHECK(result.status == 0);
        CHECK(result.err.empty());
        return readFile(trace);
    };
    CHECK(traced({"--cycles", "4"})
          == "cycle,cmd.digit,cmd.gain,cmd.go,cmd.keep,cmd.light,cmd.list[0],cmd.list[1],cmd.pair."
             "x,cmd.pair.y,cmd.v,res.sum\n"
             "0,0,0.5,true,-1,BLUE,7,7,0,0,5,0\n"
             "1,0,0.5,false,-1,RED,7,7,0,0,7,5\n"
             "2,0,0.5,true,-1,GREEN,7,7,0,0,200,5\n"
             "3,0,0.5,false,-1,RED,7,7,0,0,0,205\n");
    SECTION("variables are as before the body") {
        CHECK(traced({"--trace-filter", "a.t", "--trace-filter", "res.*"})
              == "cycle,a.t,res.sum\n0,0,0\n1,5,5\n2,5,5\n");
        CHECK(traced({"--trace-all", "--threads", "2"}).starts_with("cycle,a.t,cmd.digit,"));
    }
    SECTION("filters name whole fields or their parts") {
        CHECK(traced({"--trace-filter", "cmd.list"})
                  .starts_with("cycle,cmd.list[0],cmd.list[1]\n0,7,7\n"));
        CHECK(traced({"--trace-filter", "cmd.list[1]"}).starts_with("cycle,cmd.list[1]\n0,7\n"));
    }
    SECTION("a window") {
        CHECK(traced({"--trace-filter", "res.sum", "--trace-start", "1", "--trace-stop", "2"})
              == "cycle,res.sum\n1,5\n");
    }
    SECTION("several files") {
        const std::string second = temporaryPath("second.csv");
        const std::string content = traced({"--trace", second});
        CHECK(readFile(second) == content);
    }
    SECTION("nothing to trace") {
        const Result result =
            simulate(inputs.model(), {"--cycles", "1", "--trace", trace, "--trace-filter", "x*"});
        CHECK(result.status == 2);
        CHECK(
            result.err
            == "sim: error: --trace-filter 'x*' matches no field or variable; --list shows them\n");
    }
    SECTION("a file that cannot be written") {
        const Result missing =
            simulate(inputs.model(), {"--cycles", "1", "--trace", "/no/such/folder/t.csv"});
        CHECK(missing.status == 3);
        CHECK(missing.err.find("cannot write '/no/such/folder/t.csv'") != std::string::npos);
    }
}

TEST_CASE("trace: columns in natural order") {
    Ring ring(12);
    const std::string trace = temporaryPath("ring.csv");
    REQUIRE(simulate(ring.model(), {"--cycles", "2", "--trace", trace}).status == 0);
    CHECK(readFile(trace).starts_with("cycle,link[0].v,link[1].v,link[2].v,link[3].v,"));
    CHECK(readFile(trace).find("link[9].v,link[10].v,link[11].v\n0,12345,0,0,")
          != std::string::npos);
}

TEST_CASE("expect: differences as cycle, name, expected, got") {
    Inputs inputs;
    const std::string input =
        writeFile("in.csv", "cycle,cmd.v,cmd.go\n0,5,true\n1,7,false\n2,200,true\n");
    const auto compare = [&](const std::string& content, std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"--expect", writeFile("expect.csv", content)});
        Result result = simulate(inputs.model(), more);
        const std::string path = temporaryPath("expect.csv");
        for (std::size_t at; (at = result.err.find(path)) != std::string::npos;)
            result.err.replace(at, path.size(), "E");
        return result;
    };
    SECTION("equal") {
        const Result result =
            compare("cycle,res.sum,a.t,cmd.v\n0,0,0,5\n1,5,5,7\n2,5,5,200\n", {"--input", input});
        CHECK(result.status == 0);
        CHECK(result.err.empty());
    }
    SECTION("different") {
        const Result result =
            compare("cycle,res.sum,cmd.go\n0,0,true\n1,6,true\n2,5,true\n", {"--input", input});
        CHECK(result.status == 1);
        CHECK(result.err
              == "E:3: error: cycle 1, res.sum: expected 6, got 5\nE:3: error: cycle 1, cmd.go: "
                 "expected true, got false\n");
    }
    SECTION("the first ten are told") {
        std::string rows = "cycle,res.sum\n";
        for (int i = 0; i < 25; ++i)
            rows += std::to_string(i) + ",1\n";
        const Result result = compare(rows);
        CHECK(result.status == 1);
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 11);
        CHECK(result.err.ends_with("E: error: 25 differences in all\n"));
    }
    SECTION("alone it says how long the run is; with inputs the longer file does") {
        CHECK(compare("cycle,res.sum\n0,0\n1,0\n").out == kDefaults + kDefaults);
        const Result both =
            compare("cycle,res.sum\n0,0\n1,5\n2,5\n3,205\n4,205\n", {"--input", input});
        CHECK(both.status == 0);
        CHECK(std::count(both.out.begin(), both.out.end(), '\n') == 5);
    }
    SECTION("a run that is too short fails") {
        const Result result = compare("cycle,res.sum\n0,0\n1,0\n", {"--cycles", "1"});
        CHECK(result.status == 1);
        CHECK(result.err == "E: error: the run ended after 1 of 2 cycles\n");
        CHECK(compare("cycle,res.sum\n0,0\n1,0\n", {"--cycles", "3"}).status == 0);
    }
    SECTION("mistakes") {
        CHECK(compare("cycle,res.summ\n").err
              == "E:1:7: error: unknown name 'res.summ'; did you mean 'res.sum'?\n");
        CHECK(compare("cycle,res.sum\n0,x\n").status == 1);
    }
}
