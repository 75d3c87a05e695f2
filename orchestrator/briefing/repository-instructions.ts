/** Selects a repository's instructions to agents, for engines that do not read them (P5). */

const INSTRUCTION_FILE_NAMES: readonly RegExp[] = [
  /^(?:.*\/)?AGENTS(?:\.override)?\.md$/,
  /^(?:.*\/)?(?:\.claude\/)?CLAUDE\.md$/,
  /^(?:.*\/)?(?:GEMINI|QWEN)\.md$/,
  /^\.github\/(?:copilot-instructions\.md|instructions\/(?:.*\/)?[^/]+\.instructions\.md)$/,
];
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|third_party|testdata|fixtures)\//;

export const MAX_INSTRUCTIONS_LENGTH = 16_000;
const MAX_FILE_LENGTH = 8_000;
const MAX_INSTRUCTION_FILES = 12;

/** The path appears in a heading, so it must be plain. */
const PLAIN_PATH = /^[\w.@+/-]{1,160}$/;

const isInstructions = (path: string): boolean =>
  !FOREIGN.test(path) && PLAIN_PATH.test(path) && INSTRUCTION_FILE_NAMES.some((name) => name.test(path));
const isRead = (path: string, reads: readonly string[]): boolean =>
  reads.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
const depthOf = (path: string): number => path.split('/').length;

/** Files that the engine does not read itself, the root's first. */
export const instructionPaths = (paths: readonly string[], reads: readonly string[]): string[] =>
  paths
    .filter((path) => isInstructions(path) && !isRead(path, reads))
    .sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));

type AgentInstructions = {
  files: { path: string; text: string }[];
  cut: string[];
};

/** Equal texts appear once: one is often a link to the other. */
export const instructionsFrom = (
  paths: readonly string[],
  read: (path: string) => string | null,
): AgentInstructions => {
  const files: AgentInstructions['files'] = [];
  const cut: string[] = [];
  let left = MAX_INSTRUCTIONS_LENGTH;
  for (const path of paths) {
    const text = read(path)?.replace(/\r\n?/g, '\n').trim() ?? '';
    if (text === '' || files.some((one) => one.text === text)) continue;
    const room = files.length < MAX_INSTRUCTION_FILES ? Math.min(left, MAX_FILE_LENGTH) : 0;
    if (text.length > room) cut.push(path);
    if (room === 0) continue;
    files.push({ path, text: text.slice(0, room).toWellFormed() });
    left -= Math.min(text.length, room);
  }
  return { files, cut };
};
