/**
 * Assembles a filter of system calls: classic BPF over `struct seccomp_data`, in the bytes of
 * `struct sock_filter` that the kernel takes (linux/filter.h, linux/seccomp.h).
 */

type Field = 'number' | 'architecture' | 'argument 0';
type Comparison = '=' | '>=' | 'any of';
/** A jump goes forward to a label; otherwise the next line follows. */
export type FilterLine =
  | readonly ['load', Field]
  | readonly ['if' | 'unless', Comparison, number, string]
  | readonly ['label', string]
  | readonly ['return', number];

/** Both processors are little-endian, so an argument begins with its low half. */
const OFFSETS: Readonly<Record<Field, number>> = { number: 0, architecture: 4, 'argument 0': 16 };
const LOAD_WORD = 0x20;
const RETURN = 0x06;
const JUMPS: Readonly<Record<Comparison, number>> = { '=': 0x15, '>=': 0x35, 'any of': 0x45 };
const INSTRUCTION_BYTES = 8;
const MAX_JUMP = 255;

type Instruction = { code: number; onTrue: number; onFalse: number; value: number };

const placesOf = (lines: readonly FilterLine[]): Map<string, number> => {
  const places = new Map<string, number>();
  let at = 0;
  for (const [kind, name] of lines) {
    if (kind === 'label') places.set(name, at);
    else at += 1;
  }
  return places;
};

const toInstruction = (
  line: Exclude<FilterLine, readonly ['label', string]>,
  distanceTo: (label: string) => number,
): Instruction => {
  switch (line[0]) {
    case 'load':
      return { code: LOAD_WORD, onTrue: 0, onFalse: 0, value: OFFSETS[line[1]] };
    case 'return':
      return { code: RETURN, onTrue: 0, onFalse: 0, value: line[1] };
    case 'if':
      return { code: JUMPS[line[1]], onTrue: distanceTo(line[3]), onFalse: 0, value: line[2] };
    case 'unless':
      return { code: JUMPS[line[1]], onTrue: 0, onFalse: distanceTo(line[3]), value: line[2] };
  }
};

/** Throws if a label is missing, behind its jump, or too far away. */
export const assembleSeccompFilter = (lines: readonly FilterLine[]): Uint8Array => {
  const places = placesOf(lines);
  const code = lines.filter((line) => line[0] !== 'label');
  const bytes = Buffer.alloc(code.length * INSTRUCTION_BYTES);
  for (const [at, line] of code.entries()) {
    const distanceTo = (label: string): number => {
      const distance = (places.get(label) ?? -1) - at - 1;
      if (distance < 0 || distance > MAX_JUMP) throw new Error(`The filter cannot jump to ${label}.`);
      return distance;
    };
    const { code: operation, onTrue, onFalse, value } = toInstruction(line, distanceTo);
    const start = at * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(operation, start);
    bytes.writeUInt8(onTrue, start + 2);
    bytes.writeUInt8(onFalse, start + 3);
    bytes.writeUInt32LE(value >>> 0, start + 4);
  }
  return bytes;
};
