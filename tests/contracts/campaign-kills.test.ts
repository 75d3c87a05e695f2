/** L6: a whole campaign whose process dies again and again comes to what it comes to without that. */
import { expect, it } from 'vitest';
import { UNDO_WORDS } from '#language';
import { runStanding } from '../../orchestrator/campaign-standing/run-standing.ts';
import { teachLesson } from '#campaigns/acts';
import { withdrawRuns } from '../../orchestrator/campaigns/acts/campaign-run-commands.io.ts';
import { createCampaignRunner } from '../../orchestrator/campaigns/advance-campaigns.io.ts';
import { createRandom } from '../prove/random.ts';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { ANA } from '../support/chat-world.ts';

const REPOS = Array.from({ length: 20 }, (_, i) => `o${i % 5}/r${i}`);
const by = { id: ANA, name: 'Ana' };
const LESSON = { repo: 'o0/r0', from: 'denial', text: 'Keep the old name' } as const;

/** `lives` says after how many writes the process dies next; null is never. */
const play = async (lives: (() => number) | null) => {
  const w = await createCampaignWorld();
  await w.sends(
    'campaign.yml',
    `name: Mend it\nrepositories: [${REPOS.join(', ')}]\ngoal: Fix it\npace: { canary: 3, steps: [4, 6], stop: { failures: 1 } }\nlimits: { open: 40 }`,
    '/batch',
  );
  await w.taps('Start 20');
  const id = (await w.campaign())?.id ?? '';
  let deaths = 0;
  /** What one life has of the ledger. */
  const born = () => {
    let left = lives?.() ?? Infinity;
    const dies = <T>(write: () => Promise<T>): Promise<T> => {
      if ((left -= 1) >= 0) return write();
      deaths += 1;
      throw new Error('killed');
    };
    const submit: typeof w.submit = (given) => dies(() => w.submit(given));
    const decide: typeof w.ledger.campaigns.decide = (...given) =>
      dies(() => w.ledger.campaigns.decide(...given));
    return { ledger: { query: w.ledger.query, campaigns: { decide } }, submit, clock: w.clock };
  };
  /** Until a life comes to the end of it. */
  const insists = async (go: (life: ReturnType<typeof born>) => Promise<unknown>): Promise<void> => {
    for (let i = 0; i < 500; i += 1) {
      const before = deaths;
      await go(born()).catch((error: Error) => {
        if (error.message !== 'killed') throw error;
      });
      if (deaths === before) return;
    }
    throw new Error('it came to no end');
  };
  for (let i = 0; i < 12 && (await w.runs()).length < REPOS.length; i += 1) {
    await insists((life) =>
      createCampaignRunner({
        ...life,
        log: { error: () => {} },
        mayApprove: async () => true,
        undoWords: UNDO_WORDS,
        links: w.links,
      }).round(),
    );
    for (const run of await w.runs()) {
      const { repo } = run.order;
      if (run.lifecycle.state !== 'QUEUED') continue;
      if (repo.endsWith('3')) await w.fails(repo);
      else await w.opens(repo);
    }
  }
  const key = 'tap';
  const teacher = (await w.runs()).find(({ order }) => order.repo === LESSON.repo);
  await w.offer(teacher?.id ?? '', { type: 'command.iterate', by, instruction: LESSON.text });
  const others = (await w.runs()).flatMap((run) => (run.id === teacher?.id ? [] : [run.id]));
  const lesson = { ...LESSON, runs: others };
  await insists((life) => teachLesson(life, { id, by }, lesson, `They say: ${LESSON.text}`));
  const taught = (await w.runs()).filter(({ agent: { round } }) => round.kind === 'person_request');
  const all = (await w.runs()).map((run) => run.id);
  const words = { runs: all, words: 'Thank you.', reason: 'given up' };
  await insists((life) => withdrawRuns(life, { id, by, key }, words));
  const runs = await w.runs();
  const closed = await w.ledger.query.effects({ kind: 'close_pr' });
  return {
    deaths,
    report: {
      campaign: (({ state, released, step }) => ({ state, released, step }))(
        (await w.campaign()) ?? { state: null, released: 0, step: 0 },
      ),
      runs: runs
        .map(
          (run) =>
            `${run.order.repo} ${runStanding(run).mark} ${run.lifecycle.state} ${run.lifecycle.version}`,
        )
        .sort(),
      taught: taught.map(({ order }) => order.repo).sort(),
      closed: closed.map(({ runId }) => runs.find((run) => run.id === runId)?.order.repo ?? '').sort(),
    },
  };
};

it('L6, S4: killed after every few writes, a campaign of 20 comes to the same report: none lost, none twice', async () => {
  const calm = await play(null);
  expect(calm.deaths).toBe(0);
  expect(calm.report.runs).toHaveLength(20);
  expect(calm.report.taught.length).toBeGreaterThan(10);
  expect(new Set(calm.report.closed).size).toBe(calm.report.closed.length);
  expect(calm.report.closed).toHaveLength(18);
  for (const seed of [1, 2, 3]) {
    const random = createRandom(seed);
    const killed = await play(() => random.int(4));
    expect(killed.deaths, `seed ${seed}`).toBeGreaterThan(15);
    expect(killed.report, `seed ${seed}`).toEqual(calm.report);
  }
}, 60_000);
