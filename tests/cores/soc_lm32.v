// No compiler for it here: instructions and data are random.
module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, i_cyc, i_ack, d_cyc, d_ack, d_we;
    wire [31:0] i_adr, i_rdt, d_adr, d_dat, d_rdt;
    wire [3:0] d_sel;
    lm32_top cpu(.clk_i(clk), .rst_i(rst), .interrupt(32'd0), .ext_break(1'b0), .I_CYC_O(i_cyc), .I_ADR_O(i_adr), .I_ACK_I(i_ack), .I_DAT_I(i_rdt),
        .I_ERR_I(1'b0), .I_RTY_I(1'b0), .D_CYC_O(d_cyc), .D_ADR_O(d_adr), .D_WE_O(d_we), .D_SEL_O(d_sel), .D_DAT_O(d_dat), .D_ACK_I(d_ack),
        .D_DAT_I(d_rdt), .D_ERR_I(1'b0), .D_RTY_I(1'b0));
    bus_memory #(.RANDOM(1)) memory(.clk(clk), .rst(rst), .i_cyc(i_cyc), .i_adr(i_adr), .i_ack(i_ack), .i_rdt(i_rdt), .d_cyc(d_cyc), .d_adr(d_adr),
        .d_we(d_we), .d_sel(d_sel), .d_dat(d_dat), .d_ack(d_ack), .d_rdt(d_rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
