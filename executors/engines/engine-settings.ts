/** The settings of engines, by their names. They are read before any engine is loaded. */
import { z } from 'zod';
import { MAX_PROPOSERS } from '#model/order';
import { isOwnVariable } from '../process/credential-variables.ts';
import { ACP_SETTINGS } from './acp/acp-settings.ts';

export const AGENT_NAMES = [
  'codex',
  'claude',
  'claude-ask',
  'opencode',
  'opencode-acp',
  'qwen',
  'copilot',
  'gemini',
  'aider',
  'acp',
  'builtin',
] as const;
export type AgentName = (typeof AGENT_NAMES)[number];
/** A `script` is any command of the operator; it gets no secrets. */
export type ConfiguredEngineName = 'script' | AgentName;
export const ENGINE_NAMES: readonly ConfiguredEngineName[] = ['script', ...AGENT_NAMES];
export const isAgentEngine = (name: ConfiguredEngineName): name is AgentName => name !== 'script';

/** Several models may think side by side in a turn of these. */
export const PROPOSING_ENGINES: readonly AgentName[] = ['builtin'];

const ProposerSettings = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][\w.@:/+-]{0,99}$/),
  model: z.string().min(1).max(200).optional(),
  prompt: z.string().max(4_000).optional(),
});
type ProposerSettings = z.infer<typeof ProposerSettings>;

export const AgentSettings = z.strictObject({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  /** Further variables that it may see, for example another provider's key. */
  env: z.array(z.string().refine((name) => !isOwnVariable(name), 'an agent may not see that')).default([]),
  firstEventSeconds: z.number().positive().optional(),
  silentMinutes: z.number().positive().optional(),
  authFile: z.string().startsWith('/').optional(),
  /** E9: models or prompts that think side by side in each turn, where an order names none. */
  proposers: z.array(ProposerSettings).min(1).max(MAX_PROPOSERS).optional(),
  ...ACP_SETTINGS,
});
export type AgentSettings = z.infer<typeof AgentSettings>;

export const AgentsSettings = z
  .partialRecord(z.enum(AGENT_NAMES), AgentSettings)
  .refine(
    (all) =>
      AGENT_NAMES.every((name) => all[name]?.proposers === undefined || PROPOSING_ENGINES.includes(name)),
    `proposers: only ${PROPOSING_ENGINES.join(', ')} has them`,
  )
  .refine(
    (all) =>
      AGENT_NAMES.every(
        (name) =>
          name === 'acp' ||
          [all[name]?.mode, all[name]?.setAside, all[name]?.variables].every((one) => one === undefined),
      ),
    'mode, setAside and variables: only acp has them',
  );
export type AgentsSettings = z.infer<typeof AgentsSettings>;

export const NO_SETTINGS = AgentSettings.parse({});
