/** O5: taking the board away changes nothing about the gate. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutReceipt } from '../../../pull-text/pull-body.ts';
import { sampleAgentCommand, sampleDirectory, sampleGoal } from '#playground';
import { arms, tapOn } from '../../support/approves.ts';
import { git } from '../../support/git-world.ts';
import { createProduct, PATIENCE } from '../../support/product.ts';

/** The chunk of the bundle that holds the board cannot be loaded. */
const NO_BOARD = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (/\\/chunks\\/board-[\\w-]+\\.js$/.test(url)) throw new Error('the board was taken away');
  return next(url, context);
} });`;

const playStory = async (board: 'looked at' | 'taken away') => {
  const product = await createProduct({ script: sampleAgentCommand() });
  try {
    const { ana, github } = product;
    const repo = await github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
    const preload = join(product.dir, 'no-board.mjs');
    writeFileSync(preload, NO_BOARD);
    product.start(board === 'taken away' ? { preload } : {});
    await product.running();
    ana.sends('/board');
    const { text } = await ana.waitForMessage('Your link to the board', { deadlineMs: PATIENCE });
    const link = /http:\S+\/board\/enter\/\S+/.exec(text)?.[0] ?? '';
    const pages: number[] = [];
    const entered = await fetch(`${link}/confirmed`);
    pages.push(entered.status);
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
    const looks = async (path: string): Promise<void> => {
      pages.push((await fetch(new URL(path, link), { headers: { cookie } })).status);
    };
    ana.sends(`/new acme/patient ${sampleGoal}`);
    const armed = await arms(ana);
    const { id } = await product.waitForState('PUSHED');
    await looks(`/board/run/${id}`);
    await looks(`/board/run/${id}/diff`);
    expect(await tapOn(ana, armed, /^Confirm\b/)).toBe('Recorded: approved.');
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    await looks('/board/');
    await repo.merge(1);
    const run = await product.waitForState('DONE');
    await product.atRest();
    const [pull] = repo.pulls;
    const approvals = product.look().approvals(run.id);
    return {
      pages,
      outcome: {
        states: [...new Set(product.look().states(run.id))].filter((state) => state !== 'REVIEW_WAIT'),
        approvals: approvals.map(({ kind, state }) => [kind, state]),
        signed: run.gate.consumedApproval?.by,
        sealed:
          run.gate.consumedApproval?.digest === approvals.find(({ state }) => state === 'consumed')?.digest,
        pull: [pull?.title, withoutReceipt(pull?.body ?? '').replaceAll(run.id, 'RUN')],
        tree: git(repo.dir, 'rev-parse', `${pull?.headSha}^{tree}`),
        pushes: repo.pushes.length,
        merges: github.mergeCalls(),
      },
    };
  } finally {
    await product.close();
  }
};

it('O5, G2: a story ends with the same states, signatures and bytes, whether the board is read or cannot be loaded', async () => {
  const read = await playStory('looked at');
  const missing = await playStory('taken away');
  expect(read.pages).toEqual([200, 200, 200, 200]);
  expect(missing.pages.every((status) => status >= 500)).toBe(true);
  expect(read.outcome.approvals).toContainEqual(['open_pr', 'consumed']);
  expect(missing.outcome).toEqual(read.outcome);
}, 180_000);
