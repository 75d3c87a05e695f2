/**
 * F8: whatever a look is answered, it is made again; people hear once of what does not pass;
 * nothing is green before it was seen.
 */
import { describe, expect, it } from 'vitest';
import type { Run } from '#run';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import { createCoverage } from '../prove/coverage.ts';
import { ANA } from '../prove/process.ts';
import { createRandom } from '../prove/random.ts';
import { createStage, openMemory, openSqlite, type Opened } from '../prove/stage.ts';
import { reasonOf } from '../support/english.ts';

type Stage = Awaited<ReturnType<typeof createStage>>;
type Failure = ConstructorParameters<typeof OutsideFailure> | Error;
type Method = 'pull' | 'checks' | 'reviews' | 'comments' | 'login' | 'repo';

/** A run with an open pull request, and a code host whose methods can be made to fail. */
const openPull = async (
  options: { ci?: number; runs?: number; hidden?: (forge: ForgePort) => void; opened?: Opened } = {},
) => {
  const stage = await createStage({
    random: createRandom(1),
    coverage: createCoverage(),
    opened: options.opened ?? openMemory(),
    mail: { hooks: 0, lost: 0, twice: 0, late: 0 },
    bounds: { pollMs: 5_000, noCiMs: 15_000, ciSettleMs: 5_000 },
    behaviour: { ci: options.ci ?? 0 },
    runs: options.runs ?? 1,
  });
  const failing = new Map<string, Failure>();
  const { forge } = stage.world.ports;
  for (const name of ['pull', 'checks', 'reviews', 'comments', 'repo'] as const) wrap(forge, name, failing);
  options.hidden?.(forge);
  await stage.people.settleIn(await stage.start(null));
  for (let i = 0; i < (options.runs ?? 1); i += 1) await stage.people.order(stage.life(), ANA);
  const runs = (): Promise<Run[]> => stage.life().query.runs({ live: false, limit: 99 });
  const until = async (over: (all: Run[]) => boolean, most = 3_000): Promise<Run[]> => {
    for (let i = 0; i < most && !over(await runs()); i += 1) await stage.calm(false);
    return runs();
  };
  await until((all) => all.length > 0 && all.every((run) => run.upstream.pullRequest !== null));
  const passes = async (ms: number): Promise<Run> => {
    const end = stage.now.at + ms;
    const [run] = await until(() => stage.now.at >= end);
    if (!run) throw new Error('there is no run');
    return run;
  };
  return { stage, runs, until, passes, fail: fails(failing), heal: () => failing.clear() };
};
const fails =
  (failing: Map<string, Failure>) =>
  (failure: Failure, ...names: Method[]): void =>
    (names.length > 0 ? names : ['pull', 'repo']).forEach((name) => failing.set(name, failure));

const wrap = (forge: ForgePort, name: Exclude<Method, 'login'>, failing: Map<string, Failure>): void => {
  const right = forge[name].bind(forge) as (...args: unknown[]) => Promise<never>;
  const made = async (...args: unknown[]): Promise<never> => {
    const failure = failing.get(name);
    if (failure) throw failure instanceof Error ? failure : new OutsideFailure(...failure);
    return right(...args);
  };
  Object.assign(forge, { [name]: made });
};
/** Messages about what cannot be seen, as they stand now. */
const notes = (stage: Stage): string[] =>
  stage.world.messages
    .map(({ html }) => html)
    .filter((html) => /CANNOT BE READ|NOT ALL CAN|READ AGAIN/.test(html));
const MINUTE = 60_000;

