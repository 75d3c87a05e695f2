/** The agents that `engines.acp` knows by their program. */
import path from 'node:path';
import { rmSync } from 'node:fs';
import type { AcpSettings } from './acp-settings.ts';
import type { AcpAgent } from './acp-permission-request.ts';
import { PLAIN_AGENT } from './define-acp-engine.ts';

type Environment = Readonly<Record<string, string>>;

type KnownAgent = {
  agent: AcpAgent;
  args: readonly string[];
  obeys: readonly string[];
  /** Below HOME: the next round would load and run what an agent left there. */
  left: readonly string[];
  variables: (env: Environment) => Environment;
};

const CLAUDE: KnownAgent = {
  agent: {
    says: ['description'],
    // By default its own model decides.
    mode: 'default',
    // E11: sent with each session, new or resumed; else it runs the hooks and servers of the repository.
    meta: {
      claudeCode: {
        // After each turn it would ask its model what a person may type next.
        options: { settingSources: [], strictMcpConfig: true, promptSuggestions: false },
      },
    },
  },
  args: [],
  obeys: [],
  left: [],
  variables: () => ({
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
  }),
};

/** It obeys no address of OpenAI by variable, so a provider of its settings has it. */
const codexSettings = (url: string): string =>
  JSON.stringify({
    model_provider: 'agentpr',
    web_search: 'disabled',
    model_providers: {
      agentpr: {
        name: 'OpenAI',
        wire_api: 'responses',
        requires_openai_auth: true,
        base_url: url,
        request_max_retries: 2,
        stream_max_retries: 2,
      },
    },
  });
const CODEX: KnownAgent = {
  agent: { says: [], mode: 'workspace-write' },
  args: [],
  obeys: [],
  left: ['config.toml', 'hooks.json', 'AGENTS.md', 'skills', 'plugins'].map((name) => `.codex/${name}`),
  variables: ({ OPENAI_BASE_URL: url }) => ({
    NO_BROWSER: '1',
    ...(url === undefined ? {} : { CODEX_CONFIG: codexSettings(url) }),
  }),
};

const KIMI: KnownAgent = {
  agent: { says: ['description'], mode: null },
  args: ['acp'],
  obeys: ['.kimi-code'],
  left: ['config.toml', 'mcp.json', 'agents', 'skills', 'plugins', 'AGENTS.md'].map(
    (name) => `.kimi-code/${name}`,
  ),
  variables: ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model }) => ({
    KIMI_DISABLE_TELEMETRY: '1',
    ...(key === undefined || model === undefined
      ? {}
      : {
          KIMI_MODEL_PROVIDER_TYPE: 'openai',
          KIMI_MODEL_NAME: model,
          KIMI_MODEL_API_KEY: key,
          ...(url === undefined ? {} : { KIMI_MODEL_BASE_URL: url }),
        }),
  }),
};

const UNKNOWN: KnownAgent = { agent: PLAIN_AGENT, args: [], obeys: [], left: [], variables: () => ({}) };

const AGENTS_BY_PROGRAM: Readonly<Record<string, KnownAgent>> = {
  'claude-agent-acp': CLAUDE,
  'codex-acp': CODEX,
  kimi: KIMI,
};

const REFERENCE = /\$\{([A-Z_][A-Z0-9_]*)\}/g;

/** A variable that refers to one that the agent does not get is left out. */
const fillAgentVariables = (variables: Environment, env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, template]) => {
      const missing = [...template.matchAll(REFERENCE)].some(([, from = '']) => env[from] === undefined);
      return missing
        ? []
        : [[name, template.replaceAll(REFERENCE, (_, from: string) => env[from] ?? '')] as const];
    }),
  );

export const resolveKnownAgent = ({
  command = '',
  mode,
  setAside = [],
  variables = {},
}: AcpSettings): KnownAgent => {
  const program = path.basename(command);
  const known = (Object.hasOwn(AGENTS_BY_PROGRAM, program) ? AGENTS_BY_PROGRAM[program] : null) ?? UNKNOWN;
  return {
    ...known,
    agent: mode === undefined ? known.agent : { ...known.agent, mode },
    obeys: [...known.obeys, ...setAside],
    variables: (env) => ({ ...known.variables(env), ...fillAgentVariables(variables, env) }),
  };
};

export const removeLeftFiles = (home: string, { left }: KnownAgent): void => {
  for (const name of left) rmSync(path.join(home, name), { recursive: true, force: true });
};
