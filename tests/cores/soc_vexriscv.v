module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, i_cyc, i_ack, d_cyc, d_ack, d_we;
    wire [29:0] i_adr, d_adr;
    wire [31:0] i_rdt, d_dat, d_rdt;
    wire [3:0] d_sel;
    VexRiscv cpu(.clk(clk), .reset(rst), .externalResetVector(32'd0), .timerInterrupt(1'b0), .softwareInterrupt(1'b0), .externalInterruptArray(32'd0),
        .iBusWishbone_CYC(i_cyc), .iBusWishbone_ADR(i_adr), .iBusWishbone_ACK(i_ack), .iBusWishbone_DAT_MISO(i_rdt), .iBusWishbone_ERR(1'b0),
        .dBusWishbone_CYC(d_cyc), .dBusWishbone_WE(d_we), .dBusWishbone_ADR(d_adr), .dBusWishbone_DAT_MOSI(d_dat), .dBusWishbone_SEL(d_sel),
        .dBusWishbone_ACK(d_ack), .dBusWishbone_DAT_MISO(d_rdt), .dBusWishbone_ERR(1'b0));
    bus_memory memory(.clk(clk), .rst(rst), .i_cyc(i_cyc), .i_adr({i_adr, 2'd0}), .i_ack(i_ack), .i_rdt(i_rdt), .d_cyc(d_cyc), .d_adr({d_adr, 2'd0}),
        .d_we(d_we), .d_sel(d_sel), .d_dat(d_dat), .d_ack(d_ack), .d_rdt(d_rdt), .result(result), .rounds(rounds), .hash(hash));
endmodule
