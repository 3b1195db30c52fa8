#include "hdl/names.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace smec::hdl {

namespace {

/// IEEE 1800-2017, annex B (1364-2005 included).
constexpr std::string_view kVerilogWords =
    "accept_on alias always always_comb always_ff always_latch and assert assign assume "
    "automatic before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez "
    "cell chandle checker class clocking cmos config const constraint context continue cover "
    "covergroup coverpoint cross deassign default defparam design disable dist do edge else "
    "end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup "
    "endinterface endmodule endpackage endprimitive endprogram endproperty endspecify "
    "endsequence endtable endtask enum event eventually expect export extends extern final "
    "first_match for force foreach forever fork forkjoin function generate genvar global "
    "highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir "
    "include initial inout input inside instance int integer interconnect interface intersect "
    "join join_any join_none large let liblist library local localparam logic longint "
    "macromodule matches medium modport module nand negedge nettype new nexttime nmos nor "
    "noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge "
    "primitive priority program property protected pull0 pull1 pulldown pullup "
    "pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real "
    "realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 "
    "rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint "
    "shortreal showcancelled signed small soft solve specify specparam static string strong "
    "strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table tagged "
    "task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 "
    "triand trior trireg type typedef union unique unique0 unsigned until until_with untyped "
    "use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard "
    "wire with within wor xnor xor";
/// IEEE 1076-2008 (PSL's words included).
constexpr std::string_view kVhdlWords =
    "abs access after all architecture array assume_guarantee attribute block body buffer bus "
    "component configuration constant disconnect downto elsif entity exit fairness file "
    "generic group guarded impure in inertial is label linkage literal loop map mod next of on "
    "open others out parameter port postponed procedure process protected range record "
    "register reject rem report restrict_guarantee rol ror select severity shared signal sla "
    "sll sra srl strong subtype then to transport unaffected units variable vmode vprop vunit "
    "when";
/// Of the packages that every file of VHDL uses.
constexpr std::string_view kPackageWords =
    "std_logic std_ulogic std_logic_vector boolean natural positive character resize "
    "shift_left shift_right to_integer to_signed to_unsigned rising_edge falling_edge true "
    "false ieee work std note warning error failure line now maximum minimum";

void addWords(std::string_view text, std::unordered_set<std::string_view>& words) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.insert(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

const std::unordered_set<std::string_view>& reservedWords() {
    static const std::unordered_set<std::string_view> all = [] {
        std::unordered_set<std::string_view> words;
        for (const std::string_view text : {kVerilogWords, kVhdlWords, kPackageWords})
            addWords(text, words);
        return words;
    }();
    return all;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Letters, digits and single underscores, a letter first, no underscore last.
std::string identifier(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool isGood = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (isGood)
            result += c;
        else if (c != ']' && !result.empty() && result.back() != '_')
            result += '_';
        else if (c != ']' && result.empty())
            result += "n_";
    }
    while (!result.empty() && result.back() == '_')
        result.pop_back();
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0)
        result.insert(0, "n");
    return result;
}

/// What the printers call functions that they write into a module: "low_9_4", "divide_100".
bool isFunction(const std::string& name) {
    static const std::regex kFunctions(
        "(popcount|low|extend)_[0-9]+_[0-9]+|(divide|remainder)(_signed)?_[0-9]+");
    return std::regex_match(name, kFunctions);
}

}  // namespace

bool isReserved(std::string_view word) {
    const std::string name = lower(word);
    return reservedWords().contains(name) || isFunction(name);
}

std::string Names::take(std::string_view wanted) {
    const std::string name = identifier(wanted);
    if (!isReserved(name) && taken_.insert(lower(name)).second) return name;
    const char* between = isFunction(lower(name + "_1")) ? "_n" : "_";
    for (unsigned number = 1;; ++number) {
        std::string next = name + between + std::to_string(number);
        if (taken_.insert(lower(next)).second) return next;
    }
}

}  // namespace smec::hdl
