/** Implements the builtin engine's tools inside the box. */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { applyPatch } from '../edits/apply-patch.ts';
import { findPathInTree } from '../edits/resolve-path.ts';
import { runTimedCommand } from './run-command.ts';
import {
  readWorkspaceBytes,
  readWorkspaceText,
  NotThis,
  resolveWorkspacePath,
  listFiles,
  writeWorkspaceFiles,
} from './workspace-files.ts';

export type ToolRequest = { id: number; tool: string; input: Readonly<Record<string, unknown>> };
type ToolReply = {
  id: number;
  ok: boolean;
  text: string;
  files?: readonly string[];
  code?: number | null;
  digests?: readonly { path: string; before?: string | null; digest: string | null }[];
  texts?: readonly { path: string; before: string | null; after: string }[];
};
type Answer = Omit<ToolReply, 'id'>;

const MAX_TOOL_ANSWER_LENGTH = 24_000;
const LONGEST_LINE = 1_000;
const USUAL_LINES = 400;
const MOST_LISTED = 400;
const SEARCH_MS = 20_000;
const STATUS_MS = 20_000;
/** As a shell ends then. */
const COMMAND_NOT_FOUND = 127;
const MAX_DIGESTS = 5_000;
const MAX_LISTED_FILES = 40;
const MAX_TEXTS = 10;
const MAX_TEXT_BYTES = 512_000;
const MAX_TEXTS_BYTES = 4_000_000;

