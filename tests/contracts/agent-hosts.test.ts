/** E16: nobody is told to allow a host that an agent's program calls by itself. */
import { describe, expect, it } from 'vitest';
import { AGENT_CLIS } from '../../executors/engines/engines.ts';
import hosts from '../../executors/gateway/agent-hosts.json' with { type: 'json' };
import { selectNeededHosts } from '../../executors/gateway/needed-hosts.ts';
import { describeRefusedHosts } from '../../executors/gateway/open-box-network.ts';

const refused = (...hosts: readonly string[]) => hosts.map((host) => ({ host, why: 'not_listed' as const }));
const told = (program: string, hosts: readonly string[], said = ''): string =>
  describeRefusedHosts(selectNeededHosts(refused(...hosts), program, said));

/** What each was seen to ask for, or is documented to, without any command of its work. */
const BY_ITSELF: readonly [program: string, hosts: readonly string[]][] = [
  [
    'claude',
    [
      'api.anthropic.com:443',
      'statsig.anthropic.com:443',
      'downloads.claude.ai:443',
      'o1158394.ingest.us.sentry.io:443',
      'registry.npmjs.org:443',
    ],
  ],
  [
    'codex',
    [
      'chatgpt.com:443',
      'ab.chatgpt.com:443',
      'api.openai.com:443',
      'api.github.com:443',
      'registry.npmjs.org:443',
    ],
  ],
  ['opencode', ['models.dev:443', 'opencode.ai:443', 'registry.npmjs.org:443', 'us.i.posthog.com:443']],
  [
    'copilot',
    ['api.githubcopilot.com:443', 'copilot-telemetry.githubusercontent.com:443', 'default.exp-tas.com:443'],
  ],
  ['gemini', ['play.googleapis.com:443', 'cloudcode-pa.googleapis.com:443', 'oauth2.googleapis.com:443']],
  ['qwen', ['chat.qwen.ai:443', 'gb4w8c3ygj-default-sea.rum.aliyuncs.com:443', 'dashscope.aliyuncs.com:443']],
  ['aider', ['us.i.posthog.com:443', 'openrouter.ai:443', 'pypi.org:443', 'raw.githubusercontent.com:443']],
  ['acp', ['statsigapi.net:443', 'models.dev:443', 'api.anthropic.com:443', 'play.googleapis.com:443']],
];

describe('hosts that are out of reach', () => {
  it('E16: are listed of the program of each engine', () => {
    const programs = new Set(Object.values(AGENT_CLIS).map(({ program }) => program));
    // It stands for any program, and has the hosts of all.
    programs.delete('acp');
    expect(Object.keys(hosts.programs).sort()).toEqual([...programs].sort());
  });

  it.each(BY_ITSELF)('E16: what %s calls by itself is advertised to nobody', (program, hosts) => {
    expect(told(program, hosts)).toBe('');
    expect(told(`/usr/local/bin/${program}`, hosts)).toBe('');
  });

  it.each(BY_ITSELF)('E16: what a command of %s needed is named, and how to allow it', (program, hosts) => {
    const line =
      'agentpr: no way out of the box to api.stripe.com:443: it is not listed. To allow it, add it to network.hosts in agentpr.config.json.\n';
    expect(told(program, [...hosts, 'api.stripe.com:443'])).toBe(line);
  });

  it('E16: a host that both may need is named where a command or its output names it', () => {
    const said = '{"type":"item.completed","item":{"command":"git fetch https://github.com/a/b"}}';
    expect(told('codex', ['github.com:443'])).toBe('');
    expect(told('codex', ['github.com:443'], said)).toContain('github.com:443');
    expect(told('codex', ['ab.chatgpt.com:443'], 'curl https://ab.chatgpt.com')).toBe('');
  });

  it('E16: a name that only looks like one of theirs is somebody else’s', () => {
    for (const host of ['anthropic.com.evil.example:443', 'notsentry.io:443', 'xchatgpt.com:443'])
      expect(told('claude', [host])).toContain(host);
    expect(told('builtin', ['models.dev:443', 'api.openai.com:443'])).toContain('api.openai.com');
  });
});
