/** L7: one story over two controls and three workers, with random kills, also of Postgres. */
import type { RepoHandle } from '#playground';
import type { Run } from '#run';
import { sha256Hex } from '#runtime';
import { withoutReceipt } from '../../pull-text/pull-body.ts';
import { canonicalJson } from '#model/seal';
import { createFleet } from '../support/fleet.ts';
import { createPersistentPerson } from '../support/persistent-person.ts';
import type { Server } from '../support/postgres.ts';
import { createProduct } from '../support/product.ts';
import { askForChange, QUICK_AGENT } from '../support/quick-change.ts';
import { storedRuns } from '../support/stored-runs.ts';
import { createRandom } from './random.ts';

export type FleetTrial = { seed: number; kills: number; ms: number; violations: string[] };

const WORKERS = 3;
/** Two lease times, plus slack for a busy machine (ms). */
const DEADLINE = 240_000;
/** Kills happen within this time (ms). */
const WITHIN = 9_000;
const LOOK = 300;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns what is duplicated, missing or different from the approval outside. */
export const wrongOutside = (run: Run | undefined, repo: RepoHandle): string[] => {
  const fields = run?.gate.proposal?.fields;
  const [pull] = repo.pulls;
  const pushes = repo.pushes.filter((p) => p.refused === null && p.old !== p.new);
  const wrong: readonly (readonly [boolean, string])[] = [
    [repo.pulls.length !== 1, `${repo.pulls.length} pull requests`],
    [pull?.headSha !== fields?.headSha || pull?.title !== fields?.title, 'other bytes than approved'],
    [withoutReceipt(pull?.body ?? '') !== fields?.body, 'another description than approved'],
    [
      run?.gate.consumedApproval?.digest !== sha256Hex(canonicalJson(fields)),
      'another digest than was approved',
    ],
    [pushes.length !== 1, `${pushes.length} pushes`],
  ];
  return wrong.flatMap(([is, what]) => (is ? [what] : []));
};

export const fleetTrial = async (server: Server, seed: number): Promise<FleetTrial> => {
  const began = Date.now();
  const random = createRandom(seed);
  const violations: string[] = [];
  const violate = (what: string): void => void violations.push(`seed ${seed}: ${what}`);
  const database = await server.database();
  const product = await createProduct({
    script: `sleep 0.5; ${QUICK_AGENT}`,
    env: { DATABASE_URL: database },
    bounds: { pollMs: 250 },
  });
  const fleet = createFleet(product);
  const person = createPersistentPerson(product.ana);
  let kills = 0;
  let over = false;
  const attack = async (): Promise<void> => {
    for (let left = random.pick([2, 3, 4]); left > 0 && !over; left -= 1) {
      await after(random.pick([300, 1_000, 2_000, WITHIN / 3]));
      const whom = random.pick(['worker', 'worker', 'control', 'postgres'] as const);
      kills += 1;
      if (whom === 'postgres') {
        await server.kill();
        await after(random.pick([0, 500, 2_000]));
        await server.start();
        continue;
      }
      const alive = fleet.members.filter((one) => one.role === whom && one.alive());
      // Whoever ended by itself is named below.
      if (alive.length > 0) await random.pick(alive).kill();
      fleet.start(whom);
      person.sawRestart();
    }
  };
  try {
    for (const role of ['control', 'control'] as const) fleet.start(role);
    for (let n = 0; n < WORKERS; n += 1) fleet.start('worker');
    await product.waitFor(() => (fleet.members.some((m) => m.said().includes('is running')) ? true : null));
    const repo = await askForChange(product, 'kept');
    const attacked = attack();
    const opened = (): boolean =>
      product.ana.messages().some((m) => m.from === 'bot' && /Pull request #1 opened/.test(m.text));
    const nudge = setInterval(() => person.look(), LOOK);
    await product
      .waitFor(() => (opened() ? true : null), {
        deadlineMs: DEADLINE,
        what: 'the pull request to be told of',
      })
      .finally(() => clearInterval(nudge));
    over = true;
    await attacked;
    const runs = await storedRuns(product.dataDir, database);
    const expect = (holds: boolean, what: string): void => {
      if (!holds) violate(what);
    };
    expect(runs.length === 1, `${runs.length} runs`);
    violations.push(...wrongOutside(runs[0], repo).map((what) => `seed ${seed}: ${what}`));
    const replayed = await product.cli(['replay', '--all', '--json']);
    expect(replayed.code === 0, `replay: ${replayed.out.slice(0, 300)}${replayed.err.slice(0, 300)}`);
    // A control whose seat was taken while Postgres was away ends, and names who has it.
    const isRelieved = (m: (typeof fleet.members)[number]): boolean =>
      m.role === 'control' &&
      /Another control \([^)]*\) is at work on the ledger in this Postgres\.\s*$/.test(m.said());
    const ended = fleet.members.filter(
      (m) => !m.alive() && m.child.signalCode !== 'SIGKILL' && !isRelieved(m),
    );
    expect(
      ended.length === 0,
      `ended by itself: ${ended.map((m) => `${m.role} with ${m.child.exitCode ?? m.child.signalCode}, after ${m.said().slice(-600)}`).join('; ')}`,
    );
  } catch (error) {
    violate(`${error instanceof Error ? error.message : String(error)}\n${fleet.said().slice(-3_000)}`);
  }
  over = true;
  await fleet.stop();
  await product.close().catch((error: unknown) => violate(String(error)));
  return { seed, kills, ms: Date.now() - began, violations };
};