describe('a look', () => {
  it.each<[string, Failure]>([
    ['401', ['auth_missing', 'Bad credentials', { status: 401 }]],
    ['403', ['forge_refused', 'GitHub refused (403): Resource not accessible', { status: 403 }]],
    ['404', ['repository_missing', 'Not Found', { status: 404 }]],
    ['422', ['forge_refused', 'GitHub refused (422)', { status: 422 }]],
    ['451', ['forge_refused', 'GitHub refused (451)', { status: 451 }]],
    ['502', ['forge_unavailable', 'GitHub failed (502)', { status: 502 }]],
    ['silence', ['forge_unavailable', 'GitHub could not be reached']],
    ['an answer that no class fits', ['crashed', 'odd']],
  ])(
    'F8: answered with %s is made again, is told of once, and hears of the merge at last',
    async (_, failure) => {
      const { stage, passes, until, fail, heal } = await openPull();
      fail(failure);
      const [pull] = stage.world.host.open();
      if (pull) stage.world.host.merge(pull);
      const blind = await passes(30 * MINUTE);
      expect(blind.lifecycle.state).not.toBe('DONE');
      expect(blind.upstream.observed.outage).not.toBeNull();
      expect(notes(stage)).toHaveLength(1);
      expect(notes(stage)[0]).toContain(blind.id);
      heal();
      const healed = stage.now.at;
      const [run] = await until(([one]) => one?.lifecycle.state === 'DONE');
      expect(run?.lifecycle.state).toBe('DONE');
      expect(stage.now.at - healed).toBeLessThanOrEqual(6 * MINUTE);
      await passes(MINUTE);
      expect(notes(stage)).toHaveLength(1);
      expect(notes(stage)[0]).toContain('READ AGAIN');
    },
  );

  it('F8: that fails for a moment is nobody’s trouble', async () => {
    const { stage, passes, fail, heal } = await openPull();
    fail(['repository_missing', 'Not Found', { status: 404 }]);
    await passes(3_000);
    heal();
    const run = await passes(10 * MINUTE);
    expect(run.upstream.observed.outage).toBeNull();
    expect(notes(stage)).toEqual([]);
  });

  it('F8: tells of a credential once for all runs, and names them', async () => {
    const { stage, until, passes, runs, fail, heal } = await openPull({ runs: 3 });
    fail(['auth_missing', 'Bad credentials', { status: 401 }]);
    await passes(20 * MINUTE);
    const all = await runs();
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all.map((run) => run.upstream.observed.outage?.outageId)).size).toBe(1);
    expect(notes(stage)).toHaveLength(1);
    for (const { id } of all) expect(notes(stage)[0]).toContain(id);
    heal();
    await until((now) => now.every((run) => run.upstream.observed.outage === null));
    await passes(MINUTE);
    expect(notes(stage)).toHaveLength(1);
    fail(['auth_missing', 'Bad credentials', { status: 401 }]);
    await passes(20 * MINUTE);
    expect(notes(stage)).toHaveLength(2);
  });

  it.each<Method>(['checks', 'reviews', 'comments'])(
    'F8: hears of the merge while %s cannot be read',
    async (part) => {
      const { stage, until, fail } = await openPull();
      fail(['forge_refused', 'GitHub refused (403)', { status: 403 }], part);
      const [pull] = stage.world.host.open();
      if (pull) stage.world.host.merge(pull);
      const [run] = await until(([one]) => one?.lifecycle.state === 'DONE');
      expect(run?.lifecycle.state).toBe('DONE');
    },
  );
});

describe('what may not be read', () => {
  const hide = (forge: ForgePort): void => {
    const right = forge.checks.bind(forge);
    const unread = { kind: 'forbidden', status: 403, parts: ['reports'], message: 'not accessible' } as const;
    forge.checks = async (...args) => ({
      ...(await right(...args)),
      unread: { ...unread, parts: ['reports'] },
    });
  };

  it('F8: makes no silent green: it is told once what may not be read, and the verdict says so', async () => {
    const { stage, until, passes } = await openPull({ ci: 1, hidden: hide });
    const [run] = await until(([one]) => one?.lifecycle.state === 'REVIEW_WAIT');
    expect(reasonOf(run)).toContain('some we may not read');
    await passes(30 * MINUTE);
    expect(notes(stage)).toHaveLength(1);
    expect(notes(stage)[0]).toContain('classic token');
  });

  it('F8: makes no look rarer: whoever may not read one part hears of the others as soon', async () => {
    const looksOf = async (hidden: (forge: ForgePort) => void): Promise<number> => {
      let looks = 0;
      const { passes } = await openPull({
        ci: 1,
        hidden: (forge) => {
          hidden(forge);
          const right = forge.pull.bind(forge);
          forge.pull = (...args) => {
            looks += 1;
            return right(...args);
          };
        },
      });
      await passes(30 * MINUTE);
      return looks;
    };
    const usual = await looksOf(() => undefined);
    expect((await looksOf(hide)) / usual).toBeGreaterThan(0.8);
  });

  it('F8: makes no NO_CI either: what is not seen is not absent', async () => {
    const { passes } = await openPull({ hidden: hide });
    expect((await passes(60 * MINUTE)).lifecycle.state).toBe('CI_WAIT');
  });

  it('F8: is no reason to be deaf to a repository that was renamed, whose name another has now', async () => {
    const { stage, until } = await openPull({
      hidden: (forge) => {
        const right = forge.pull.bind(forge);
        let opened = 0;
        forge.nameOf = async () => 'bea/new-name';
        forge.pull = async (repo, number) => {
          const pull = await right(repo, number);
          return repo === 'bea/new-name' || (opened += 1) < 3 ? pull : { ...pull, baseRepoId: '999' };
        };
      },
    });
    const [pull] = stage.world.host.open();
    if (pull) stage.world.host.merge(pull);
    const [run] = await until(([one]) => one?.lifecycle.state === 'DONE');
    expect(run?.lifecycle.state).toBe('DONE');
  });
});

