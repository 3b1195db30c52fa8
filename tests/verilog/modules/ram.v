// Words of four bytes that are written one by one, read a cycle later.
module ram (input clk, input [3:0] write, input [5:0] address, input [31:0] data, output reg [31:0] word);
    reg [31:0] words [0:63];
    integer i;
    initial for (i = 0; i < 64; i = i + 1) words[i] = i * 32'h01010101;
    always @(posedge clk) begin
        for (i = 0; i < 4; i = i + 1)
            if (write[i]) words[address][8*i +: 8] <= data[8*i +: 8];
        word <= words[address];
    end
endmodule
