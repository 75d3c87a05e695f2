/**
 * Deliveries → runs: whom a fact reaches, that it reaches them once, and what is looked at again.
 */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Input } from '#inputs';
import type { Run } from '#run';
import { createSubmitInput, type SubmitInput } from '#runtime';
import { createPollHandler } from '../../orchestrator/kernel/ci/poll-pull.effect.ts';
import { type EffectContext, createPollHints, type PollExpediter } from '#kernel';
import { MIN_HINT_GAP_MS } from '../../orchestrator/kernel/ci/expedite-poll.io.ts';
import { createInbox } from '../../orchestrator/kernel/runtime/inbox.ts';
import { OutsideFailure } from '#ports/forge';
import type { SystemClock, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import { createDeliveryHandler } from '../../webhooks/handle-delivery.ts';
import { readDelivery } from '../../webhooks/read-delivery.ts';
import {
  checkRun,
  checkSuite,
  issueComment,
  ping,
  pullRequest,
  push,
  review,
} from '../support/github-payloads.ts';
import { anOrder, openInMemory, write, type Opened } from '../support/ledger.ts';
import { HEAD, inputsToCard } from '../support/ready-run.ts';

let opened: Opened;
let ledger: Ledger;
let hints: PollExpediter;
let may: boolean | null;
let forgot: number;
const labelledIn: string[] = [];
const followedIn: [string, readonly object[]][] = [];
const rights = {
  mayWork: async () => {
    if (may === null) throw new OutsideFailure('forge_unavailable', 'down');
    return may;
  },
  forget: () => void (forgot += 1),
  labelled: (repo: string) => void labelledIn.push(repo),
  released: () => {},
  followed: (repo: string, finds: readonly object[]) => void followedIn.push([repo, finds]),
};
let submit: SubmitInput;
let complaints: unknown[];
let now = 50_000;
const clock: SystemClock = { now: () => now };
const log: LogPort = { debug() {}, info() {}, warn() {}, error: (fields) => void complaints.push(fields) };
let nonces = 0;
const ids = { runId: () => 'r', nonce: () => `nonce${(nonces += 1)}`.padEnd(16, 'x') };

beforeEach(async () => {
  opened = await openInMemory();
  ledger = opened.ledger;
  complaints = [];
  may = true;
  forgot = 0;
  now = 50_000;
  hints = createPollHints({ ledger, clock });
  submit = createSubmitInput({ ledger, clock, ids });
});
afterEach(() => opened.close());

const offer = async (runId: string, input: Input): Promise<void> => {
  const key = `test:${(nonces += 1)}`;
  const { lifecycle: { epoch = null } = {} } = (await ledger.query.run(runId)) ?? {};
  const outcome = await submit({ runId, input, key, cause: { kind: 'none' }, effectEpoch: epoch });
  if (outcome.kind !== 'written') throw new Error(`${input.type}: ${JSON.stringify(outcome)}`);
};

/** A run that has pushed HEAD to feature/agentpr-x of repository 1 and waits at its gate. */
const pushedRun = async (id: string, repo = 'ana/widgets'): Promise<void> => {
  await offer(id, { type: 'command.run.create', runId: id, order: { ...anOrder(), repo } });
  for (const input of inputsToCard()) await offer(id, input);
};
/** The same, with pull request 7. */
const openRun = async (id: string, changes: RunPatch = {}): Promise<void> => {
  await pushedRun(id);
  await write(ledger, id, {
    run: patchRun(
      {
        lifecycle: { state: 'CI_WAIT' },
        upstream: { pullRequest: { id: '#7', url: 'https://x' } },
      },
      changes,
    ),
  });
};

/** Stored as the receiver does, then handled to its end. */
const delivered = async (event: string, payload: unknown, key = `guid-${(nonces += 1)}`): Promise<number> => {
  const body = { event, seen: readDelivery(event, payload) };
  const never = () => Promise.reject(new Error('no such source'));
  const inbox = createInbox({
    ledger,
    clock,
    handlers: {
      forge: createDeliveryHandler({ submit, ledger, hints, clock, ...rights }),
      chat: never,
      cli: never,
      note: never,
    },
    log,
  });
  const [row] = await ledger.receive([{ source: 'forge', key, body }], clock.now());
  await inbox.drain();
  return row?.id ?? -1;
};
const fate = async (id: Promise<number>) => {
  const row = await ledger.query.incoming(await id);
  return row && { state: row.state, note: row.note };
};
const run = async (id = 'r1'): Promise<Run> => {
  const found = await ledger.query.run(id);
  if (!found) throw new Error(`no run ${id}`);
  return found;
};
const lastEvent = async (id = 'r1') => (await ledger.query.events(id)).at(-1);

describe('a fact', () => {
  it('F3: about a commit of ours is folded in before the pull request is linked', async () => {
    await pushedRun('r1');
    expect(await fate(delivered('check_run', checkRun()))).toEqual({ state: 'done', note: null });
    const {
      lifecycle: { state },
      upstream: { observed: seen },
    } = await run();
    expect(state).toBe('PUSHED');
    expect(seen.ci[HEAD]?.checks).toHaveProperty('github-actions/118578147/build');
  });

  it('S4: carries the name of its delivery as the key of its event', async () => {
    await pushedRun('r1');
    await delivered('check_run', checkRun(), '72d3162e-cc78-11e3-81ab-4c9367dc0958');
    expect(await lastEvent()).toMatchObject({
      type: 'forge.check.observed',
      key: 'forge:72d3162e-cc78-11e3-81ab-4c9367dc0958',
    });
  });

  it('S4: under two delivery ids moves nothing twice', async () => {
    await pushedRun('r1');
    await delivered('check_run', checkRun());
    const {
      lifecycle: { version },
    } = await run();
    expect(await fate(delivered('check_run', checkRun()))).toMatchObject({
      note: JSON.stringify({ kind: 'ignored', reason: 'nothing new' }),
    });
    expect((await run()).lifecycle.version).toBe(version);
  });

  it('S4: of a delivery that is handled again after a crash is known by its key', async () => {
    await openRun('r1');
    await openRun('r2');
    const body = { event: 'check_run', seen: readDelivery('check_run', checkRun()) };
    const [row] = await ledger.receive([{ source: 'forge', key: 'g', body }], 1);
    const handle = (settleInbox: Ledger['settleInbox']) =>
      createDeliveryHandler({
        submit,
        ledger: { query: ledger.query, settleInbox },
        hints,
        clock,
        ...rights,
      });
    const item = {
      id: row?.id ?? -1,
      source: 'forge' as const,
      key: 'g',
      body,
      tries: 0,
      receivedAt: 1,
      lane: null,
      urgent: false,
      wasSetAside: false,
    };
    await expect(handle(() => Promise.reject(new Error('killed')))(item)).rejects.toThrow('killed');
    const versions = [(await run('r1')).lifecycle.version, (await run('r2')).lifecycle.version];
    await handle((...args) => ledger.settleInbox(...args))(item);
    expect([(await run('r1')).lifecycle.version, (await run('r2')).lifecycle.version]).toEqual(versions);
    expect(await fate(Promise.resolve(item.id))).toEqual({ state: 'done', note: 'heard by r2, r1' });
  });

  it('about a pull request reaches the run that has it', async () => {
    await openRun('r1');
    const merged = { state: 'closed', merged: true, merged_by: { login: 'mia' } };
    await delivered('pull_request', pullRequest('closed', merged));
    expect(await run()).toMatchObject({
      lifecycle: { state: 'DONE', reason: { kind: 'pull_merged', by: 'mia' } },
    });
  });

  it('G1: about a pull request that was not linked yet is only remembered', async () => {
    await pushedRun('r1');
    await delivered('pull_request', pullRequest('opened'));
    expect(await run()).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      upstream: { pullRequest: null, observed: { pull: { id: '#7' } } },
    });
  });

  it('about the branch tells of a stranger who pushed to it', async () => {
    await openRun('r1');
    await delivered('push', push({ after: 'f'.repeat(40) }));
    expect(await run()).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      upstream: { observed: { branchHead: 'f'.repeat(40) } },
    });
  });

  it('reaches every run that it is about', async () => {
    await openRun('r1');
    await openRun('r2');
    expect(await fate(delivered('check_run', checkRun()))).toEqual({
      state: 'done',
      note: 'heard by r2, r1',
    });
    for (const id of ['r1', 'r2'])
      expect((await run(id)).upstream.observed.ci[HEAD]?.checks).toHaveProperty(
        'github-actions/118578147/build',
      );
  });

  it.each<[string, string, object, RunPatch]>([
    ['another commit', 'check_run', checkRun({ head_sha: 'a'.repeat(40) }), {}],
    [
      'another pull request',
      'issue_comment',
      issueComment(true),
      { upstream: { pullRequest: { id: '#8', url: '' } } },
    ],
    ['another branch', 'push', push({ ref: 'refs/heads/main', after: 'a'.repeat(40) }), {}],
    ['a run that has ended', 'check_run', checkRun(), { lifecycle: { state: 'DONE' } }],
    [
      'another repository of that name',
      'check_run',
      checkRun({}, { repository: { id: 2, full_name: 'ana/widgets' } }),
      {},
    ],
    [
      'another repository',
      'check_run',
      checkRun({}, { repository: { id: 2, full_name: 'ana/gadgets' } }),
      {},
    ],
  ])('about %s reaches nobody, and says so', async (_, event, payload, changes) => {
    await openRun('r1', changes);
    const {
      lifecycle: { version },
    } = await run();
    expect(await fate(delivered(event, payload))).toEqual({ state: 'done', note: 'no run of ours' });
    expect((await run()).lifecycle.version).toBe(version);
  });

  it('F8: finds the runs of a repository that was renamed or given away, by its id', async () => {
    await openRun('r1');
    const repository = { id: 1, full_name: 'bea/gadgets' };
    await delivered('check_run', checkRun({}, { repository }));
    expect((await run()).upstream.observed.ci[HEAD]?.checks).toHaveProperty('github-actions/118578147/build');
  });

  it('finds the repository whatever the case of its name', async () => {
    await pushedRun('r1', 'Ana/Widgets');
    await delivered('check_run', checkRun());
    expect((await run()).upstream.observed.ci[HEAD]?.checks).toHaveProperty('github-actions/118578147/build');
  });
});

