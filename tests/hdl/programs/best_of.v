/* verilator lint_off UNUSEDSIGNAL */
module best_of (
    input wire clk,
    input wire rst,
    input wire [95:0] x_sum,
    input wire [95:0] x_history,
    input wire [2:0] x_full,
    output reg [1:0] v_best,
    output reg [39:0] v_count
);
    wire signed [31:0] first = x_sum[31:0], second = x_sum[63:32], third = x_sum[95:64];
    wire is_second = second > first;
    wire is_third = third > (is_second ? second : first);
    wire [1:0] best = is_third ? 2'd2 : is_second ? 2'd1 : 2'd0;
    wire [7:0] oldest = is_third ? x_history[95:88] : is_second ? x_history[63:56] : x_history[31:24];

    always @(posedge clk)
        if (rst) begin
            v_best <= 0;
            v_count <= 5;
        end else begin
            v_best <= best;
            v_count <= v_count + {32'd0, oldest};
        end
endmodule
