module accumulate #(
    parameter limit = 1,
    parameter invert = 0
) (
    input wire clk,
    input wire rst,
    input wire signed [15:0] a_data,
    input wire a_valid,
    output reg signed [31:0] p_sum,
    output reg [31:0] p_history,
    output reg p_full
);
    wire signed [31:0] wide = {{16{a_data[15]}}, a_data};
    wire signed [31:0] next = invert != 0 ? p_sum - wide : p_sum + wide;

    always @(posedge clk)
        if (rst) begin
            p_sum <= -1;
            p_history <= 0;
            p_full <= 0;
        end else if (a_valid) begin
            p_full <= next > limit;
            p_sum <= next > limit ? limit : next;
            p_history <= {p_history[23:0], a_data[7:0]};
        end
endmodule