describe('what says nothing', () => {
  it('is done with its reason', async () => {
    expect(await fate(delivered('ping', ping()))).toMatchObject({
      state: 'done',
      note: expect.stringMatching(/^ignored: ping/) as string,
    });
  });

  it('and should have is kept for a person, at its first try', async () => {
    expect(await fate(delivered('check_run', { action: 'completed' }))).toMatchObject({
      state: 'dead',
      note: expect.stringContaining('check_run without what GitHub documents') as string,
    });
    expect(complaints).toEqual([]);
  });
});

describe('a hint', () => {
  const nothing = () => Promise.resolve();
  /** When the run's watcher looks next. */
  const due = async (id = 'r1'): Promise<number> => {
    const [watcher, ...more] = await ledger.query.effects({ runId: id, kind: 'poll', state: 'pending' });
    if (!watcher || more.length > 0) throw new Error(`${id} has not exactly one look ahead of it`);
    return watcher.dueAt;
  };
  /** Performs the look that is due, as dispatch does. */
  const look = async (during: () => Promise<void>): Promise<void> => {
    const [claim] = await ledger.claim({ now, leaseMs: 60_000, limit: 1, kinds: ['poll'] });
    if (claim?.do.kind !== 'poll') throw new Error('no look is due');
    const { do: work } = claim;
    const pull = {
      id: '#7',
      state: 'open',
      merged: false,
      headSha: HEAD,
      mergedBy: null,
      baseRef: 'main',
      baseRepoId: '1',
    };
    const none = () => Promise.resolve([]);
    const forge = {
      pull: () => during().then(() => pull),
      checks: () =>
        Promise.resolve({ checks: [], required: [], held: false, queue: false, unread: null, seenAt: null }),
      reviews: none,
      comments: none,
    };
    const parts = { ledger, submit, clock, hints, forge, log } as unknown as EffectContext;
    const outcome = await createPollHandler(parts)({ ...claim, do: work }, new AbortController().signal);
    if (outcome.kind !== 'later') throw new Error(`the look ended with ${outcome.kind}`);
    await ledger.finish(claim, outcome, now);
  };
  /** With a watcher that has looked and waits its time. */
  const watched = async (id: string): Promise<void> => {
    await openRun(id);
    await look(nothing);
    now += 1_000;
    expect(await due(id)).toBeGreaterThan(now);
  };

  it.each<[string, object]>([
    ['check_suite', checkSuite()],
    ['pull_request_review', review()],
    ['issue_comment', issueComment(true)],
  ])('F4, P5: %s makes the look due now, and is no fact', async (event, payload) => {
    await watched('r1');
    const {
      lifecycle: { version },
    } = await run();
    expect(await fate(delivered(event, payload))).toEqual({ state: 'done', note: 'heard by r1' });
    expect(await due()).toBe(now);
    expect((await run()).lifecycle.version).toBe(version);
  });

  it('F12: one that comes late calls no run back to a former name, and has it look', async () => {
    await watched('r1');
    const today = { name: 'bea/gadgets', archived: false, private: false };
    const shown = readDelivery('pull_request', pullRequest('edited'));
    const input = 'facts' in shown ? shown.facts[0]?.input : undefined;
    if (input?.type !== 'forge.pull.observed' || !input.metadata) throw new Error('it shows nothing');
    await offer('r1', { ...input, metadata: { ...input.metadata, repo: today } });
    expect((await run()).target.renamedTo).toBe('bea/gadgets');
    expect(await due()).toBeGreaterThan(now);
    await delivered('pull_request', pullRequest('edited'));
    expect((await run()).target.renamedTo).toBe('bea/gadgets');
    expect((await run()).upstream.observed.pull?.metadata?.repo).toEqual(today);
    expect(await due()).toBe(now);
  });

  it('P5: puts no word of a stranger into a run, nor into its events', async () => {
    await watched('r1');
    await delivered('pull_request_review', review());
    await delivered('pull_request', pullRequest('edited'));
    const words = JSON.stringify([await run(), await ledger.query.events('r1')]);
    expect(words).not.toMatch(/Ignore your rules|merge this at once/);
  });

  it('during a look has another follow it at once, and then no more', async () => {
    await watched('r1');
    await delivered('check_suite', checkSuite());
    // A claimed look cannot be hurried: only the mark tells that it came too early.
    await look(async () => void (await delivered('check_suite', checkSuite())));
    expect(await due()).toBe(now + MIN_HINT_GAP_MS);
    now += MIN_HINT_GAP_MS;
    await look(nothing);
    expect(await due()).toBeGreaterThan(now + MIN_HINT_GAP_MS);
  });

  it('soon after a look shares the next one with all that follow', async () => {
    await watched('r1');
    await delivered('check_suite', checkSuite());
    await look(nothing);
    const next = now + MIN_HINT_GAP_MS;
    for (let i = 0; i < 4; i += 1) {
      now += MIN_HINT_GAP_MS / 5;
      await delivered('check_suite', checkSuite());
      expect(await due()).toBe(next);
    }
    now = next;
    await look(nothing);
    now += MIN_HINT_GAP_MS;
    await delivered('check_suite', checkSuite());
    expect(await due()).toBe(now);
  });

  it('F5: does not make us ask while the forge wants to be left alone, and does after', async () => {
    await watched('r1');
    await watched('r2');
    await delivered('check_suite', checkSuite());
    const [until, second] = [now + 60_000, await due('r2')];
    await look(() =>
      Promise.reject(new OutsideFailure('rate_limited', 'GitHub asks us to wait', { retryAt: until })),
    );
    expect([await due('r1'), await due('r2')].sort()).toEqual([second, until].sort());
    await delivered('check_suite', checkSuite());
    expect([await due('r1'), await due('r2')].sort()).toEqual([second, until].sort());
    now = until + 1;
    await look(nothing);
    await look(nothing);
    now += MIN_HINT_GAP_MS;
    await delivered('check_suite', checkSuite());
    expect([await due('r1'), await due('r2')]).toEqual([now, now]);
  });
});

