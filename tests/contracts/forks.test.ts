/** F1: which fork a change goes to, how it is found, made and waited for, and what is said when it cannot be. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { ForkSettings } from '#model/pull';
import type { Run } from '#run';
import {
  createForkWait,
  ensureHead,
  readHeadRepository,
  planFork,
} from '../../orchestrator/kernel/gate/ensure-fork.io.ts';
import type { EffectContext } from '#kernel';
import { OutsideFailure, type RepoFacts } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import { at } from '../support/core.ts';

const outside = async (go: Promise<unknown>): Promise<OutsideFailure> => {
  const error: unknown = await go.then(
    () => null,
    (e: unknown) => e,
  );
  if (error instanceof OutsideFailure) return error;
  throw new Error(`no failure of the outside: ${String(error)}`);
};

const facts = (id: string, name: string, more: Partial<RepoFacts> = {}): RepoFacts => ({
  id,
  name,
  network: '1',
  defaultBranch: 'main',
  archived: false,
  cloneUrl: `https://h/${name}.git`,
  mayPush: false,
  mayFork: true,
  htmlUrl: `https://h/${name}`,
  ...more,
});
const BASE = facts('1', 'kim/app');
const run = (more: RunPatch = {}): Run => patchRun(at('QUEUED').run, { change: { pushedHead: null } }, more);

/** Repositories by name; `fork` answers with one of them. */
const host = (
  repos: RepoFacts[],
  settings: Partial<ForkSettings> = {},
  made: RepoFacts | null = null,
  account: string | null = 'bot',
) => {
  const asked: (string | null)[] = [];
  const missing = new OutsideFailure('repository_missing', 'nothing there', { status: 404 });
  const parts = {
    settings: { forks: ForkSettings.parse(settings) },
    forge: {
      forkOwner: async () => account,
      repo: async (name: string) => {
        const found = repos.find((one) => one.name.toLowerCase() === name.toLowerCase());
        if (!found) throw missing;
        return found;
      },
      nameOf: async (id: string) => repos.find((one) => one.id === id)?.name ?? null,
      fork: async (_: string, owner: string | null) => {
        asked.push(owner);
        if (!made) throw missing;
        return made;
      },
    },
  } as unknown as EffectContext;
  return { parts, asked };
};

describe('which repository is pushed to', () => {
  it.each([
    ['it itself, where we may', facts('1', 'kim/app', { mayPush: true }), [], {}, null],
    ['a fork that is still to be made', BASE, [], {}, { repo: 'bot/app', id: null }],
    ['the fork that is there', BASE, [facts('7', 'bot/app')], {}, { repo: 'bot/app', id: '7' }],
    [
      'not a repository that only has the name',
      BASE,
      [facts('8', 'bot/app', { network: '8' })],
      {},
      { repo: 'bot/app', id: null },
    ],
    ['a fork of an organisation', BASE, [], { owner: 'robots' }, { repo: 'robots/app', id: null }],
    [
      'a fork all the same, by a setting',
      facts('1', 'kim/app', { mayPush: true }),
      [],
      { use: 'always' as const },
      { repo: 'bot/app', id: null, atHome: true as const },
    ],
    [
      'our own repository, which has no fork of ours',
      facts('1', 'Bot/app', { mayPush: true }),
      [],
      { use: 'always' as const },
      null,
    ],
    [
      'a fork of a fork',
      facts('2', 'lee/app', { network: '1' }),
      [facts('7', 'bot/app')],
      {},
      { repo: 'bot/app', id: '7' },
    ],
  ])('F1: %s', async (_, base, repos, settings, expected) => {
    const { parts, asked } = host(repos, settings);
    expect(await planFork(parts, run(), base)).toEqual(expected);
    expect(asked).toEqual([]);
  });

  it('F1: stays where the branch is, whatever rights come later', async () => {
    const fork = { repo: 'bot/app', id: '7' };
    const pushed = run({ target: { fork }, change: { pushedHead: { branch: 'b', sha: 's' } } });
    const base = facts('1', 'kim/app', { mayPush: true });
    expect(await planFork(host([]).parts, pushed, base)).toEqual(fork);
  });

  it.each([
    [
      'forks are forbidden',
      facts('1', 'kim/app', { mayFork: false }),
      {},
      /does not allow forks/,
      'repository_forbids_forks',
    ],
    ['settings allow none', BASE, { use: 'never' as const }, /forks\.use/, 'forks_not_allowed'],
    ['it is our own', facts('1', 'bot/app'), {}, /its own repository/, 'fork_of_own'],
  ])('F1: says what is missing when %s', async (_, base, settings, says, kind) => {
    const failure = await outside(planFork(host([], settings).parts, run(), base));
    expect(failure.class).toBe('not_allowed');
    expect(failure.message).toMatch(says);
    expect(failure.detail?.kind).toBe(kind);
  });
});

