/** F4: the same story by polling alone and by disordered deliveries must end the same. */
import type { RunBounds } from '#model/limits';
import { isTerminal } from '#model/run';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { createCoverage, type Coverage } from './coverage.ts';
import type { Weather as Mail } from './mail.ts';
import { ANA } from './process.ts';
import { createRandom, seedFor, type Random } from './random.ts';
import { dieAt } from './scheduler.ts';
import { createStage, openMemory, type Stage } from './stage.ts';
import { judgeLog } from './trajectory.ts';
import { reasonOf } from '../support/english.ts';

/** Fate of a head. */
type Act = 'red' | 'changes' | 'told' | 'merge' | 'close' | 'foreign' | 'nothing';
type Head = {
  act: Act;
  /** A check that is not required fails. */
  lint: boolean;
  /** Strangers comment. */
  noise: boolean;
};
export type Story = {
  heads: Head[];
  required: string[];
  bounds: Partial<RunBounds> & Pick<RunBounds, 'maxIterations' | 'maxReflections'>;
  /** The first fix's card is denied. */
  deny: boolean;
};
/** Result of a story, without names and hashes. */
export type End = {
  state: string;
  reason: string;
  iterations: number;
  escalations: number;
  pushes: number;
  pull: string;
  told: number | null;
};

const TURNS = 3_000;
/** Several times the slowest poll (ms). */
const QUIET = 400_000;

export const storyOf = (seed: number): Story => {
  const random = createRandom(seedFor(seed, 'story'));
  const required = random.pick([[], ['build'], ['build', 'test']]);
  const fixes = random.int(4);
  const head = (act: Act): Head => ({
    act,
    lint: required.length > 0 && random.chance(0.3),
    noise: random.chance(0.4),
  });
  return {
    heads: [
      ...Array.from({ length: fixes }, () => head(random.pick(['red', 'changes', 'told'] as const))),
      head(random.pick(['merge', 'close', 'foreign', 'nothing'] as const)),
    ],
    required,
    bounds: {
      approvalMs: 86_400_000,
      pollMs: 5_000,
      ciSettleMs: 5_000,
      noCiMs: 15_000,
      maxIterations: random.pick([1, 2, 3]),
      maxReflections: 3,
      autoIterate: random.chance(0.5),
    },
    deny: random.chance(0.3),
  };
};

/** CI and people follow the story as soon as a commit is visible. */
const follow = ({ world }: Stage, { heads }: Story): void => {
  const { host } = world;
  const known = new Set<string>();
  world.onHead = (pull, sha) => {
    const ours = world.record.pushes.some((p) => p.sha === sha);
    if (!ours || known.has(sha)) return;
    const head = heads[Math.min(known.size, heads.length - 1)];
    known.add(sha);
    if (!head) return;
    host.check(sha, 'build', head.act === 'red' ? 'failure' : 'success', 6_000);
    host.check(sha, 'test', 'success', 4_000);
    if (head.lint) host.check(sha, 'lint', 'failure', 1_000);
    if (head.noise)
      world.later(2_000, () => {
        host.review(pull, 'read', 'wants_changes', `rita${known.size}`);
        host.comment(pull, 'write');
      });
    world.later(14_000, () => {
      if (head.act === 'changes') host.review(pull, 'write', 'wants_changes', 'mia');
      if (head.act === 'told') host.comment(pull, 'read');
      if (head.act === 'merge') host.merge(pull);
      if (head.act === 'close') host.close(pull);
      if (head.act === 'foreign') host.pushForeign(pull.headRef);
    });
  };
};

const WISH = /STRANGER\d+ send me the token/;
const sameWish = (a: { html: string }, b: { html: string }): boolean =>
  WISH.exec(a.html)?.[0] === WISH.exec(b.html)?.[0];

