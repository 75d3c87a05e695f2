/** S9: failures of real programs and servers, as people of each language read them. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTelegramChat } from '../../../bot/telegram-chat.ts';
import { DatabaseFailure } from '../../../db/sql/database-failures.ts';
import { overrunFailure } from '../../../executors/engines/shared/model-access.ts';
import { DATABASE_FAULTS } from '../../../model/failure/database-fault.ts';
import { type DatabaseFault, type HostRefusal, FailureDetail } from '#model/failure';
import { isHostFinding } from '../../../bot/language/host-finding.ts';
import { sayFindings, type HostFinding, LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { spawnProcess } from '#process';
import { toFailedReason } from '../../../orchestrator/kernel/run/reasons.ts';
import type { ReasonOf } from '#run';
import { findStartFailure, findOwnStopFailure } from '../../../executors/engines/shared/engine-failure.ts';
import { failureByAnswer } from '../../../forge/github-failures.ts';
import { OutsideFailure, toFailure } from '#ports/forge';
import type { RepoRef } from '#ports/workspaces';
import { createWorld, git, TOKEN, type World } from '../../support/git-world.ts';

type Failed = Pick<ReasonOf<'step_failed'>, 'class' | 'message' | 'detail'>;
const told = (of: Failed): { en: string; zh: string } => {
  const [en, zh] = [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh].map(({ reasons }) =>
    sayRecord(reasons, toFailedReason(of)),
  );
  return { en: en ?? '', zh: zh ?? '' };
};
const thrown = async (deed: () => Promise<unknown>): Promise<Failed> => {
  try {
    await deed();
  } catch (error) {
    if (error instanceof OutsideFailure) return toFailure(error);
    throw error;
  }
  throw new Error('it did not fail');
};
/** Three English words in a row, outside of words that somebody else said. */
const ENGLISH = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/;

describe('each failure in particular', () => {
  const values = {
    program: 'codex',
    command: 'npm test',
    repo: 'acme/api',
    branch: 'fix-1',
    found: 'abc',
    expected: 'def',
    limit: 2_048,
    used: 3_000,
    seconds: 60,
    exitCode: 1,
    signal: 'SIGKILL',
    status: 500,
    owner: 'acme',
    fork: 'bot/api',
    model: 'gpt-9',
    mayPush: false,
    why: 'key_refused',
    party: 'bucket',
    problem: 'proxy_forbids',
    proxy: 'proxy:3128',
    code: 'CERT_HAS_EXPIRED',
    pull: 'https://github.com/acme/api/pull/7',
  };
  const kinds = FailureDetail.options.flatMap(({ shape: { kind } }): readonly string[] =>
    'options' in kind ? kind.options : [kind.value],
  );
  it.each(kinds)('S9: %s is told in each language, and in no other', (kind) => {
    const detail = FailureDetail.parse({
      kind,
      ...values,
      ...(kind === 'own_key' ? { why: 'unknown_key' } : {}),
    });
    const { en, zh } = told({ class: 'crashed', message: 'not for people', detail });
    for (const text of [en, zh]) expect(text).not.toMatch(/undefined|NaN|not for people|[（(][)）]/);
    expect(en).not.toMatch(/\p{Script=Han}/u);
    expect(zh).not.toMatch(ENGLISH);
  });

  it('S9: the words of others stay as they are', () => {
    const says = 'GH013: Repository rule violations found';
    const { zh } = told({
      class: 'push_rejected',
      message: '',
      detail: { kind: 'push_refused', says },
    });
    expect(zh).toBe(`代码托管平台拒绝了推送。请看原因，然后重试。（对方说：${says}）`);
  });
});

