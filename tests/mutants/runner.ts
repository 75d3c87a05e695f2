/**
 * A test runner for Stryker that loads code and tests once and runs the tests of each mutant in the
 * same process, the quick ones first: hundreds of times as fast as a new vitest for each. A mutant
 * of what is made while modules are loaded gets a process of its own, which Stryker starts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Test } from './tests.ts';

/** What instrumented code counts and asks; named by Stryker. */
type Space = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { static: object; perTest: object };
};
const space = ((globalThis as { __stryker__?: Space }).__stryker__ ??= {});

type Result = {
  id: string;
  name: string;
  timeSpentMs: number;
  usedMs: number;
  status: 0 | 1;
  failureMessage?: string;
};
type MutantRun = {
  activeMutant: { id: string };
  testFilter?: string[];
  hitLimit?: number;
  mutantActivation: 'runtime' | 'static';
};

/**
 * Tests that take longer are left out (ms of processor time, so that a busy machine leaves out no
 * more): each mutant that survives is tried with all that are left.
 */
const LONGEST = Number(process.env.MUTANT_LONGEST ?? 150);
/** How long each test took (ms), for the processes that come after the first. */
const TIMES = 'mutants-times.json';
const used = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const Times = z.record(z.string(), z.number());

const loaded = async (): Promise<Test[]> => {
  const stand = pathToFileURL(resolve('tests/mutants/tests.ts')).href;
  registerHooks({
    resolve: (name, context, next) =>
      name === 'vitest' && context.parentURL !== stand
        ? { url: stand, shortCircuit: true, format: 'module-typescript' }
        : next(name, context),
  });
  const { collect } = (await import(stand)) as typeof import('./tests.ts');
  return collect((process.env.MUTANT_TESTS ?? '').split(','));
};

const one = async (test: Test, enter: (test: Test) => Promise<void>): Promise<Result> => {
  const [from, before] = [performance.now(), used()];
  const took = () => ({ timeSpentMs: performance.now() - from, usedMs: used() - before });
  const said = { id: test.id, name: test.id };
  space.currentTestId = test.id;
  try {
    await enter(test);
    await test.run();
    return { ...said, ...took(), status: 0 };
  } catch (error) {
    const failureMessage = error instanceof Error ? error.message : String(error);
    return { ...said, ...took(), status: 1, failureMessage };
  } finally {
    space.currentTestId = undefined;
  }
};

/** Runs them until one says stop. */
const each = async (tests: readonly Test[], then: (result: Result) => boolean): Promise<void> => {
  const { createAround } = await import('./tests.ts');
  const { enter, leave } = createAround();
  for (const test of tests) if (then(await one(test, enter))) break;
  await leave();
};

const createRunner = () => {
  let tests: Promise<Test[]> | null = null;
  const all = (): Promise<Test[]> => (tests ??= loaded());
  /** The quick ones, the quickest first. */
  const quick = async (): Promise<Test[]> => {
    const times = Times.parse(JSON.parse(readFileSync(TIMES, 'utf8')));
    const time = ({ id }: Test): number => times[id] ?? 0;
    return (await all()).filter((test) => time(test) <= LONGEST).sort((a, b) => time(a) - time(b));
  };

  return {
    /**
     * What was made while modules were loaded stays as it is: Stryker is told that it was made
     * again, unless just that is tried.
     */
    capabilities: () => ({ reloadEnvironment: process.env.MUTANT_STATIC !== '1' }),
    /**
     * Measures them before Stryker does: the time of those that are left out would be granted to
     * each mutant that hangs.
     */
    async init() {
      if (existsSync(TIMES)) return;
      const times: Record<string, number> = {};
      await each(await all(), ({ id, usedMs }) => {
        times[id] = usedMs;
        return false;
      });
      writeFileSync(TIMES, JSON.stringify(times));
      if (space.mutantCoverage) space.mutantCoverage.perTest = {};
    },
    async dryRun() {
      const results: Result[] = [];
      await each(await quick(), (result) => {
        results.push(result);
        return false;
      });
      return { status: 'complete', tests: results, mutantCoverage: space.mutantCoverage };
    },
    async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRun) {
      if (mutantActivation === 'static') space.activeMutant = activeMutant.id;
      let chosen: Test[];
      try {
        chosen = await quick();
      } catch (error) {
        return { status: 'killed', killedBy: ['loading'], failureMessage: String(error), nrOfTests: 0 };
      }
      const wanted = testFilter && new Set(testFilter);
      const order = chosen.filter(({ id }) => wanted?.has(id) ?? true);
      Object.assign(space, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
      let said: object = { status: 'survived', nrOfTests: order.length };
      await each(order, ({ id, status, failureMessage }) => {
        const hits = space.hitCount ?? 0;
        if (hitLimit !== undefined && hits > hitLimit)
          said = { status: 'timeout', reason: `Hit limit reached (${hits}/${hitLimit})` };
        else if (status === 1) said = { status: 'killed', killedBy: [id], failureMessage, nrOfTests: 1 };
        else return false;
        Object.assign(space, { activeMutant: undefined, hitLimit: undefined });
        return true;
      });
      Object.assign(space, { activeMutant: undefined, hitLimit: undefined });
      return said;
    },
  };
};
createRunner.inject = [] as const;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'same-process', factory: createRunner }];
