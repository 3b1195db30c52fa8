module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, i_cyc, i_ack, d_cyc, d_ack, d_we;
    wire [31:0] i_adr, i_rdt, d_adr, d_dat, d_rdt;
    wire [3:0] d_sel;
    serv_rf_top cpu(.clk(clk), .i_rst(rst), .i_timer_irq(1'b0), .o_ibus_adr(i_adr), .o_ibus_cyc(i_cyc), .i_ibus_rdt(i_rdt), .i_ibus_ack(i_ack),
        .o_dbus_adr(d_adr), .o_dbus_dat(d_dat), .o_dbus_sel(d_sel), .o_dbus_we(d_we), .o_dbus_cyc(d_cyc), .i_dbus_rdt(d_rdt), .i_dbus_ack(d_ack),
        .i_ext_rd(32'd0), .i_ext_ready(1'b0));
    bus_memory memory(.clk(clk), .rst(rst), .i_cyc(i_cyc), .i_adr(i_adr), .i_ack(i_ack), .i_rdt(i_rdt), .d_cyc(d_cyc), .d_adr(d_adr), .d_we(d_we),
        .d_sel(d_sel), .d_dat(d_dat), .d_ack(d_ack), .d_rdt(d_rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
