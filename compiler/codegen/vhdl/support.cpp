#include "codegen/vhdl/support.h"

#include <fmt/format.h>

namespace smec::codegen::vhdl {

namespace {

constexpr const char* kPackage = R"(-- functions that the other files call
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package {0} is
    -- the language has no expression that chooses
    function choose(condition : boolean; yes, no : std_ulogic) return std_ulogic;
    function choose(condition : boolean; yes, no : unsigned) return unsigned;
    function choose(condition : boolean; yes, no : signed) return signed;
    function choose(condition : boolean; yes, no : string) return string;
    -- the same, as what synthesis tools do not look through
    function copied(value : std_ulogic) return std_ulogic;
    function copied(value : unsigned) return unsigned;
    function copied(value : signed) return signed;
    -- the digits of a number
    function image(value : unsigned; is_signed : boolean; base : positive) return string;
    -- at least so many characters; zeros go after the sign
    function padded(text : string; width : positive; filler : character) return string;
    function to_logic(value : boolean) return std_ulogic;
    -- the lowest bit
    function to_logic(value : unsigned) return std_ulogic;
    function to_logic(value : signed) return std_ulogic;
    function to_bits(value : boolean; width : positive) return unsigned;
    function to_bits(value : std_ulogic; width : positive) return unsigned;
    -- "resize" for synthesis tools that know the value, but not how to use it
    function zero_extend(value : unsigned; width : positive) return unsigned;
    function low_bits(value : unsigned; width : positive) return unsigned;
    function sign_extend(value : signed; width : positive) return signed;
    -- elements of so many bits, and bits of them
    function element(vector : unsigned; index : natural; width : positive) return unsigned;
    function part(vector : unsigned; index : natural; width : positive; low : natural;
                  count : positive) return unsigned;
    -- anything where the divisor is 0
    function safe_div(a, b : unsigned) return unsigned;
    function safe_div(a, b : signed) return signed;
    function safe_rem(a, b : unsigned) return unsigned;
    function safe_rem(a, b : signed) return signed;
    -- 0 where there is no such element
    function safe_index(index : unsigned; length : positive) return natural;
    -- at most the width of what is shifted
    function shift_count(count : unsigned; width : positive) return natural;
    function count_ones(value : unsigned; width : positive) return unsigned;
    function parity(value : unsigned) return std_ulogic;
end package;

package body {0} is
    function choose(condition : boolean; yes, no : std_ulogic) return std_ulogic is
    begin
        if condition then
            return yes;
        else
            return no;
        end if;
    end function;

    function choose(condition : boolean; yes, no : unsigned) return unsigned is
    begin
        if condition then
            return yes;
        else
            return no;
        end if;
    end function;

    function choose(condition : boolean; yes, no : signed) return signed is
    begin
        if condition then
            return yes;
        else
            return no;
        end if;
    end function;

    function choose(condition : boolean; yes, no : string) return string is
    begin
        if condition then
            return yes;
        else
            return no;
        end if;
    end function;

    function copied(value : std_ulogic) return std_ulogic is
    begin
        return not (not value);
    end function;

    function copied(value : unsigned) return unsigned is
    begin
        return not (not value);
    end function;

    function copied(value : signed) return signed is
    begin
        return not (not value);
    end function;

