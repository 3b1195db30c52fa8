library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity best_of is
    port (
        clk : in std_logic;
        rst : in std_logic;
        x_sum : in unsigned(95 downto 0);
        x_history : in unsigned(95 downto 0);
        x_full : in unsigned(2 downto 0);
        v_best : out unsigned(1 downto 0);
        v_count : out unsigned(39 downto 0)
    );
end entity;

architecture rtl of best_of is
    signal count : unsigned(39 downto 0) := to_unsigned(5, 40);
    signal best : unsigned(1 downto 0) := (others => '0');
begin
    v_best <= best;
    v_count <= count;

    process (clk)
        variable chosen : natural range 0 to 2;
    begin
        if rising_edge(clk) then
            if rst = '1' then
                best <= (others => '0');
                count <= to_unsigned(5, 40);
            else
                chosen := 0;
                for i in 1 to 2 loop
                    if signed(x_sum(32 * i + 31 downto 32 * i)) > signed(x_sum(32 * chosen + 31 downto 32 * chosen)) then
                        chosen := i;
                    end if;
                end loop;
                best <= to_unsigned(chosen, 2);
                count <= count + x_history(32 * chosen + 31 downto 32 * chosen + 24);
            end if;
        end if;
    end process;
end architecture;