const toGoodAnswer = (text: string, more: Partial<Answer> = {}): Answer => ({ ok: true, text, ...more });
const textArgument = (input: ToolRequest['input'], name: string): string => {
  const value = input[name];
  return typeof value === 'string' ? value : '';
};
const numberArgument = (input: ToolRequest['input'], name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : null;
};
const cutLine = (line: string): string =>
  line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}… (${line.length} characters)`;

const seen = new Set<string>();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const digestAt = (root: string, file: string): { path: string; digest: string | null }[] => {
  if (lstatSync(path.join(root, file), { throwIfNoEntry: false }) === undefined)
    return [{ path: file, digest: null }];
  try {
    return [{ path: file, digest: sha256(readWorkspaceBytes(root, file)) }];
  } catch {
    return [];
  }
};

/** Null for what is no text, or too long to be source. */
const textAt = (root: string, file: string): string | null => {
  try {
    const bytes = readWorkspaceBytes(root, file);
    if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) return null;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};
const withinTotal = (texts: NonNullable<Answer['texts']>): NonNullable<Answer['texts']> => {
  let room = MAX_TEXTS_BYTES;
  return texts.slice(0, MAX_TEXTS).filter(({ before, after }) => {
    room -= after.length + (before?.length ?? 0);
    return room >= 0;
  });
};

const whole = (root: string, input: ToolRequest['input']): Answer => {
  const path = textArgument(input, 'path');
  const after = textAt(root, path);
  return toGoodAnswer('', after === null ? {} : { texts: [{ path, before: null, after }] });
};

const findFilesNaming = async (root: string, input: ToolRequest['input']): Promise<Answer> => {
  const skip = ['--exclude-dir=.git', '--exclude-dir=node_modules'];
  const argv = ['grep', '-rlIwF', ...skip, '-e', textArgument(input, 'name'), '--', '.'] as const;
  const { code, output } = await runTimedCommand(root, [...argv], SEARCH_MS);
  if (code !== 0) return toGoodAnswer('', { files: [] });
  const files = output.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^\.\//, '')]));
  return toGoodAnswer('', { files: files.slice(0, MAX_LISTED_FILES) });
};

const read = (root: string, input: ToolRequest['input']): Answer => {
  const name = textArgument(input, 'path');
  const bytes = readWorkspaceBytes(root, name);
  if (bytes.includes(0)) throw new NotThis(`${name} is binary (${bytes.length} bytes)`);
  const place = path.relative(root, resolveWorkspacePath(root, name));
  seen.add(place);
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const from = Math.max(1, numberArgument(input, 'from') ?? 1);
  const to = Math.min(lines.length, numberArgument(input, 'to') ?? from + USUAL_LINES - 1);
  const shown: string[] = [];
  let size = 0;
  for (const line of lines.slice(from - 1, to)) {
    const one = cutLine(line);
    size += one.length + 1;
    if (size > MAX_TOOL_ANSWER_LENGTH) break;
    shown.push(one);
  }
  const last = from + shown.length - 1;
  const head = `${name}, lines ${lines.length === 0 ? 0 : from} to ${last} of ${lines.length}:`;
  return toGoodAnswer([head, ...shown].join('\n'), { digests: [{ path: place, digest: sha256(bytes) }] });
};

const list = (root: string, input: ToolRequest['input']): Answer => {
  const from = resolveWorkspacePath(root, textArgument(input, 'path') || '.');
  const found = listFiles(
    root,
    from,
    Math.min(8, Math.max(1, numberArgument(input, 'depth') ?? 2)),
    MOST_LISTED + 1,
  );
  const more = found.length > MOST_LISTED ? ['… there are more: list a directory below'] : [];
  return toGoodAnswer([...found.slice(0, MOST_LISTED), ...more].join('\n') || 'It is empty.');
};

const search = async (root: string, input: ToolRequest['input']): Promise<Answer> => {
  const from = path.relative(root, resolveWorkspacePath(root, textArgument(input, 'path') || '.')) || '.';
  const kind = input['regex'] === true ? '-E' : '-F';
  const skip = ['--exclude-dir=.git', '--exclude-dir=node_modules'];
  const argv = [
    'grep',
    '-rnI',
    kind,
    ...skip,
    '-m',
    '40',
    '-e',
    textArgument(input, 'pattern'),
    '--',
    from,
  ] as const;
  const { code, output, timedOut } = await runTimedCommand(root, [...argv], SEARCH_MS);
  if (timedOut) throw new NotThis('the search took longer than 20 s: search in a directory below');
  if (code === 1) return toGoodAnswer('Nothing was found.');
  if (code !== 0) throw new NotThis(`grep: ${output.slice(0, 500)}`);
  return toGoodAnswer(output.split('\n').map(cutLine).join('\n').slice(0, MAX_TOOL_ANSWER_LENGTH));
};

const patch = (root: string, input: ToolRequest['input']): Answer => {
  const shielded = new Set(Array.isArray(input['protects']) ? input['protects'].map(String) : []);
  const usual = textArgument(input, 'path') || null;
  const fitted = applyPatch(
    textArgument(input, 'patch'),
    {
      root,
      read: (relative) =>
        shielded.has(relative)
          ? {
              kind: 'refused',
              why: `${relative} has changes of a person that are not committed: leave it as it is`,
            }
          : readWorkspaceText(root, relative),
      files: () => listFiles(root, root, 30),
      seen: () => [...seen],
    },
    usual,
  );
  if (fitted.kind === 'wrong') return { ok: false, text: fitted.says };
  const files = fitted.writes.map((write) => write.path);
  if (files.length === 0) return toGoodAnswer(['Nothing changes.', ...fitted.notes].join('\n'), { files });
  if (input['dry'] === true) return toGoodAnswer(`It fits: ${files.join(', ')}`, { files });
  const before = new Map(files.flatMap((file) => digestAt(root, file)).map((one) => [one.path, one.digest]));
  const earlier = new Map(files.map((file) => [file, textAt(root, file)]));
  writeWorkspaceFiles(root, fitted.writes);
  for (const file of files) seen.add(file);
  const digests = fitted.writes.map(({ path: file, bytes }) => ({
    path: file,
    before: before.get(file) ?? null,
    digest: bytes === null ? null : sha256(bytes),
  }));
  const texts = files.flatMap((file) => {
    const after = textAt(root, file);
    return after === null ? [] : [{ path: file, before: earlier.get(file) ?? null, after }];
  });
  return toGoodAnswer([`Written: ${files.join(', ')}`, ...fitted.notes].join('\n'), {
    files,
    digests,
    texts: withinTotal(texts),
  });
};

const run = async (root: string, input: ToolRequest['input']): Promise<Answer> => {
  const seconds = Math.min(1_200, Math.max(1, numberArgument(input, 'seconds') ?? 120));
  const { code, output, timedOut } = await runTimedCommand(
    root,
    ['sh', '-c', textArgument(input, 'command')],
    seconds * 1_000,
  );
  const how = timedOut ? `It was stopped after ${seconds} s.` : `Exit code ${code ?? 'none'}.`;
  return { ok: code === 0, text: `${output}\n${how}`.trimStart(), code };
};

const stateOf = (root: string, file: string): string => {
  const there = lstatSync(path.join(root, file), { throwIfNoEntry: false });
  return there === undefined ? 'gone' : `${there.mtimeMs} ${there.size} ${there.mode}`;
};

/** The text is stable while the files do not change. */
const listChangedFiles = async (root: string, input: ToolRequest['input']): Promise<Answer> => {
  const git = ['git', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', 'status'] as const;
  const { code, output, timedOut } = await runTimedCommand(
    root,
    [...git, '--porcelain', '--untracked-files=all', '--no-renames', '-z'],
    STATUS_MS,
  );
  if (code === null && !timedOut) return { ok: false, text: 'git is missing.', code: COMMAND_NOT_FOUND };
  if (code !== 0) return { ok: false, text: 'This is no repository of git.' };
  const files = output.split('\0').flatMap((entry) => (entry.length > 3 ? [entry.slice(3)] : []));
  const states = files.map((file) => `${file}\0${stateOf(root, file)}`).join('\0');
  const also = Array.isArray(input['also']) ? input['also'].map(String) : [];
  const digests = [...new Set([...files, ...also])]
    .slice(0, MAX_DIGESTS)
    .flatMap((file) => (findPathInTree(file, root) === null ? [] : digestAt(root, file)));
  return toGoodAnswer(sha256(Buffer.from(states)), { files, digests });
};

const TOOL_HANDLERS: Readonly<
  Record<string, (root: string, input: ToolRequest['input']) => Answer | Promise<Answer>>
> = {
  read,
  whole,
  named: findFilesNaming,
  list,
  search,
  patch,
  run,
  changed: listChangedFiles,
};

export const runTool = async (root: string, { id, tool, input }: ToolRequest): Promise<ToolReply> => {
  try {
    const done = await TOOL_HANDLERS[tool]?.(root, input);
    return { id, ...(done ?? { ok: false, text: `There is no tool ${tool}.` }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { id, ok: false, text: error instanceof NotThis ? `${why}.` : `It failed: ${why}` };
  }
};
