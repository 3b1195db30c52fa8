// cpu.sme in Verilog. result0 ... result2 are what cpu.sme names so. Reads cpu.hex in the current folder, or the file that
// the macro PROGRAM names.
`ifndef PROGRAM
`define PROGRAM "cpu.hex"
`endif

module fetch (input clk, input taken, input [31:0] target, output reg valid, output reg [31:0] pc, output reg [31:0] word);
    reg [31:0] rom [0:127];
    reg [31:0] next;
    initial begin
        $readmemh(`PROGRAM, rom);
        valid = 0;
        pc = 0;
        word = 0;
        next = 0;
    end
    wire [31:0] now = taken ? target : next;
    always @(posedge clk) begin
        valid <= 1;
        pc <= now;
        word <= rom[now[8:2]];
        next <= now + 4;
    end
endmodule

module decode (input [31:0] word, output reg [3:0] kind, output reg [31:0] imm);
    localparam [3:0] NONE = 0, LUI = 1, AUIPC = 2, JAL = 3, JALR = 4, BRANCH = 5, LOAD = 6, STORE = 7, IMMEDIATE = 8, REGISTER = 9;
    always @* begin
        imm = {{20{word[31]}}, word[31:20]};
        case (word[6:0])
            7'h37: begin kind = LUI; imm = {word[31:12], 12'd0}; end
            7'h17: begin kind = AUIPC; imm = {word[31:12], 12'd0}; end
            7'h6F: begin kind = JAL; imm = {{12{word[31]}}, word[19:12], word[20], word[30:21], 1'b0}; end
            7'h67: kind = JALR;
            7'h63: begin kind = BRANCH; imm = {{20{word[31]}}, word[7], word[30:25], word[11:8], 1'b0}; end
            7'h03: kind = LOAD;
            7'h23: begin kind = STORE; imm = {{20{word[31]}}, word[31:25], word[11:7]}; end
            7'h13: kind = IMMEDIATE;
            7'h33: kind = REGISTER;
            default: kind = NONE;
        endcase
    end
endmodule

module registers (
    input clk, input in_valid, input [31:0] in_pc, input [31:0] word, input [3:0] in_kind, input [31:0] in_imm,
    input back_valid, input [4:0] back_rd, input [31:0] back_value, input taken,
    output reg valid, output reg [31:0] pc, output reg [3:0] kind, output reg [4:0] rd, output reg [4:0] rs1,
    output reg [4:0] rs2, output reg [2:0] funct, output reg other, output reg [31:0] imm, output reg [31:0] a,
    output reg [31:0] b
);
    reg [31:0] file [0:31];
    integer i;
    initial begin
        for (i = 0; i < 32; i = i + 1) file[i] = 0;
        valid = 0;
        other = 0;
        {pc, kind, rd, rs1, rs2, funct, imm, a, b} = 0;
    end
    always @(posedge clk) begin
        if (back_valid) file[back_rd] <= back_value;
        valid <= in_valid && !taken;
        pc <= in_pc;
        kind <= in_kind;
        rd <= word[11:7];
        rs1 <= word[19:15];
        rs2 <= word[24:20];
        funct <= word[14:12];
        other <= word[30];
        imm <= in_imm;
        a <= back_valid && back_rd == word[19:15] ? back_value : file[word[19:15]];
        b <= back_valid && back_rd == word[24:20] ? back_value : file[word[24:20]];
    end
endmodule

