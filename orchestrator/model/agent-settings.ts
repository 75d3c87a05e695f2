/** E11: files of a repository that make coding agents load or run something; set aside while one works. */
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

/** A flag of the contract, as discovery writes it. */
export const AGENT_SETTINGS_FLAG =
  /^set aside while an agent works: (\d+) hooks, (\d+) servers, (\d+) skills, (\d+) plugins, in (\d+) files$/;
