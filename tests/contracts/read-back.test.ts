/**
 * E14, G1: what was published and cannot be read back yet is read again before anybody is alarmed;
 * what differs alarms at once.
 */
import { describe, expect, it } from 'vitest';
import type { Run } from '#run';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import type { WorkspacePort } from '#ports/workspaces';
import { createCoverage } from '../prove/coverage.ts';
import { ANA } from '../prove/process.ts';
import { createRandom } from '../prove/random.ts';
import { createStage, openMemory } from '../prove/stage.ts';
import { reasonOf } from '../support/english.ts';

type Stage = Awaited<ReturnType<typeof createStage>>;
type Ports = { forge: ForgePort; workspaces: WorkspacePort };

/**
 * A whole history with Ana, in which the code host answers as `meddle` has it; ends when `over`
 * says so.
 */
const play = async (meddle: (ports: Ports, stage: Stage) => void, over: (run: Run) => boolean) => {
  const stage = await createStage({
    random: createRandom(1),
    coverage: createCoverage(),
    opened: openMemory(),
    mail: { hooks: 0, lost: 0, twice: 0, late: 0 },
    bounds: {},
    behaviour: {},
  });
  meddle(stage.world.ports, stage);
  await stage.people.settleIn(await stage.start(null));
  await stage.people.order(stage.life(), ANA);
  const seen = async (): Promise<Run | undefined> =>
    (await stage.life().query.runs({ live: false, limit: 1 }))[0];
  let run = await seen();
  for (let i = 0; i < 600 && !(run && over(run)); i += 1) {
    await stage.calm(false);
    run = await seen();
  }
  if (!run) throw new Error('there is no run');
  const events = await stage.life().query.events(run.id);
  const alarms = events.filter((e) => e.stateAfter === 'NEEDS_HUMAN_REVIEW').length;
  const { created } = stage.world.record;
  return { run, alarms, created: created.length, took: stage.now.at - run.lifecycle.createdAt, stage };
};
/** Puts something before what a port does. */
const change = <P extends object, K extends keyof P>(port: P, name: K, how: (right: P[K]) => P[K]): void => {
  port[name] = how(port[name]);
};
const linked = (run: Run): boolean => run.upstream.pullRequest !== null;
const called = (run: Run): boolean => run.lifecycle.state === 'NEEDS_HUMAN_REVIEW';

/** The first answers are these; the ones after it are true. */
const atFirst = <A extends unknown[], T>(
  times: number,
  wrong: (...args: NoInfer<A>) => Promise<NoInfer<T>>,
  right: (...args: A) => Promise<T>,
): ((...args: A) => Promise<T>) => {
  let left = times;
  return (...args) => (left-- > 0 ? wrong(...args) : right(...args));
};
const fails = (failure: ConstructorParameters<typeof OutsideFailure>) => async (): Promise<never> => {
  throw new OutsideFailure(...failure);
};
const ANSWERS: [string, ConstructorParameters<typeof OutsideFailure>][] = [
  ['404 of a copy that lags', ['repository_missing', 'not found', { status: 404 }]],
  ['a server error', ['forge_unavailable', 'GitHub failed (502)', { status: 502 }]],
  ['silence', ['forge_unavailable', 'GitHub could not be reached (timeout)']],
  ['a refusal', ['forge_refused', 'GitHub refused (403)', { status: 403 }]],
  ['a credential that is just being changed', ['auth_missing', 'Bad credentials', { status: 401 }]],
];

