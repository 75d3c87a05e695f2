/**
 * G6, F8: a name may come to mean another repository: nothing of a run is pushed there, merged from
 * there, or asked about it.
 */
import { expect, it } from 'vitest';
import { createCoverage } from '../prove/coverage.ts';
import { ANA } from '../prove/process.ts';
import { createRandom } from '../prove/random.ts';
import { createStage, openMemory } from '../prove/stage.ts';
import { reasonOf } from '../support/english.ts';

/**
 * A whole history with Ana, in which the repository's name is another's after so many times that it
 * was asked about.
 */
const play = async (after: number) => {
  const stage = await createStage({
    random: createRandom(1),
    coverage: createCoverage(),
    opened: openMemory(),
    mail: { hooks: 0, lost: 0, twice: 0, late: 0 },
    bounds: {},
    behaviour: {},
  });
  const { forge, workspaces } = stage.world.ports;
  let asked = 0;
  const right = forge.repo.bind(forge);
  forge.repo = async (name) => {
    const facts = await right(name);
    return (asked += 1) > after ? { ...facts, id: facts.id + 1, cloneUrl: ANOTHER } : facts;
  };
  let strayed = 0;
  for (const name of ['push', 'merge', 'compare', 'prepare', 'head'] as const) {
    const does = workspaces[name].bind(workspaces) as (wish: {
      repo: { cloneUrl: string };
    }) => Promise<never>;
    const watched = (wish: { repo: { cloneUrl: string } }): Promise<never> => {
      if (wish.repo.cloneUrl === ANOTHER) strayed += 1;
      return does(wish);
    };
    Object.assign(workspaces, { [name]: watched });
  }
  await stage.people.settleIn(await stage.start(null));
  await stage.people.order(stage.life(), ANA);
  const seen = async () => (await stage.life().query.runs({ live: false, limit: 1 }))[0];
  for (let i = 0; i < 300; i += 1) {
    const run = await seen();
    if (run?.lifecycle.state === 'NEEDS_HUMAN_REVIEW' || run?.upstream.pullRequest) break;
    await stage.calm(false);
  }
  return { run: await seen(), strayed, asked };
};
const ANOTHER = 'https://example.invalid/another.git';

it('G6: sends nothing to whoever was given the name of its repository, and says so', async () => {
  const { asked } = await play(Infinity);
  expect(asked).toBeGreaterThan(3);
  for (let after = 1; after < asked; after += 1) {
    const { run, strayed } = await play(after);
    expect(strayed, `after ${after}`).toBe(0);
    expect(reasonOf(run), `after ${after}`).toContain('another repository');
  }
});