describe('git', () => {
  let world: World;
  let repo: RepoRef;
  beforeAll(async () => {
    world = await createWorld();
    repo = world.repo('target', { 'a.txt': 'one\n' });
  });
  afterAll(() => world.close());

  it('S9: whose push is refused by a hook, by another head, or by its name', async () => {
    const { sha } = await world.prepare('p1', repo);
    Object.assign(world.host.fate, { token: TOKEN });
    const hooks = join(world.bare(repo), 'hooks');
    mkdirSync(hooks, { recursive: true });
    const hook = (script: string): void => {
      writeFileSync(join(hooks, 'update'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(hooks, 'update'), 0o755);
    };
    const refused = async (branch: string, expectedHead: string | null = null): Promise<Failed> => {
      const pushed = { runId: 'p1', repo, sha, branch, expect: expectedHead };
      const outcome = await world.workspaces.push(pushed);
      if (outcome.kind !== 'rejected' || !outcome.detail) throw new Error(outcome.kind);
      return { class: 'push_rejected', message: outcome.reason, detail: outcome.detail };
    };
    hook('echo "no red pushes on Fridays"; exit 1');
    expect(told(await refused('b')).zh).toMatch(/拒绝了推送.*对方说：.*no red pushes on Fridays/s);
    hook('exit 0');
    git(world.bare(repo), 'branch', 'taken', sha);
    git(
      world.bare(repo),
      'branch',
      'taken2',
      git(world.bare(repo), 'commit-tree', `${sha}^{tree}`, '-m', 'x'),
    );
    expect(told(await refused('taken2')).zh).toContain('分支已不在我们上次推送的位置');
    expect(told(await refused('taken/inside')).zh).toContain('对方不接受这个分支名');
  });

  it('S9: whose push is too large for what stands before the code host', async () => {
    const { sha } = await world.prepare('p3', repo);
    Object.assign(world.host.fate, { status: { code: 413, path: /\/git-receive-pack$/ } });
    const failed = await thrown(() =>
      world.workspaces.push({ runId: 'p3', repo, sha, branch: 'large', expect: null }),
    );
    Object.assign(world.host.fate, { status: null });
    expect(failed).toMatchObject({ class: 'push_rejected', detail: { kind: 'push_too_large' } });
    expect(told(failed).zh).toContain('大小上限（413）');
  });

  it('S9: that finds no such branch', async () => {
    const failed = await thrown(() => world.prepare('p2', repo, 'no-such-branch'));
    expect(failed).toMatchObject({ class: 'base_missing', detail: { kind: 'branch_missing' } });
    expect(told(failed).zh).toContain('没有名为“no-such-branch”的分支');
  });
});

describe('a program of the agent', () => {
  const run = (script: string, timeoutMs = 60_000) =>
    spawnProcess({
      argv: ['/bin/sh', '-c', script],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      timeoutMs,
      maxOutputBytes: 1_000,
    });

  it('S9: is not there, or may not be executed', async () => {
    const program = { program: 'codex' };
    const missing = findStartFailure(await run('exec codex-is-not-here'), null, 'The program codex', program);
    expect(missing).toMatchObject({ class: 'agent_missing', detail: { kind: 'engine_missing' } });
    expect(missing && told(missing).zh).toMatch(/程序 codex 不存在：.*not found/);
    const closed = findStartFailure(await run('exec /etc/passwd'), null, 'The program codex', program);
    expect(closed && told(closed).zh).toContain('程序 codex 没有执行权限');
  });

  it('S9: prints too much', async () => {
    const loud = findOwnStopFailure(await run('yes'), 'The agent');
    expect(loud).toMatchObject({ class: 'budget_exceeded', detail: { kind: 'engine_too_loud' } });
    expect(loud && told(loud).zh).toContain('输出过多');
  });
});

describe('Telegram', () => {
  const answering = async (status: number, description: string, more: object = {}) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, error_code: status, description, ...more }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  };
  const sends = (apiRoot: string): Promise<Failed> =>
    thrown(() =>
      createTelegramChat({ token: '1:x', apiRoot, clock: { now: () => 0 } }).send({
        chat: '7',
        html: 'x',
        buttons: [],
        silent: true,
      }),
    );
  it.each([
    [401, 'Unauthorized', 'chat_token_unknown', '不认识我们的机器人令牌'],
    [400, 'Bad Request: chat not found', 'chat_refused', '拒绝了这条消息：Bad Request: chat not found'],
    [403, 'Forbidden: bot was blocked by the user', 'chat_refused', 'Forbidden: bot was blocked'],
  ])('S9: answers with %i %s', async (status, description, kind, zh) => {
    const failed = await sends(await answering(status, description));
    expect(failed.detail).toMatchObject({ kind });
    expect(told(failed).zh).toContain(zh);
  });

  it('S9: is not there', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const failed = await sends(`http://127.0.0.1:${port}`);
    expect(failed.detail).toEqual({ kind: 'chat_unreached' });
    expect(told(failed).zh).toContain('无法连接 Telegram');
  });
});