module execute (
    input valid, input [31:0] pc, input [3:0] kind, input [4:0] rs1, input [4:0] rs2, input [2:0] funct, input other,
    input [31:0] imm, input [31:0] in_a, input [31:0] in_b,
    input back_valid, input [4:0] back_rd, input [31:0] back_value,
    output reg [31:0] value, output [31:0] address, output [31:0] data, output taken, output [31:0] target
);
    localparam [3:0] LUI = 1, AUIPC = 2, JAL = 3, JALR = 4, BRANCH = 5, IMMEDIATE = 8;

    function [31:0] arithmetic(input [2:0] f, input o, input [31:0] x, input [31:0] y);
        case (f)
            0: arithmetic = o ? x - y : x + y;
            1: arithmetic = x << y[4:0];
            2: arithmetic = {31'd0, $signed(x) < $signed(y)};
            3: arithmetic = {31'd0, x < y};
            4: arithmetic = x ^ y;
            5: if (o) arithmetic = $signed(x) >>> y[4:0];
               else arithmetic = x >> y[4:0];
            6: arithmetic = x | y;
            default: arithmetic = x & y;
        endcase
    endfunction

    function branches(input [2:0] f, input [31:0] x, input [31:0] y);
        case (f)
            0: branches = x == y;
            1: branches = x != y;
            4: branches = $signed(x) < $signed(y);
            5: branches = $signed(x) >= $signed(y);
            6: branches = x < y;
            7: branches = x >= y;
            default: branches = 0;
        endcase
    endfunction

    wire [31:0] a = back_valid && back_rd == rs1 ? back_value : in_a;
    wire [31:0] b = back_valid && back_rd == rs2 ? back_value : in_b;
    assign address = a + imm;
    assign data = b;
    assign taken = valid && (kind == JAL || kind == JALR || (kind == BRANCH && branches(funct, a, b)));
    assign target = kind == JALR ? {address[31:1], 1'b0} : pc + imm;
    always @*
        case (kind)
            LUI: value = imm;
            AUIPC: value = pc + imm;
            JAL, JALR: value = pc + 4;
            IMMEDIATE: value = arithmetic(funct, other && funct == 5, a, imm);
            default: value = arithmetic(funct, other, a, b);
        endcase
endmodule

module memory #(parameter [31:0] SEED = 1) (
    input clk, input in_valid, input [3:0] kind, input [4:0] in_rd, input [2:0] funct, input [31:0] in_value,
    input [31:0] address, input [31:0] data,
    output reg valid, output reg [4:0] rd, output reg [31:0] value, output reg [31:0] result
);
    localparam [3:0] NONE = 0, BRANCH = 5, LOAD = 6, STORE = 7;
    reg [31:0] ram [0:511];
    integer i;
    initial begin
        for (i = 0; i < 512; i = i + 1) ram[i] = 0;
        valid = 0;
        {rd, value, result} = 0;
    end
    wire [4:0] shift = {address[1:0], 3'd0};
    wire [31:0] word = (address[11] ? SEED : ram[address[10:2]]) >> shift;
    wire [31:0] mask = (funct == 0 ? 32'hFF : funct == 1 ? 32'hFFFF : 32'hFFFFFFFF) << shift;
    always @(posedge clk) begin
        rd <= in_rd;
        valid <= in_valid && in_rd != 0 && kind != NONE && kind != BRANCH && kind != STORE;
        value <= in_value;
        if (in_valid && kind == LOAD)
            case (funct)
                0: value <= {{24{word[7]}}, word[7:0]};
                1: value <= {{16{word[15]}}, word[15:0]};
                4: value <= {24'd0, word[7:0]};
                5: value <= {16'd0, word[15:0]};
                default: value <= word;
            endcase
        if (in_valid && kind == STORE) begin
            if (address[11]) result <= data;
            else ram[address[10:2]] <= (ram[address[10:2]] & ~mask) | ((data << shift) & mask);
        end
    end
endmodule

module report (
    input clk, input valid, input [31:0] result, input [31:0] before_sum, input [31:0] before_retired,
    output reg [31:0] after_sum, output reg [31:0] after_retired
);
    reg [31:0] retired;
    initial {after_sum, after_retired, retired} = 0;
    wire [31:0] now = retired + {31'd0, valid};
    always @(posedge clk) begin
        retired <= now;
        after_retired <= before_retired + now;
        after_sum <= before_sum + result;
    end
endmodule

module core #(parameter [31:0] SEED = 1) (
    input clk, input [31:0] before_sum, input [31:0] before_retired, output [31:0] after_sum, output [31:0] after_retired,
    output [31:0] pc
);
    wire fetched, ready, other, taken, back;
    wire [31:0] word, fields_imm, ready_pc, imm, a, b, value, address, data, target, back_value, result;
    wire [3:0] fields_kind, kind;
    wire [4:0] rd, rs1, rs2, back_rd;
    wire [2:0] funct;
    fetch f (.clk(clk), .taken(taken), .target(target), .valid(fetched), .pc(pc), .word(word));
    decode d (.word(word), .kind(fields_kind), .imm(fields_imm));
    registers r (
        .clk(clk), .in_valid(fetched), .in_pc(pc), .word(word), .in_kind(fields_kind), .in_imm(fields_imm),
        .back_valid(back), .back_rd(back_rd), .back_value(back_value), .taken(taken), .valid(ready), .pc(ready_pc),
        .kind(kind), .rd(rd), .rs1(rs1), .rs2(rs2), .funct(funct), .other(other), .imm(imm), .a(a), .b(b));
    execute e (
        .valid(ready), .pc(ready_pc), .kind(kind), .rs1(rs1), .rs2(rs2), .funct(funct), .other(other), .imm(imm),
        .in_a(a), .in_b(b), .back_valid(back), .back_rd(back_rd), .back_value(back_value), .value(value),
        .address(address), .data(data), .taken(taken), .target(target));
    memory #(.SEED(SEED)) m (
        .clk(clk), .in_valid(ready), .kind(kind), .in_rd(rd), .funct(funct), .in_value(value), .address(address),
        .data(data), .valid(back), .rd(back_rd), .value(back_value), .result(result));
    report t (
        .clk(clk), .valid(ready), .result(result), .before_sum(before_sum), .before_retired(before_retired),
        .after_sum(after_sum), .after_retired(after_retired));
endmodule

module cpu #(parameter C = 1) (input clk, output [31:0] result0, output [31:0] result1, output [31:0] result2);
    wire [31:0] sum [0:C];
    wire [31:0] retired [0:C];
    wire [31:0] pc [0:C-1];
    assign sum[0] = 0;
    assign retired[0] = 0;
    genvar i;
    generate
        for (i = 0; i < C; i = i + 1) begin : cores
            core #(.SEED((i + 1) * 32'd2654435761)) c (
                .clk(clk), .before_sum(sum[i]), .before_retired(retired[i]), .after_sum(sum[i+1]),
                .after_retired(retired[i+1]), .pc(pc[i]));
        end
    endgenerate
    assign result0 = sum[C];
    assign result1 = retired[C];
    assign result2 = pc[C-1];
endmodule
