module cell_ #(parameter [29:0] FIRST = 0)
    (input clk, input [29:0] north, input [29:0] south, input [29:0] east, input [29:0] west, output reg [29:0] v);
    wire [31:0] sum = {2'b0, north} + {2'b0, south} + {2'b0, east} + {2'b0, west};
    initial v = FIRST;
    always @(posedge clk) v <= sum[31:2];
endmodule

module mesh #(parameter N = 64)
    (input clk, output [29:0] result0, output [29:0] result1, output [29:0] result2, output [29:0] result3);
    genvar r, c;
    generate
        for (r = 0; r < N; r = r + 1) begin : row
            for (c = 0; c < N; c = c + 1) begin : p
                wire [29:0] v;
                cell_ #(.FIRST(r % 4 == 0 && c % 4 == 0 ? 30'h01000000 : 30'h0)) o
                    (.clk(clk), .north(row[(r + N - 1) % N].p[c].v), .south(row[(r + 1) % N].p[c].v),
                     .east(row[r].p[(c + 1) % N].v), .west(row[r].p[(c + N - 1) % N].v), .v(v));
            end
        end
    endgenerate
    assign result0 = row[0].p[0].v;
    assign result1 = row[N / 2].p[N / 2 + 1].v;
    assign result2 = row[N - 1].p[N - 1].v;
    assign result3 = row[3].p[N / 3].v;
endmodule
