// Counts up to a limit and starts again.
module counter #(parameter WIDTH = 8) (
    input clk,
    input rst,
    input enable,
    input [WIDTH-1:0] limit,
    output reg [WIDTH-1:0] count,
    output wrapped
);
    assign wrapped = enable && count == limit;
    always @(posedge clk) begin
        if (rst) count <= 0;
        else if (enable) count <= wrapped ? 0 : count + 1;
    end
endmodule