it('S9: a detail that another version recorded is told in its own words, and breaks no message', () => {
  const finding = { kind: 'outside_failure', text: 'It said so.', detail: { kind: 'unheard_of' } };
  expect(isHostFinding(LANGUAGE_TEXTS.zh, finding)).toBe(true);
  expect(sayFindings(LANGUAGE_TEXTS.zh, [finding as unknown as HostFinding])).toBe('It said so.');
});

describe('a limit of the gateway', () => {
  it.each([
    ['tokens', 500_000, '最多可用 500,000 个 token'],
    ['cost', 2, '费用上限为 $2'],
    ['requests', 200, '一轮中向模型请求了 200 次'],
    ['perMinute', 60, '一分钟内向模型请求了 60 次'],
    ['identical', 8, '连续 8 次发出同样的调用'],
  ] as const)('S9: of %s is told', (spent, limit, zh) => {
    expect(told(overrunFailure({ spent, limit, says: 'not for people' })).zh).toContain(zh);
  });
});

describe('a note and a reason', () => {
  const particulars: { refusal?: HostRefusal; detail?: FailureDetail }[] = [
    { detail: { kind: 'secondary_limit' } },
    { detail: { kind: 'fork_deleted', fork: 'bot/api' } },
  ];
  it.each(particulars)('S9: tell %o in the language of the chat', (more) => {
    const message = 'words for the log only';
    const of = { class: 'forge_refused', message, ...more } as const;
    for (const words of [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh]) {
      const note = sayRecord(words.notes, { kind: 'head_unread', ...of });
      const reason = sayRecord(words.reasons, { kind: 'rerun_refused', says: message, ...more });
      for (const text of [note, reason]) {
        expect(text).not.toContain(message);
        if (words.code === 'zh') expect(text).not.toMatch(ENGLISH);
      }
    }
  });
});

describe('the database', () => {
  const faults = Object.entries(DATABASE_FAULTS).map(([kind, names]) => {
    const fields = Object.fromEntries(names.map((name) => [name, `its-${name}`]));
    return [kind, Object.values(fields), { kind, ...fields, detail: '28P01' } as DatabaseFault] as const;
  });
  it.each(faults)('S9: %s is told in each language; the log has the English sentence', (_, fields, fault) => {
    const { en, zh } = LANGUAGE_TEXTS;
    const { message } = new DatabaseFailure(fault);
    expect(message).toBe(en.databaseFault(fault));
    expect(zh.databaseFault(fault)).toMatch(/\p{Script=Han}/u);
    for (const told of [message, zh.databaseFault(fault)])
      for (const one of [...fields, '28P01']) expect(told).toContain(one);
  });

  it('S9: a fault within a fault is told in the same language', () => {
    const fault = { kind: 'not_restored', file: 'a.tar.gz', why: { kind: 'archive_foreign' } } as const;
    expect(new DatabaseFailure(fault).message).toBe(
      'a.tar.gz cannot be restored. It is not a backup of agentpr.',
    );
    expect(LANGUAGE_TEXTS.zh.databaseFault(fault)).toBe('无法恢复 a.tar.gz。它不是 agentpr 的备份。');
  });
});

describe('the code host', () => {
  it.each([
    [500, 'host_failed', '代码托管平台出错（500）：Server Error'],
    [401, 'host_credential_refused', '代码托管平台拒绝了我们的凭据：Server Error'],
    [404, 'host_not_found', '代码托管平台找不到它'],
    [422, 'host_refused', '代码托管平台拒绝了请求（422）：Server Error'],
  ])('S9: answers with %i', (status, kind, zh) => {
    const answer = { status, headers: {}, data: { message: 'Server Error' }, url: null };
    const error = failureByAnswer(answer, 0);
    expect(error.detail).toMatchObject({ kind });
    expect(told(toFailure(error)).zh).toContain(zh);
  });
});
