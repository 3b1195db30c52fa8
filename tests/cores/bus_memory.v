// What the cores of the ladder stand beside: 64 KiB that answer in the cycle after, or random words; a place for results at 0x80000000; and a hash
// over all that the core asks of its buses, so that two simulators with one hash did the same in every cycle.
module bus_memory #(parameter RANDOM = 0, parameter FIRMWARE = "rv32i.hex") (
    input clk, output rst, output rst_n,
    input i_cyc, input [31:0] i_adr, output reg i_ack, output [31:0] i_rdt,
    input d_cyc, input [31:0] d_adr, input d_we, input [3:0] d_sel, input [31:0] d_dat, output reg d_ack, output [31:0] d_rdt,
    output reg [31:0] result, output reg [31:0] rounds, output reg [63:0] hash);

    reg [31:0] words [0:16383];
    initial if (RANDOM == 0) $readmemh(FIRMWARE, words);
    reg [3:0] since = 0;
    assign rst = ~since[3];
    assign rst_n = since == 0 | since[3];  // asynchronous resets act when it falls
    reg [31:0] i_word = 0, d_word = 0;
    reg [63:0] noise = 64'h1234_5678_9abc_def1;
    assign i_rdt = RANDOM ? noise[31:0] : i_word;
    assign d_rdt = RANDOM ? noise[63:32] : d_word;
    initial begin i_ack = 0; d_ack = 0; result = 0; rounds = 0; hash = 0; end

    wire d_write = d_cyc & d_we & ~d_ack & ~rst;
    always @(posedge clk) begin
        since <= since + rst;
        noise <= {noise[50:0], noise[63:51] ^ noise[62:50] ^ noise[60:48] ^ noise[59:47]};
        i_ack <= i_cyc & ~i_ack & ~rst;
        d_ack <= d_cyc & ~d_ack & ~rst;
        i_word <= words[i_adr[15:2]];
        d_word <= words[d_adr[15:2]];
        if (d_write & ~d_adr[31]) begin
            if (d_sel[0]) words[d_adr[15:2]][7:0] <= d_dat[7:0];
            if (d_sel[1]) words[d_adr[15:2]][15:8] <= d_dat[15:8];
            if (d_sel[2]) words[d_adr[15:2]][23:16] <= d_dat[23:16];
            if (d_sel[3]) words[d_adr[15:2]][31:24] <= d_dat[31:24];
        end
        if (d_write & d_adr[31]) begin
            result <= d_dat;
            rounds <= rounds + 1;
        end
        if (~rst)
            hash <= {hash[62:0], hash[63] ^ hash[62] ^ hash[60] ^ hash[59]} ^ (i_cyc ? {i_adr, 32'd1} : 64'd0)
                ^ (d_cyc ? {d_we ? d_dat : 32'd0, d_adr} ^ {59'd0, d_we, d_we ? d_sel : 4'd0} << 40 : 64'd0);
    end
endmodule
