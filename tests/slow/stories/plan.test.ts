/**
 * E8: the plan loop through the real process: an agent that plans, steps that are checked, guards
 * that hold, a kill in the middle.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { buttonOf, cardFor, tapOn } from '../../support/approves.ts';
import type { RepoHandle } from '#playground';
import { openReader } from '../../../db/directory/open-reader.ts';
import { planLog, type PlanRound } from '../../../orchestrator/reports/plan-round-log.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/app';
/**
 * Plans two steps and does each; told so by its prompt alone. `mood` `meddles`: it edits code while
 * planning and the plan while working; `asks`: the first step is blocked until somebody says which
 * colour.
 */
const planner = (mood: 'plain' | 'meddles' | 'asks' = 'plain'): string => `node --input-type=module -e '
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
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
}'`;

let product: Product | undefined;
let repo: RepoHandle | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

const begin = async (script: string): Promise<Product> => {
  product = await createProduct({ script });
  repo = await product.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': 'An app.\n' } });
  product.start();
  await product.running();
  const made = await product.cli([
    'run',
    'create',
    REPO,
    'Write two files',
    '--flow',
    'plan',
    '--check',
    'ls *.txt',
  ]);
  expect([made.code, made.err]).toEqual([0, '']);
  return product;
};
const agents = (it: Product): number =>
  it
    .look()
    .attempts()
    .filter((a) => a.step === 'agent').length;

describe('the plan loop', () => {
  it('E8: two steps, each checked, one commit, one card', async () => {
    const it = await begin(planner());
    await cardFor(it.ana);
    const run = it.run();
    expect(run?.agent.plan?.plan).toMatchObject({
      goal: 'Write two files',
      acceptance: ['ls *.txt'],
      next: null,
      backlog: [],
      done: [{ id: 'one' }, { id: 'two' }],
    });
    expect(run?.change.commit?.diff.files.map((f) => f.path).sort()).toEqual(['one.txt', 'two.txt']);
    expect(agents(it)).toBe(4);
    const reader = openReader(it.dataDir);
    const lines = planLog(await reader.query.events(run?.id ?? ''), [])
      .trim()
      .split('\n');
    await reader.close();
    expect(lines.map((line) => JSON.parse(line) as PlanRound)).toMatchObject([
      { round: 1, kind: 'plan_update', planned: { next: 'one', backlog: ['two'] }, changed: null },
      { round: 2, kind: 'plan_step', step: 'one', changed: { files: 1 }, checked: { passed: true } },
      { round: 3, kind: 'plan_update', planned: { next: 'two', done: ['one'] } },
      { round: 4, kind: 'plan_step', step: 'two', changed: { files: 2 }, checked: { passed: true } },
    ]);
    it.ana.sends(`/log ${run?.id ?? ''} plan`);
    await it.ana.waitForMessage('The rounds of the plan of run', { deadlineMs: PATIENCE });
    expect(JSON.parse((await it.cli(['replay', '--all', '--json'])).out)).toMatchObject({ findings: [] });
  });

  it('E8: planning changes no file, working changes no plan, and both are counted', async () => {
    const it = await begin(planner('meddles'));
    await cardFor(it.ana);
    const run = it.run();
    expect(run?.agent.plan?.plan.done.map((s) => s.id)).toEqual(['one', 'two']);
    expect(run?.change.commit?.diff.files.map((f) => f.path).sort()).toEqual(['one.txt', 'two.txt']);
    expect(run?.agent.plan?.violations).toBeGreaterThanOrEqual(2);
    await it.ana.waitForMessage('This step may not change the plan', { deadlineMs: PATIENCE });
  });

  it('L6: killed after each round, it goes on with the same plan', async () => {
    const it = await begin(planner());
    for (const round of [1, 2, 3]) {
      await it.waitFor(() => agents(it) >= round, { what: `round ${round}` });
      await it.restart();
    }
    await cardFor(it.ana);
    const run = it.run();
    expect(run?.agent.plan?.plan.done.map((s) => s.id)).toEqual(['one', 'two']);
    expect(run?.change.commit?.diff.files.map((f) => f.path).sort()).toEqual(['one.txt', 'two.txt']);
  });

  it('E8, C4, P4: a step that needs a person waits, and goes on with the words that answer its message', async () => {
    const it = await begin(planner('asks'));
    const call = await it.ana.waitForMessage((m) => m.text.startsWith('NEEDS YOU'), {
      what: 'a call',
      deadlineMs: PATIENCE,
    });
    expect(call.text).toContain('Which colour?');
    it.ana.sends('Please make it blue.', { replyTo: call.messageId });
    const back = await it.ana.waitForMessage(
      (m) => m.text.startsWith('Tap to do this') && buttonOf(m, /^Retry/) !== '',
      {
        what: 'a button',
        deadlineMs: PATIENCE,
      },
    );
    expect(back.text).toContain('Please make it blue.');
    await tapOn(it.ana, back, /^Retry/);
    await cardFor(it.ana);
    expect(await repo?.read('one.txt', it.run()?.change.pushedHead?.branch)).toBe('one blue');
    expect((await it.cli(['replay', '--all'])).code).toBe(0);
  });
});
