/**
 * E16: what was lent to an agent is found in everything that would become public, and hidden in
 * what is shown.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enTexts } from '#language';
import { codexCli } from '../../../executors/engines/codex/codex.ts';
import { claudeCli } from '../../../executors/engines/claude/claude.ts';
import { aiderCli } from '../../../executors/engines/aider/aider.ts';
import { opencodeCli } from '../../../executors/engines/opencode/opencode.ts';
import { selectCredentials } from '../../../executors/engines/shared/engine-credentials.ts';
import { createEngines } from '../../../executors/engines/engines.ts';
import { readSignInSecrets } from '../../../executors/sandbox/secret-encodings.ts';
import { createExposedSecrets } from '../../../executors/sandbox/exposed-secrets.ts';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import { dataDirectory, sandboxOf } from '../../support/contained.ts';
import { AT, AUTHOR, createWorld, TOKEN, write, type World } from '../../support/git-world.ts';
import { secretForms } from '../../support/secret-forms.ts';

const KEY = ['sk-ant', 'api03-Zk9_QwErTy-1234567890abcdefGHIJ_klmnOPQrs-tuvWX'].join('-');
const bytes = Buffer.from(KEY);

const FORMS = secretForms(KEY);

const lentKey = () => {
  const lent = createExposedSecrets();
  lent.add('ANTHROPIC_API_KEY', [KEY]);
  return lent;
};

describe('finding', () => {
  it.each(Object.entries(FORMS))('E16: finds it as %s, in one piece and byte by byte', (_, form) => {
    const lent = lentKey();
    const content = Buffer.concat([Buffer.from('before\n'), Buffer.from(form), Buffer.from('\nafter')]);
    for (const piece of [content.length, 1, 7]) {
      const search = lent.search();
      for (let from = 0; from < content.length; from += piece)
        search.add(content.subarray(from, from + piece));
      expect(search.end()).toEqual(['ANTHROPIC_API_KEY']);
    }
  });

  it('finds nothing in what only looks alike, and says nothing of what was compressed', () => {
    const lent = lentKey();
    const harmless = [
      'sk-ant-api03-',
      'sk-ant-api03-00000000000000000000',
      KEY.slice(0, 12),
      'aGVsbG8gd29ybGQ=',
    ];
    for (const text of harmless) expect(lent.namesIn(text)).toEqual([]);
    const search = lent.search();
    search.add(gzipSync(KEY));
    expect(search.end()).toEqual([]);
  });

  it('finds a short key whole, and not a word that it begins with', () => {
    const lent = createExposedSecrets();
    lent.add('KEY', ['changeme-4711']);
    expect(lent.namesIn('password: changeme')).toEqual([]);
    expect(lent.namesIn('x changeme-4711 y')).toEqual(['KEY']);
    expect(lent.namesIn(Buffer.from('?changeme-4711').toString('base64'))).toEqual(['KEY']);
  });

  it('takes the secrets of a sign-in, and not its addresses, dates and scopes', () => {
    const jwt = `eyJhbGciOiJSUzI1NiJ9.${'eyJpc3MiOiJodHRwcyJ9'.repeat(3)}.c2lnbmF0dXJlLW9mLXRoaXM`;
    const codexFile = {
      OPENAI_API_KEY: null,
      tokens: { id_token: jwt, refresh_token: 'rt-of-the-operator', account_id: '0123-4567-89ab-cdef' },
      last_refresh: '2026-11-22T21:00:00.000Z',
    };
    expect(readSignInSecrets(JSON.stringify(codexFile))).toEqual([
      jwt,
      'rt-of-the-operator',
      '0123-4567-89ab-cdef',
    ]);
    const claudeFile = {
      claudeAiOauth: {
        accessToken: 'sk-ant-oat01-abc',
        expiresAt: 1,
        scopes: ['user:inference', 'user:sessions:all'],
      },
      base: 'https://api.example.com/v1',
    };
    expect(readSignInSecrets(JSON.stringify(claudeFile))).toEqual(['sk-ant-oat01-abc']);
    expect(readSignInSecrets('OPENROUTER_API_KEY="sk-or-v1-0123456789"\n')).toContain('sk-or-v1-0123456789');
  });

  it('knows a signed token by its own parts, not by how those of its issuer begin', () => {
    const lent = createExposedSecrets();
    const head = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9';
    lent.add('the sign-in of codex', [`${head}.${'abcdefghij'.repeat(12)}.bXktb3duLXNpZ25hdHVyZS1pcy1oZXJl`]);
    expect(lent.namesIn(`${head}.e30.c2lnbmF0dXJl`)).toEqual([]);
    expect(lent.namesIn('x.bXktb3duLXNpZ25hdHVyZS1pcy1oZXJl')).toEqual(['the sign-in of codex']);
  });
});

describe('what one engine is lent', () => {
  const ALL = Object.fromEntries(
    ['OPENAI', 'ANTHROPIC', 'OPENROUTER', 'OPENCODE', 'GEMINI', 'DEEPSEEK', 'CODEX']
      .map((name) => `${name}_API_KEY`)
      .map((name) => [name, `value-of-${name}`]),
  );
  const keysOf = (
    dialect: { lends: Parameters<typeof selectCredentials>[0] },
    args: string[],
    more: Record<string, string> = {},
  ) => {
    const names = [...dialect.lends.plain, ...Object.values(dialect.lends.keys).flat()];
    const given = Object.fromEntries(
      Object.entries({ ...ALL, ...more }).filter(([name]) => names.includes(name)),
    );
    return Object.keys(selectCredentials(dialect.lends, given, args, []).env).filter((name) =>
      /KEY|TOKEN/.test(name),
    );
  };
  it.each([
    [opencodeCli, ['-m', 'anthropic/claude-x'], ['ANTHROPIC_API_KEY']],
    [opencodeCli, ['--model=openrouter/anthropic/x'], ['OPENROUTER_API_KEY']],
    [opencodeCli, ['-mopenai/gpt-x'], ['OPENAI_API_KEY']],
    [opencodeCli, ['-m', 'openai/a', '-m', 'opencode/b'], ['OPENCODE_API_KEY']],
    [opencodeCli, ['-m', 'groq/llama'], []],
    [opencodeCli, [], ['OPENCODE_API_KEY']],
    [aiderCli, ['--model', 'sonnet'], ['ANTHROPIC_API_KEY']],
    [aiderCli, ['--model=openrouter/anthropic/claude'], ['OPENROUTER_API_KEY']],
    [aiderCli, ['--model', 'gemini/pro'], ['GEMINI_API_KEY']],
    [aiderCli, ['--opus'], ['ANTHROPIC_API_KEY']],
    [aiderCli, ['--model', 'deepseek'], ['DEEPSEEK_API_KEY']],
    [aiderCli, ['--model', 'gpt-5'], ['OPENAI_API_KEY']],
    [codexCli, ['-m', 'gpt-x'], ['CODEX_API_KEY']],
    [claudeCli, ['--model', 'opus'], ['ANTHROPIC_API_KEY']],
  ] as const)('E16: is the key of its model’s provider alone (%#)', (dialect, args, keys) => {
    expect(keysOf(dialect, [...args])).toEqual(keys);
  });

  it('is the key of the operator’s own endpoint, and one of several that Anthropic takes', () => {
    const own = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(keysOf(opencodeCli, ['-m', 'anthropic/x'], own)).toEqual(['OPENAI_API_KEY']);
    expect(keysOf(claudeCli, [], { ANTHROPIC_AUTH_TOKEN: 'a-token' })).toEqual(['ANTHROPIC_AUTH_TOKEN']);
  });

  it('E16: all keys that could be lent are known from the start on', async () => {
    const at = dataDirectory();
    const lent = createExposedSecrets();
    const env = {
      ANTHROPIC_API_KEY: KEY,
      OPENAI_BASE_URL: 'https://me:pa55word-long@host/v1',
      MY_LLM: 'a-key-of-mine-1',
    };
    const more = { codex: { args: [], env: ['MY_LLM'] } };
    createEngines({ sandbox: await sandboxOf('group', at.dataDir), lent }, { env, home: at.home }, more);
    expect(lent.namesIn(`${KEY} pa55word-long a-key-of-mine-1`).sort()).toEqual(
      ['ANTHROPIC_API_KEY', 'MY_LLM', 'OPENAI_BASE_URL'].sort(),
    );
    expect(lent.hide('https://host/v1')).toBe('https://host/v1');
  });
});

describe('a change', () => {
  let world: World;
  beforeAll(async () => void (world = await createWorld()));
  afterAll(() => world.close());

  const harvested = async (runId: string, files: Record<string, string | Buffer>) => {
    const repo = world.repo(runId, { 'a.txt': 'a\n' });
    const { sha, ws } = await world.prepare(runId, repo);
    write(ws, files);
    const credential = (): Promise<string> => Promise.resolve(TOKEN);
    const workspaces = createWorkspaces({
      dataDir: world.data,
      serverUrl: world.host.origin,
      credential,
      lent: lentKey(),
    });
    const harvest = await workspaces.harvest({
      runId,
      base: sha,
      parent: sha,
      message: 'm',
      author: AUTHOR,
      at: AT,
    });
    if (harvest.kind !== 'commit') throw new Error(harvest.kind);
    return harvest.commit.diff;
  };
  const lentFindings = ({ findings }: Awaited<ReturnType<typeof harvested>>) =>
    findings
      .filter((f) => f.kind === 'exposed_credential')
      .map((f) => `${f.path}: ${enTexts.findingNote(f)}`);

  it('E16: is searched in every kind of file, wherever it stands, large ones and binaries too', async () => {
    const large = Buffer.alloc(5 * 1024 * 1024, 'a line of text that is harmless\n');
    large.write(bytes.toString('base64'), large.length - 500);
    const binary = Buffer.concat([Buffer.alloc(9_000), bytes, Buffer.alloc(100)]);
    const diff = await harvested('lent-1', {
      'large.txt': large,
      'binary.bin': binary,
      'some.lock': `"integrity": "${KEY}"\n`,
      'clean.txt': 'clean\n',
    });
    expect(lentFindings(diff).sort()).toEqual(
      ['binary.bin', 'large.txt', 'some.lock'].map((name) => `${name}: ANTHROPIC_API_KEY`),
    );
  });

  it('E16: is searched in its file names, which are shown and stored without it', async () => {
    const diff = await harvested('lent-2', { [`src/${KEY}.ts`]: 'x\n', 'b.txt': 'b\n' });
    expect(lentFindings(diff)).toEqual(['src/[secret].ts: ANTHROPIC_API_KEY']);
    expect(JSON.stringify(diff)).not.toContain(KEY);
  });
});
