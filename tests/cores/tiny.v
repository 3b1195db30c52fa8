// RV32I without interrupts and status registers, three cycles an instruction and a few more for loads and stores: what the ladder runs where
// nothing can be fetched.
module tiny (
    input clk, input rst,
    output cyc, output [31:0] adr, output we, output reg [3:0] sel, output reg [31:0] dat, input ack, input [31:0] rdt);

    localparam [1:0] FETCH = 0, READ = 1, EXECUTE = 2, ACCESS = 3;
    localparam [6:0] LUI = 7'h37, AUIPC = 7'h17, JAL = 7'h6f, JALR = 7'h67, BRANCH = 7'h63, LOAD = 7'h03, STORE = 7'h23, OP = 7'h33, OPI = 7'h13;

    reg [1:0] state;
    reg [31:0] pc, insn, x, y, address;
    reg [31:0] registers [0:31];

    wire [6:0] opcode = insn[6:0];
    wire [2:0] kind = insn[14:12];
    wire [31:0] immediate = opcode == LUI || opcode == AUIPC ? {insn[31:12], 12'd0}
        : opcode == JAL ? {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0}
        : opcode == BRANCH ? {{20{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0}
        : opcode == STORE ? {{21{insn[31]}}, insn[30:25], insn[11:7]} : {{21{insn[31]}}, insn[30:20]};

    wire [31:0] operand = opcode == OP ? y : immediate;
    wire less = $signed(x) < $signed(operand);
    reg [31:0] computed;
    always @*
        case (kind)
            0: computed = opcode == OP && insn[30] ? x - operand : x + operand;
            1: computed = x << operand[4:0];
            2: computed = {31'd0, less};
            3: computed = {31'd0, x < operand};
            4: computed = x ^ operand;
            5: computed = insn[30] ? $signed(x) >>> operand[4:0] : x >> operand[4:0];
            6: computed = x | operand;
            default: computed = x & operand;
        endcase

    wire smaller = kind[1] ? x < y : $signed(x) < $signed(y);
    wire taken = (kind[2] ? smaller : x == y) ^ kind[0];
    wire [31:0] following = opcode == JAL || (opcode == BRANCH && taken) ? pc + immediate
        : opcode == JALR ? (x + immediate) & ~32'd1 : pc + 32'd4;

    wire [31:0] result = opcode == LUI ? immediate : opcode == AUIPC ? pc + immediate
        : opcode == JAL || opcode == JALR ? pc + 32'd4 : computed;
    wire [31:0] shifted = rdt >> {address[1:0], 3'd0};
    wire [31:0] loaded = kind == 0 ? {{24{shifted[7]}}, shifted[7:0]} : kind == 1 ? {{16{shifted[15]}}, shifted[15:0]}
        : kind == 4 ? {24'd0, shifted[7:0]} : kind == 5 ? {16'd0, shifted[15:0]} : shifted;

    assign cyc = state == FETCH || state == ACCESS;
    assign adr = state == FETCH ? pc : address;
    assign we = state == ACCESS && opcode == STORE;

    wire writes = state == EXECUTE && (opcode == OP || opcode == OPI || opcode == LUI || opcode == AUIPC || opcode == JAL || opcode == JALR);
    wire reads = state == ACCESS && ack && opcode == LOAD;

    always @(posedge clk) begin
        if ((writes || reads) && insn[11:7] != 0)
            registers[insn[11:7]] <= reads ? loaded : result;
        case (state)
            FETCH: if (ack) begin
                insn <= rdt;
                state <= READ;
            end
            READ: begin
                x <= insn[19:15] == 0 ? 32'd0 : registers[insn[19:15]];
                y <= insn[24:20] == 0 ? 32'd0 : registers[insn[24:20]];
                state <= EXECUTE;
            end
            EXECUTE: begin
                pc <= following;
                address <= x + immediate;
                sel <= (kind[1] ? 4'd15 : kind[0] ? 4'd3 : 4'd1) << (x[1:0] + immediate[1:0]);
                dat <= kind[1] ? y : kind[0] ? {2{y[15:0]}} : {4{y[7:0]}};
                state <= opcode == LOAD || opcode == STORE ? ACCESS : FETCH;
            end
            ACCESS: if (ack) state <= FETCH;
        endcase
        if (rst) begin
            state <= FETCH;
            pc <= 0;
        end
    end
endmodule
