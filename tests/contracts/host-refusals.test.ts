/**
 * F1, F5: what the code host says against us comes to people as a sentence with a next step: where a
 * repository is read first, where its pull request is opened, and while it is watched.
 */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import type { Run } from '#run';
import type { HostRefusal } from '#model/failure';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import { createCoverage } from '../prove/coverage.ts';
import { ANA } from '../prove/process.ts';
import { createRandom } from '../prove/random.ts';
import { createStage, openMemory, openSqlite } from '../prove/stage.ts';

const LISTED: HostRefusal = { kind: 'address_not_allowed', organisation: 'acme' };
const BLOCKED: HostRefusal = { kind: 'user_blocked' };
const MINUTE = 60_000;

const begin = async (opened: Awaited<ReturnType<typeof openSqlite>>, change: (forge: ForgePort) => void) => {
  const stage = await createStage({
    random: createRandom(1),
    coverage: createCoverage(),
    opened,
    mail: { hooks: 0, lost: 0, twice: 0, late: 0 },
    bounds: { pollMs: 5_000, noCiMs: 15_000, ciSettleMs: 5_000 },
    behaviour: { ci: 0 },
    runs: 1,
  });
  change(stage.world.ports.forge);
  await stage.people.settleIn(await stage.start(null));
  const run = async (): Promise<Run | undefined> =>
    (await stage.life().query.runs({ live: false, limit: 9 }))[0];
  const until = async (over: (run: Run) => boolean): Promise<Run> => {
    for (let i = 0; i < 3_000; i += 1) {
      const now = await run();
      if (now && over(now)) return now;
      await stage.calm(false);
    }
    throw new Error(`it never came there: ${(await run())?.lifecycle.state}`);
  };
  const shown = (): string => stage.world.messages.map(({ html }) => html).join('\n');
  return { stage, until, shown, order: () => stage.people.order(stage.life(), ANA) };
};

const sentences = ({ lifecycle: { reason } }: Run): string[] =>
  Object.values(LANGUAGE_TEXTS).map(({ reasons }) => sayRecord(reasons, reason));
const stopped = ({ lifecycle: { state } }: Run): boolean => state === 'NEEDS_HUMAN_REVIEW';

describe.each([
  ['memory', async () => openMemory()],
  ['sqlite', () => openSqlite()],
])('a refusal that says why, on %s', (_, open) => {
  it('F1: of a repository that is read first, is the reason of the run', async () => {
    const { until, shown, order } = await begin(await open(), (forge) => {
      forge.repo = async () => {
        throw new OutsideFailure('forge_refused', 'GitHub refused (403): raw words', {
          status: 403,
          detail: LISTED,
        });
      };
    });
    await order();
    const run = await until(stopped);
    expect(run.lifecycle.reason).toMatchObject({
      kind: 'step_failed',
      class: 'forge_refused',
      detail: LISTED,
    });
    const [en, zh] = sentences(run);
    expect(en).toMatch(/The organisation acme lets in only addresses .* Then retry/);
    expect(zh).toMatch(/组织 acme 只允许.*然后重试/);
    await until(() => shown().includes('lets in only addresses of its IP allow list'));
    expect(shown()).not.toContain('raw words');
  });

  it('F5: of a pull request that is to be opened, is the reason of the run', async () => {
    const { until, order } = await begin(await open(), (forge) => {
      forge.createPull = async () => {
        throw new OutsideFailure('not_allowed', 'takes none of ours', { status: 403, detail: BLOCKED });
      };
    });
    await order();
    const run = await until(stopped);
    expect(run.lifecycle.reason).toMatchObject({
      kind: 'step_failed',
      class: 'not_allowed',
      detail: BLOCKED,
    });
    const [en, zh] = sentences(run);
    expect(en).toContain('The owner of the repository has blocked our account.');
    expect(zh).toContain('仓库的所有者屏蔽了我们的账号。');
  });

  it('F8: of a pull request that is watched, is told once, until it can be read again', async () => {
    let isRefused = false;
    const { stage, until, shown, order } = await begin(await open(), (forge) => {
      const read = forge.pull.bind(forge);
      forge.pull = async (...asked) => {
        if (isRefused)
          throw new OutsideFailure('forge_refused', 'GitHub refused (403)', { status: 403, detail: LISTED });
        return read(...asked);
      };
    });
    await order();
    await until(({ upstream: { pullRequest: pr } }) => pr !== null);
    isRefused = true;
    const began = stage.now.at;
    const run = await until(() => stage.now.at > began + 30 * MINUTE);
    expect(run.upstream.observed.outage?.failure).toMatchObject({ kind: 'forbidden', refusal: LISTED });
    expect(shown().match(/lets in only addresses of its IP allow list/g)).toHaveLength(1);
    expect(shown()).not.toContain('Give it read access');
    isRefused = false;
    await until(({ upstream: { observed: seen } }) => seen.outage === null);
    await until(() => shown().includes('READ AGAIN'));
  });
});
