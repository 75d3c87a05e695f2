/**
 * L6: `node tests/prove/kill.ts [--sample] [--only <text>] [--parallel <n>]` kills the real process
 * at commits, requests and instants, restarts it, and checks the result.
 */
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { openReader } from '../../db/directory/open-reader.ts';
import { isTerminal } from '#model/run';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { sampleDirectory, type Call, type Moment } from '#playground';
import { choosePoints, describePoint, seeded, type KillPoint, type Phase } from './kill-points.ts';
import { createPersistentPerson, withButton } from '../support/persistent-person.ts';
import { createProduct, type Product } from '../support/product.ts';
import { QUICK_AGENT, quickOrder } from '../support/quick-change.ts';

/** `kills`: at its point, and at instants after the restarts. */
export type Trial = {
  point: KillPoint;
  killed: boolean;
  kills: number;
  where: string;
  ms: number;
  violations: string[];
};

const PRELOAD = join(import.meta.dirname, '../support/kill-at-commit.ts');
const REPO = 'acme/patient';
const ORDER = quickOrder(REPO);
const DEADLINE = 90_000;
/** Restarts are killed within this time (ms). */
const SOON = 2_500;

type Played = {
  trial: Trial;
  commits: string[];
  requests: { server: 'telegram' | 'github'; route: string }[];
  tookMs: number;
};

const servers = (product: Product) => [
  ['telegram', product.telegram] as const,
  ['github', product.github] as const,
];

