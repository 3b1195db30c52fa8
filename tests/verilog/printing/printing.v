module printing(input clk, input rst, input [7:0] a, input signed [7:0] s, output reg [7:0] q);
  initial $display("at the start");
  always @(posedge clk) begin
    if (a[0]) $display("a=%d q=%0d %% {%h} %b %o | %d %0d %5d %05d", a, q, a, a[3:0], a, s, s, a, s);
    $display("%0d: %h", a, q);
    if (a[1:0] == 3) $write("w%0d\n", a);
  end
  always @(posedge clk or posedge rst)
    if (rst) q <= 0;
    else begin
      q <= q + a;
      if (a[3]) $display("adds %0d to %0d", a, q);
    end
endmodule
