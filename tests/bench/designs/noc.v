// noc.sme in Verilog. result0 ... result2 are what noc.sme names so. A flit is hops (6 bits), row (5), column (5), data (16).

module router #(parameter [4:0] X = 0, parameter [4:0] Y = 0) (
    input clk,
    input north_in_valid, input east_in_valid, input south_in_valid, input west_in_valid, input node_in_valid,
    input [31:0] north_in, input [31:0] east_in, input [31:0] south_in, input [31:0] west_in, input [31:0] node_in,
    output reg north_in_ready, output reg east_in_ready, output reg south_in_ready, output reg west_in_ready,
    output reg node_in_ready,
    output reg north_valid, output reg east_valid, output reg south_valid, output reg west_valid, output reg node_valid,
    output reg [31:0] north, output reg [31:0] east, output reg [31:0] south, output reg [31:0] west,
    output reg [31:0] node,
    input north_ready, input east_ready, input south_ready, input west_ready, input node_ready
);
    localparam [2:0] NOWHERE = 0, NORTH = 1, EAST = 2, SOUTH = 3, WEST = 4, HERE = 5;

    reg [31:0] slot0, slot1, slot2, slot3, slot4;
    reg [2:0] want0, want1, want2, want3, want4;
    reg [2:0] next0, next1, next2, next3, next4;

    initial begin
        {north_in_ready, east_in_ready, south_in_ready, west_in_ready, node_in_ready} = 0;
        {north_valid, east_valid, south_valid, west_valid, node_valid} = 0;
        {north, east, south, west, node} = 0;
        {slot0, slot1, slot2, slot3, slot4} = 0;
        {want0, want1, want2, want3, want4} = 0;
        {next0, next1, next2, next3, next4} = 0;
    end

    function [2:0] route(input [31:0] f);
        if (f[20:16] > X) route = EAST;
        else if (f[20:16] < X) route = WEST;
        else if (f[25:21] > Y) route = SOUTH;
        else if (f[25:21] < Y) route = NORTH;
        else route = HERE;
    endfunction

    function [4:0] first(input [2:0] where);
        if (want0 == where) first = 5'b00001;
        else if (want1 == where) first = 5'b00010;
        else if (want2 == where) first = 5'b00100;
        else if (want3 == where) first = 5'b01000;
        else if (want4 == where) first = 5'b10000;
        else first = 0;
    endfunction

    function [31:0] hop(input [4:0] taken);
        reg [31:0] f;
        begin
            if (taken[0]) f = slot0;
            else if (taken[1]) f = slot1;
            else if (taken[2]) f = slot2;
            else if (taken[3]) f = slot3;
            else f = slot4;
            hop = {f[31:26] + 6'd1, f[25:0]};
        end
    endfunction

    wire [4:0] go_north = !north_valid || north_ready ? first(NORTH) : 5'd0;
    wire [4:0] go_east = !east_valid || east_ready ? first(EAST) : 5'd0;
    wire [4:0] go_south = !south_valid || south_ready ? first(SOUTH) : 5'd0;
    wire [4:0] go_west = !west_valid || west_ready ? first(WEST) : 5'd0;
    wire [4:0] go_node = !node_valid || node_ready ? first(HERE) : 5'd0;
    wire [4:0] gone = go_north | go_east | go_south | go_west | go_node;

    always @(posedge clk) begin
        if (!north_valid || north_ready) north_valid <= |go_north;
        if (!east_valid || east_ready) east_valid <= |go_east;
        if (!south_valid || south_ready) south_valid <= |go_south;
        if (!west_valid || west_ready) west_valid <= |go_west;
        if (!node_valid || node_ready) node_valid <= |go_node;
        if (|go_north) north <= hop(go_north);
        if (|go_east) east <= hop(go_east);
        if (|go_south) south <= hop(go_south);
        if (|go_west) west <= hop(go_west);
        if (|go_node) node <= hop(go_node);

        next0 = gone[0] ? NOWHERE : want0;
        next1 = gone[1] ? NOWHERE : want1;
        next2 = gone[2] ? NOWHERE : want2;
        next3 = gone[3] ? NOWHERE : want3;
        next4 = gone[4] ? NOWHERE : want4;
        if (north_in_valid && north_in_ready) begin slot0 <= north_in; next0 = route(north_in); end
        if (east_in_valid && east_in_ready) begin slot1 <= east_in; next1 = route(east_in); end
        if (south_in_valid && south_in_ready) begin slot2 <= south_in; next2 = route(south_in); end
        if (west_in_valid && west_in_ready) begin slot3 <= west_in; next3 = route(west_in); end
        if (node_in_valid && node_in_ready) begin slot4 <= node_in; next4 = route(node_in); end
        want0 <= next0;
        want1 <= next1;
        want2 <= next2;
        want3 <= next3;
        want4 <= next4;
        north_in_ready <= next0 == NOWHERE;
        east_in_ready <= next1 == NOWHERE;
        south_in_ready <= next2 == NOWHERE;
        west_in_ready <= next3 == NOWHERE;
        node_in_ready <= next4 == NOWHERE;
    end
endmodule

module node #(parameter [31:0] SEED = 1, parameter [5:0] R = 4) (
    input clk,
    input arriving_valid, input [31:0] arriving, output reg arriving_ready,
    output reg leaving_valid, output reg [31:0] leaving, input leaving_ready,
    input [31:0] before_count, input [31:0] before_sum,
    output reg [31:0] after_count, output reg [31:0] after_sum,
    output reg [31:0] state
);
    reg [31:0] count, sum, next_count, next_sum;

    initial begin
        {arriving_ready, leaving_valid, leaving} = 0;
        {after_count, after_sum, count, sum, next_count, next_sum} = 0;
        state = SEED;
    end

    wire [31:0] s1 = state ^ (state << 13);
    wire [31:0] s2 = s1 ^ (s1 >> 17);
    wire [31:0] s3 = s2 ^ (s2 << 5);
    wire [13:0] x = s3[15:8] * R;
    wire [13:0] y = s3[23:16] * R;

    always @(posedge clk) begin
        state <= s3;
        if (!leaving_valid || leaving_ready) begin
            leaving_valid <= s3[2:0] == 0;
            if (s3[2:0] == 0) leaving <= {6'd0, y[12:8], x[12:8], s3[31:16]};
        end
        next_count = count;
        next_sum = sum;
        if (arriving_valid && arriving_ready) begin
            next_count = count + 1;
            next_sum = {sum[30:0], sum[31]} + {10'd0, arriving[31:26], arriving[15:0]};
        end
        count <= next_count;
        sum <= next_sum;
        arriving_ready <= s3[4:3] != 0;
        after_count <= before_count + next_count;
        after_sum <= before_sum + next_sum;
    end
endmodule

module noc #(parameter R = 4) (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    // What router y * R + x drives: outputs and the ready of its inputs, north, east, south, west, node from bit 0 on.
    wire [4:0] valid [0:R*R-1];
    wire [4:0] ready [0:R*R-1];
    wire [31:0] north [0:R*R-1];
    wire [31:0] east [0:R*R-1];
    wire [31:0] south [0:R*R-1];
    wire [31:0] west [0:R*R-1];
    wire [31:0] down [0:R*R-1];
    wire [31:0] up [0:R*R-1];
    wire up_valid [0:R*R-1];
    wire down_ready [0:R*R-1];
    wire [31:0] state [0:R*R-1];
    wire [31:0] count [0:R*R];
    wire [31:0] sum [0:R*R];
    assign count[0] = 0;
    assign sum[0] = 0;

    genvar x, y;
    generate
        for (y = 0; y < R; y = y + 1) begin : row
            for (x = 0; x < R; x = x + 1) begin : column
                localparam N = y * R + x;
                wire [31:0] from_north, from_east, from_south, from_west;
                wire [3:0] come, go;
                if (y > 0) assign from_north = south[N-R], come[0] = valid[N-R][2], go[0] = ready[N-R][2];
                else assign from_north = 0, come[0] = 0, go[0] = 0;
                if (x < R - 1) assign from_east = west[N+1], come[1] = valid[N+1][3], go[1] = ready[N+1][3];
                else assign from_east = 0, come[1] = 0, go[1] = 0;
                if (y < R - 1) assign from_south = north[N+R], come[2] = valid[N+R][0], go[2] = ready[N+R][0];
                else assign from_south = 0, come[2] = 0, go[2] = 0;
                if (x > 0) assign from_west = east[N-1], come[3] = valid[N-1][1], go[3] = ready[N-1][1];
                else assign from_west = 0, come[3] = 0, go[3] = 0;
                router #(.X(x), .Y(y)) r (
                    .clk(clk), .north_in_valid(come[0]), .east_in_valid(come[1]), .south_in_valid(come[2]),
                    .west_in_valid(come[3]), .node_in_valid(up_valid[N]), .north_in(from_north), .east_in(from_east),
                    .south_in(from_south), .west_in(from_west), .node_in(up[N]), .north_in_ready(ready[N][0]),
                    .east_in_ready(ready[N][1]), .south_in_ready(ready[N][2]), .west_in_ready(ready[N][3]),
                    .node_in_ready(ready[N][4]), .north_valid(valid[N][0]), .east_valid(valid[N][1]),
                    .south_valid(valid[N][2]), .west_valid(valid[N][3]), .node_valid(valid[N][4]), .north(north[N]),
                    .east(east[N]), .south(south[N]), .west(west[N]), .node(down[N]), .north_ready(go[0]),
                    .east_ready(go[1]), .south_ready(go[2]), .west_ready(go[3]), .node_ready(down_ready[N]));
                node #(.SEED((N + 1) * 32'd2654435761), .R(R)) n (
                    .clk(clk), .arriving_valid(valid[N][4]), .arriving(down[N]), .arriving_ready(down_ready[N]),
                    .leaving_valid(up_valid[N]), .leaving(up[N]), .leaving_ready(ready[N][4]),
                    .before_count(count[N]), .before_sum(sum[N]), .after_count(count[N+1]), .after_sum(sum[N+1]),
                    .state(state[N]));
            end
        end
    endgenerate
    assign result0 = count[R*R];
    assign result1 = sum[R*R];
    assign result2 = state[R/2*R + R/3];
endmodule
