# The program of cpu.sme: the primes below 1,024 by the sieve of Eratosthenes, a byte each, then the CRC-32 of those bytes, the
# seed and the number of the round, by half bytes; without end. Address 2048 reads as the core's seed; what is stored there is
# its result: how many primes, then the CRC of each byte so far, at last that of the round.
# Memory: 0 flags, 1024 seed, 1028 round, 1088 table of 16 words.

start:  li   s0, 2048
        li   s1, 0                  # round
        li   s2, 0xEDB88320
        li   s3, 1024
        li   s4, 1032
        li   s5, 16
        li   t0, 0
table:  addi t1, t0, 0
        li   t2, 4
bit:    andi t3, t1, 1
        sub  t3, zero, t3
        and  t3, t3, s2
        srli t1, t1, 1
        xor  t1, t1, t3
        addi t2, t2, -1
        bne  t2, zero, bit
        slli t3, t0, 2
        sw   t1, 1088(t3)
        addi t0, t0, 1
        bne  t0, s5, table

round:  li   t0, 0x01010101         # every number may be a prime,
        li   t1, 0
fill:   sw   t0, 0(t1)
        addi t1, t1, 4
        bltu t1, s3, fill
        sh   zero, 0(zero)          # but 0 and 1
        li   t0, 2                  # i
        li   t1, 4                  # i * i
sieve:  lbu  t2, 0(t0)
        beq  t2, zero, next
        addi t3, t1, 0
strike: sb   zero, 0(t3)
        add  t3, t3, t0
        bltu t3, s3, strike
next:   add  t1, t1, t0
        addi t0, t0, 1
        add  t1, t1, t0
        bltu t1, s3, sieve

        li   t0, 0
        li   t1, 0
count:  lb   t2, 0(t0)
        add  t1, t1, t2
        addi t0, t0, 1
        bltu t0, s3, count
        sw   t1, 0(s0)

        lw   t0, 0(s0)
        sw   t0, 1024(zero)
        sw   s1, 1028(zero)
        li   a0, -1
        li   t0, 0
crc:    lbu  t1, 0(t0)
        xor  a0, a0, t1
        jal  ra, half
        jal  ra, half
        sw   a0, 0(s0)
        addi t0, t0, 1
        bltu t0, s4, crc
        xori a0, a0, -1
        sw   a0, 0(s0)
        addi s1, s1, 1
        jal  zero, round

half:   andi t1, a0, 15
        slli t1, t1, 2
        lw   t1, 1088(t1)
        srli a0, a0, 4
        xor  a0, a0, t1
        jalr zero, 0(ra)