/** Messages must be true when they are sent. */
const listenForLies = (product: Product, violate: (what: string) => void): void => {
  const pulls = () => product.github.repo(REPO).pulls;
  product.telegram.onRequest(({ phase, call }: Moment) => {
    const text = call.params.text;
    if (phase === 'before' || typeof text !== 'string' || !/^(sendMessage|editMessageText)$/.test(call.route))
      return undefined;
    if (/Pull request #\d+ opened/.test(text) && pulls().length !== 1)
      violate(`chat said that it is opened: ${text}`);
    if (/^done\b/im.test(text) && !pulls()[0]?.merged) violate(`chat said Done before it was: ${text}`);
    if (/^(?:needs you|not opened|failed|paused|void|expired)\b/im.test(text))
      violate(`chat told of a failure: ${text}`);
    return undefined;
  });
};

const armRequest = (
  product: Product,
  point: Extract<KillPoint, { at: 'request' }>,
  dead: () => void,
): void => {
  const server = point.server === 'telegram' ? product.telegram : product.github;
  let seen = 0;
  let hit: Call | null = null;
  server.onRequest(async ({ phase, call }) => {
    if (call.route !== point.route) return undefined;
    if (phase === 'before') seen += 1;
    if (phase === 'before' && seen === point.n) hit = call;
    if (call !== hit || phase !== point.phase) return undefined;
    dead();
    await product.kill();
    return 'lose';
  });
};

/** `point` null kills nowhere and counts. */
const play = async (point: KillPoint | null, again: readonly number[] = []): Promise<Played> => {
  const began = Date.now();
  const violations: string[] = [];
  const violate = (what: string): void => void violations.push(what);
  const logs = mkdtempSync(join(tmpdir(), 'agentpr-kill-'));
  const log = join(logs, 'commits');
  const product = await createProduct({ script: QUICK_AGENT, bounds: { pollMs: 250 } });
  const repo = await product.github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
  const person = createPersistentPerson(product.ana);
  const requests: Played['requests'] = [];
  let tookMs = 0;
  const restarts: Restarts = { withRuns: 0, all: 0, told: 0 };
  let killed = false;
  for (const [name, server] of servers(product)) {
    server.onRequest(({ phase, call }) => {
      if (phase === 'before') requests.push({ server: name, route: call.route });
      return undefined;
    });
  }
  listenForLies(product, violate);
  if (point?.at === 'request') armRequest(product, point, () => (killed = true));

  const env = { KILL_LOG: log, ...(point?.at === 'commit' ? { KILL_AT: `${point.n}:${point.phase}` } : {}) };
  const finished = (): boolean =>
    product.run()?.lifecycle.state === 'DONE' &&
    product
      .look()
      .unfinished()
      .every((u) => u.slot?.startsWith('progress:'));
  const merging: Promise<unknown>[] = [];
  const goOn = (): void => {
    person.look();
    const opened = product.ana
      .messages()
      .some((m) => m.from === 'bot' && /Pull request #1 opened/.test(m.text));
    if (opened && repo.pulls.length === 1 && merging.length === 0) merging.push(repo.merge(1));
  };
  /** Restarts the process until the run is done and reported. */
  const live = async (): Promise<void> => {
    for (;;) {
      const gone = product.ended().then(() => 'gone' as const);
      const done = product.waitFor(
        () => {
          goOn();
          return finished() || !product.alive();
        },
        { deadlineMs: DEADLINE, what: 'the run to be done' },
      );
      // A silent phone causes no event, so the person presses again.
      const nudge = setInterval(goOn, 500);
      try {
        await Promise.race([gone, done]);
      } finally {
        clearInterval(nudge);
        done.catch(() => undefined);
      }
      if (finished() && product.alive()) return;
      if (product.alive()) continue;
      const end = await product.ended();
      if (end.signal !== 'SIGKILL')
        return violate(`it ended by itself: ${JSON.stringify(end)} ${product.stderr().slice(-500)}`);
      killed = true;
      restarts.all += 1;
      const live = product.runs().some((r) => !isTerminal(r.lifecycle.state));
      if (live) restarts.withRuns += 1;
      // Only the last restart must have been reported.
      const ms = again[restarts.all - 1];
      restarts.told = again.length === 0 ? restarts.told + Number(live) : Number(live);
      product.start();
      person.sawRestart();
      if (ms !== undefined) void after(ms).then(() => product.kill());
    }
  };

  try {
    product.start({ preload: PRELOAD, env });
    product.ana.sends(ORDER);
    if (point?.at === 'instant') void after(point.ms).then(() => product.kill());
    await live();
    tookMs = Date.now() - began;
    await Promise.all(merging);
    await judge(product, restarts, violate);
  } catch (error) {
    violate(error instanceof Error ? error.message : String(error));
  }
  const commits = existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((l) => l.replace(/^\d+ /, ''))
    : [];
  const where = point === null ? 'nowhere' : describePoint(point);
  const reached = point?.at === 'commit' ? `${where} [${commits.at(-1)}]` : where;
  await product
    .close()
    .catch((error: unknown) => violate(error instanceof Error ? error.message : String(error)));
  rmSync(logs, { recursive: true, force: true });
  const trial = {
    point: point ?? { at: 'instant' as const, ms: -1 },
    killed,
    kills: restarts.all,
    where: reached,
    ms: Date.now() - began,
    violations,
  };
  return { trial, commits, requests, tookMs };
};

/** `told`: minimum number of reports. */
type Restarts = { withRuns: number; all: number; told: number };

const judge = async (
  product: Product,
  restarts: Restarts,
  violate: (what: string) => void,
): Promise<void> => {
  const { ana, github } = product;
  const repo = github.repo(REPO);
  const expect = (holds: boolean, what: string): void => {
    if (!holds) violate(what);
  };
  const runs = product.runs();
  expect(
    runs.length === 1 && runs[0]?.lifecycle.state === 'DONE',
    `runs: ${runs.map((r) => r.lifecycle.state).join(', ')}`,
  );
  expect(repo.pulls.length === 1 && repo.pulls[0]?.merged === true, `${repo.pulls.length} pull requests`);
  expect(github.mergeCalls().length === 0, 'a merge was asked for');
  const pushes = repo.pushes.filter((p) => p.refused === null && p.old !== p.new);
  expect(
    pushes.length === 1,
    `${pushes.length} pushes: ${pushes.map((p) => `${p.ref} ${p.old.slice(0, 6)}→${p.new.slice(0, 6)}`).join('; ')}`,
  );
  expect(
    repo.pushes.every((p) => p.refused === null),
    `refused pushes: ${repo.pushes.map((p) => p.refused).join('; ')}`,
  );
  expect(pushes[0]?.new === repo.pulls[0]?.headSha, 'the pull request shows another commit than was pushed');
  const inbox = product.look().inbox();
  expect(!inbox.new && !inbox.dead, `inbox: ${JSON.stringify(inbox)}`);
  const bad = product
    .look()
    .effects()
    .filter((e) => e.state === 'dead' || (e.state === 'claimed' && !e.slot?.startsWith('progress:')));
  expect(bad.length === 0, `effects: ${JSON.stringify(bad)}`);
  expect(product.workspaces().length === 0, `workspaces: ${product.workspaces().join(', ')}`);
  expect(product.processes().length === 0, `processes: ${product.processes().join('; ')}`);

  const said = ana.messages().filter((m) => m.from === 'bot');
  // Messages that may have been sent before a kill are repeated with a mark.
  const first = said.filter((m) => !/^\(repeat\)/.test(m.text));
  const told = said.filter((m) => /I was restarted/.test(m.text));
  // A requested run is created before the restart is reported.
  const honest =
    told.length >= Math.min(restarts.told, restarts.withRuns) &&
    told.filter((m) => first.includes(m)).length <= restarts.all;
  expect(
    honest,
    `${told.length} messages about ${restarts.withRuns} restarts with live runs, of ${restarts.all}`,
  );
  expect(
    told.every((m) => m.text.includes(runs[0]?.id ?? '?')),
    'the message about the restart does not name the run',
  );
  // Two equally long restarts have equal texts.
  const once = restarts.all > 1 ? first.filter((m) => !told.includes(m)) : first;
  const twins = once.filter((m, i) => once.some((n, j) => j < i && n.source === m.source));
  expect(
    twins.length === 0,
    `said twice without saying so: ${twins.map((m) => m.text.slice(0, 60)).join('; ')}`,
  );
  const live = said.filter(withButton(/^(Confirm|Open PR|Push)\b/));
  // An unrecorded copy cannot be edited any more; its buttons are dead.
  const repeats = product.telegram.calls.filter(
    (c) => /^send/.test(c.route) && /\(repeat\)/.test(String(c.params.text)),
  );
  expect(live.length <= repeats.length, `live buttons: ${live.map((m) => m.text.slice(0, 60)).join('; ')}`);
  for (const message of live) {
    const { text, alert } = await ana
      .taps({ message: message.messageId, text: /^(Confirm|Open PR)\b/ })
      .answered();
    expect(alert, `the button of an old copy did something: ${text}`);
  }
  // The only copy may be marked as a repeat.
  expect(
    said.some((m) => /^(?:\(repeat\) )?done\b/im.test(m.text) && /Merged by/.test(m.text)),
    `nobody was told that it is done, but: ${said.map((m) => m.text.slice(0, 60)).join('; ')}`,
  );

  const reader = openReader(product.dataDir);
  try {
    const { findings } = await replayRuns(reader);
    for (const f of findings) violate(`replay: ${f.verdict}: ${f.says}`);
  } finally {
    await reader.close();
  }
  for (const line of product.complaints()) violate(`log: ${line.slice(0, 600)}`);
};

/** Returns every point of an undisturbed story, and its duration. */
export const surveyPoints = async (): Promise<{
  points: KillPoint[];
  story: Trial;
  tookMs: number;
  commits: number;
  requests: number;
}> => {
  const { trial, commits, requests, tookMs } = await play(null);
  const phases: Phase[] = ['before', 'after'];
  const seen = new Map<string, number>();
  const asked = requests.map(({ server, route }) => {
    const n = (seen.get(`${server} ${route}`) ?? 0) + 1;
    seen.set(`${server} ${route}`, n);
    return { server, route, n };
  });
  const points: KillPoint[] = [
    ...commits.flatMap((what, i) =>
      phases.map((phase): KillPoint => ({ at: 'commit', n: i + 1, phase, what })),
    ),
    ...asked.flatMap((request) => phases.map((phase): KillPoint => ({ at: 'request', ...request, phase }))),
  ];
  return { points, story: trial, tookMs, commits: commits.length, requests: requests.length };
};

export type KillOptions = {
  /** `all` points, or a number of points of as many kinds as possible. */
  points: 'all' | number;
  /** Kinds that a sample must include. */
  always?: readonly RegExp[];
  seed?: number;
  parallel?: number;
  /** Additional kills at random instants. */
  instants?: number;
  /** Further kills per restart, because stories are expensive to start. */
  more?: number;
  only?: string;
  onTrial?: (trial: Trial, done: number, of: number) => void;
};

export const killTrials = async (options: KillOptions): Promise<Trial[]> => {
  const { seed = 1, parallel = 1, instants = 0, more = 0, only } = options;
  const survey = await surveyPoints();
  if (survey.story.violations.length > 0) {
    options.onTrial?.(survey.story, 1, 1);
    return [survey.story];
  }
  const random = seeded(seed + 1);
  const wanted = survey.points.filter((p) => only === undefined || describePoint(p).includes(only));
  const queue: KillPoint[] = [
    ...(options.points === 'all' ? wanted : choosePoints(wanted, options.points, seed, options.always)),
    ...Array.from({ length: instants }, (): KillPoint => ({
      at: 'instant',
      ms: random(Math.floor(survey.tookMs * 0.9)),
    })),
  ];
  const of = queue.length;
  const trials: Trial[] = [];
  const worker = async (): Promise<void> => {
    for (let point = queue.shift(); point; point = queue.shift()) {
      const { trial } = await play(
        point,
        Array.from({ length: more }, () => random(SOON)),
      );
      trials.push(trial);
      options.onTrial?.(trial, trials.length, of);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return trials;
};

const main = async (argv: readonly string[]): Promise<void> => {
  const value = (name: string): string | undefined =>
    argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined;
  const began = Date.now();
  const only = value('--only');
  const trials = await killTrials({
    points: argv.includes('--sample') ? Number(value('--sample')) : 'all',
    seed: Number(value('--seed') ?? 1),
    parallel: Number(value('--parallel') ?? 2),
    instants: Number(value('--instants') ?? 0),
    ...(only === undefined ? {} : { only }),
    onTrial: (trial, done, of) => {
      const verdict = trial.violations.length > 0 ? 'VIOLATED' : trial.killed ? 'holds' : 'not reached';
      console.log(`${done}/${of} ${verdict} ${trial.ms} ms ${trial.where}`);
      for (const v of trial.violations) console.log(`    ${v.replaceAll('\n', '\n    ')}`);
    },
  });
  const violated = trials.filter((t) => t.violations.length > 0).length;
  const killed = trials.filter((t) => t.killed).length;
  console.log(
    `${trials.length} trials, ${killed} kills, ${violated} violated, ${Math.round((Date.now() - began) / 1_000)} s`,
  );
  if (violated > 0) process.exitCode = 1;
};

if (import.meta.main) await main(process.argv.slice(2));
