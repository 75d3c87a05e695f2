/**
 * The Forge port on a local GitHub that fails: each way of asking gives the same classified
 * failure, after asking once.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestListener } from 'node:http';
import type { ForgePort } from '#ports/roles';
import {
  answer,
  badGateway,
  drop,
  type FaultAction,
  garbage,
  secondaryLimit,
  serverError,
} from '#playground';
import {
  endless,
  forgeAt,
  moved,
  NOW,
  repo,
  ROUTE,
  startForgeWorld,
  startHost,
  text,
  type ForgeWorld,
  type OtherHost,
  type OurPull,
} from '../../support/forge-world.ts';

const MB = 1024 * 1024;
const utc = (at: number): string => new Date(at).toUTCString();
/** What these refuse is not a failure: something else is said instead. */
const HIDDEN: readonly string[] = [ROUTE.logs, ROUTE.notes, ROUTE.permission, ROUTE.lines];
/** Without one of these there are others. */
const PARTS: readonly string[] = [ROUTE.runs, ROUTE.status];
let world: ForgeWorld;
let forge: ForgePort;
let pull: OurPull;
const hosts: OtherHost[] = [];
const host = async (listener: RequestListener): Promise<OtherHost> => {
  const started = await startHost(listener);
  hosts.push(started);
  return started;
};

beforeAll(async () => {
  world = await startForgeWorld();
  pull = await world.openPull();
  const { acme } = world;
  acme.setCheck(pull.head, { name: 'test', conclusion: 'failure', log: 'one' });
  acme.setCheck(pull.head, {
    name: 'lint',
    app: 'other-ci',
    conclusion: 'failure',
    annotations: [{ path: 'a.ts', line: 1, level: 'failure', message: 'x' }],
  });
  acme.grant('kim', 'write');
  acme.comment(pull.number, { user: 'kim', body: 'hi' });
  acme.reviewComment(pull.number, { user: 'kim', path: pull.path, line: 1, body: 'hi' });
});
afterAll(() => world.github.stop());
beforeEach(async () => {
  world.github.faults.clear();
  forge = forgeAt(world.github.url);
});
afterEach(() => Promise.all(hosts.splice(0).map((one) => one.stop())));

