/** S9: failures of real programs and servers, as people of each language read them. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '../../bot/language/languages.ts';
import { sayRecord } from '../../bot/text/catalogue.ts';
import { neverRan, ownDecision } from '../../executors/engines/shared/engine-failure.ts';
import { spawnProcess } from '../../executors/process/spawn.ts';
import { failureByAnswer } from '../../forge/github-failures.ts';
import { FailureDetail } from '../../orchestrator/core/failure-detail.ts';
import { failedReason, type ReasonOf } from '../../orchestrator/core/machine/reasons.ts';
import { detailOf, OutsideFailure, type RepoRef } from '../../orchestrator/ports.ts';
import { createWorld, git, TOKEN, type World } from '../support/git-world.ts';

type Failed = Pick<ReasonOf<'step_failed'>, 'class' | 'message' | 'detail'>;
const told = (of: Failed): { en: string; zh: string } => {
  const [en, zh] = [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh].map(({ reasons }) =>
    sayRecord(reasons, failedReason(of)),
  );
  return { en: en ?? '', zh: zh ?? '' };
};
const thrown = async (deed: () => Promise<unknown>): Promise<Failed> => {
  try {
    await deed();
  } catch (error) {
    if (error instanceof OutsideFailure)
      return { class: error.class, message: error.message, ...detailOf(error) };
    throw error;
  }
  throw new Error('it did not fail');
};
/** Three English words in a row, outside of words that somebody else said. */
const ENGLISH = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/;

describe('each failure in particular', () => {
  const values = {
    program: 'codex',
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
  };
  const kinds = FailureDetail.options.map(({ shape }) => shape.kind.value);
  it.each(kinds)('S9: %s is told in each language, and in no other', (kind) => {
    const detail = FailureDetail.parse({ kind, ...values });
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
    expect(zh).toBe(`代码托管平台拒绝了推送。请看原因，然后重试。 （对方说：${says}）`);
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
    expect(told(failed).zh).toContain('大小上限 (413)');
  });

  it('S9: that finds no such branch', async () => {
    const failed = await thrown(() => world.prepare('p2', repo, 'no-such-branch'));
    expect(failed).toMatchObject({ class: 'base_missing', detail: { kind: 'branch_missing' } });
    expect(told(failed).zh).toContain('没有名为 “no-such-branch” 的分支');
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
    const missing = neverRan(await run('exec codex-is-not-here'), null, 'The program codex', program);
    expect(missing).toMatchObject({ class: 'agent_missing', detail: { kind: 'engine_missing' } });
    expect(missing && told(missing).zh).toMatch(/找不到程序 codex ：.*not found/);
    const closed = neverRan(await run('exec /etc/passwd'), null, 'The program codex', program);
    expect(closed && told(closed).zh).toContain('程序 codex 没有执行权限');
  });

  it('S9: prints too much', async () => {
    const loud = ownDecision(await run('yes'), 'The agent');
    expect(loud).toMatchObject({ class: 'budget_exceeded', detail: { kind: 'engine_too_loud' } });
    expect(loud && told(loud).zh).toContain('输出过多');
  });
});

describe('the code host', () => {
  it.each([
    [500, 'host_failed', '代码托管平台出错 (500)：Server Error'],
    [401, 'host_credential_refused', '代码托管平台拒绝了我们的凭据：Server Error'],
    [404, 'host_not_found', '代码托管平台找不到它'],
    [422, 'host_refused', '代码托管平台拒绝了请求 (422)：Server Error'],
  ])('S9: answers with %i', (status, kind, zh) => {
    const answer = { status, headers: {}, data: { message: 'Server Error' }, url: null };
    const error = failureByAnswer(answer, 0);
    expect(error.detail).toMatchObject({ kind });
    expect(told({ class: error.class, message: error.message, ...detailOf(error) }).zh).toContain(zh);
  });
});
