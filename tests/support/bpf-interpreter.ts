/** Runs a filter of system calls as the kernel does (Documentation/networking/filter.rst). */

export type SystemCall = { architecture: number; number: number; argument?: bigint };

const [LOAD, RETURN, EQUAL, AT_LEAST, ANY_OF] = [0x20, 0x06, 0x15, 0x35, 0x45];

/** `struct seccomp_data`: number, architecture, instruction pointer, six arguments. */
const dataOf = ({ architecture, number, argument = 0n }: SystemCall): Buffer => {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(architecture, 4);
  data.writeBigUInt64LE(BigInt.asUintN(64, argument), 16);
  return data;
};

/** Throws where the kernel would refuse the program. */
export const runFilter = (program: Uint8Array, call: SystemCall): number => {
  const code = Buffer.from(program);
  const count = code.length / 8;
  if (!Number.isInteger(count) || count === 0 || count > 4096) throw new Error('not a program');
  const data = dataOf(call);
  let accumulator = 0;
  let at = 0;
  for (;;) {
    if (at >= count) throw new Error('the program runs past its end');
    const operation = code.readUInt16LE(at * 8);
    const [onTrue, onFalse] = [code.readUInt8(at * 8 + 2), code.readUInt8(at * 8 + 3)];
    const value = code.readUInt32LE(at * 8 + 4);
    at += 1;
    const jump = (isTrue: boolean): void => void (at += isTrue ? onTrue : onFalse);
    if (operation === RETURN) return value;
    else if (operation === LOAD && value % 4 === 0) accumulator = data.readUInt32LE(value);
    else if (operation === EQUAL) jump(accumulator === value);
    else if (operation === AT_LEAST) jump(accumulator >= value);
    else if (operation === ANY_OF) jump((accumulator & value) !== 0);
    else throw new Error(`an instruction that the kernel refuses: ${operation}`);
  }
};

/** Whether each jump of the program ends inside it, taken or not, and its last line returns. */
export const isWellFormed = (program: Uint8Array): boolean => {
  const code = Buffer.from(program);
  const count = code.length / 8;
  return (
    code.readUInt16LE((count - 1) * 8) === RETURN &&
    Array.from({ length: count }, (_, at) => at).every((at) => {
      if (![EQUAL, AT_LEAST, ANY_OF].includes(code.readUInt16LE(at * 8))) return true;
      return at + 1 + Math.max(code.readUInt8(at * 8 + 2), code.readUInt8(at * 8 + 3)) < count;
    })
  );
};
