module add #(parameter [31:0] FIRST = 0) (input clk, input [31:0] x, output reg [31:0] y);
    initial y = FIRST;
    always @(posedge clk) y <= x + 1;
endmodule

module ring #(parameter N = 20000) (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    genvar i;
    generate
        for (i = 0; i < N; i = i + 1) begin : p
            wire [31:0] v;
            add #(.FIRST(i == 0 ? 12345 : 0)) a (.clk(clk), .x(p[(i + N - 1) % N].v), .y(v));
        end
    endgenerate
    assign result0 = p[0].v;
    assign result1 = p[50].v;
    assign result2 = p[N - 1].v;
endmodule
