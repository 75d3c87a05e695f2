/** F5, E6: what a campaign does next, by how its runs stand. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  advanceCampaign,
  NO_CAMPAIGN_HOLDS,
  remainingByOwner,
  overfullOwners,
  type RunStandings,
} from '../../orchestrator/campaign-standing/advance-campaign.ts';
import { planNewCampaign, type Campaign } from '#model/campaign';
import { findNextOpening, WorkingHours } from '#model/schedule';
import { DAY, MINUTE } from '#model/values';
import {
  etaOf,
  listBlockingIdleRuns,
  mergeSharesByAge,
  listStuckRuns,
} from '../../orchestrator/campaign-standing/campaign-progress.ts';
import {
  STANDING_MARKS,
  type StandingMark,
  type RunStanding,
} from '../../orchestrator/campaign-standing/run-standing.ts';
import { aCampaign } from '../support/campaigns.ts';

const NOW = 100 * DAY;
const OVER: readonly StandingMark[] = ['merged', 'done', 'skipped', 'out', 'cancelled'];
const REPOS = ['a/1', 'b/2', 'c/3', 'd/4', 'e/5', 'f/6'];
const order = aCampaign({ repos: REPOS, pace: { canary: 2, steps: [3] } });
const running = (change: Partial<Campaign> = {}): Campaign => ({
  ...planNewCampaign({ id: 'c-aaaaaa', digest: 'x', by: null }, 0),
  state: 'running',
  released: 2,
  ...change,
});
const stands = (...marks: readonly StandingMark[]): RunStandings =>
  new Map(
    marks.map((mark, i) => [
      REPOS[i] ?? '',
      {
        repo: REPOS[i] ?? '',
        run: `r${i}`,
        class: null,
        out: null,
        at: NOW - 1,
        since: NOW - 1,
        mark,
        over: OVER.includes(mark),
        ended: OVER.includes(mark),
        near: [],
        opened: ['open', 'green', 'merged'].includes(mark),
        unwanted: false,
        asks: null,
        reads: false,
        publicAt: null,
      },
    ]),
  );

describe('the pace of a campaign', () => {
  it('F5: lets a few go first, and the others when those have come to what was asked', () => {
    expect(advanceCampaign(order, running({ released: 0 }), new Map(), NOW).enter).toEqual({
      kind: 'widened',
      to: 2,
      step: 0,
    });
    expect(advanceCampaign(order, running(), new Map(), NOW).start).toEqual(['a/1', 'b/2']);
    expect(advanceCampaign(order, running(), stands('open', 'works'), NOW)).toEqual({
      start: [],
      enter: null,
      waits: { kind: 'step', count: 1, of: 2 },
    });
    expect(advanceCampaign(order, running(), stands('open', 'merged'), NOW).enter).toEqual({
      kind: 'widened',
      to: 5,
      step: 1,
    });
    // What nobody wanted changed shows nothing: as few as the first follow.
    expect(advanceCampaign(order, running(), stands('skipped', 'skipped'), NOW).enter).toEqual({
      kind: 'widened',
      to: 4,
      step: 0,
    });
    expect(
      advanceCampaign(order, running({ released: 6 }), stands(...REPOS.map(() => 'merged' as const)), NOW),
    ).toEqual({ start: [], enter: { kind: 'finished' }, waits: null });
  });

  it('F5: a repository in which another run of ours is at work is begun after it, and holds up no other', () => {
    const busyIn = (...repos: string[]) => ({
      ...NO_CAMPAIGN_HOLDS,
      busy: new Map(repos.map((repo) => [repo, 'r'])),
    });
    const busy = busyIn('a/1');
    expect(advanceCampaign(order, running(), new Map(), NOW, busy).start).toEqual(['b/2']);
    const one = new Map([...stands('open', 'open')].slice(1));
    // The other canary came to what was asked: the step after it begins, and a/1 when it can.
    expect(advanceCampaign(order, running(), one, NOW, busy).enter).toEqual({
      kind: 'widened',
      to: 5,
      step: 1,
    });
    // Where all of a step are held, as many others prove the change instead, and the rest waits for them.
    const held = busyIn('a/1', 'b/2');
    const { step } = running();
    const instead = advanceCampaign(order, running(), new Map(), NOW, held);
    expect(instead).toEqual({ start: [], enter: { kind: 'widened', to: 4, step }, waits: null });
    const widened = running({ released: 4, stepStart: 2 });
    expect(advanceCampaign(order, widened, new Map(), NOW, held).start).toEqual(REPOS.slice(2, 4));
    const begun = new Map([...stands('works', 'works', 'works', 'works')].slice(2));
    expect(advanceCampaign(order, widened, begun, NOW, held)).toMatchObject({ start: [], enter: null });
    expect(
      advanceCampaign(
        order,
        running({ released: 6 }),
        stands('merged', 'merged', 'merged', 'merged', 'merged'),
        NOW,
        busyIn('f/6'),
      ),
    ).toEqual({
      start: [],
      enter: null,
      waits: { kind: 'busy', count: 1, of: 6 },
    });
  });

  it('F5: an owner in whose CI too many of ours wait has the others begun later, and holds up no other owner', () => {
    const limited = aCampaign({ repos: REPOS, limits: { queued: 2 } });
    const waiting = limited.targets.slice(0, 2);
    const queues = (n: number) => ({
      ...NO_CAMPAIGN_HOLDS,
      queued: overfullOwners(
        limited,
        waiting,
        new Map([
          ['a', n],
          ['z', 9],
        ]),
      ),
    });
    expect(advanceCampaign(order, running(), new Map(), NOW, queues(1)).start).toEqual(['a/1', 'b/2']);
    expect(advanceCampaign(order, running(), new Map(), NOW, queues(2)).start).toEqual(['b/2']);
    expect(advanceCampaign(order, running({ released: 1 }), new Map(), NOW, queues(2))).toEqual({
      start: [],
      enter: { kind: 'widened', to: 2, step: running().step },
      waits: null,
    });
  });

  it('F5: what is left out by rules of its repository is no failure', () => {
    expect(advanceCampaign(order, running(), stands('out', 'open'), NOW).enter).toMatchObject({
      kind: 'widened',
      to: 5,
    });
    expect(
      advanceCampaign(order, running({ released: 6 }), stands(...REPOS.map(() => 'out' as const)), NOW).enter,
    ).toEqual({
      kind: 'finished',
    });
  });

  it('F5: stops when too many of a step failed or were denied, before anything else begins', () => {
    expect(advanceCampaign(order, running(), stands('failed'), NOW)).toEqual({
      start: [],
      waits: null,
      enter: { kind: 'stopped', reason: { kind: 'failures', count: 1, of: 2, bound: 0.34 } },
    });
    expect(advanceCampaign(order, running(), stands('denied', 'open'), NOW).enter).toMatchObject({
      kind: 'stopped',
      reason: { kind: 'denials' },
    });
    // A step that was let go on by a person is judged no more.
    const again = advanceCampaign(order, running({ stepStart: 2 }), stands('failed', 'open'), NOW);
    expect(again.enter).toMatchObject({ kind: 'widened' });
  });

  it('F5: what happened to a repository is no failure of the change, and of all of them it is our credential', () => {
    const out = (why: RunStanding['out'], ...marks: readonly StandingMark[]): RunStandings =>
      new Map(
        [...stands(...marks)].map(([repo, one]) => [repo, one.mark === 'out' ? { ...one, out: why } : one]),
      );
    // One of the two is archived: half of a step would be too many failures.
    expect(advanceCampaign(order, running(), out('archived', 'out', 'open'), NOW).enter).toMatchObject({
      kind: 'widened',
    });
    expect(advanceCampaign(order, running(), out('missing', 'out', 'open'), NOW).enter).toMatchObject({
      kind: 'widened',
    });
    // Of those that take part all failed.
    expect(advanceCampaign(order, running(), out('missing', 'out', 'failed'), NOW).enter).toEqual({
      kind: 'stopped',
      reason: { kind: 'failures', count: 1, of: 1, bound: 0.34 },
    });
    for (const why of ['missing', 'not_allowed'] as const)
      expect(advanceCampaign(order, running(), out(why, 'out', 'out'), NOW).enter).toEqual({
        kind: 'stopped',
        reason: { kind: 'access', count: 2, of: 2, bound: 0 },
      });
    expect(advanceCampaign(order, running(), out('archived', 'out', 'out'), NOW).enter).toMatchObject({
      kind: 'widened',
    });
    // One by one: the last two say as much; after Resume only what comes then is judged.
    const one = aCampaign({ repos: REPOS, pace: { canary: 1, steps: [1] } });
    const second = running({ released: 2, stepStart: 1 });
    expect(advanceCampaign(one, second, out('missing', 'open', 'out'), NOW).enter).toMatchObject({
      kind: 'widened',
    });
    expect(advanceCampaign(one, second, out('missing', 'out', 'out'), NOW).enter).toMatchObject({
      reason: { kind: 'access' },
    });
    expect(
      advanceCampaign(one, running({ released: 2, stepStart: 2 }), out('missing', 'out', 'out'), NOW).enter,
    ).toMatchObject({ kind: 'widened' });
  });

  it('F5: begins nothing more of an owner whose maintainers said no to two', () => {
    const repos = ['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'b/2'];
    const some = aCampaign({ repos, pace: { stop: { failures: 1, denials: 1 } } });
    const no = (n: number): RunStandings =>
      new Map(
        repos.slice(0, n).map((repo) => [
          repo,
          {
            repo,
            run: repo,
            mark: 'denied',
            class: null,
            out: null,
            over: true,
            ended: true,
            near: [],
            opened: true,
            unwanted: true,
            asks: null,
            reads: false,
            publicAt: null,
            at: NOW,
            since: NOW,
          },
        ]),
      );
    const all = running({ released: 6 });
    expect(advanceCampaign(some, all, no(1), NOW).start.sort()).toEqual(['a/2', 'a/3', 'a/4', 'b/1', 'b/2']);
    expect(advanceCampaign(some, all, no(2), NOW).start.sort()).toEqual(['b/1', 'b/2']);
    expect([...remainingByOwner(some, no(2))].map(([owner, left]) => [owner, left.sort()])).toEqual([
      ['a', ['a/3', 'a/4']],
    ]);
    const over = new Map([...no(2), ...[...no(6)].slice(4)]);
    expect(advanceCampaign(some, all, over, NOW)).toMatchObject({ start: [], enter: { kind: 'finished' } });
  });

  it('F5: begins only in the working hours of a time zone, through both changes of its clocks', () => {
    const berlin = 'mon-fri 09:00-17:00 Europe/Berlin';
    const until = (iso: string): string | null => {
      const at = findNextOpening(berlin, Date.parse(iso));
      return at === null ? null : new Date(at).toISOString().slice(0, 16);
    };
    expect(until('2026-03-27T07:59:00Z')).toBe('2026-03-27T08:00');
    expect(until('2026-03-27T15:59:00Z')).toBeNull();
    // Clocks go forward on Sunday the 29th: nine o'clock is an hour earlier on Monday.
    expect(until('2026-03-27T16:00:00Z')).toBe('2026-03-30T07:00');
    expect(until('2026-10-23T15:00:00Z')).toBe('2026-10-26T08:00');
    expect(findNextOpening('sat-sun 00:00-24:00 Asia/Kathmandu', Date.parse('2026-03-27T18:14:00Z'))).toBe(
      Date.parse('2026-03-27T18:15:00Z'),
    );
    expect(findNextOpening('fri-mon 10:00-11:00 UTC', Date.parse('2026-03-29T10:30:00Z'))).toBeNull();
    for (const wrong of [
      '',
      'mon-fri',
      'mon-fri 9-17 UTC',
      '09:00-08:00 UTC',
      '09:00-25:00 UTC',
      '09:00-17:00 Mars/Base',
    ])
      expect(WorkingHours.safeParse(wrong).success, wrong).toBe(false);
    const some = aCampaign({ repos: REPOS, pace: { hours: berlin } });
    const at = (iso: string) => advanceCampaign(some, running(), new Map(), Date.parse(iso));
    expect(at('2026-03-28T12:00:00Z')).toMatchObject({
      start: [],
      waits: { kind: 'hours', until: Date.parse('2026-03-30T07:00:00Z') },
    });
    expect(at('2026-03-30T07:00:00Z').start).toHaveLength(2);
  });

  it('O4: says what share was merged in time, who keeps it waiting, and when it will be through', () => {
    const merged = (repo: string, opened: number, took: number): [string, RunStanding] => [
      repo,
      {
        repo,
        run: repo,
        mark: 'merged',
        class: null,
        out: null,
        over: true,
        ended: true,
        near: [],
        opened: true,
        unwanted: false,
        asks: null,
        reads: false,
        at: opened,
        publicAt: opened,
        since: opened + took,
      },
    ];
    const [, open] = merged('c/3', NOW - 40 * DAY, 0);
    const runs: RunStandings = new Map([
      merged('a/1', NOW - 40 * DAY, 3 * DAY),
      merged('b/2', NOW - 40 * DAY, 20 * DAY),
      ['c/3', { ...open, mark: 'green', over: false }],
      [
        'd/4',
        {
          ...open,
          repo: 'd/4',
          run: 'd/4',
          mark: 'open',
          over: false,
          publicAt: NOW - DAY,
          since: NOW - DAY,
        },
      ],
    ]);
    expect(mergeSharesByAge(runs, NOW)).toEqual([
      { days: 7, merged: 1, of: 3 },
      { days: 30, merged: 2, of: 3 },
    ]);
    expect(listStuckRuns(runs).map(({ repo, on }) => [repo, on])).toEqual([
      ['c/3', 'reviewers'],
      ['d/4', 'checks'],
    ]);
    // One every minute so far: forty minutes for forty more.
    const repos = Array.from({ length: 60 }, (_, i) => `o${i}/r`);
    const many = aCampaign({ repos, limits: { perDay: 1_000 } });
    const all = { ...running({ released: 60 }), stepStart: 0, step: 1 };
    const paced: RunStandings = new Map(
      repos.slice(0, 20).map((repo, i) => merged(repo, NOW - (19 - i) * MINUTE, 0)),
    );
    expect(etaOf(many, { ...all, state: 'running' }, paced, NOW)).toBe(NOW + 40 * MINUTE);
    expect(etaOf(many, { ...all, state: 'paused' }, paced, NOW)).toBeNull();
    expect(etaOf(many, { ...all, state: 'running' }, new Map([...paced].slice(0, 4)), NOW)).toBeNull();
    // What waits for the person has come that far: cards of many open all at once.
    const waiting: RunStandings = new Map(
      [...paced].map(([repo, one]) => [repo, { ...one, mark: 'waits', over: false, opened: false }]),
    );
    expect(etaOf(many, { ...all, state: 'running' }, waiting, NOW)).toBe(NOW + 40 * MINUTE);
    // At most twenty a day: that takes longer than the pace says.
    const slow = aCampaign({ repos, limits: { perDay: 20 } });
    expect(etaOf(slow, { ...all, state: 'running' }, paced, NOW)).toBe(NOW + 2 * DAY);
  });

  it('F5: from the first step after the canaries on, says within a fifth when the last one comes', () => {
    const steps = [3, 50, 150, 297];
    const [every, between, latency, slots] = [1_700, 40_000, 9_000, 6];
    const repos = Array.from({ length: 500 }, (_, i) => `o${i}/r`);
    const many = aCampaign({
      repos,
      pace: { canary: 3, steps: [50, 150, 500] },
      limits: { perDay: 1_000 },
    });
    // Six at a time; a step begins when the one before is approved, which takes its person a while.
    const plan: { at: number; ready: number; opened: number; step: number }[] = [];
    let clock = 0;
    steps.forEach((size, step) => {
      for (let i = 0; i < size; i += 1) {
        const ready = clock + latency + i * every;
        plan.push({ at: Math.max(clock, ready - slots * every), ready, opened: ready + 20_000, step });
      }
      clock += latency + size * every + between;
    });
    const end = Math.max(...plan.map(({ ready }) => ready));
    const seenAt = (now: number): { campaign: Campaign; runs: RunStandings } => {
      const step = Math.max(0, ...plan.filter(({ at }) => at <= now).map((one) => one.step));
      const from = steps.slice(0, step).reduce((a, b) => a + b, 0);
      const released = from + (steps[step] ?? 0);
      const runs = repos.flatMap((repo, i): [string, RunStanding][] => {
        const one = plan[i];
        if (one === undefined || one.at > now) return [];
        const opened = one.opened <= now;
        // Between the approval and its turn to be opened it is at work again.
        const asks = one.ready <= now && now < one.ready + 10_000;
        const mark: StandingMark = opened ? 'open' : asks ? 'waits' : 'works';
        const came = one.ready <= now ? one.ready : one.at;
        const standing = {
          class: null,
          out: null,
          over: false,
          ended: false,
          near: [],
          unwanted: false,
          asks: null,
          reads: false,
          publicAt: one.ready <= now ? one.ready : null,
        };
        return [[repo, { repo, run: repo, ...standing, at: one.at, since: came, mark, opened }]];
      });
      return { campaign: running({ released, stepStart: from, step }), runs: new Map(runs) };
    };
    const second = plan[3]?.at ?? 0;
    const off = Array.from({ length: 50 }, (_, i) => second + ((end - second) * (i + 1)) / 52).map((now) => {
      const { campaign, runs } = seenAt(now);
      const eta = etaOf(many, campaign, runs, now);
      return eta === null ? null : (eta - now) / (end - now);
    });
    expect(off.filter((one) => one !== null).length).toBeGreaterThan(45);
    expect(off.filter((one) => one !== null && Math.abs(one - 1) > 0.2)).toEqual([]);
  });

  it('F5: who still asks before work begins is waited for as long again, and then works', () => {
    const repos = Array.from({ length: 20 }, (_, i) => `o${i}/r`);
    const many = aCampaign({ repos, pace: { canary: 3, steps: [20] }, limits: { perDay: 1_000 } });
    const [[, open] = []] = [...stands('open')];
    const [[, works] = []] = [...stands('works')];
    if (!open || !works) throw new Error('no standing');
    const wishes = [{ rule: 'issue_first' as const, value: 'open', quote: 'q', file: 'f', line: 1 }];
    const runs: RunStandings = new Map(
      repos.map((repo, i): [string, RunStanding] => {
        const ready = NOW - 60_000 + i * 1_000;
        if (i < 18)
          return [repo, { ...open, repo, run: repo, at: ready - 9_000, publicAt: ready, since: ready }];
        const asks = { run: repo, repo, wishes };
        return [
          repo,
          { ...works, mark: 'waits', repo, run: repo, at: NOW - 50_000, since: NOW - 45_000, asks },
        ];
      }),
    );
    const at = { ...running({ released: 20 }), stepStart: 0, step: 1, state: 'running' as const };
    expect((etaOf(many, at, runs, NOW) ?? 0) - NOW).toBe(45_000 + 9_000);
  });

  it('F5: what is approved waits for its turn to be opened, at the pace that openings have', () => {
    const repos = Array.from({ length: 20 }, (_, i) => `o${i}/r`);
    const many = aCampaign({ repos, pace: { canary: 3, steps: [10, 10] }, limits: { perDay: 1_000 } });
    const one = (mark: StandingMark, i: number, since: number): [string, RunStanding] => {
      const [, given] = [...stands(mark)][0] ?? [];
      if (!given) throw new Error('no standing');
      const repo = repos[i] ?? '';
      return [repo, { ...given, repo, run: repo, at: 0, publicAt: NOW - 60_000 + i * 1_000, since }];
    };
    const runs: RunStandings = new Map([
      ...Array.from({ length: 6 }, (_, i) => one('open', i, NOW - 20_000 + i * 4_000)),
      ...Array.from({ length: 4 }, (_, i) => one('works', 6 + i, NOW - 1_000)),
    ]);
    const at = { ...running({ released: 10 }), stepStart: 0, step: 1, state: 'running' as const };
    const eta = etaOf(many, at, runs, NOW);
    // Ten more at one a second; before them four openings, one every four seconds.
    expect((eta ?? 0) - NOW).toBe(10 * 1_000 + 4 * 4_000);
  });

  it('F5: idle pull requests that take all places are found; one tap more lets others begin', () => {
    const some = aCampaign({ repos: REPOS, limits: { open: 2 } });
    const idle: RunStandings = new Map(
      [...stands('green', 'open')].map(([repo, one]) => [repo, { ...one, since: NOW - 8 * DAY }]),
    );
    const all = running({ released: 6 });
    const { waits } = advanceCampaign(some, all, idle, NOW);
    expect(listBlockingIdleRuns(waits, idle, NOW)).toHaveLength(2);
    expect(listBlockingIdleRuns(waits, stands('green', 'open'), NOW)).toEqual([]);
    expect(advanceCampaign(some, { ...all, maxOpen: 5 }, idle, NOW).start).toHaveLength(3);
  });

  it('F5: a pull request that is not to be seen any more keeps no place', () => {
    const some = aCampaign({ repos: REPOS, limits: { open: 2 } });
    const gone: RunStandings = new Map(
      [...stands('open', 'open')].map(([repo, one], i) => [
        repo,
        i === 0 ? { ...one, mark: 'out', out: 'missing' } : { ...one, since: NOW - 8 * DAY },
      ]),
    );
    const now = advanceCampaign(some, running({ released: 6 }), gone, NOW);
    expect(now).toMatchObject({ start: ['c/3'], waits: { kind: 'open', count: 2, of: 2 } });
    expect(listBlockingIdleRuns(now.waits, gone, NOW).map(({ repo }) => repo)).toEqual(['b/2']);
  });

  it('E6: begins no more than may be open, begin in a day, or be open with one owner', () => {
    const repos = ['a/1', 'a/2', 'a/3', 'b/1'];
    const asks = (limits: object) => {
      const some = aCampaign({ repos, limits });
      return advanceCampaign(some, running({ released: 4 }), new Map(), NOW);
    };
    expect(asks({ open: 2 })).toMatchObject({ waits: { kind: 'open', count: 2, of: 2 } });
    expect(asks({ open: 2 }).start).toHaveLength(2);
    expect(asks({ perDay: 3 })).toMatchObject({ waits: { kind: 'day', count: 3, of: 3 } });
    const owned = asks({ perOwner: 1 });
    expect(owned.start.map((repo) => repo[0]).sort()).toEqual(['a', 'b']);
    expect(owned.waits).toEqual({ kind: 'owner', count: 2, of: 1 });
  });

  it('E6: whatever the runs came to, its limits hold, and what stands still begins nothing', () => {
    const marks = fc.array(fc.constantFrom(...STANDING_MARKS), { maxLength: REPOS.length });
    const some = fc.record({ marks, released: fc.nat(6), open: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(some, ({ marks: given, released, open }) => {
        const limited = { ...order, limits: { ...order.limits, open } };
        const runs = stands(...given.slice(0, released));
        const next = advanceCampaign(limited, running({ released }), runs, NOW);
        const at = [...runs.values()].filter(({ over }) => !over).length;
        if (next.start.length > 0) expect(at + next.start.length).toBeLessThanOrEqual(open);
        expect(next.start.filter((repo) => runs.has(repo))).toEqual([]);
        if (next.enter) expect(next.start).toEqual([]);
        for (const state of ['planned', 'paused', 'stopped', 'finished', 'closed'] as const)
          expect(advanceCampaign(limited, running({ released, state }), runs, NOW)).toEqual({
            start: [],
            enter: null,
            waits: null,
          });
      }),
    );
  });
});
