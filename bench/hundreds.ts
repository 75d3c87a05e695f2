/**
 * `npm run bench:campaign -- --repos <folder of clones> --count 500 --kill-every 30`:
 * a campaign with repeated kills, judged by the code host and the phone.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { isStopped, isTerminal } from '#model/run';
import { createProduct, type Product } from '../tests/support/product.ts';
import { processorSeconds } from './processes.ts';

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    count: { type: 'string', default: '500' },
    /** Seconds between two kills; 0 for none. */
    'kill-every': { type: 'string', default: '0' },
    /** Requests per hour: 5,000 for a person, up to 15,000 for an App of an enterprise. */
    requests: { type: 'string', default: '5000' },
    install: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});
const [count, killEvery, granted] = [values.count, values['kill-every'], values.requests].map((n) =>
  z.coerce.number().int().parse(n),
);
const trees =
  values.repos === undefined
    ? []
    : readdirSync(resolve(values.repos)).map((name) => join(resolve(values.repos ?? ''), name));
const SYNTHETIC = { 'package.json': '{ "name": "one-of-many", "private": true }\n', 'note.txt': 'alpha\n' };
const OWNERS = 20;
const LINE = 'Reviewed in 2026.';
const SCRIPT = `echo '${LINE}' > REVIEWED.txt`;
const BUTTON = /^(?:\d+\. )?\W*(?:Start|Approve|Open PR|Push|Confirm)\b/;
const LOOK_MS = 250;
/** Longer than a card waits for others of its kind (ms). */
const STILL_MS = 660_000;
/** Time without news before the person asks for the status (ms). */
const LOOK_AGAIN_MS = 5_000;
const note = (line: string): void => void process.stderr.write(`${line}\n`);

type Repo = Awaited<ReturnType<Product['github']['addRepo']>>;
const addAll = async ({ github }: Product): Promise<Repo[]> => {
  const repos: Repo[] = [];
  for (let i = 0; i < (count ?? 0); i += 1)
    repos.push(
      await github.addRepo({
        owner: `team-${i % OWNERS}`,
        name: `service-${i}`,
        from: trees[i % trees.length] ?? SYNTHETIC,
      }),
    );
  return repos;
};

const campaignFile = (repos: readonly Repo[]): string =>
  JSON.stringify({
    name: 'Reviewed',
    repositories: repos.map(({ fullName }) => fullName),
    goal: 'Say when it was reviewed',
    script: SCRIPT,
    checks: [`grep -q Reviewed REVIEWED.txt`],
    ...(values.install ? {} : { install: 'none' }),
    pace: {
      canary: 3,
      steps: [50, 150, 500],
      next: 'approved',
      stop: { failures: 1, denials: 1, owner: 500 },
    },
    limits: { perDay: 5_000, perOwner: 5_000, open: 5_000, queued: 5_000 },
  });