    function image(value : unsigned; is_signed : boolean; base : positive) return string is
        constant digits : string(1 to 16) := "0123456789abcdef";
        variable rest : unsigned(value'length + 4 downto 0);
        variable digit : natural;
    begin
        if is_x(value) then
            return to_string(value);
        end if;
        if is_signed and value(value'left) = '1' then
            return "-" & image(0 - value, false, base);
        end if;
        rest := resize(value, rest'length);
        digit := to_integer(resize(rest rem base, 5));
        if rest < base then
            return digits(digit + 1 to digit + 1);
        end if;
        return image(resize(rest / base, value'length), false, base) & digits(digit + 1 to digit + 1);
    end function;

    function padded(text : string; width : positive; filler : character) return string is
        alias ascending : string(1 to text'length) is text;
        variable result : string(1 to maximum(width, text'length)) := (others => filler);
    begin
        if filler = '0' and ascending(1) = '-' then
            result(1) := '-';
            result(result'length - text'length + 2 to result'length) := ascending(2 to text'length);
        else
            result(result'length - text'length + 1 to result'length) := ascending;
        end if;
        return result;
    end function;

    function to_logic(value : boolean) return std_ulogic is
    begin
        if value then
            return '1';
        else
            return '0';
        end if;
    end function;

    function to_logic(value : unsigned) return std_ulogic is
    begin
        return value(value'right);
    end function;

    function to_logic(value : signed) return std_ulogic is
    begin
        return value(value'right);
    end function;

    function to_bits(value : boolean; width : positive) return unsigned is
        variable result : unsigned(width - 1 downto 0) := (others => '0');
    begin
        result(0) := to_logic(value);
        return result;
    end function;

    function to_bits(value : std_ulogic; width : positive) return unsigned is
        variable result : unsigned(width - 1 downto 0) := (others => '0');
    begin
        result(0) := value;
        return result;
    end function;

    function zero_extend(value : unsigned; width : positive) return unsigned is
        variable result : unsigned(width - 1 downto 0) := (others => '0');
    begin
        result(value'length - 1 downto 0) := value;
        return result;
    end function;

    function low_bits(value : unsigned; width : positive) return unsigned is
        alias whole : unsigned(value'length - 1 downto 0) is value;
    begin
        return whole(width - 1 downto 0);
    end function;

    function sign_extend(value : signed; width : positive) return signed is
        variable result : signed(width - 1 downto 0) := (others => value(value'left));
    begin
        result(value'length - 1 downto 0) := value;
        return result;
    end function;

    function element(vector : unsigned; index : natural; width : positive) return unsigned is
    begin
        return part(vector, index, width, 0, width);
    end function;

    -- not a slice from width * index on: tools that know the index cannot use that
    function part(vector : unsigned; index : natural; width : positive; low : natural;
                  count : positive) return unsigned is
        variable result : unsigned(count - 1 downto 0) := (others => '0');
    begin
        for k in 0 to vector'length / width - 1 loop
            if index = k then
                result := vector(width * k + low + count - 1 downto width * k + low);
            end if;
        end loop;
        return result;
    end function;

    function safe_div(a, b : unsigned) return unsigned is
        variable divisor : unsigned(b'length - 1 downto 0) := b;
    begin
        if b = 0 then
            divisor := to_unsigned(1, b'length);
        end if;
        return choose(b = 0, to_unsigned(0, a'length), a / divisor);
    end function;

    function safe_div(a, b : signed) return signed is
        variable divisor : signed(b'length - 1 downto 0) := b;
    begin
        if b = 0 then
            divisor := (others => '1');
        end if;
        return choose(b = 0, to_signed(0, a'length), a / divisor);
    end function;

    -- not "rem": tools that know both operands need not compute that
    function safe_rem(a, b : unsigned) return unsigned is
    begin
        return a - resize(safe_div(a, b) * b, a'length);
    end function;

    function safe_rem(a, b : signed) return signed is
        constant multiple : unsigned(2 * a'length - 1 downto 0) :=
            unsigned(safe_div(a, b)) * unsigned(b);
    begin
        return signed(unsigned(a) - resize(multiple, a'length));
    end function;

    function safe_index(index : unsigned; length : positive) return natural is
    begin
        if index < length then
            return to_integer(index);
        else
            return 0;
        end if;
    end function;

    function shift_count(count : unsigned; width : positive) return natural is
    begin
        if count < width then
            return to_integer(resize(count, 24));
        else
            return width;
        end if;
    end function;

    function count_ones(value : unsigned; width : positive) return unsigned is
        variable result : unsigned(width - 1 downto 0) := (others => '0');
    begin
        for k in value'range loop
            if value(k) = '1' then
                result := result + 1;
            end if;
        end loop;
        return result;
    end function;

    function parity(value : unsigned) return std_ulogic is
        variable result : std_ulogic := '0';
    begin
        for k in value'range loop
            result := result xor value(k);
        end loop;
        return result;
    end function;
end package body;
)";

}  // namespace

std::string supportPackage(const std::string& name) {
    return fmt::format(fmt::runtime(kPackage), name);
}

}  // namespace smec::codegen::vhdl
