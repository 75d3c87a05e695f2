/** `npm run bench:looks`: F4, F5: cost and delay of polling many pull requests. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGitHubForge } from '../forge/github.ts';
import type { RunState } from '#model/run';
import { DAY, HOUR, MINUTE, SECOND } from '#model/values';
import { delayAfterFailedPoll, nextPollDelay } from '../orchestrator/kernel/ci/poll-pull.effect.ts';
import type { PollDepth } from '#ports/forge';

const POLL = 30 * SECOND;
const repo = 'acme/api';
const shaOf = (number: number): string => number.toString(16).padStart(40, '0');
const time = (at: number): string => new Date(at).toISOString();

const startHost = async ({ hides } = { hides: false }) => {
  const changes = new Map<number, number>();
  const count = { all: 0, told: 0 };
  const bodyOf = (path: string): unknown => {
    const number = Number(/\/pulls\/(\d+)/.exec(path)?.[1] ?? 0);
    const bySha = Number.parseInt(/\/commits\/([0-9a-f]{40})/.exec(path)?.[1] ?? '0', 16);
    if (/\/pulls\/\d+$/.test(path)) {
      const side = { ref: 'main', sha: shaOf(number), repo: { id: 1 } };
      const named = { number, html_url: 'https://github.com', title: 'x', updated_at: time(0) };
      return { ...named, state: 'open', merged: false, base: side, head: side, user: { login: 'bot' } };
    }
    if (path.endsWith('/check-runs')) {
      const state = { status: 'in_progress', conclusion: null, started_at: time(0) };
      const ended = { status: 'completed', conclusion: 'success', started_at: time(0) };
      const run = { id: 1, name: 'test', app: { id: 5, slug: 'ci' }, check_suite: { id: 1 } };
      return { check_runs: [{ ...run, ...(changes.has(bySha) ? ended : state) }] };
    }
    if (path.endsWith('/check-suites')) return { check_suites: [] };
    if (path.endsWith('/status')) return { statuses: [] };
    if (path === '/user') return { login: 'bot' };
    return /\/branches\/main$/.test(path) && !path.includes('/rules/')
      ? { name: 'main', protected: false }
      : [];
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const body = JSON.stringify(bodyOf(pathname));
    const etag = `"${createHash('sha256').update(`${pathname} ${body}`).digest('hex')}"`;
    count.all += 1;
    if (hides) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    count.told += 1;
    response.writeHead(200, { 'content-type': 'application/json', etag }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, changes, count, stop: () => (server.closeAllConnections(), server.close()) };
};

type Watched = { number: number; since: number; dueAt: number; turn: number };
type Figures = { perMinute: number; peak: number; units: number; cold: number; seenWithin: number };

const hourOf = async (many: number, state: RunState, age: number): Promise<Figures> => {
  const host = await startHost();
  let now = 10 * DAY;
  const clock = { now: () => now };
  const credential = () => Promise.resolve('tok');
  const forge = createGitHubForge({ apiUrl: host.url, token: credential, userAgent: 'agentpr-bench', clock });
  const look = async (number: number, care: PollDepth) => {
    const id = `#${number}`;
    await forge.pull(repo, id, care);
    const { checks } = await forge.checks(repo, shaOf(number), 'main', care);
    await forge.reviews(repo, id, care);
    await forge.comments(repo, id, care);
    return checks.some(({ outcome }) => outcome === 'passed');
  };
  const all = Array.from({ length: many }, (_, i): Watched => {
    const since = now - age;
    return { number: i + 1, since, dueAt: now + (i * 5 * MINUTE) / many, turn: i };
  });
  // Poll twice, because comments are read again a little later.
  for (const { number } of all) await look(number, 'whole');
  const cold = host.count.told;
  now += MINUTE;
  for (const { number } of all) await look(number, 'whole');
  const begin = now;
  const end = begin + HOUR;
  Object.assign(host.count, { all: 0, told: 0 });
  const minutes = new Map<number, number>();
  const changedAt = new Map<number, number>();
  let worst = 0;
  for (const one of all)
    one.dueAt =
      begin +
      (one.number / many) *
        nextPollDelay({ lifecycle: { state, stateEnteredAt: one.since } }, now, POLL, many);
  while (true) {
    const next = all.reduce((a, b) => (b.dueAt < a.dueAt ? b : a));
    if (next.dueAt >= end) break;
    now = Math.max(now, next.dueAt);
    for (const { number } of all.filter((one) => one.number % 10 === 0)) {
      const at = begin + HOUR / 2 + number * 137;
      if (now >= at && !host.changes.has(number)) {
        host.changes.set(number, at);
        changedAt.set(number, at);
      }
    }
    const before = host.count.all;
    const passed = await look(next.number, { turn: (next.turn += 1) });
    const minute = Math.floor((now - begin) / MINUTE);
    minutes.set(minute, (minutes.get(minute) ?? 0) + host.count.all - before);
    const at = changedAt.get(next.number);
    if (passed && at !== undefined) {
      worst = Math.max(worst, now - at);
      changedAt.delete(next.number);
    }
    next.dueAt = now + nextPollDelay({ lifecycle: { state, stateEnteredAt: next.since } }, now, POLL, many);
  }
  host.stop();
  const changed = host.changes.size;
  const peak = Math.max(...minutes.values());
  return {
    perMinute: host.count.all / 60,
    peak,
    cold,
    seenWithin: worst / SECOND,
    // Requests for real changes are not idle ones.
    units: host.count.told - changed,
  };
};

/** An hour in which every pull request answers 404, as after the loss of rights. */
const refusedHourOf = async (many: number): Promise<Figures> => {
  const host = await startHost({ hides: true });
  let now = 10 * DAY;
  const clock = { now: () => now };
  const credential = () => Promise.resolve('tok');
  const forge = createGitHubForge({ apiUrl: host.url, token: credential, userAgent: 'agentpr-bench', clock });
  const begin = now;
  const refused = new Set<number>();
  const minutes = new Map<number, number>();
  const all = Array.from({ length: many }, (_, i): Watched => ({
    number: i,
    since: now,
    dueAt: now,
    turn: 0,
  }));
  while (true) {
    const next = all.reduce((a, b) => (b.dueAt < a.dueAt ? b : a));
    if (next.dueAt >= begin + HOUR) break;
    now = Math.max(now, next.dueAt);
    const before = host.count.all;
    await forge.pull(repo, `#${next.number + 1}`, { turn: (next.turn += 1) }).catch(() => forge.nameOf('1'));
    const minute = Math.floor((now - begin) / MINUTE);
    minutes.set(minute, (minutes.get(minute) ?? 0) + host.count.all - before);
    refused.add(next.number);
    const run = { lifecycle: { state: 'REVIEW_WAIT', stateEnteredAt: now - DAY } } as const;
    const regular = nextPollDelay(run, now, POLL, many);
    const of = { tries: next.turn, regular, unreadable: refused.size, isPartial: false, lasts: false };
    next.dueAt = now + delayAfterFailedPoll(of);
  }
  host.stop();
  const { all: units } = host.count;
  const later = [...minutes].filter(([minute]) => minute > 0).map(([, requests]) => requests);
  return {
    perMinute: units / 60,
    peak: Math.max(0, ...later),
    units,
    cold: minutes.get(0) ?? 0,
    seenWithin: 0,
  };
};

const rows = [
  { name: '100 unsettled', hour: () => hourOf(100, 'CI_WAIT', 0), peak: 450, seen: 60 },
  { name: '500 refused with 404', hour: () => refusedHourOf(500), peak: 450, units: 2_500 },
  { name: '1,000 idle', hour: () => hourOf(1_000, 'REVIEW_WAIT', DAY), units: 200 },
];
for (const { name, hour, peak = Infinity, seen = Infinity, units = Infinity } of rows) {
  const figures = await hour();
  const { perMinute, cold, seenWithin } = figures;
  const good = figures.peak <= peak && seenWithin <= seen && figures.units <= units;
  if (!good) process.exitCode = 1;
  console.log(
    `${good ? '✔' : '✘'} ${name}: ${perMinute.toFixed(0)} requests a minute (most in one minute ${figures.peak}), ` +
      `${figures.units} units of the hourly limit, a change seen within ${seenWithin.toFixed(0)} s, ${cold} answers for the first look`,
  );
}
