/** Counts what a repository holds for coding agents, all of which is set aside while one works (E11). */
import { REPOSITORY_SETTINGS, type AgentSettingsCount } from '#model/settings';
import { hasMoreJsonValues } from '#model/values';

type ReadFile = (path: string) => string | null;

const SERVER_FILES = ['.mcp.json', 'mcp.json', '.cursor/mcp.json', '.gemini/settings.json', 'opencode.json'];
const HOOK_FILES = ['.claude/settings.json', '.codex/hooks.json', '.cursor/hooks.json'];
/** Such a file is read only to be counted. */
export const AGENT_SETTINGS_FILES: readonly string[] = [...SERVER_FILES, ...HOOK_FILES];

const MAX_JSON_LENGTH = 64_000;
const MAX_JSON_VALUES = 5_000;

const sizeIn = (text: string | null, names: readonly string[]): number => {
  if (text === null || text.length > MAX_JSON_LENGTH) return 0;
  if (hasMoreJsonValues(Buffer.from(text), MAX_JSON_VALUES)) return 0;
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    // Unreadable settings configure nothing, and are set aside all the same.
    return 0;
  }
  const entries = typeof root === 'object' && root !== null ? Object.entries(root) : [];
  return entries.reduce((sum, [name, value]: [string, unknown]) => {
    if (!names.includes(name) || typeof value !== 'object' || value === null) return sum;
    return sum + Object.keys(value).length;
  }, 0);
};

/** Null where there is nothing. */
export const countAgentSettings = (paths: readonly string[], read: ReadFile): AgentSettingsCount | null => {
  const settings: readonly string[] = REPOSITORY_SETTINGS;
  const aside = paths.filter((path) => settings.includes(path.split('/', 1)[0] ?? ''));
  if (aside.length === 0) return null;
  const countMatches = (pattern: RegExp): number => aside.filter((path) => pattern.test(path)).length;
  const inFiles = (files: readonly string[], ...names: string[]): number =>
    files.reduce((sum, file) => sum + (aside.includes(file) ? sizeIn(read(file), names) : 0), 0);
  const hooks = inFiles(HOOK_FILES, 'hooks') + countMatches(/\/hooks\/[^/]+$/);
  const servers = inFiles(SERVER_FILES, 'mcpServers', 'servers', 'mcp');
  const skills = countMatches(/\/skills\/[^/]+\/SKILL\.md$/);
  const plugins = countMatches(/\/plugins?\/[^/]+(?:\/plugin\.json)?$/);
  return { hooks, servers, skills, plugins, files: aside.length };
};
