/**
 * Names of settings: what is almost one of ours is refused, what belongs to others is left alone.
 */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { editDistance } from '#model/values';
import { LANGUAGE_TEXTS } from '#language';
import { readConfig, readWorkerConfig } from '../../app/config.ts';
import { ConfigError } from '../../app/config-error.ts';

const required = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 'x' };
const inEnvironment = (name: string) => () => readConfig({ ...required, [name]: 'x' }, null, '/');
const inFile = (name: string) => () => readConfig({ ...required, [name]: 'x' }, null, '/', [name]);

const faultOf = (read: () => unknown): ConfigError | null => {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
};

it.each([
  '{ "bounds": { "aprovals": 2 } }',
  '{ "scrip": "x" }',
  '{ "bounds": { "approvals": 0 } }',
  '{',
  '3',
])(
  'O3: %s in the settings file is a fault of that file, and a bad variable one of the environment',
  (file) => {
    expect(faultOf(() => readConfig(required, file, '/'))).toMatchObject({ of: 'config' });
    expect(faultOf(() => readConfig({ ...required, TELEGRAM_ADMIN_IDS: 'ana' }, '{}', '/'))).toMatchObject({
      of: 'env',
    });
  },
);

it('O3: faults of the environment and of the settings file are told at once, in each language', () => {
  const wrong = { ...required, TELEGRAM_BOT_TOKEN: 'hello' };
  const file = '{ "bounds": { "aprovals": 2 } }';
  for (const read of [readConfig, readWorkerConfig]) {
    const env = read === readConfig ? wrong : { ...required, GITHUB_API_URL: 'here' };
    const fault = faultOf(() => read(env, file, '/'));
    expect(fault).toMatchObject({ of: 'both' });
    for (const words of [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh])
      expect(fault?.inWords(words)).toMatch(/^(?:TELEGRAM_BOT_TOKEN|GITHUB_API_URL).+\n.*aprovals/);
  }
});

it.each([
  ['https://a.example/', 'https://a.example'],
  ['https://a.example/below//', 'https://a.example/below'],
  ['https://a.example', 'https://a.example'],
])('O5: the address %s is kept as %s, so that links below it are whole', (given, kept) => {
  const env = { ...required, GITHUB_WEBHOOK_SECRET: 'x'.repeat(32), AGENTPR_PUBLIC_URL: given };
  expect(readConfig(env, null, '/').http.publicUrl).toBe(kept);
});

it('O3: what has not the shape of a bot token is refused, without showing it', () => {
  for (const token of ['hello', '123456789', ':AAE', '12 34:AAE', 'bot1:AAE', 'https://t.me/my_bot']) {
    const fault = faultOf(() => readConfig({ ...required, TELEGRAM_BOT_TOKEN: token }, null, '/'));
    expect(fault?.message).toBe(
      'TELEGRAM_BOT_TOKEN: that is not a bot token; copy the one that @BotFather gives, such as 123456789:AAE… (environment or .env).',
    );
  }
});

it.each([
  [{ TELEGRAM_BOT_TOKEN: undefined }, 'TELEGRAM_BOT_TOKEN is missing'],
  [{ GITHUB_TOKEN: undefined }, 'GITHUB_TOKEN is missing'],
  [{ TELEGRAM_ADMIN_IDS: 'ana' }, 'TELEGRAM_ADMIN_IDS: '],
  [{ GITHUB_API_URL: 'http://example.org' }, 'GITHUB_API_URL must be https'],
  [{ AGENTPR_PUBLIC_URL: 'http://example.org' }, 'AGENTPR_PUBLIC_URL: '],
])('O3: %o is told with the name of the setting', (over, says) => {
  expect(faultOf(() => readConfig({ ...required, ...over }, null, '/'))?.message).toContain(says);
});

describe('a misspelt setting', () => {
  it.each([
    ['GITHUB_TOKN', 'GITHUB_TOKEN'],
    ['GITHUB_TOKENS', 'GITHUB_TOKEN'],
    ['GITHUB_WEBHOOKS_SECRET', 'GITHUB_WEBHOOK_SECRET'],
    ['GITHUB_WEBHOOK_SECERT', 'GITHUB_WEBHOOK_SECRET'],
    ['GITHUB_APIURL', 'GITHUB_API_URL'],
    ['GITHUB-API-URL', 'GITHUB_API_URL'],
    ['github_webhook_secret', 'GITHUB_WEBHOOK_SECRET'],
    ['GIHUB_WEBHOOK_SECRET', 'GITHUB_WEBHOOK_SECRET'],
    ['TELEGRAM_ADMIN_ID', 'TELEGRAM_ADMIN_IDS'],
    ['TELEGRAM_ADMINS_IDS', 'TELEGRAM_ADMIN_IDS'],
    ['TELEGRAM_BOT_TOEKN', 'TELEGRAM_BOT_TOKEN'],
    ['TELEGRAM_API_ROUTE', 'TELEGRAM_API_ROOT'],
    ['TELEGRAMM_API_ROOT', 'TELEGRAM_API_ROOT'],
    ['AGENT_PR_SANDBOX', 'AGENTPR_SANDBOX'],
    ['AGENTPR_DATADIR', 'AGENTPR_DATA_DIR'],
    ['AGENTPR_PUBLIC_URI', 'AGENTPR_PUBLIC_URL'],
  ])('O3: %s is refused wherever it stands, and %s is offered', (name, meant) => {
    for (const given of [inEnvironment(name), inFile(name)]) {
      expect(given).toThrow(ConfigError);
      expect(given).toThrow(name);
      expect(given).toThrow(`did you mean ${meant}?`);
    }
  });

  it.each([
    'GITHUB_PAT',
    'GITHUB_WEBHOOK_SECRET_OLD',
    'TELEGRAM_CHAT_ID',
    'TELEGRAM_TOKEN',
    'GITHUB_ACTIONS',
  ])('O3: %s is refused in .env, which is ours, and left alone in the environment, which is not', (name) => {
    expect(inFile(name)).toThrow(`Unknown setting ${name} in .env`);
    expect(inEnvironment(name)).not.toThrow();
  });

  it('O3: AGENTPR_ is ours everywhere', () => {
    expect(inEnvironment('AGENTPR_COLOUR')).toThrow('Unknown setting AGENTPR_COLOUR.');
    expect(inFile('AGENTPR_COLOUR')).toThrow('Unknown setting AGENTPR_COLOUR in .env.');
  });

  it('O3: every wrong name is told at once', () => {
    const all = { ...required, AGENTPR_COLOUR: 'blue', GITHUB_TOKNE: 'x', TELEGRAM_ADMIN_ID: '1' };
    const read = (): unknown => readConfig(all, null, '/');
    for (const name of ['AGENTPR_COLOUR', 'GITHUB_TOKNE', 'TELEGRAM_ADMIN_ID']) expect(read).toThrow(name);
  });
});