describe('failures', () => {
  const asks: [string, string, () => Promise<unknown>][] = [
    ['failedChecks', ROUTE.runs, () => forge.failedChecks(repo, pull.head)],
    ['failedChecks', ROUTE.status, () => forge.failedChecks(repo, pull.head)],
    ['failedChecks', ROUTE.logs, () => forge.failedChecks(repo, pull.head)],
    ['failedChecks', ROUTE.notes, () => forge.failedChecks(repo, pull.head)],
    ['reviews', ROUTE.reviews, () => forge.reviews(repo, pull.id)],
    ['reviews', ROUTE.lines, () => forge.reviews(repo, pull.id)],
    ['reviews', ROUTE.permission, () => forge.reviews(repo, pull.id)],
    ['comments', ROUTE.comments, () => forge.comments(repo, pull.id)],
    ['comments', ROUTE.user, () => forge.comments(repo, pull.id)],
    ['comments', ROUTE.pull, () => forge.comments(repo, pull.id)],
    ['checks', ROUTE.runs, () => forge.checks(repo, pull.head, 'main')],
  ];
  const html = { 'content-type': 'text/html' };
  const faults: [string, FaultAction, object][] = [
    ['a server error', serverError(), { class: 'forge_unavailable' }],
    ['a proxy page', badGateway(), { class: 'forge_unavailable' }],
    ['a page instead', answer(200, '<html>hi</html>', html), { class: 'forge_unavailable' }],
    ['a refusal by a proxy', answer(403, '<html>no</html>', html), { class: 'forge_unavailable' }],
    ['half an answer', garbage(), { class: 'forge_unavailable' }],
    ['a cut connection', drop(), { class: 'forge_unavailable' }],
    [
      'a busy server',
      answer(503, { message: 'later' }, { 'retry-after': '7' }),
      { class: 'forge_unavailable', retryAt: NOW + 7_000 },
    ],
    [
      'the secondary limit',
      secondaryLimit(30),
      { class: 'rate_limited', retryAt: NOW + 30_000, isGuess: false },
    ],
    ['too many requests', answer(429, { message: 'slow' }), { class: 'rate_limited', retryAt: NOW + 60_000 }],
    [
      'the primary limit',
      answer(
        403,
        { message: 'API rate limit exceeded' },
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 90), date: utc(NOW) },
      ),
      { class: 'rate_limited', retryAt: NOW + 91_000 },
    ],
    ...[-10, 10].map((minutes): [string, FaultAction, object] => [
      `the primary limit by a clock that is ${minutes} minutes from ours`,
      answer(
        403,
        { message: 'API rate limit exceeded' },
        {
          'x-ratelimit-remaining': '0',
          date: utc(NOW + minutes * 60_000),
          'x-ratelimit-reset': String(NOW / 1000 + minutes * 60 + 90),
        },
      ),
      { class: 'rate_limited', retryAt: NOW + 91_000 },
    ]),
    [
      'an hour whose end is over, which is a guess',
      answer(
        403,
        { message: 'API rate limit exceeded' },
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 90), date: utc(NOW) },
      ),
      { class: 'rate_limited', retryAt: NOW + 60_000, isGuess: true },
    ],
    [
      'a limit in a page of what stands before it',
      answer(429, '<html>Too many requests</html>', { ...html, 'retry-after': '40' }),
      { class: 'rate_limited', retryAt: NOW + 40_000 },
    ],
    ['a bad credential', answer(401, { message: 'Bad credentials' }), { class: 'auth_missing' }],
  ];

  it.each(asks.map(([method, route, go]) => ({ method, route, go })))(
    'F5: classifies each failure of $method at $route, after asking once',
    async ({ route, go }) => {
      for (const [name, fault, expected] of faults) {
        world.github.faults.always(route, fault);
        const from = world.github.calls.length;
        const said = await go().then(
          () => ({ class: 'no failure' }),
          (error: unknown) => error,
        );
        expect(said, name).toMatchObject(expected);
        expect(
          world.github.calls.slice(from).filter((call) => call.route === route),
          name,
        ).toHaveLength(1);
        world.github.faults.clear();
      }
    },
  );

  it.each(
    asks.filter(([, route]) => !HIDDEN.includes(route)).map(([method, route, go]) => ({ method, route, go })),
  )('F5: gives the words of what is refused or missing: $method at $route', async ({ route, go }) => {
    world.github.faults.next(route, answer(422, { message: 'No commit found' }));
    await expect(go()).rejects.toMatchObject({
      class: 'forge_refused',
      message: expect.stringContaining('No commit found') as string,
    });
    world.github.faults.next(route, answer(404, { message: 'Not Found' }));
    const asked = go();
    if (PARTS.includes(route)) await asked;
    else await expect(asked).rejects.toMatchObject({ class: 'repository_missing' });
  });

  it('F5: classifies a host that does not answer, and one that is not there', async () => {
    const silent = await host(() => {});
    const port = await host(text(''));
    await port.stop();
    for (const late of [forgeAt(silent.url, 50), forgeAt(port.url)]) {
      for (const go of [
        () => late.failedChecks(repo, pull.head),
        () => late.reviews(repo, pull.id),
        () => late.comments(repo, pull.id),
      ]) {
        await expect(go()).rejects.toMatchObject({ class: 'forge_unavailable' });
      }
    }
  });

  it('F5: ends an answer without end, by its bytes', async () => {
    const flood = await host(endless(`"${'x'.repeat(MB)}",`, 'application/json'));
    await expect(forgeAt(flood.url).reviews(repo, pull.id)).rejects.toMatchObject({
      class: 'forge_unavailable',
    });
    expect(flood.sent()).toBeLessThan(100 * MB);
  });

  it('F5: classifies what the store of the logs says of itself', async () => {
    for (const [listener, expected] of [
      [text('busy', 503), { class: 'forge_unavailable' }],
      [text('slow down', 429), { class: 'forge_unavailable' }],
      [endless('x', 'text/html'), { class: 'forge_unavailable' }],
    ] as const) {
      const store = await host(listener);
      world.github.faults.always(ROUTE.logs, moved(store.url));
      await expect(forge.failedChecks(repo, pull.head)).rejects.toMatchObject(expected);
      world.github.faults.clear();
    }
  });

  it('G5: shows our credential to no host that a GET is sent on to', async () => {
    const other = await host((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    world.github.faults.always(ROUTE.lines, answer(301, '', { location: `${other.url}/elsewhere` }));
    await forge.reviews(repo, pull.id);
    expect(other.seen).toHaveLength(1);
    expect(other.seen[0]?.authorization).toBeUndefined();
  });
});
