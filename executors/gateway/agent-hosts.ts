/**
 * Hosts that agent programs call by themselves: telemetry, error reports, experiments, updates,
 * lists of models, their vendor. No work of a run needs them, so nobody is told to allow them. Seen
 * with the programs in a network of their own, and named by their documentation.
 */
import type { RefusedHost } from './gateway.ts';
import { isListed, readTarget } from './listed-hosts.ts';

type AgentHosts = {
  /** Needed for no work at all. */
  own: readonly string[];
  /** Asked by the program itself, too; commands of its work may need them as well. */
  shared: readonly string[];
};

/** Services that several of them report to. */
const REPORTS: readonly string[] = [
  ...['*.statsig.com', 'statsigapi.net', '*.statsigapi.net', 'featureassets.org', 'prodregistryv2.org'],
  ...['sentry.io', '*.sentry.io', '*.datadoghq.com', '*.datadoghq.eu', '*.launchdarkly.com'],
  ...['*.posthog.com', 'api.segment.io', 'api.mixpanel.com', '*.applicationinsights.azure.com'],
  ...['dc.services.visualstudio.com', '*.exp-tas.com', 'play.googleapis.com', '*.rum.aliyuncs.com'],
  ...['*.honeycomb.io', '*.amplitude.com', 'www.google-analytics.com'],
];

const NPM = ['registry.npmjs.org'];
const CODE_HOST = ['api.github.com', 'github.com', 'raw.githubusercontent.com'];

/** By the name of the program. */
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
  // It is part of us: what it asks for is asked by its commands.
  builtin: { own: [], shared: [] },
  aider: { own: ['openrouter.ai', 'aider.chat'], shared: ['pypi.org', ...CODE_HOST] },
};

const ALL_AGENT_HOSTS: AgentHosts = {
  own: Object.values(HOSTS_BY_PROGRAM).flatMap(({ own }) => own),
  shared: Object.values(HOSTS_BY_PROGRAM).flatMap(({ shared }) => shared),
};

/** Of a program that is not listed, all that others call by themselves. */
const hostsOf = (program: string): AgentHosts => {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return Object.hasOwn(HOSTS_BY_PROGRAM, name)
    ? (HOSTS_BY_PROGRAM[name] ?? ALL_AGENT_HOSTS)
    : ALL_AGENT_HOSTS;
};

/** Whatever the port: a vendor's host on another one is no other host. */
const isOneOf = (patterns: readonly string[], name: string): boolean =>
  isListed(patterns, { name, port: 443 });

/**
 * What was refused to a round of an agent, without what its program asked by itself. `said` is what
 * it printed: a host that a command needed stands in the command or in what that complained of.
 */
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
