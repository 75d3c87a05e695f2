/** Files of a repository that make coding agents load or run something; set aside while one works (E11). */
import { z } from 'zod';

export const REPOSITORY_SETTINGS = [
  ...[
    '.claude',
    '.mcp.json',
    'mcp.json',
    '.opencode',
    'opencode.json',
    'opencode.jsonc',
    '.codex',
    '.gemini',
  ],
  ...['.agents', '.cursor', '.continue', '.roo', '.windsurf'],
  ...['.aider.conf.yml', '.aider.model.settings.yml', '.aider.model.metadata.json'],
] as const;

/** How many of each the repository holds, and in how many files. */
export const AgentSettingsCount = z.object({
  hooks: z.number(),
  servers: z.number(),
  skills: z.number(),
  plugins: z.number(),
  files: z.number(),
});
export type AgentSettingsCount = z.infer<typeof AgentSettingsCount>;
