#!/usr/bin/env python3
"""Assembles RV32I: cpu.py cpu.s cpu.hex. One instruction a line, after an optional label; the only pseudo-instruction is li."""
import re
import sys

NAMES = ['zero', 'ra', 'sp', 'gp', 'tp', 't0', 't1', 't2', 's0', 's1', *(f'a{i}' for i in range(8)),
         *(f's{i}' for i in range(2, 12)), *(f't{i}' for i in range(3, 7))]
REGISTERS = {name: i for i, name in enumerate(NAMES)} | {f'x{i}': i for i in range(32)}
ALU = {'add': 0, 'sub': 0, 'sll': 1, 'slt': 2, 'sltu': 3, 'xor': 4, 'srl': 5, 'sra': 5, 'or': 6, 'and': 7}
BRANCHES = {'beq': 0, 'bne': 1, 'blt': 4, 'bge': 5, 'bltu': 6, 'bgeu': 7}
LOADS = {'lb': 0, 'lh': 1, 'lw': 2, 'lbu': 4, 'lhu': 5}
STORES = {'sb': 0, 'sh': 1, 'sw': 2}


def bits(value, high, low=0):
    return value >> low & (1 << high - low + 1) - 1


def expand(name, operands):
    """li becomes one instruction or two; everything else stays."""
    if name != 'li':
        return [(name, operands)]
    value = int(operands[1], 0)
    value = (value + 2**31) % 2**32 - 2**31
    low = (value + 2048) % 4096 - 2048
    if value == low:
        return [('addi', [operands[0], 'zero', str(value)])]
    return [('lui', [operands[0], str(bits(value - low, 31, 12))])] + (
        [('addi', [operands[0], operands[0], str(low)])] if low else [])


def encode(name, operands, here, labels):
    def register(i):
        return REGISTERS[operands[i]]

    def number(i):
        return labels[operands[i]] - here if operands[i] in labels else int(operands[i], 0)

    if name in ('lui', 'auipc'):
        return number(1) << 12 | register(0) << 7 | (0x37 if name == 'lui' else 0x17)
    if name == 'jal':
        to = number(1)
        return (bits(to, 20, 20) << 31 | bits(to, 10, 1) << 21 | bits(to, 11, 11) << 20 | bits(to, 19, 12) << 12
                | register(0) << 7 | 0x6F)
    if name in BRANCHES:
        to = number(2)
        return (bits(to, 12, 12) << 31 | bits(to, 10, 5) << 25 | register(1) << 20 | register(0) << 15
                | BRANCHES[name] << 12 | bits(to, 4, 1) << 8 | bits(to, 11, 11) << 7 | 0x63)
    if name in LOADS or name == 'jalr':
        funct, opcode = (LOADS[name], 0x03) if name in LOADS else (0, 0x67)
        return bits(number(1), 11) << 20 | register(2) << 15 | funct << 12 | register(0) << 7 | opcode
    if name in STORES:
        offset = number(1)
        return (bits(offset, 11, 5) << 25 | register(0) << 20 | register(2) << 15 | STORES[name] << 12
                | bits(offset, 4) << 7 | 0x23)
    if name in ALU:
        return ((name in ('sub', 'sra')) << 30 | register(2) << 20 | register(1) << 15 | ALU[name] << 12
                | register(0) << 7 | 0x33)
    base = name[:-2] + 'u' if name.endswith('iu') else name.removesuffix('i')
    return ((name == 'srai') << 30 | bits(number(2), 11) << 20 | register(1) << 15 | ALU[base] << 12
            | register(0) << 7 | 0x13)


def assemble(text):
    labels, program = {}, []
    for line in text.splitlines():
        label, rest = re.fullmatch(r'(?:(\w+):)?\s*([^#]*?)\s*(?:#.*)?', line).groups()
        if label:
            labels[label] = 4 * len(program)
        if rest:
            name, *operands = re.split(r'[\s,()]+', rest.removesuffix(')'))
            program += expand(name, operands)
    return [encode(*instruction, 4 * i, labels) for i, instruction in enumerate(program)]


if __name__ == '__main__':
    with open(sys.argv[1]) as source, open(sys.argv[2], 'w') as target:
        target.writelines(f'{word:08x}\n' for word in assemble(source.read()))
