/** F11: which words the whole change is published with, whichever round reported last. */
import { describe, expect, it } from 'vitest';
import { finishedPlanSteps, summaryAfter } from '../../orchestrator/kernel/gate/summarise-change.ts';
import { commitMessage, pullBody, composePullTitle } from '../../pull-text/pull-body.ts';
import { EMPTY_REPORT, type ReportedChange } from '#model/agent';
import {
  at,
  baseChecked,
  bounds,
  discovered,
  failed,
  given,
  implemented,
  iterate,
  planNext,
  planOfTwo,
  pushed,
  sha,
  startDiscovery,
  startWork,
  validated,
  ways,
  type Story,
} from '../support/core.ts';
import { act, askChanges, type Act } from '../support/core-acts.ts';
import { commit, contract } from '../support/core-samples.ts';

const FILES = ['greet.ts', 'french.ts'].map((path) => ({
  path,
  oldPath: null,
  status: 'modified' as const,
  added: 3,
  deleted: 1,
  binary: false,
  mode: '100644',
  oldMode: '100644',
}));
/** A round that left a tree of its own, and said this of it. */
const reports = (letter: string, said: Partial<ReportedChange>, summary = 'Done.'): Act =>
  act((run) => {
    const { input } = implemented(letter)(run);
    if (input.type !== 'worker.implementation.completed') throw new Error('no commit');
    const made = commit(letter);
    const whole = { ...made, tree: sha(letter), diff: { ...made.diff, files: FILES } as never };
    const claims = { ...input.claims, reported: { ...EMPTY_REPORT, ...said } };
    return { ...input, commit: whole, claims, summary };
  });

const GOAL =
  'Greet people in French, and keep the old greeting for everybody else who visits the page today.';
const planned = (): Story =>
  given({ flow: 'plan', goal: GOAL }, startDiscovery, discovered(), baseChecked(), startWork());
const first = reports('a', {
  what: 'Add greetings in French',
  why: 'Only English was known to greet.',
  tested: 'french.ts has a test',
  breaking: 'greet takes a language',
  type: 'feature',
});
const second = reports('b', {
  what: 'Greet by the language',
  type: 'refactor',
  tested: 'greet.ts is tested',
});
const fix = reports('c', { what: 'Satisfy the linter', why: 'A semicolon was missing.', type: 'style' });
const patch = '+greetings in French\n+greet by the language\n-English only was known\n+semicolon linter';

const published = ({ run }: Story) => {
  const {
    order,
    target: { contract },
    agent: { agentReports: said },
  } = run;
  const summary = run.agent.wholeSummary ?? run.agent.summary;
  const seen = { files: FILES as never, patch, checks: [] };
  const title = composePullTitle({ order, said, ...seen }, contract, 100);
  const body = pullBody({
    order,
    contract,
    said,
    summary,
    title,
    patch,
    commit: run.change.commit as never,
    checks: [],
    steps: finishedPlanSteps(run),
    fixes: run.agent.fixSummaries,
    additions: run.agent.additionSummaries ?? [],
  });
  const message = commitMessage({
    order,
    said,
    summary: '',
    steps: finishedPlanSteps(run),
    shape: contract,
    fix: null,
    trailers: [],
    files: FILES as never,
    patch,
  });
  return { title, body, message };
};

describe('the words of a plan', () => {
  const whole = planned().when(planOfTwo, first, validated(), planNext, second, validated());

  it('F11: name the goal and each step, and never the last step for the whole', () => {
    expect(whole.run.agent.agentReports).toMatchObject({
      what: null,
      why: 'Only English was known to greet.',
      tested: 'french.ts has a test greet.ts is tested',
      breaking: 'greet takes a language',
      type: null,
    });
    const { title, body, message } = published(whole);
    expect(title).toMatch(/^Greet people in French/);
    expect(body).toContain(`${GOAL}\n\n- Add greetings in French.\n- Greet by the language.`);
    expect(message).toMatch(/^Greet people in French/);
    expect(message).toContain('\n- Add greetings in French\n- Greet by the language\n');
  });

  it('F11: keep what a step is said to be when its checks had it fixed', () => {
    const fixed = planned().when(planOfTwo, first, validated({ passed: false }), fix, validated());
    const both = fixed.when(planNext, second, validated());
    expect(both.run.agent.planStepReports?.map(({ id, report: said }) => [id, said.what])).toEqual([
      ['001', 'Add greetings in French'],
      ['002', 'Greet by the language'],
    ]);
    expect(published(both).body).not.toContain('linter');
  });

  it('F11: take no part from a step that left the files as they were', () => {
    const again = planned().when(planOfTwo, first, validated(), planNext, first, validated());
    expect(again.run.agent.planStepReports).toHaveLength(1);
    expect(again.run.agent.agentReports.what).toBe('Add greetings in French');
  });

  it('F11: are those of its only step where it has one', () => {
    const one = planned().when(planOfTwo, first);
    expect(finishedPlanSteps(one.run)).toEqual([]);
    expect(one.run.agent.agentReports).toMatchObject({ what: 'Add greetings in French', type: 'feature' });
  });

  it('E8: checks that fail when no step is left are fixed as those of the whole change', () => {
    const early = planned().when(planOfTwo, first, validated());
    expect(early.run.agent.round.kind).toBe('plan_update');
    const end = act((run) => ({
      type: 'worker.plan.updated',
      plan: run.agent.plan ? { ...run.agent.plan.plan, next: null, backlog: [] } : null,
      problem: '',
      session: null,
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
      ms: 1,
      containment: 'bwrap',
      violations: 0,
    }));
    expect(early.when(end, validated({ passed: false })).run.agent.round.kind).toBe('check_fix');
  });

  it('E8: a run of several engines, or of several fixes, keeps no plan that the repository wishes for', () => {
    const wish = act((run) => {
      const { input } = discovered()(run);
      if (input.type !== 'worker.discovery.completed') throw new Error('not read');
      return { ...input, contract: contract({ flow: 'plan' }) };
    });
    const fixes = ['One', 'Two'].map((title) => ({ title, goal: title }));
    const plain = given({}, startDiscovery, wish, baseChecked(), startWork());
    expect(plain.run.agent.plan).not.toBeNull();
    const several = given({ fixes }, startDiscovery, wish, baseChecked(), startWork());
    const tried = given({ proposers: ['script', 'codex'] }, startDiscovery, wish, baseChecked(), startWork());
    expect([several.run.agent.plan, tried.run.agent.plan]).toEqual([null, null]);
  });
});

