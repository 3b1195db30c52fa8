library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity accumulate is
    generic (limit : integer := 1; invert : boolean := false);
    port (
        clk : in std_logic;
        rst : in std_logic;
        a_data : in signed(15 downto 0);
        a_valid : in std_logic;
        p_sum : out signed(31 downto 0);
        p_history : out unsigned(31 downto 0);
        p_full : out std_logic
    );
end entity;

architecture rtl of accumulate is
    signal sum : signed(31 downto 0) := to_signed(-1, 32);
    signal history : unsigned(31 downto 0) := (others => '0');
    signal full : std_logic := '0';
begin
    p_sum <= sum;
    p_history <= history;
    p_full <= full;

    process (clk)
        variable following : signed(31 downto 0);
    begin
        if rising_edge(clk) then
            if rst = '1' then
                sum <= to_signed(-1, 32);
                history <= (others => '0');
                full <= '0';
            elsif a_valid = '1' then
                if invert then
                    following := sum - a_data;
                else
                    following := sum + a_data;
                end if;
                if following > limit then
                    full <= '1';
                    sum <= to_signed(limit, 32);
                else
                    full <= '0';
                    sum <= following;
                end if;
                history <= history(23 downto 0) & unsigned(a_data(7 downto 0));
            end if;
        end if;
    end process;
end architecture;
