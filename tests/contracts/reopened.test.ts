/** S11: a pull request that is reopened is followed again, by polling alone and by a delivery. */
import { describe, expect, it } from 'vitest';
import type { Run } from '#run';
import { createCoverage } from '../prove/coverage.ts';
import { ANA } from '../prove/process.ts';
import { createRandom } from '../prove/random.ts';
import { createStage, openMemory } from '../prove/stage.ts';
import { MINUTE } from '#model/values';

const play = async (hooks: number) => {
  const stage = await createStage({
    random: createRandom(1),
    coverage: createCoverage(),
    opened: openMemory(),
    mail: { hooks, lost: 0, twice: 0, late: 0 },
    bounds: {},
    behaviour: {},
  });
  await stage.people.settleIn(await stage.start(null));
  await stage.people.order(stage.life(), ANA);
  const run = async (): Promise<Run> => {
    const [found] = await stage.life().query.runs({ live: false, limit: 1 });
    if (!found) throw new Error('there is no run');
    return found;
  };
  const until = async (is: (run: Run) => boolean, turns = 600): Promise<Run> => {
    let now = await run();
    for (let i = 0; i < turns && !is(now); i += 1) {
      await stage.calm(false);
      now = await run();
    }
    return now;
  };
  for (let i = 0; i < 50 && (await stage.life().query.runs({ live: false, limit: 1 })).length === 0; i += 1)
    await stage.calm(false);
  return { stage, until };
};

describe('a pull request that a maintainer closed by mistake', () => {
  it.each([
    ['by polling alone', 0],
    ['by deliveries', 1],
  ])('S11: is followed again once it is open, %s, and then learns of its merge', async (_, hooks) => {
    const { stage, until } = await play(hooks);
    await until(({ upstream }) => upstream.pullRequest !== null);
    const { host, repo } = stage.world;
    const [pull] = repo.pulls;
    if (!pull) throw new Error('nothing was opened');
    host.close(pull);
    const ended = await until(({ lifecycle }) => lifecycle.state === 'FAILED_TERMINAL');
    expect(ended.lifecycle.reason.kind).toBe('pull_closed');
    const endedAt = stage.now.at;
    host.reopen(pull);
    const again = await until(({ lifecycle }) => lifecycle.state !== 'FAILED_TERMINAL');
    expect(again.upstream.observed.pull?.state).toBe('open');
    expect(stage.now.at - endedAt).toBeLessThan(5 * MINUTE);
    expect(repo.pulls).toHaveLength(1);
    host.merge(pull);
    const done = await until(({ lifecycle }) => lifecycle.state === 'DONE');
    expect(done.lifecycle.reason.kind).toBe('pull_merged');
  });
});
