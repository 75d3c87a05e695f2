/** F5: every way in which GitHub says that it was asked too much stops all that write. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGitHubForge } from '../../../forge/github.ts';
import { createWriteScheduler } from '../../../orchestrator/limits/write-limiter.ts';
import { type WriteScheduler, OutsideFailure, TurnAwaited } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import type { ClaimedEffect } from '#ports/steps';
import { HOUR, MINUTE, SECOND } from '#model/values';
import { answer, secondaryLimit, type FaultAction } from '#playground';
import { startForgeWorld, repo, type ForgeWorld, type OurPull } from '../../support/forge-world.ts';
import { openInMemory, type Opened } from '../../support/ledger.ts';
import { createClock, type TestClock } from '../../support/timers.ts';

const DESCRIBE = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
const PULL = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
let world: ForgeWorld;
let opened: Opened;
let clock: TestClock;
let pull: OurPull;

beforeAll(async () => {
  world = await startForgeWorld();
  pull = await world.openPull();
});
afterAll(() => world.github.stop());
beforeEach(async () => {
  opened = await openInMemory();
  clock = createClock();
});
afterEach(async () => {
  world.github.faults.clear();
  await opened.close();
});

const both = (): { writers: WriteScheduler; by: ForgePort } => {
  const writers = createWriteScheduler({
    books: opened.ledger.writers,
    clock,
    timers: clock,
    identity: async () => 'me',
  });
  const by = createGitHubForge({
    apiUrl: world.github.url,
    token: async () => 'tok',
    userAgent: 'agentpr-test',
    clock,
    writer: { identity: async () => 'me', limiter: writers.limiter },
  });
  return { writers, by };
};
const forge = (): ForgePort => both().by;
const describes = (by: ForgePort): Promise<unknown> => by.describe(repo, pull.id, 'words');
/** When whoever was held back is to come again (epoch ms). */
const comesBackAt = (reason: unknown): number | null =>
  reason instanceof TurnAwaited ? reason.at : reason instanceof OutsideFailure ? reason.retryAt : null;
const until = async (): Promise<number> => (await opened.ledger.writers.of('me')).blockedUntil - clock.now();
const says = (message: string, more: Record<string, unknown> = {}) => ({ message, ...more });
const inAnHour = (): Record<string, string> => ({
  date: new Date(clock.now()).toUTCString(),
  'x-ratelimit-reset': String(Math.floor(clock.now() / 1_000) + 3_600),
});