it("S2: handles deliveries side by side, and a person's messages in their order", async () => {
  const order: string[] = [];
  const all = Promise.withResolvers<void>();
  const settle = (id: number) =>
    ledger.settleInbox(id, { kind: 'done', note: 'so', replies: [] }, clock.now());
  const inbox = createInbox({
    ledger,
    clock,
    log,
    handlers: {
      forge: async ({ id, key }) => {
        order.push(key);
        // Nobody goes on before all have begun.
        if (order.filter((k) => k.startsWith('g')).length === 3) all.resolve();
        await all.promise;
        await settle(id);
      },
      chat: async ({ id, key }) => {
        order.push(`${key} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        await settle(id);
        order.push(`${key} ends`);
      },
      cli: () => Promise.reject(new Error('no such source')),
      note: () => Promise.reject(new Error('no such source')),
    },
  });
  const item = (source: 'forge' | 'chat', key: string) => ({ source, key, body: null });
  await ledger.receive(
    [item('forge', 'g1'), item('chat', 't1'), item('forge', 'g2'), item('chat', 't2'), item('forge', 'g3')],
    1,
  );
  await inbox.drain();
  expect(order.filter((k) => k.startsWith('t'))).toEqual(['t1 begins', 't1 ends', 't2 begins', 't2 ends']);
  expect(await ledger.query.inboxCounts()).toEqual({ done: 5 });
  expect(complaints).toEqual([]);
});

describe('an installation of the App', () => {
  const told = (event: string, action: string, login = 'Ana') =>
    fate(delivered(event, { action, installation: { id: 1, account: { login, id: 7, type: 'User' } } }));

  it('F1: that ends stops the runs of its account, and one that comes back has them go on', async () => {
    await openRun('r1');
    may = false;
    expect(await told('installation', 'suspend')).toEqual({ state: 'done', note: 'heard by r1' });
    expect(forgot).toBe(1);
    const stopped = await run();
    expect([stopped.lifecycle.state, stopped.lifecycle.reason]).toEqual([
      'PAUSED',
      { kind: 'access_lost', how: 'suspended', account: 'Ana' },
    ]);
    await told('installation', 'suspend');
    expect((await run()).lifecycle.version).toBe(stopped.lifecycle.version);
    may = true;
    await told('installation', 'unsuspend');
    expect((await run()).lifecycle.state).toBe('CI_WAIT');
  });

  it.each([
    ['installation', 'deleted', 'removed'],
    ['installation_repositories', 'removed', 'unlisted'],
    // Late or out of order: what GitHub says now counts.
    ['installation', 'created', 'removed'],
  ])('F1: %s.%s is only a hint: GitHub is asked what it may now', async (event, action, how) => {
    await openRun('r1');
    await told(event, action);
    expect((await run()).lifecycle.state).toBe('CI_WAIT');
    expect(hints.hinted('r1')).toBe(true);
    may = false;
    await told(event, action);
    expect((await run()).lifecycle.reason).toMatchObject({ kind: 'access_lost', how });
  });

  it('F1: that cannot be asked about moves nothing, and makes its runs look', async () => {
    await openRun('r1');
    may = null;
    expect(await told('installation', 'deleted')).toMatchObject({ state: 'done' });
    expect((await run()).lifecycle.state).toBe('CI_WAIT');
    expect(hints.hinted('r1')).toBe(true);
  });

  it.each(['zoe', 'an', 'ana2', ''])('F1: of %j moves no run of ana', async (login) => {
    await openRun('r1');
    may = false;
    await told('installation', 'deleted', login);
    expect((await run()).lifecycle.state).toBe('CI_WAIT');
  });
});
