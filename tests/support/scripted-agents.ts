/** The real coding agents with a scripted model: how each is started, and how it finds that model. */
import type { AgentName } from '../../executors/engines/engine-settings.ts';
import { BEST } from './agent-round.ts';
import type { FakeModel } from './fake-model.ts';
import { AGENTS_PATH } from './installed-agents.ts';
import { createProduct, type Product, type ProductOptions } from './product.ts';

export const SCRIPTED_KEY = 'sk-scripted-key';

type ScriptedAgent = { args: string[]; env: (url: string, key?: string) => Record<string, string> };

const ofOpenAi = (model: string): ScriptedAgent => ({
  args: ['-m', model],
  env: (url, key = SCRIPTED_KEY) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` }),
});
const anthropicEnv: ScriptedAgent['env'] = (url, key = SCRIPTED_KEY) => ({
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: url,
});
const OF_ANTHROPIC = { args: ['--model', 'claude-opus-5-5'], env: anthropicEnv };

export const SCRIPTED_AGENTS = {
  codex: ofOpenAi('scripted-model'),
  claude: OF_ANTHROPIC,
  'claude-ask': OF_ANTHROPIC,
  opencode: ofOpenAi('own/scripted-model'),
  'opencode-acp': ofOpenAi('own/scripted-model'),
  qwen: ofOpenAi('scripted-model'),
  copilot: ofOpenAi('scripted-model'),
  gemini: {
    args: ['-m', 'scripted-model'],
    env: (url, key = SCRIPTED_KEY) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url }),
  },
  builtin: ofOpenAi('scripted-model'),
  /** Any agent that speaks Anthropic's protocol to its model. */
  acp: { args: [], env: anthropicEnv },
} as const satisfies Partial<Record<AgentName, ScriptedAgent>>;
export type ScriptedName = keyof typeof SCRIPTED_AGENTS;

/** The product with one of them, in the best box of this machine. `settings` are those of its engine. */
export const createScriptedProduct = (
  engine: ScriptedName,
  { url }: FakeModel,
  { env, settings, ...more }: ProductOptions & { settings?: Record<string, unknown> } = {},
): Promise<Product> => {
  const { args, env: envOf } = SCRIPTED_AGENTS[engine];
  return createProduct({
    ...more,
    config: { engines: { [engine]: { args, ...settings } }, ...more.config },
    env: { AGENTPR_ENGINE: engine, AGENTPR_SANDBOX: BEST, PATH: AGENTS_PATH, ...envOf(url), ...env },
  });
};