type Forecast = { at: number; span: string };
const SPAN = /the last one is ready for you in ([^(\n]+?)\s*\(/;
const UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const spanOf = (text: string): number =>
  [...text.matchAll(/(\d+)\s*([a-z]+)/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * (UNIT[unit ?? ''] ?? NaN),
    0,
  );

const killer = (product: Product): { stop(): Promise<number> } => {
  let [over, deaths] = [false, 0];
  const loop = (async () => {
    while (!over && killEvery) {
      for (let s = 0; s < killEvery * 10 && !over; s += 1) await pause(100);
      if (over) return;
      await product.restart();
      deaths += 1;
    }
  })();
  return {
    stop: async () => {
      over = true;
      await loop;
      return deaths;
    },
  };
};

/** Runs without a pull request ended for a reason that only a person can change. */
const isThrough = (product: Product, wanted: number): boolean => {
  const runs = product.runs();
  return (
    runs.length === wanted &&
    runs.every(
      ({ upstream: { pullRequest: pr }, lifecycle: { state } }) =>
        pr || isStopped(state) || isTerminal(state),
    )
  );
};

const play = async (product: Product, repos: readonly Repo[]) => {
  const { ana } = product;
  // Expired offers, such as a confirmation, return with the same words.
  const last = new Map<number, string>();
  const forecasts: Forecast[] = [];
  const opened = (): number => repos.filter(({ pulls }) => pulls.length > 0).length;
  const pushed = (): number => repos.filter(({ pushes }) => pushes.length > 0).length;
  let [seen, changed, told, taps] = [-1, performance.now(), 0, 0];
  for (;;) {
    const now = opened();
    if (now + pushed() !== seen) [seen, changed] = [now + pushed(), performance.now()];
    if (seen >= told) {
      note(`${pushed()} of ${repos.length} are pushed, ${now} have a pull request`);
      told = seen + 50;
    }
    const still = performance.now() - changed;
    if (
      now === repos.length ||
      still > STILL_MS ||
      (still > LOOK_AGAIN_MS && isThrough(product, repos.length))
    )
      return { taps, forecasts };
    for (const { messageId, buttons, text, from } of ana.messages()) {
      const span = from === 'Ana' ? null : SPAN.exec(text)?.[1];
      if (span !== null && span !== undefined && forecasts.at(-1)?.span !== span)
        forecasts.push({ at: Date.now(), span });
      const button = buttons.flat().find((b) => BUTTON.test(b.text))?.text;
      const tap = `${button} ${text}`;
      if (button === undefined || last.get(messageId) === tap) continue;
      last.set(messageId, tap);
      taps += 1;
      // A killed process cannot answer; the next one does, or the tap is repeated.
      await ana
        .taps({ message: messageId, text: button })
        .answered({ deadlineMs: 20_000 })
        .catch(() => void last.delete(messageId));
    }
    await pause(LOOK_MS);
  }
};

const product = await createProduct({
  config: { maxParallelRuns: 6, maxRunsPerDay: 5_000 },
  bounds: { pollMs: 10_000, retryMs: 1_000 },
});
product.github.rate.limit = granted ?? 0;
try {
  const repos = await addAll(product);
  note(`${repos.length} repositories of ${trees.length || 1} trees`);
  writeFileSync(join(product.dir, 'campaign.yml'), campaignFile(repos));
  product.start();
  await product.running();
  const planned = await product.cli(['campaign', 'plan', 'campaign.yml', '--json']);
  if (planned.code !== 0) throw new Error(planned.out + planned.err);
  const { campaign } = z.object({ campaign: z.string() }).parse(JSON.parse(planned.out));
  const began = Date.now();
  const kills = killer(product);
  const { taps, forecasts } = await play(product, repos);
  const deaths = await kills.stop();
  const seconds = (Date.now() - began) / 1_000;
  await product.waitFor(() => product.alive(), { what: 'it to be back' });
  const used = processorSeconds(product.pid());
  const refused = product.github.calls.filter(({ status }) => status === 403 || status === 429).length;
  // An answer of 304 is not counted by the rate limit.
  const counted = Object.groupBy(
    product.github.calls.filter(({ status }) => status !== 304),
    ({ method, route }) => (method === 'GET' ? route : `${method} ${route}`),
  );
  const pulls = repos.map(({ pulls: own }) => own.length);
  const states = Object.groupBy(product.runs(), ({ lifecycle: { state } }) => state);
  const replay = await product.cli(['replay', '--all', '--json']);
  const shown = await product.cli(['campaign', 'show', campaign, '--json']);
  const report = await product.cli(['campaign', 'report', campaign, '--json']);
  if (values.report !== undefined)
    writeFileSync(
      values.report,
      JSON.stringify([JSON.parse(report.out), JSON.parse(shown.out), product.ana.messages()], null, 1),
    );
  const lastPush = Math.max(...repos.flatMap(({ pushes }) => pushes.map(({ at }) => at)));
  const facts = {
    repositories: repos.length,
    seconds,
    deaths,
    pulls: pulls.filter((n) => n === 1).length,
    doubled: pulls.filter((n) => n > 1).length,
    states: Object.fromEntries(Object.entries(states).map(([k, v]) => [k, v?.length])),
    reasons: product
      .runs()
      .filter(({ upstream: { pullRequest: pr } }) => !pr)
      .map(
        (run) =>
          `${run.order.repo} ${run.lifecycle.state} ${JSON.stringify(run.lifecycle.reason).slice(0, 160)}`,
      )
      .slice(0, 30),
    taps,
    sounds: product.ana.messages().filter(({ from, silent }) => from !== 'Ana' && !silent).length,
    messages: product.ana.messages().filter(({ from }) => from !== 'Ana').length,
    refused,
    requests: Object.fromEntries(
      Object.entries(counted)
        .map(([route, calls]): [string, number] => [route, calls?.length ?? 0])
        .sort(([, a], [, b]) => b - a),
    ),
    processorSecondsARun: deaths === 0 ? used / repos.length : null,
    eta: forecasts.map(({ at, span }) => ({
      says: spanOf(span),
      was: Math.round((lastPush - at) / 1_000),
    })),
    replay: (JSON.parse(replay.out) as { findings: unknown[] }).findings.length,
    cards: product.ana
      .messages()
      .filter(({ from, silent }) => from !== 'Ana' && !silent)
      .map(({ text }) => text.slice(0, 200)),
    complaints: product.complaints().slice(0, 5),
  };
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
} finally {
  await product.close();
}
