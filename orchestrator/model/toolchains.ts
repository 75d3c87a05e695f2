/** E15: toolchains: their programs, usual places, and how to get them. */
import { z } from 'zod';
import rows from './toolchains.json' with { type: 'json' };

/** A folder of programs below a home, and the variable that locates it. */
const ToolPlace = z.strictObject({
  /** Path below the home; a last part of `*` matches anything. */
  at: z.string(),
  /** Only these parts are exposed: others may hold credentials. */
  parts: z.array(z.string()).optional(),
  variable: z.string().optional(),
  /** The program writes there, so a run gets its own folder. */
  written: z.literal(true).optional(),
});
export type ToolPlace = Readonly<z.infer<typeof ToolPlace>>;

const Toolchain = z.strictObject({
  /** Name in a contract, and programs that come with it. */
  programs: z.array(z.string()),
  asks: z.string().optional(),
  get: z.array(z.string()),
  places: z.array(ToolPlace).optional(),
  /** Variables in its box; `~` is the run's HOME. The operator's come first. */
  env: z.record(z.string(), z.string()).optional(),
  about: z.string().optional(),
});
type Toolchain = z.infer<typeof Toolchain>;

const TOOLCHAIN_ROWS: readonly (readonly [string, Toolchain])[] = Object.entries(
  z.record(z.string(), Toolchain).parse(rows),
);

export const toolchainOf = (program: string): (Toolchain & { name: string }) | null => {
  const plain = program.replace(/^(python|pip|clang|gcc|php|ruby)-?\d[\d.]*$/, '$1');
  const row =
    TOOLCHAIN_ROWS.find(([name]) => name === plain) ??
    TOOLCHAIN_ROWS.find(([, { programs }]) => programs.includes(plain));
  return row ? { name: row[0], ...row[1] } : null;
};

export const isKnownProgram = (program: string): boolean => toolchainOf(program) !== null;
export const everyProgram = (): string[] => TOOLCHAIN_ROWS.flatMap(([, { programs }]) => [...programs]);
export const everyToolchain = (): readonly (readonly [string, Toolchain])[] => TOOLCHAIN_ROWS;

export const versionCommand = (program: string): string => {
  const row = toolchainOf(program);
  const asks =
    row?.programs[0] === program || row?.name === program ? (row.asks ?? '--version') : '--version';
  return `${program} ${asks}`;
};
