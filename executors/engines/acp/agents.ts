/** What is particular to agents that speak the Agent Client Protocol, one row each. */
export type AcpAgent = {
  /** Members of a tool's input that only say what it is for: words of the model, or the command again. */
  says: readonly string[];
  /** The mode in which it asks before it runs a command; null where it has no modes. */
  mode: string | null;
  /** What it wants to know besides when a session begins. */
  meta?: Readonly<Record<string, unknown>>;
};

export const ACP_AGENTS = {
  /** Any other: nothing is known of it. */
  acp: { says: [], mode: null },
  opencode: { says: ['description'], mode: null },
  // “auto-edit”: files may be changed in the workspace, commands are asked about. It comes up in a
  // mode in which its own model decides.
  qwen: { says: ['description'], mode: 'auto-edit' },
  // It lists the parts of a command beside it.
  copilot: { says: ['description', 'commands'], mode: null },
} as const satisfies Record<string, AcpAgent>;
