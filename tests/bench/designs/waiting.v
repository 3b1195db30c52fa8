module sleeper #(parameter PHASE = 0, NAP = 2, FIRST = 1) (input clk, input [31:0] x, output reg [31:0] y);
    reg [31:0] left;
    reg odd;
    initial begin
        left = PHASE + 1;
        odd = 0;
        y = FIRST;
    end
    always @(posedge clk) begin
        if (left != 0) left <= left - 1;
        else begin
            left <= NAP - 1;
            odd <= !odd;
            y <= odd ? y ^ (x << 1) : y + x + 1;
        end
    end
endmodule

module waiting #(parameter N = 10000, NAP = 2)
    (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    genvar i;
    generate
        for (i = 0; i < N; i = i + 1) begin : p
            wire [31:0] v;
            sleeper #(.PHASE(i * 7 % NAP), .NAP(NAP), .FIRST(i + 1)) a (.clk(clk), .x(p[(i + N - 1) % N].v), .y(v));
        end
    endgenerate
    assign result0 = p[0].v;
    assign result1 = p[N / 2].v;
    assign result2 = p[N - 1].v;
endmodule
