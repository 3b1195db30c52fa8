// Its own bus: one port for instructions and data.
module soc (input clk, output [31:0] result, output [31:0] rounds, output [63:0] hash);
    wire rst, valid, ready, trap;
    wire [31:0] address, out, in;
    wire [3:0] strobe;
    picorv32 #(.STACKADDR(32'h10000)) cpu(.clk(clk), .resetn(~rst), .trap(trap), .mem_valid(valid), .mem_ready(ready), .mem_addr(address), .mem_wdata(out),
        .mem_wstrb(strobe), .mem_rdata(in), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'd0));
    bus_memory memory(.clk(clk), .rst(rst), .i_cyc(1'b0), .i_adr(32'd0), .d_cyc(valid), .d_adr(address), .d_we(|strobe), .d_sel(strobe), .d_dat(out),
        .d_ack(ready), .d_rdt(in), .result(result), .rounds(rounds), .hash(hash));
endmodule