/**
 * GitHub Docs, "Variables reference" of Actions, and "Default environment variables for your
 * codespace".
 */
const OF_GITHUB =
  'ACTION ACTION_PATH ACTION_REF ACTION_REPOSITORY ACTION_STATUS ACTIONS ACTOR ACTOR_ID API_URL BASE_REF ENV EVENT_NAME EVENT_PATH GRAPHQL_URL HEAD_REF JOB OUTPUT PATH REF REF_NAME REF_PROTECTED REF_TYPE REPOSITORY REPOSITORY_ID REPOSITORY_OWNER REPOSITORY_OWNER_ID RETENTION_DAYS RUN_ATTEMPT RUN_ID RUN_NUMBER SERVER_URL SHA STATE STEP_SUMMARY TOKEN TRIGGERING_ACTOR USER WORKFLOW WORKFLOW_REF WORKFLOW_SHA WORKSPACE CODESPACES_PORT_FORWARDING_DOMAIN CODESPACE_TOKEN';

describe('the names of others', () => {
  it('O3: what GitHub sets in its own CI and Codespaces breaks nothing', () => {
    const env = Object.fromEntries(
      OF_GITHUB.split(' ').map((name) => [
        `GITHUB_${name}`,
        name === 'API_URL' ? 'https://api.github.com' : 'x',
      ]),
    );
    expect(() => readConfig({ ...env, ...required }, null, '/')).not.toThrow();
  });

  it.each([
    'GITLAB_TOKEN',
    'GITEA_TOKEN',
    'GH_TOKEN',
    'TELEGRAF_API_ROOT_DIR',
    'DATABASE_URLS',
    'PATH',
    'OPENAI_API_KEY',
  ])('O3: %s is none of our business, in .env as well', (name) => {
    expect(inEnvironment(name)).not.toThrow();
    expect(inFile(name)).not.toThrow();
  });
});

describe('the distance of two names', () => {
  const name = fc.string({ unit: fc.constantFrom('A', 'B', '_'), maxLength: 8 });
  it('is nothing for the same, the same both ways, and one for each mistake', () => {
    fc.assert(
      fc.property(name, name, fc.nat(8), (a, b, at) => {
        expect(editDistance(a, a)).toBe(0);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, `${a.slice(0, at)}X${a.slice(at)}`)).toBe(1);
      }),
      { numRuns: 200 },
    );
    expect(editDistance('TOKEN', 'TOEKN')).toBe(1);
  });
});

describe('what a role needs', () => {
  const worker = (env: Record<string, string>) => readWorkerConfig(env, null, '/');
  const model = JSON.stringify({ chat: { model: { provider: 'anthropic', name: 'm' } } });

  it('S6: a worker starts without the chat’s and the webhooks’ secrets, and keeps none that it is given', () => {
    const given = {
      GITHUB_TOKEN: 'x',
      TELEGRAM_BOT_TOKEN: '1:the-bot',
      GITHUB_WEBHOOK_SECRET: 'short',
      AGENTPR_ROLE: 'worker',
    };
    const { operator, ...config } = worker(given);
    expect(operator.env).toBe(given);
    expect(JSON.stringify(config)).not.toMatch(/the-bot|short/);
    expect(config).toMatchObject({ role: 'worker', http: { host: '127.0.0.1', port: 0 } });
    expect(() => readWorkerConfig({ GITHUB_TOKEN: 'x' }, model, '/')).not.toThrow();
  });

  it('O3: a role that lacks what it needs is told the variable', () => {
    expect(() => worker({ TELEGRAM_BOT_TOKEN: '1:x' })).toThrow('GITHUB_TOKEN is missing');
    const { TELEGRAM_BOT_TOKEN: _, ...without } = required;
    expect(() => readConfig({ ...without, AGENTPR_ROLE: 'control' }, null, '/')).toThrow(
      'TELEGRAM_BOT_TOKEN is missing',
    );
  });

  it('L7: the runs of all and the work of one process are two settings', () => {
    const of = (file: object) => readWorkerConfig({ GITHUB_TOKEN: 'x' }, JSON.stringify(file), '/').file;
    expect(of({ maxParallelRuns: 12 })).toMatchObject({ maxParallelRuns: 12, maxParallelPerProcess: 12 });
    expect(of({ maxParallelRuns: 12, maxParallelPerProcess: 4 })).toMatchObject({
      maxParallelRuns: 12,
      maxParallelPerProcess: 4,
    });
  });
});
