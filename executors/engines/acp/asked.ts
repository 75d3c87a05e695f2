/**
 * E10: what an agent asks to be allowed to do, by what it would hand to its tool. Its title is words
 * of the model, and counts for nothing.
 */
import path from 'node:path';
import { z } from 'zod';
import { canonical } from '../../../orchestrator/core/seal.ts';
import type { PermissionRequest } from '../../../orchestrator/ports.ts';

const Input = z.record(z.string(), z.unknown());
const Call = z.object({
  toolCallId: z.string(),
  kind: z.string().max(40).nullish().catch(null),
  rawInput: Input.nullish().catch(null),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
});
const Option = z.object({ optionId: z.string(), kind: z.string() });
export const Requested = z.object({ toolCall: Call, options: z.array(z.unknown()).catch([]) });
export type Requested = z.infer<typeof Requested>;

/** Members that say where a tool works, and members that name what it works on. */
const PLACES = ['cwd', 'workdir', 'directory', 'dir'];
const FILES = /^(?:file_?path|path|absolute_?path|old_?path|new_?path|source|destination|target)$/i;
/** How long a command may take, and whether it is waited for: what it does is the same. */
const MANNER = ['timeout', 'is_background', 'run_in_background'];

/** Relative to the workspace; null outside of it. */
const inside = (workspace: string, file: string): string | null => {
  const relative = path.relative(workspace, path.resolve(workspace, file));
  return relative === '..' || relative.startsWith('../') || path.isAbsolute(relative) ? null : relative;
};

/** The input without what is only said, and without the workspace where a tool works there anyway. */
const essential = (
  input: Readonly<Record<string, unknown>>,
  workspace: string,
  says: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      if (says.includes(name) && typeof value === 'string') return [];
      const place = PLACES.includes(name) && typeof value === 'string' ? inside(workspace, value) : null;
      if (place === null) return [[name, value]];
      return place === '' ? [] : [[name, place]];
    }),
  );

/** The command, where there is nothing else to it; it works in the workspace itself. */
const commandIn = (input: Readonly<Record<string, unknown>>): string | null => {
  const { command, ...rest } = input;
  const alone = Object.keys(rest).every((name) => MANNER.includes(name));
  return typeof command === 'string' && alone ? command : null;
};

/** Files of the workspace that it is about; null where it names none, or others. */
const filesIn = (
  input: Readonly<Record<string, unknown>>,
  { locations }: Requested['toolCall'],
  workspace: string,
): string[] | null => {
  const named = Object.entries(input).flatMap(([name, value]) =>
    FILES.test(name) && typeof value === 'string' ? [value] : [],
  );
  const all = [...named, ...(locations ?? []).map((one) => one.path)];
  const files = all.map((file) => inside(workspace, file));
  const fit = files.every((file) => file !== null && file !== '' && !file.startsWith('.git/'));
  return named.length > 0 && fit ? files.map(String) : null;
};

/** `known` is what was told of the call before it was asked about. */
export const requestOf = (
  { toolCall }: Requested,
  known: Readonly<Record<string, unknown>>,
  workspace: string,
  says: readonly string[],
): PermissionRequest => {
  const input = essential({ ...known, ...toolCall.rawInput }, workspace, says);
  return {
    tool: toolCall.kind ?? 'other',
    input: canonical(input),
    command: commandIn(input),
    files: 'command' in input ? null : filesIn(input, toolCall, workspace),
  };
};

const optionsIn = (asked: Requested): z.infer<typeof Option>[] =>
  asked.options.flatMap((one) => Option.safeParse(one).data ?? []);

/** The first of a kind. What would allow more than this once is never chosen. */
export const optionFor = (asked: Requested, allows: boolean): string | null => {
  // guard: E10-allow-once-alone
  const kind = allows ? 'allow_once' : 'reject_once';
  return optionsIn(asked).find((option) => option.kind === kind)?.optionId ?? null;
};