/** What octokit's plugin-throttling 11.0.5 recognises (dist-bundle/index.js), and what it does not. */
const FORMS: readonly [what: string, () => FaultAction, ms: number][] = [
  ['a secondary limit with a time', () => secondaryLimit(120), 120 * SECOND],
  ['one as 429', () => answer(429, says('You have exceeded a secondary rate limit.'), { 'retry-after': '7' }), 7 * SECOND],
  ['one without a time', () => answer(403, says('You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.')), MINUTE],
  ['a used up hour', () => answer(403, says('API rate limit exceeded for user ID 1.'), { 'x-ratelimit-remaining': '0', ...inAnHour() }), HOUR + SECOND],
  ['a used up hour as 429 and in no words', () => answer(429, says('Forbidden'), { 'x-ratelimit-remaining': '0', ...inAnHour() }), HOUR + SECOND],
  ['an hour that is used up by its type', () => answer(403, says('No', { errors: [{ type: 'RATE_LIMITED' }] })), MINUTE],
  ['a used up hour whose end is over', () => answer(403, says('API rate limit exceeded'), { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }), MINUTE],
  ['abuse, as older servers say', () => answer(403, says('You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.')), MINUTE],
  ['a page about limits', () => answer(403, says('Forbidden', { documentation_url: 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits' })), MINUTE],
  ['content that came too quickly', () => answer(422, says('Validation Failed', { errors: [{ resource: 'PullRequest', code: 'custom', message: 'was submitted too quickly' }] })), MINUTE],
  ['429 in no words', () => answer(429, says('')), MINUTE],
]; // oxfmt-ignore

describe('what GitHub says', () => {
  it.each(FORMS)('F5: %s stops all that write, and is no refusal', async (_, form, ms) => {
    world.github.faults.next(DESCRIBE, form());
    const by = forge();
    await expect(describes(by)).rejects.toMatchObject({ class: 'rate_limited' });
    expect(Math.abs((await until()) - ms)).toBeLessThanOrEqual(SECOND);
    const before = world.callsOf(DESCRIBE).length;
    const all = await Promise.allSettled(Array.from({ length: 11 }, () => describes(forge())));
    const held = all.filter((one) => one.status === 'rejected' && comesBackAt(one.reason) !== null);
    // Only a wait of seconds is waited for there.
    if (ms > 5 * SECOND) expect(held.length).toBe(11);
    expect(world.callsOf(DESCRIBE).length).toBe(before);
  });

  it('F5: a look that is refused stops them too', async () => {
    world.github.faults.next(PULL, secondaryLimit(90));
    await expect(forge().pull(repo, pull.id)).rejects.toBeInstanceOf(OutsideFailure);
    expect(await until()).toBe(90 * SECOND);
  });

  it('F5: until then nobody reads either, in this process or the next one', async () => {
    world.github.faults.next(PULL, secondaryLimit(90));
    await expect(forge().pull(repo, pull.id)).rejects.toBeInstanceOf(OutsideFailure);
    const before = world.github.calls.length;
    for (const by of [forge(), forge()])
      await expect(by.pull(repo, pull.id)).rejects.toMatchObject({
        class: 'rate_limited',
        retryAt: clock.now() + 90 * SECOND,
      });
    expect(world.github.calls.length).toBe(before);
    await clock.pass(90 * SECOND);
    expect(await forge().pull(repo, pull.id)).toMatchObject({ headSha: pull.head });
  });

  it('F5: a process that has read before hears that another one was refused', async () => {
    const [one, other] = [forge(), forge()];
    await other.pull(repo, pull.id);
    world.github.faults.next(PULL, secondaryLimit(90));
    await expect(one.pull(repo, pull.id)).rejects.toBeInstanceOf(OutsideFailure);
    const before = world.github.calls.length;
    await expect(other.pull(repo, pull.id)).rejects.toMatchObject({
      class: 'rate_limited',
      detail: { kind: 'limit_in_force' },
    });
    expect(world.github.calls.length).toBe(before);
  });

  it('F5: when a tenth of the hour is left nothing new begins, nobody looks, and what was begun goes on', async () => {
    const few = { 'x-ratelimit-remaining': '499', 'x-ratelimit-limit': '5000', ...inAnHour() };
    world.github.faults.next(PULL, answer(304, '', few));
    const { writers, by } = both();
    await by.pull(repo, pull.id).catch(() => undefined);
    const asks = (kind: 'discover' | 'poll' | 'open_pr'): Promise<unknown> => {
      const claim = { id: 'r:1:0', do: { kind } } as unknown as ClaimedEffect;
      const signal = new AbortController().signal;
      return writers.within({ claim, live: async () => true, signal }, () => by.pull(repo, pull.id));
    };
    const before = world.callsOf(PULL).length;
    for (const yields of ['discover', 'poll'] as const)
      await expect(asks(yields)).rejects.toMatchObject({ class: 'rate_limited' });
    expect(world.callsOf(PULL).length).toBe(before);
    await asks('open_pr');
    await clock.pass(HOUR + 2 * SECOND);
    await asks('discover');
    await asks('poll');
    expect(world.callsOf(PULL).length).toBe(before + 3);
  });

  it('F5: what had begun when a tenth of the hour was left is not left half done', async () => {
    const few = { 'x-ratelimit-remaining': '499', 'x-ratelimit-limit': '5000', ...inAnHour() };
    const { writers, by } = both();
    const claim = { id: 'r:1:0', do: { kind: 'discover' } } as unknown as ClaimedEffect;
    const begun = { claim, live: async () => true, signal: new AbortController().signal };
    await writers.within(begun, async () => {
      world.github.faults.next(PULL, answer(304, '', few));
      await by.pull(repo, pull.id).catch(() => undefined);
      expect(await by.pull(repo, pull.id)).toMatchObject({ headSha: pull.head });
      world.github.faults.next(PULL, answer(304, '', few));
      await by.pull(repo, pull.id).catch(() => undefined);
    });
    await expect(writers.within(begun, () => by.pull(repo, pull.id))).rejects.toMatchObject({
      class: 'rate_limited',
    });
  });

  it('F5: the last request of the hour stops them before one is refused', async () => {
    world.github.faults.next(PULL, answer(304, '', { 'x-ratelimit-remaining': '0', ...inAnHour() }));
    await forge()
      .pull(repo, pull.id)
      .catch(() => undefined);
    expect(await until()).toBeGreaterThan(HOUR - SECOND);
  });

  it.each([
    ['a right that we lack', () => answer(403, says('Resource not accessible by integration')), 'forge_refused'],
    ['the search has had enough', () => answer(403, says('API rate limit exceeded'), { 'x-ratelimit-remaining': '0', 'x-ratelimit-resource': 'search', ...inAnHour() }), 'rate_limited'],
    ['a title that is too long', () => answer(422, says('Validation Failed')), 'forge_refused'],
  ] as const)('F5: %s stops nobody', async (_, form, kind) => {
    world.github.faults.next(PULL, form());
    await expect(forge().pull(repo, pull.id)).rejects.toMatchObject({ class: kind });
    expect(await until()).toBeLessThanOrEqual(0);
  }); // oxfmt-ignore
});

it('F5: a suspended account stops all that write as it, and says what to do', async () => {
  const words = says('Sorry. Your account was suspended');
  world.github.faults.always('*', answer(403, words));
  for (const asks of [() => forge().pull(repo, pull.id), () => describes(forge())]) {
    const failure = await asks().then(
      () => null,
      (error: unknown) => error,
    );
    if (failure instanceof TurnAwaited) break;
    expect(failure).toBeInstanceOf(OutsideFailure);
    expect(failure).toMatchObject({
      class: 'account_suspended',
      message: expect.stringMatching(/support\.github\.com/) as string,
    });
  }
  expect(await until()).toBe(15 * MINUTE);
  world.github.faults.clear();
  await expect(describes(forge())).rejects.toBeInstanceOf(TurnAwaited);
  await clock.pass(15 * MINUTE);
  await describes(forge());
  expect((await opened.ledger.writers.of('me')).suspended).toBeUndefined();
});
