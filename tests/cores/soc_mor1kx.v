// With both caches, which the firmware turns on.
module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, i_cyc, i_ack, d_cyc, d_ack, d_we;
    wire [31:0] i_adr, i_rdt, d_adr, d_dat, d_rdt;
    wire [3:0] d_sel;
    mor1kx #(.FEATURE_INSTRUCTIONCACHE("ENABLED"), .FEATURE_DATACACHE("ENABLED"), .OPTION_DCACHE_LIMIT_WIDTH(31)) cpu(.clk(clk), .rst(rst), .iwbm_cyc_o(i_cyc),
        .iwbm_adr_o(i_adr), .iwbm_ack_i(i_ack), .iwbm_dat_i(i_rdt), .iwbm_err_i(1'b0), .iwbm_rty_i(1'b0), .dwbm_cyc_o(d_cyc), .dwbm_adr_o(d_adr),
        .dwbm_we_o(d_we), .dwbm_sel_o(d_sel), .dwbm_dat_o(d_dat), .dwbm_ack_i(d_ack), .dwbm_dat_i(d_rdt), .dwbm_err_i(1'b0), .dwbm_rty_i(1'b0),
        .irq_i(32'd0), .du_addr_i(16'd0), .du_stb_i(1'b0), .du_dat_i(32'd0), .du_we_i(1'b0), .du_stall_i(1'b0), .multicore_coreid_i(32'd0),
        .multicore_numcores_i(32'd0), .snoop_adr_i(32'd0), .snoop_en_i(1'b0));
    bus_memory #(.FIRMWARE("or1k.hex")) memory(.clk(clk), .rst(rst), .i_cyc(i_cyc), .i_adr(i_adr), .i_ack(i_ack), .i_rdt(i_rdt), .d_cyc(d_cyc), .d_adr(d_adr),
        .d_we(d_we), .d_sel(d_sel), .d_dat(d_dat), .d_ack(d_ack), .d_rdt(d_rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