describe('the words of a change that is fixed', () => {
  const begun = (): Story => at('IMPLEMENTING');

  it('F11: stay those of the round that made it', () => {
    const fixed = begun().when(first, validated({ passed: false }), fix);
    expect(fixed.run.agent.agentReports).toMatchObject({
      what: 'Add greetings in French',
      why: 'Only English was known to greet.',
      type: 'feature',
    });
  });

  it('F11: are its summary where its report had no more, and not those of the fix', () => {
    const bare = reports('a', {}, 'Added greetings in French.');
    const fixed = begun().when(bare, validated({ passed: false }), fix);
    expect(fixed.run.agent.wholeSummary).toBe('Added greetings in French.');
    expect(published(fixed).body).toContain('Added greetings in French.');
    const long = `Added greetings in French. ${'They are greetings of English people in French. '.repeat(9)}`;
    const mended = begun().when(reports('a', {}, long), validated({ passed: false }), fix);
    expect(published(mended).body).toContain(long.trim());
  });

  it('F11: stay when the report of a fix has to be asked for once more', () => {
    const repaired = begun().when(first, validated({ passed: false }), failed('invalid_output'), fix);
    expect(repaired.run.agent.agentReports.what).toBe('Add greetings in French');
    const anew = begun().when(failed('invalid_output'), first);
    expect(anew.run.agent.agentReports.what).toBe('Add greetings in French');
  });

  it('F11: stay when a person asks for more before it is opened, and what came is listed', () => {
    const card = begun().when(first, validated(), pushed());
    const more = card.when(askChanges('Mind the linter, too.'), fix, validated());
    expect(more.run.agent.agentReports).toMatchObject({ what: 'Add greetings in French', type: 'feature' });
    expect(published(more).title).not.toContain('linter');
    expect(published(more).title).toBe('Add greetings in French');
    expect(published(more).body).toContain('\n\nAlso:\n\n- Satisfy the linter.');
    const smaller = card.when(
      act({
        type: 'command.deny',
        by: { id: '7', name: 'Ana' },
        reason: '',
        final: false,
        approvalId: null,
        retryNow: true,
        denialReason: 'big',
      }),
      second,
      validated(),
    );
    expect(smaller.run.agent.agentReports.what).toBe('Greet by the language');
    expect(smaller.run.agent.additionSummaries).toBeUndefined();
  });

  it('F11: stay through fixes of an open pull request, which are told of by themselves', () => {
    const open = at('CI_WAIT');
    const said = open.run.agent.agentReports;
    const fixed = open.when(iterate('Mind the linter.'), fix);
    expect(fixed.run.agent.agentReports.what).not.toBe('Satisfy the linter');
    expect(fixed.run.agent.agentReports.why).toBe(said.why);
    expect(fixed.run.agent.fixSummaries).toEqual(['Satisfy the linter']);
  });

  it('F11: of several ordered fixes are those of all that changed something', () => {
    const fixes = ['Pin it', 'Sort it'].map((title) => ({ title, goal: `Do: ${title}` }));
    const story = given({ bounds: bounds(), title: 'Tidy up', fixes }, ...ways.IMPLEMENTING);
    const done = story.when(first, second);
    expect(done.run.agent.agentReports).toMatchObject({
      what: null,
      tested: 'french.ts has a test greet.ts is tested',
      breaking: 'greet takes a language',
    });
    const fixed = done.when(validated({ passed: false }), fix);
    expect(fixed.run.agent.agentReports).toMatchObject({
      what: null,
      why: 'Only English was known to greet.',
    });
  });

  it('F11: asking what the words would be changes nothing of the run', () => {
    const { run } = begun().when(first);
    const before = structuredClone(run.agent.agentReports);
    summaryAfter(run, { said: { ...EMPTY_REPORT, what: 'Else' }, summary: 'Else.' });
    expect(run.agent.agentReports).toEqual(before);
  });
});
