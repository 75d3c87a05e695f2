/**
 * E10: what an agent asks to be allowed to do, by what it would hand to its tool. Its title is words
 * of the model, and counts for nothing.
 */
import path from 'node:path';
import { canonicalJson } from '../../../orchestrator/core/seal.ts';
import type { PermissionRequest } from '../../../orchestrator/ports.ts';

type Input = Readonly<Record<string, unknown>>;

/** Members that say where a tool works, and members that name what it works on. */
const LOCATION_ARGUMENTS = ['cwd', 'workdir', 'directory', 'dir'];
const PATH_ARGUMENT =
  /^(?:file_?path|notebook_?path|path|absolute_?path|old_?path|new_?path|source|destination|target)$/i;
/** How long a command may take, and whether it is waited for: what it does is the same. */
const TIMING_ARGUMENTS = ['timeout', 'is_background', 'run_in_background'];

/** Relative to the workspace; null outside of it. */
const inside = (workspace: string, file: string): string | null => {
  const relative = path.relative(workspace, path.resolve(workspace, file));
  return relative === '..' || relative.startsWith('../') || path.isAbsolute(relative) ? null : relative;
};

/** Words of the model; or parts of the command itself, once more. */
const onlySays = (value: unknown, { command }: Input): boolean =>
  typeof value === 'string' ||
  (Array.isArray(value) &&
    typeof command === 'string' &&
    value.every((part) => typeof part === 'string' && command.includes(part)));

/** The input without what is only said, and without the workspace where a tool works there anyway. */
const essential = (input: Input, workspace: string, says: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      if (says.includes(name) && onlySays(value, input)) return [];
      const place =
        LOCATION_ARGUMENTS.includes(name) && typeof value === 'string' ? inside(workspace, value) : null;
      if (place === null) return [[name, value]];
      return place === '' ? [] : [[name, place]];
    }),
  );

/** The command, where there is nothing else to it; it works in the workspace itself. */
const commandIn = (input: Input): string | null => {
  const { command, ...rest } = input;
  const alone = Object.keys(rest).every((name) => TIMING_ARGUMENTS.includes(name));
  return typeof command === 'string' && alone ? command : null;
};

/** Files of the workspace that it is about; null where it names none, or others. */
const filesIn = (input: Input, locations: readonly string[], workspace: string): string[] | null => {
  const named = Object.entries(input).flatMap(([name, value]) =>
    PATH_ARGUMENT.test(name) && typeof value === 'string' ? [value] : [],
  );
  const all = [...named, ...locations];
  const files = all.map((file) => inside(workspace, file));
  const fit = files.every((file) => file !== null && file !== '' && !file.startsWith('.git/'));
  return named.length > 0 && fit ? files.map(String) : null;
};

export type AskedCall = {
  /** The kind of tool, by the names of the Agent Client Protocol. */
  tool: string;
  input: Input;
  /** Files that are named beside the input. */
  locations?: readonly string[];
};

/** `says` names members that only say what it is for. */
export const agentPermissionRequest = (
  { tool, input: whole, locations = [] }: AskedCall,
  workspace: string,
  says: readonly string[],
): PermissionRequest => {
  const input = essential(whole, workspace, says);
  return {
    tool,
    input: canonicalJson(input),
    command: commandIn(input),
    files: 'command' in input ? null : filesIn(input, locations, workspace),
  };
};
