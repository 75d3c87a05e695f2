/** L7: kills many busy workers at once, sometimes with the control; the others must take over. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFleet, type Member } from '../support/fleet.ts';
import { createPersistentPerson } from '../support/persistent-person.ts';
import type { Server } from '../support/postgres.ts';
import { createProduct, type Product } from '../support/product.ts';
import { askForChange, QUICK_AGENT } from '../support/quick-change.ts';
import { storedRuns } from '../support/stored-runs.ts';
import { wrongOutside } from './fleet-kill.ts';
import { createRandom } from './random.ts';

export type Takeovers = {
  kills: number;
  runs: number;
  /** Time from the kills until everything was taken over (ms). */
  took: number[];
  violations: string[];
};

/** Workers left per wave, and maximum number killed. */
const LEFT = 2;
const MOST = 10;
/** Chance per wave that the control is killed. */
const CONTROL = 0.3;
const LOOK = 200;
/** Limit for a busy machine; the bar is measured separately (ms). */
const DEADLINE = 400_000;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Name of a worker's seat in its leases. */
const placeOf = (product: Product, worker: Member): string | null => {
  for (let n = 1; n <= 2 * (LEFT + MOST); n += 1) {
    const file = (name: string): string =>
      readFileSync(join(product.dataDir, 'workers', String(n), name), 'utf8');
    try {
      if (Number(file('lock.pid')) === worker.child.pid) return file('place').trim();
    } catch {
      return null;
    }
  }
  return null;
};

export const takeOver = async (
  server: Server,
  { kills: wanted, seed, progress }: { kills: number; seed: number; progress: (kills: number) => void },
): Promise<Takeovers> => {
  const random = createRandom(seed);
  const result: Takeovers = { kills: 0, runs: 0, took: [], violations: [] };
  const database = await server.database();
  const size = Math.min(MOST, wanted);
  const workers = size + LEFT;
  const product = await createProduct({
    script: `sleep 2; ${QUICK_AGENT}`,
    env: { DATABASE_URL: database },
    bounds: { pollMs: 500 },
    config: { maxParallelRuns: workers, maxRunsPerDay: 10_000 },
  });
  const fleet = createFleet(product);
  const person = createPersistentPerson(product.ana);
  const aliveOf = (role: Member['role']): Member[] =>
    fleet.members.filter((m) => m.role === role && m.alive());
  const fill = async (): Promise<void> => {
    const started = [
      ...Array.from({ length: 2 - aliveOf('control').length }, () => fleet.start('control')),
      ...Array.from({ length: workers - aliveOf('worker').length }, () => fleet.start('worker')),
    ];
    await Promise.all(started.filter((m) => m.role === 'worker').map((m) => m.running()));
    const ready = (m: Member): boolean => /is running|This one stands by/.test(m.said());
    await until('one control at work and one that stands by', () => aliveOf('control').every(ready));
  };
  const heldBy = async (places: readonly string[]): Promise<number> => {
    const owners = places.map((place) => `lease_owner like 'worker:${place}:%'`).join(' or ');
    const sql = `select count(*)::int as n from effects where state = 'claimed' and (${owners})`;
    return (await server.ask<{ n: number }>(database, sql))[0]?.n ?? 0;
  };
  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = performance.now() + DEADLINE; !(await holds()); await after(LOOK)) {
      person.look();
      if (performance.now() > end) throw new Error(`waited for ${what} in vain\n${await standing()}`);
    }
  };
  /** Describes the runs without a pull request, and the phone. */
  const standing = async (): Promise<string> => {
    const runs = (await storedRuns(product.dataDir, database))
      .filter(({ upstream: { pullRequest: pr } }) => !pr)
      .map(({ id, order, lifecycle: { state, reason }, gate: { approval } }) =>
        JSON.stringify({ id, repo: order.repo, state, reason, card: approval?.digest }),
      );
    const cards = product.ana
      .messages()
      .filter(({ buttons }) => buttons.length > 0)
      .map(({ messageId, edits, text, buttons }) =>
        JSON.stringify([messageId, edits, text.slice(0, 120), buttons.flat().map((b) => b.text)]),
      );
    const taps = person
      .taps()
      .slice(-5)
      .map(({ key, at, tap }) => JSON.stringify([key, new Date(at), tap.answer()]));
    return ['runs', ...runs, 'cards', ...cards.slice(-20), 'taps', ...taps].join('\n');
  };

  const wave = async (no: number): Promise<void> => {
    await fill();
    const names = Array.from({ length: workers }, (_, i) => `wave${no}-${i}`);
    const repos = await Promise.all(names.map((name) => askForChange(product, name)));
    const busy = async (): Promise<boolean> => {
      const found = await server.ask<{ n: number }>(
        database,
        "select count(*)::int as n from effects where state = 'claimed' and kind = 'implement'",
      );
      return (found[0]?.n ?? 0) > LEFT;
    };
    await until('agents at work', busy);
    await after(random.int(2_500));
    const victims = aliveOf('worker').slice(0, Math.min(size, wanted - result.kills));
    const places = victims.flatMap((one) => placeOf(product, one) ?? []);
    const control = random.chance(CONTROL) ? aliveOf('control')[0] : undefined;
    const killed = performance.now();
    await Promise.all([...victims, ...(control ? [control] : [])].map((one) => one.kill()));
    if (control) person.sawRestart();
    result.kills += victims.length + (control ? 1 : 0);
    await until('what the dead were at', async () => (await heldBy(places)) === 0);
    result.took.push(Math.round(performance.now() - killed));
    await fill();
    await until('every pull request', () => repos.every(({ pulls }) => pulls.length > 0));
    const told = (): boolean =>
      product.ana.messages().filter((m) => /Pull request #1 opened/.test(m.text)).length >=
      result.runs + workers;
    await until('every pull request to be told of', told);
    result.runs += workers;
    const runs = await storedRuns(product.dataDir, database);
    if (runs.length !== result.runs)
      result.violations.push(`wave ${no}: ${runs.length} of ${result.runs} runs`);
    for (const repo of repos) {
      const run = runs.find((one) => one.order.repo === repo.fullName);
      result.violations.push(
        ...wrongOutside(run, repo).map((what) => `wave ${no}, ${repo.fullName}: ${what}`),
      );
    }
  };

  try {
    for (let no = 1; result.kills < wanted; no += 1) {
      await wave(no);
      progress(result.kills);
    }
    const replayed = await product.cli(['replay', '--all', '--json']);
    if (replayed.code !== 0)
      result.violations.push(`replay: ${replayed.out.slice(0, 300)}${replayed.err.slice(0, 300)}`);
    for (const m of fleet.members)
      if (!m.alive() && m.child.signalCode !== 'SIGKILL')
        result.violations.push(`a ${m.role} ended by itself: ${m.said().slice(-400)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    result.violations.push(`${why}\n${fleet.said().slice(-3_000)}`);
  }
  await fleet.stop();
  await product.close();
  return result;
};
