/** Plays a campaign through the real process: a person taps, and the process is killed meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RepoHandle } from '#playground';
import type { Run } from '#run';
import { PATIENCE, type Product } from './product.ts';

const LOOK_MS = 250;
const TOLD_EVERY_MS = 30_000;
const BUTTON = /^(?:\d+\. )?\W*(?:Start \d+|Undo \d+|Approve|Open PR|Push|Confirm)\b/;
const TREE = { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' };

export const campaignFileOf = (keys: Record<string, unknown>): string =>
  Object.entries(keys)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');

export const addRepos = async (
  { github }: Product,
  names: readonly string[],
  owners = 5,
): Promise<RepoHandle[]> => {
  const repos: RepoHandle[] = [];
  for (const [i, name] of names.entries())
    repos.push(await github.addRepo({ owner: `team-${i % owners}`, name, from: TREE }));
  return repos;
};

const LONGER = 1.4;

/** Kills the process again and again until `stop`, at most so often; returns how often. */
export const killing = (product: Product, { everyMs, most }: { everyMs: number; most: number }) => {
  let [over, deaths] = [false, 0];
  const lives = (): number => product.stdout().match(/is running/g)?.length ?? 0;
  const loop = (async () => {
    while (!over && everyMs > 0 && deaths < most) {
      // Each life is longer than the one before, so that a slow machine gets on as well.
      for (let ms = 0; ms < everyMs * LONGER ** deaths && !over; ms += 100) await pause(100);
      if (over) return;
      const before = lives();
      await product.restart();
      deaths += 1;
      await product.waitFor(() => over || lives() > before, {
        what: 'the next life',
        deadlineMs: 3 * PATIENCE,
      });
    }
  })();
  return async (): Promise<number> => {
    over = true;
    await loop;
    return deaths;
  };
};

const standings = (runs: readonly Run[]): string =>
  runs
    .map(
      ({ order, lifecycle: { state, reason } }) =>
        `${order.repo} ${state} ${JSON.stringify(reason).slice(0, 300)}`,
    )
    .join('\n');

/** Taps what asks for it until `done`; fails when that does not come within the time. */
export const tapUntil = async (
  { ana, runs }: Product,
  done: () => boolean | Promise<boolean>,
  what: string,
  deadlineMs: number,
): Promise<number> => {
  const until = performance.now() + deadlineMs;
  const last = new Map<number, string>();
  let [taps, told] = [0, performance.now()];
  while (!(await done())) {
    if (performance.now() > until)
      throw new Error(
        `there was no ${what}: ${standings(runs())}\n${ana
          .messages()
          .slice(-6)
          .map(({ text }) => text.slice(0, 300))
          .join('\n--\n')}`,
      );
    if (performance.now() - told > TOLD_EVERY_MS) {
      told = performance.now();
      process.stderr.write(`waiting for ${what}:\n${standings(runs())}\n`);
    }
    for (const { messageId, buttons, text } of ana.messages()) {
      const button = buttons.flat().find((b) => BUTTON.test(b.text))?.text;
      const tap = `${button} ${text}`;
      if (button === undefined || last.get(messageId) === tap) continue;
      last.set(messageId, tap);
      taps += 1;
      // A killed process cannot answer; the tap is repeated.
      await ana
        .taps({ message: messageId, text: button })
        .answered({ deadlineMs: 20_000 })
        .catch(() => void last.delete(messageId));
    }
    await pause(LOOK_MS);
  }
  return taps;
};