describe('a pull request that was opened', () => {
  it.each(ANSWERS)('E14: is read again after %s, and nobody is alarmed', async (_, failure) => {
    const { alarms, created } = await play(({ forge }) => {
      change(forge, 'pull', (right) => atFirst(5, fails(failure), right));
    }, linked);
    expect({ alarms, created }).toEqual({ alarms: 0, created: 1 });
  });

  it('E14: is waited for as long as the code host asks, and nobody is alarmed', async () => {
    const { alarms, created } = await play(({ forge }, { clock }) => {
      const wait = async (): Promise<never> => {
        throw new OutsideFailure('rate_limited', 'wait', { retryAt: clock.now() + 600_000, status: 403 });
      };
      change(forge, 'pull', (right) => atFirst(1, wait, right));
    }, linked);
    expect({ alarms, created }).toEqual({ alarms: 0, created: 1 });
  });

  it('E14: alarms after a while when the code host only says “come back at once”', async () => {
    let asked = 0;
    const { alarms } = await play(({ forge }, { clock }) => {
      const wait = async (): Promise<never> => {
        asked += 1;
        throw new OutsideFailure('rate_limited', 'wait', { retryAt: clock.now(), status: 429 });
      };
      change(forge, 'pull', (right) => atFirst(10_000, wait, right));
    }, called);
    expect(alarms).toBe(1);
    expect(asked).toBeLessThan(30);
  });

  it('E14: that can never be read back alarms after a while, and says which it is', async () => {
    const { run, created, took } = await play(({ forge }) => {
      forge.pull = fails(['repository_missing', 'not found', { status: 404 }]);
    }, called);
    expect(reasonOf(run)).toContain('#1 was opened, and cannot be read back');
    expect(created).toBe(1);
    expect(took).toBeGreaterThan(60_000);
    expect(took).toBeLessThan(300_000);
  });

  it('S12: is followed when it shows another title, which is told', async () => {
    const { alarms, created, stage } = await play(
      ({ forge }) => {
        const at = Date.UTC(2100, 0);
        change(forge, 'pull', (right) => async (...args) => {
          const pull = await right(...args);
          const { draft, baseRef: base } = pull;
          const shown = { at, title: 'ABC-1: x', bodyDigest: '', base, draft, locked: false };
          return {
            ...pull,
            title: 'ABC-1: x',
            shown: { ...shown, autoMerge: null, labels: [], reviewers: [] },
          };
        });
      },
      (run) => linked(run) && (run.upstream.observed.pull?.metadata ?? null) !== null,
    );
    expect({ alarms, created }).toEqual({ alarms: 0, created: 1 });
    for (let i = 0; i < 5; i += 1) await stage.calm(false);
    expect(stage.world.messages.map(({ html }) => html).join('\n')).toContain('its title is now “ABC-1: x”');
  });

  it('G1: alarms at once when somebody else opened it', async () => {
    const { run, took } = await play(({ forge }) => {
      change(forge, 'pull', (right) => async (...args) => ({ ...(await right(...args)), author: 'mallory' }));
    }, called);
    expect(reasonOf(run)).toContain('differs in author');
    // One step of the clock at most: what cannot be read is waited for much longer.
    expect(took).toBeLessThan(60_000);
  });

  it('L6: is adopted when its answer was lost and lists do not show it yet: there is no second one', async () => {
    const { alarms, created, run } = await play(({ forge }) => {
      change(forge, 'createPull', (right) =>
        atFirst(
          1,
          async (...args) => {
            await right(...args);
            throw new OutsideFailure('forge_unavailable', 'the answer was lost');
          },
          right,
        ),
      );
      change(forge, 'pullsByHead', (right) => atFirst(8, async () => [], right));
    }, linked);
    expect({ alarms, created, pull: run.upstream.pullRequest?.id }).toEqual({
      alarms: 0,
      created: 1,
      pull: '#1',
    });
  });
});

describe('a branch that was pushed', () => {
  const waits = (run: Run): boolean => run.gate.approval?.kind === 'open_pr';

  it.each([...ANSWERS, ['a list without it', null] as const])(
    'E14: is read again after %s, and nobody is alarmed',
    async (_, failure) => {
      const { alarms, stage } = await play(
        ({ workspaces }) => {
          const wrong = failure ? fails(failure) : async () => null;
          change(workspaces, 'remoteHead', (right) => atFirst(5, wrong, right));
        },
        (run) => waits(run) || called(run),
      );
      expect({ alarms, pushes: stage.world.record.pushes.length }).toEqual({ alarms: 0, pushes: 1 });
    },
  );

  it('G1: alarms at once when another commit is there', async () => {
    const { run, took } = await play(({ workspaces }) => {
      workspaces.remoteHead = async () => 'e'.repeat(40);
    }, called);
    expect(reasonOf(run)).toContain(`is at ${'e'.repeat(40)}`);
    expect(took).toBeLessThan(30_000);
  });

  it('E14: that never shows alarms after a while', async () => {
    const { run, took } = await play(({ workspaces }) => {
      workspaces.remoteHead = async () => null;
    }, called);
    expect(reasonOf(run)).toContain('is at nothing');
    expect(took).toBeGreaterThan(60_000);
    expect(took).toBeLessThan(300_000);
  });
});
