/**
 * E8: the plan loop through the real process: an agent that plans, steps that are checked, guards
 * that hold, a kill in the middle.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buttonOf, cardFor, tapOn } from '../../support/approves.ts';
import type { Run } from '#run';
import { openReader } from '../../../db/directory/open-reader.ts';
import { renderPlanLog, type PlanRound } from '../../../orchestrator/reports/plan-round-log.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

/**
 * Plans two steps and does each; told so by its prompt alone. `mood` `meddles`: it edits code while
 * planning and the plan while working; `asks`: the first step is blocked until somebody says which
 * colour.
 */
const planner = (
  mood: 'plain' | 'meddles' | 'asks',
): string => `import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
const prompt = readFileSync(0, "utf8");
const file = process.env.HOME + "/PLAN.md";
const say = (summary) => console.log(JSON.stringify({ status: "done", summary }));
const plan = readFileSync(file, "utf8").replace(/.*STEP_ID=zero.*\\n/, "");
const attempt = (what) => { try { what(); } catch (error) { console.log("refused: " + error.code); } };
const colour = /make it (\\w+)/.exec(prompt)?.[1] ?? "no colour";
if (prompt.includes("## How to plan") && "${mood}" === "asks" && colour === "no colour") {
  const blocked = "\\n## Blocked\\n- [ ] (STEP_ID=zero) choose a colour\\n\\n## Notes\\nWhich colour?\\n";
  writeFileSync(file, plan.replace(/(## Next[^\\n]*\\n)[^]*?(?=\\n## Backlog)/, "$1").replace(/\\n## Blocked[^]*$/, "") + blocked);
  say("blocked");
} else if (prompt.includes("## How to plan")) {
  const step = (id) => "- [ ] (STEP_ID=" + id + ") write " + id + ".txt\\n";
  const waits = plan.includes("(STEP_ID=one)") ? "" : step("two");
  const next = plan.includes("(STEP_ID=one)") ? step("two") : step("one");
  const cut = plan.replace(/(## Next[^\\n]*\\n)[^]*?(?=\\n## Backlog)/, "$1" + next).replace(/(## Backlog\\n)[^]*?(?=\\n## Done)/, "$1" + waits);
  writeFileSync(file, cut);
  if ("${mood}" === "meddles") attempt(() => appendFileSync("README.md", "sneaked in\\n"));
  say("planned");
} else {
  const id = /STEP_ID=(\\w+)/.exec(prompt)[1];
  writeFileSync(id + ".txt", id + " " + colour + "\\n");
  if ("${mood}" === "meddles") writeFileSync(file, "# PLAN\\n");
  say("wrote " + id);
}
`;

const NAMES = ['meddles', 'asks', 'plain'] as const;
type Name = (typeof NAMES)[number];

describe('the plan loop', () => {
  let product: Product;
  const run = (name: Name): Run => product.run(`acme/${name}`) as Run;
  const agents = (name: Name): number =>
    product
      .look()
      .attempts(product.run(`acme/${name}`)?.id ?? '')
      .filter((a) => a.step === 'agent').length;
  const begins = async (name: Name): Promise<void> => {
    const order = [
      'run',
      'create',
      `acme/${name}`,
      'Write two files',
      '--flow',
      'plan',
      '--check',
      'ls *.txt',
    ];
    const made = await product.cli(order);
    expect([made.code, made.err]).toEqual([0, '']);
  };
  const hasBoth = (name: Name): void => {
    expect(run(name).agent.plan?.plan.done.map((s) => s.id)).toEqual(['one', 'two']);
    expect(
      run(name)
        .change.commit?.diff.files.map((f) => f.path)
        .sort(),
    ).toEqual(['one.txt', 'two.txt']);
  };

  beforeAll(async () => {
    product = await createProduct({ script: 'node .agent.mjs', config: { maxParallelRuns: 2 } });
    for (const name of NAMES)
      await product.github.addRepo({
        owner: 'acme',
        name,
        from: { 'README.md': 'An app.\n', '.agent.mjs': planner(name) },
      });
    product.start();
    await product.running();
    for (const name of ['meddles', 'asks'] as const) await begins(name);
  });
  afterAll(() => product.close());

  it('E8: two steps, each checked, one commit, one card; planning changes no file, working changes no plan, and both are counted', async () => {
    await cardFor(product.ana, 'acme/meddles');
    hasBoth('meddles');
    expect(run('meddles').agent.plan?.plan).toMatchObject({
      goal: 'Write two files',
      acceptance: ['ls *.txt'],
      next: null,
      backlog: [],
    });
    expect(agents('meddles')).toBe(4);
    expect(run('meddles').agent.plan?.violations).toBeGreaterThanOrEqual(2);
    await product.ana.waitForMessage('This step may not change the plan', { deadlineMs: PATIENCE });
    const reader = openReader(product.dataDir);
    const lines = renderPlanLog(await reader.query.events(run('meddles').id), [])
      .trim()
      .split('\n');
    await reader.close();
    expect(lines.map((line) => JSON.parse(line) as PlanRound)).toMatchObject([
      { round: 1, kind: 'plan_update', planned: { next: 'one', backlog: ['two'] }, changed: null },
      { round: 2, kind: 'plan_step', step: 'one', changed: { files: 1 }, checked: { passed: true } },
      { round: 3, kind: 'plan_update', planned: { next: 'two', done: ['one'] } },
      { round: 4, kind: 'plan_step', step: 'two', changed: { files: 2 }, checked: { passed: true } },
    ]);
    product.ana.sends(`/log ${run('meddles').id} plan`);
    await product.ana.waitForMessage('The rounds of the plan of run', { deadlineMs: PATIENCE });
  });

  it('E8, C4, P4: a step that needs a person waits, and goes on with the words that answer its message', async () => {
    const { ana } = product;
    const call = await ana.waitForMessage(
      (m) => m.text.startsWith('NEEDS YOU') && m.text.includes('acme/asks'),
      { what: 'a call', deadlineMs: PATIENCE },
    );
    expect(call.text).toContain('Which colour?');
    ana.sends('Please make it blue.', { replyTo: call.messageId });
    const back = await ana.waitForMessage(
      (m) => m.text.startsWith('Tap to do this') && buttonOf(m, /^Retry/) !== '',
      { what: 'a button', deadlineMs: PATIENCE },
    );
    expect(back.text).toContain('Please make it blue.');
    await tapOn(ana, back, /^Retry/);
    await cardFor(ana, 'acme/asks');
    const made = product.github.repo('acme/asks');
    expect(await made.read('one.txt', run('asks').change.pushedHead?.branch)).toBe('one blue');
  });

  it('L6: killed after a round that plans and one that works, it goes on with the same plan', async () => {
    await begins('plain');
    for (const round of [1, 2]) {
      await product.waitFor(() => agents('plain') >= round, { what: `round ${round}` });
      await product.restart();
    }
    await cardFor(product.ana, 'acme/plain');
    hasBoth('plain');
    expect(JSON.parse((await product.cli(['replay', '--all', '--json'])).out)).toMatchObject({
      findings: [],
    });
  });
});