describe('silence', () => {
  it('F8: means nothing while nobody looks: no NO_CI by the clock alone', async () => {
    const { passes, until, fail, heal } = await openPull();
    fail(['forge_unavailable', 'GitHub could not be reached']);
    expect((await passes(60 * MINUTE)).lifecycle.state).toBe('CI_WAIT');
    heal();
    const [run] = await until(([one]) => one?.lifecycle.state === 'REVIEW_WAIT');
    expect(reasonOf(run)).toContain('ran no checks');
  });

  it('F8: and a green that nobody saw again is none', async () => {
    const { stage, passes, until, fail, heal } = await openPull({ ci: 1 });
    await until(([one]) => Object.keys(one?.upstream.observed.ci ?? {}).length > 0);
    fail(['auth_missing', 'Bad credentials', { status: 401 }]);
    expect((await passes(60 * MINUTE)).lifecycle.state).toBe('CI_WAIT');
    heal();
    const [run] = await until(([one]) => one?.lifecycle.state !== 'CI_WAIT');
    expect(run?.lifecycle.state).toBe('REVIEW_WAIT');
    expect(stage.violations).toEqual([]);
  });
});

describe('a clock that is put back', () => {
  const DAYS = 14_400 * MINUTE;
  /** How long what is waited for takes after that, by that clock (ms). */
  const after = async (
    { stage, until, runs }: Awaited<ReturnType<typeof openPull>>,
    state: Run['lifecycle']['state'],
  ): Promise<number> => {
    stage.now.at -= DAYS;
    const from = stage.now.at;
    // Whatever is due, the effects are looked through every few minutes.
    stage.life().pump(8);
    await until(([one]) => one?.lifecycle.state === state);
    const [run] = await runs();
    expect(run?.lifecycle.state).toBe(state);
    return stage.now.at - from;
  };

  it.each([0, 1])('S6: keeps no verdict waiting for days (%i checks)', async (ci) => {
    const world = await openPull({ ci, opened: await openSqlite() });
    // What runs there has run: only the look that confirms it is still to come.
    const isOver = (one: Run): boolean =>
      Object.values(one.upstream.observed.ci).some(({ checks }) =>
        Object.values(checks).every(({ status }) => status === 'ended'),
      );
    await world.until(([one]) => one !== undefined && isOver(one));
    expect(await after(world, 'REVIEW_WAIT')).toBeLessThan(10 * MINUTE);
  });

  it('S6: ends what the code host asked us to wait by it', async () => {
    const world = await openPull({ opened: await openSqlite() });
    world.fail(['rate_limited', 'wait', { retryAt: world.stage.now.at + 15 * MINUTE, status: 403 }]);
    await world.until(([one]) => one !== undefined && one.upstream.observed.outage !== null);
    world.heal();
    const [pull] = world.stage.world.host.open();
    if (pull) world.stage.world.host.merge(pull);
    expect(await after(world, 'DONE')).toBeLessThan(30 * MINUTE);
  });
});
