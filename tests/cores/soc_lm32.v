// With both caches. Ports by their order, for Verilator gives `interrupt` another name where the core is a block of its own.
module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, i_cyc, i_ack, d_cyc, d_ack, d_we;
    wire [31:0] i_adr, i_rdt, d_adr, d_dat, d_rdt;
    wire [3:0] d_sel;
    lm32_top cpu(clk, rst, 32'd0, i_rdt, i_ack, 1'b0, 1'b0, 1'b0, d_rdt, d_ack, 1'b0, 1'b0, , i_adr, i_cyc, , , , , , , d_dat, d_adr, d_cyc, d_sel, , d_we,
        , , );
    bus_memory #(.FIRMWARE("lm32.hex")) memory(.clk(clk), .rst(rst), .i_cyc(i_cyc), .i_adr(i_adr), .i_ack(i_ack), .i_rdt(i_rdt), .d_cyc(d_cyc), .d_adr(d_adr),
        .d_we(d_we), .d_sel(d_sel), .d_dat(d_dat), .d_ack(d_ack), .d_rdt(d_rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
