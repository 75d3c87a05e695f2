/** Hosts that agent programs call for themselves (telemetry, updates), as observed. */
import type { RefusedHost } from './gateway.ts';
import { isListed, readTarget } from './listed-hosts.ts';

type AgentHosts = {
  own: readonly string[];
  /** Commands of the agent may need these too. */
  shared: readonly string[];
};

const REPORTS: readonly string[] = [
  ...['*.statsig.com', 'statsigapi.net', '*.statsigapi.net', 'featureassets.org', 'prodregistryv2.org'],
  ...['sentry.io', '*.sentry.io', '*.datadoghq.com', '*.datadoghq.eu', '*.launchdarkly.com'],
  ...['*.posthog.com', 'api.segment.io', 'api.mixpanel.com', '*.applicationinsights.azure.com'],
  ...['dc.services.visualstudio.com', '*.exp-tas.com', 'play.googleapis.com', '*.rum.aliyuncs.com'],
  ...['*.honeycomb.io', '*.amplitude.com', 'www.google-analytics.com'],
];

const NPM = ['registry.npmjs.org'];
const CODE_HOST = ['api.github.com', 'github.com', 'raw.githubusercontent.com'];

const HOSTS_BY_PROGRAM: Readonly<Record<string, AgentHosts>> = {
  claude: {
    own: ['*.anthropic.com', 'claude.ai', '*.claude.ai', 'claude.com', '*.claude.com'],
    shared: [...NPM, 'storage.googleapis.com', ...CODE_HOST],
  },
  codex: {
    own: ['*.openai.com', 'chatgpt.com', '*.chatgpt.com', 'formulae.brew.sh'],
    shared: [...NPM, ...CODE_HOST],
  },
  opencode: { own: ['models.dev', 'opencode.ai', '*.opencode.ai'], shared: [...NPM, ...CODE_HOST] },
  copilot: {
    own: [
      '*.githubcopilot.com',
      'copilot-proxy.githubusercontent.com',
      'copilot-telemetry.githubusercontent.com',
      'collector.github.com',
    ],
    shared: [...NPM, ...CODE_HOST],
  },
  gemini: {
    own: [
      'generativelanguage.googleapis.com',
      'cloudcode-pa.googleapis.com',
      'oauth2.googleapis.com',
      'accounts.google.com',
    ],
    shared: [...NPM, ...CODE_HOST],
  },
  qwen: { own: ['*.qwen.ai', 'dashscope.aliyuncs.com', '*.aliyuncs.com'], shared: [...NPM, ...CODE_HOST] },
  // The builtin engine runs in our process, so only its commands use the box's network.
  builtin: { own: [], shared: [] },
  aider: { own: ['openrouter.ai', 'aider.chat'], shared: ['pypi.org', ...CODE_HOST] },
};

const ALL_AGENT_HOSTS: AgentHosts = {
  own: Object.values(HOSTS_BY_PROGRAM).flatMap(({ own }) => own),
  shared: Object.values(HOSTS_BY_PROGRAM).flatMap(({ shared }) => shared),
};

const hostsOf = (program: string): AgentHosts => {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return Object.hasOwn(HOSTS_BY_PROGRAM, name)
    ? (HOSTS_BY_PROGRAM[name] ?? ALL_AGENT_HOSTS)
    : ALL_AGENT_HOSTS;
};

const isOneOf = (patterns: readonly string[], name: string): boolean =>
  isListed(patterns, { name, port: 443 });

/** Keeps only refused hosts that the work needed, by the printed commands and errors. */
export const neededByWork = (
  refused: readonly RefusedHost[],
  program: string,
  said: string,
): readonly RefusedHost[] => {
  const { own, shared } = hostsOf(program);
  return refused.filter(({ host }) => {
    const name = readTarget(host)?.name ?? host;
    // guard: E16-own-hosts-not-advertised
    if (isOneOf(REPORTS, name) || isOneOf(own, name)) return false;
    return !isOneOf(shared, name) || said.includes(name);
  });
};
