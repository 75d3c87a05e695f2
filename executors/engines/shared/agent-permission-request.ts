/** Describes a permission request by its tool input, never by the model's words (E10). */
import path from 'node:path';
import { canonicalJson } from '#model/seal';
import type { PermissionRequest } from '#ports/processes';

type Input = Readonly<Record<string, unknown>>;

const LOCATION_ARGUMENTS = ['cwd', 'workdir', 'directory', 'dir'];
const PATH_ARGUMENT =
  /^(?:file_?path|notebook_?path|path|absolute_?path|old_?path|new_?path|source|destination|target)$/i;
/** These fields do not change the effect of a command. */
const TIMING_ARGUMENTS = ['timeout', 'is_background', 'run_in_background'];

const findInsidePath = (workspace: string, file: string): string | null => {
  const relative = path.relative(workspace, path.resolve(workspace, file));
  return relative === '..' || relative.startsWith('../') || path.isAbsolute(relative) ? null : relative;
};

const onlySays = (value: unknown, { command }: Input): boolean =>
  typeof value === 'string' ||
  (Array.isArray(value) &&
    typeof command === 'string' &&
    value.every((part) => typeof part === 'string' && command.includes(part)));

const selectEssentials = (
  input: Input,
  workspace: string,
  says: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      if (says.includes(name) && onlySays(value, input)) return [];
      const place =
        LOCATION_ARGUMENTS.includes(name) && typeof value === 'string'
          ? findInsidePath(workspace, value)
          : null;
      if (place === null) return [[name, value]];
      return place === '' ? [] : [[name, place]];
    }),
  );

const commandIn = (input: Input): string | null => {
  const { command, ...rest } = input;
  const alone = Object.keys(rest).every((name) => TIMING_ARGUMENTS.includes(name));
  return typeof command === 'string' && alone ? command : null;
};

/** Relative to the workspace; null if one of them is not a file inside. */
export const findFilesInside = (all: readonly string[], workspace: string): string[] | null => {
  const files = all.map((file) => findInsidePath(workspace, file));
  const fit = files.every((file) => file !== null && file !== '' && !file.startsWith('.git/'));
  return fit ? files.map(String) : null;
};

const filesIn = (input: Input, locations: readonly string[], workspace: string): string[] | null => {
  const named = Object.entries(input).flatMap(([name, value]) =>
    PATH_ARGUMENT.test(name) && typeof value === 'string' ? [value] : [],
  );
  return named.length > 0 ? findFilesInside([...named, ...locations], workspace) : null;
};

type AskedCall = {
  /** Tool kind, as in the Agent Client Protocol. */
  tool: string;
  input: Input;
  locations?: readonly string[];
};

/** Descriptive fields are in `says`. */
export const createPermissionRequest = (
  { tool, input: whole, locations = [] }: AskedCall,
  workspace: string,
  says: readonly string[],
): PermissionRequest => {
  const input = selectEssentials(whole, workspace, says);
  return {
    tool,
    input: canonicalJson(input),
    command: commandIn(input),
    files: 'command' in input ? null : filesIn(input, locations, workspace),
  };
};
