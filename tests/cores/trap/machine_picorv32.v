// PicoRV32 and 64 KiB that answer in the cycle after; it traps at `ebreak`.
`include "picorv32.v"
module machine(input clk, input rst, output trap_v);
    wire valid;
    wire [31:0] address, out;
    wire [3:0] strobe;
    reg ready = 0;
    reg [31:0] in = 0;
    reg [31:0] words [0:16383];
    initial $readmemh("firmware.hex", words);
    picorv32 cpu(.clk(clk), .resetn(~rst), .trap(trap_v), .mem_valid(valid), .mem_ready(ready), .mem_addr(address), .mem_wdata(out), .mem_wstrb(strobe),
        .mem_rdata(in), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'd0));
    always @(posedge clk) begin
        ready <= valid & ~ready & ~rst;
        in <= words[address[15:2]];
        if (valid & ~ready & ~address[31]) begin
            if (strobe[0]) words[address[15:2]][7:0] <= out[7:0];
            if (strobe[1]) words[address[15:2]][15:8] <= out[15:8];
            if (strobe[2]) words[address[15:2]][23:16] <= out[23:16];
            if (strobe[3]) words[address[15:2]][31:24] <= out[31:24];
        end
    end
endmodule