it('F1: says that an App has no forks', async () => {
  const failure = await outside(planFork(host([], {}, null, null).parts, run(), BASE));
  expect(failure.detail).toEqual({ kind: 'app_has_no_forks', repo: 'kim/app' });
  expect([failure.class, failure.message]).toEqual([
    'not_allowed',
    expect.stringMatching(/may not push to kim\/app, and an App has no forks/),
  ]);
});

describe('a fork that is pushed to', () => {
  const known = run({ target: { fork: { repo: 'bot/app', id: '7' } } });

  it('F1: is found under another name, and never asked for again', async () => {
    const { parts, asked } = host([facts('7', 'bot/renamed')]);
    expect((await readHeadRepository(parts, known, BASE)).name).toBe('bot/renamed');
    const { run: after } = await ensureHead(parts, known, BASE);
    expect(after.target.fork).toEqual({ repo: 'bot/renamed', id: '7' });
    expect(asked).toEqual([]);
  });

  it('G2: is not another repository that was given its name', async () => {
    const { parts } = host([facts('9', 'bot/app')]);
    expect((await outside(readHeadRepository(parts, known, BASE))).message).toMatch(/is not there any more/);
  });

  it('F1: is made when it is needed, under whatever name the code host gives it', async () => {
    const { parts, asked } = host([], { owner: 'robots' }, facts('9', 'robots/app-1'));
    const { head, run: after } = await ensureHead(
      parts,
      run({ target: { fork: { repo: 'robots/app', id: null } } }),
      BASE,
    );
    expect([head.id, after.target.fork, asked]).toEqual(['9', { repo: 'robots/app-1', id: '9' }, ['robots']]);
  });

  it('F1: is made again when somebody deleted it', async () => {
    const { parts, asked } = host([], {}, facts('9', 'bot/app'));
    expect((await ensureHead(parts, known, BASE)).run.target.fork).toEqual({ repo: 'bot/app', id: '9' });
    expect(asked).toEqual([null]);
  });

  it.each([
    ['another network', facts('9', 'bot/app', { network: '9' })],
    ['the repository itself', BASE],
  ])('G2: takes no repository for a fork that is %s', async (_, made) => {
    const failure = await outside(ensureHead(host([], {}, made).parts, known, BASE));
    expect(failure.class).toBe('forge_refused');
  });
});

describe('a fork that is being made', () => {
  const waiting = (heads: (string | null | OutsideFailure)[]) => {
    let now = 0;
    const workspaces = {
      remoteHead: async () => {
        const head = heads.shift() ?? null;
        if (head instanceof OutsideFailure) throw head;
        return head;
      },
    };
    const wait = createForkWait({ workspaces, clock: { now: () => now } } as never);
    const claim = { id: 'e1' } as ClaimedEffect;
    const ask = () =>
      wait(claim, run({ target: { fork: { repo: 'bot/app', id: '7' } } }), facts('7', 'bot/app'));
    return { ask, later: (ms: number) => (now += ms) };
  };

  it('F1: is waited for until its commits are there', async () => {
    const missing = new OutsideFailure('repository_missing', 'not yet', { status: 404 });
    const { ask, later } = waiting([missing, null, 'a'.repeat(40)]);
    expect(await ask()).toMatchObject({ kind: 'later', at: 1_000, counts: false });
    later(1_000);
    expect(await ask()).toMatchObject({ kind: 'later', at: 3_000 });
    later(2_000);
    expect(await ask()).toBeNull();
  });

  it('F1: is given up after five minutes', async () => {
    const { ask, later } = waiting([]);
    await ask();
    later(300_000);
    expect((await outside(ask())).message).toMatch(/empty for five minutes/);
  });

  it('F8: is no fork that could not be looked at', async () => {
    const { ask } = waiting([new OutsideFailure('forge_unavailable', 'away')]);
    expect((await outside(ask())).class).toBe('forge_unavailable');
  });
});
