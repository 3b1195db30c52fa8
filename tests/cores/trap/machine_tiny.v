// The core of these tests and 64 KiB that answer in the cycle after; it traps where it fetches `ebreak`.
`include "tiny.v"
module machine(input clk, input rst, output trap_v);
    wire valid, we;
    wire [31:0] address, out;
    wire [3:0] strobe;
    reg ready = 0;
    reg [31:0] in = 0;
    reg [31:0] words [0:16383];
    initial $readmemh("firmware.hex", words);
    tiny cpu(.clk(clk), .rst(rst), .cyc(valid), .adr(address), .we(we), .sel(strobe), .dat(out), .ack(ready), .rdt(in));
    assign trap_v = valid & ready & ~we & in == 32'h00100073;
    always @(posedge clk) begin
        ready <= valid & ~ready & ~rst;
        in <= words[address[15:2]];
        if (valid & we & ~ready & ~address[31]) begin
            if (strobe[0]) words[address[15:2]][7:0] <= out[7:0];
            if (strobe[1]) words[address[15:2]][15:8] <= out[15:8];
            if (strobe[2]) words[address[15:2]][23:16] <= out[23:16];
            if (strobe[3]) words[address[15:2]][31:24] <= out[31:24];
        end
    end
endmodule
