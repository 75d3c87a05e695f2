/** Differences between agents that speak the Agent Client Protocol. */
export type AcpAgent = {
  /** Input fields that only describe a call. */
  says: readonly string[];
  /** The mode that asks before running a command; null if it has no modes. */
  mode: string | null;
  /** Its requests carry no input of the tool. */
  asksByTitle?: true;
  meta?: Readonly<Record<string, unknown>>;
};

export const ACP_AGENTS = {
  acp: { says: [], mode: null },
  opencode: { says: ['description'], mode: null },
  // Its default mode lets its own model decide; “auto-edit” asks about commands.
  qwen: { says: ['description'], mode: 'auto-edit' },
  gemini: { says: [], mode: 'autoEdit', asksByTitle: true },
  copilot: { says: ['description', 'commands'], mode: null },
} as const satisfies Record<string, AcpAgent>;
