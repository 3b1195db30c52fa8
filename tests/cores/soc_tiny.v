module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, cyc, ack, we;
    wire [31:0] adr, dat, rdt;
    wire [3:0] sel;
    tiny cpu(.clk(clk), .rst(rst), .cyc(cyc), .adr(adr), .we(we), .sel(sel), .dat(dat), .ack(ack), .rdt(rdt));
    bus_memory memory(.clk(clk), .rst(rst), .i_cyc(1'b0), .i_adr(32'd0), .d_cyc(cyc), .d_adr(adr), .d_we(we), .d_sel(sel), .d_dat(dat),
        .d_ack(ack), .d_rdt(rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