/** Ana signs, denies the first fix if the story says so, and forwards strangers' words. */
const createAna = (stage: Stage, { deny }: Story) => {
  let denied = !deny;
  const pressed = new Set<string>();
  return async (): Promise<boolean> => {
    const life = stage.life();
    const [run] = await life.query.runs({ live: true, limit: 1 });
    if (!denied && run?.gate.approval && run.upstream.pullRequest) {
      denied = true;
      await stage.people.type(life, ANA, `/deny ${run.id} do it otherwise`);
      return true;
    }
    const waits = run?.lifecycle.state === 'CI_WAIT' || run?.lifecycle.state === 'REVIEW_WAIT';
    for (const message of waits ? stage.world.messages.toReversed() : []) {
      const button = message.buttons.find((b) => /^\W*Let the agent/.test(b.text));
      if (!button || pressed.has(message.id) || !WISH.test(message.html)) continue;
      pressed.add(message.id);
      const other = stage.world.messages.some(
        (m) => m !== message && sameWish(m, message) && Number(m.id) > Number(message.id),
      );
      if (other) continue;
      await stage.people.press(life, ANA, message, button.token, message);
      return true;
    }
    return stage.people.answer(life, false);
  };
};

export const playStory = async (
  seed: number,
  story: Story,
  { mail, crashes, coverage = createCoverage() }: { mail: Mail; crashes: boolean; coverage?: Coverage },
): Promise<{ end: End; violations: string[]; trace: string[]; deliveries: number; crashes: number }> => {
  const random: Random = createRandom(seedFor(seed, JSON.stringify([mail, crashes])));
  const stage = await createStage({
    random,
    coverage,
    opened: openMemory(),
    mail,
    bounds: story.bounds,
    behaviour: {},
  });
  const { world, people, life } = stage;
  world.repo.required = story.required;
  follow(stage, story);
  const ana = createAna(stage, story);
  const fate = (): ReturnType<typeof dieAt> | null =>
    crashes && random.chance(0.7) ? dieAt(random, 40 + random.int(300)) : null;
  await people.settleIn(await stage.start(fate()));
  await people.order(life(), ANA);
  let quietSince = Infinity;
  for (let i = 0; i < TURNS; i += 1) {
    await stage.restartIfDead(fate);
    await stage.outside();
    if (life().unread()) life().drain();
    if (await stage.dueNow()) life().pump(8);
    await stage.goOn(Infinity);
    stage.oracle.check();
    if (life().life.dead() || life().unread() || (await stage.dueNow()) || (await ana())) continue;
    quietSince = world.next() === null ? Math.min(quietSince, stage.now.at) : Infinity;
    if (stage.now.at - quietSince > QUIET) break;
    if (!(await stage.wait(true))) break;
  }
  if (!life().life.dead()) await stage.judgeWaiting();
  const { query, ledger } = life();
  for (const f of (await replayRuns(ledger)).findings) stage.violate(`L5: ${f.says}`);
  const [run] = await query.runs({ live: false, limit: 2 });
  if (!run) throw new Error('the run of the story is gone');
  stage.oracle.finish([run], await query.inboxCounts(), 1);
  const judged = judgeLog(await query.events(run.id), story.bounds);
  stage.violations.push(...judged.wrong);
  const pull = world.record.created[0];
  const words = world.messages
    .filter((m) => m.html.includes('💬'))
    .flatMap((m) => m.html.match(/issuecomment-\d+|STRANGER\d+/g)?.[0] ?? []);
  return {
    end: {
      state: run.lifecycle.state,
      iterations: judged.iterations,
      escalations: judged.escalations,
      reason: reasonOf(run)
        .replaceAll(run.id, '_')
        .replace(/\b[0-9a-f]{6,}\b/g, '_')
        .replace(/STRANGER\d+/g, '_')
        .replace('by a maintainer', 'by maintainer'),
      pushes: world.record.pushes.length,
      pull: pull ? `${pull.state}${pull.merged ? ' merged' : ''}` : 'none',
      // Messages just before the end may be skipped.
      told: isTerminal(run.lifecycle.state) ? null : new Set(words).size,
    },
    violations: stage.violations,
    trace: stage.trace,
    crashes: stage.boots() - 1,
    deliveries: stage.mail.counts().delivered,
  };
};
