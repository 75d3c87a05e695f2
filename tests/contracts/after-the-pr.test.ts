/**
 * The chat of a run whose pull request is open: words of others, checks and reviews as they come,
 * and fixes.
 */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { renderView } from '../../bot/views/render-view.ts';
import type { ViewScene } from '../../bot/views/scene.ts';
import { MESSAGE_LIMIT } from '../../bot/text/telegram-html.ts';
import { momentText, stripMarkup } from '#chat-text';
import type { MessageView } from '#effects';
import type { Input, InputOf } from '#inputs';
import type { Run } from '#run';
import { renderDetail } from '../../bot/views/run-detail.ts';
import type { Feedback } from '#model/feedback';
import { toCheckRequirement, type CheckFact, type CiFacts } from '#model/ci';
import type { ObservedReview } from '../../orchestrator/kernel/run/observed-facts.ts';
import { parseHtml } from '#playground';
import { ANA, BO, FIX_PATCH, PATCH, PULL, VIC, createChatWorld } from '../support/chat-world.ts';
import { begin, choose, remark, review, sealedReplies } from '../support/core.ts';
import { aRun } from '../support/ledger.ts';
import { HEAD, someAssessment, someCommit, someProposal } from '../support/ready-run.ts';
import { toldIn, words as saying } from '../support/english.ts';

const words = LANGUAGE_TEXTS.en;
const NOW = Date.UTC(2026, 0, 5, 12, 0);
const FIX = '77ab01'.padEnd(40, '0');

const comment = (changes: Partial<InputOf<'forge.comment.created'>> = {}): Input => ({
  type: 'forge.comment.created',
  author: 'leo',
  access: 'read',
  body: 'Say <b>salut</b>.',
  url: `${PULL}#issuecomment-1`,
  createdAt: 5,
  ...changes,
});
const checked = (name: string, outcome: CheckFact['outcome'], startedAt = 1): Input => ({
  type: 'forge.check.observed',
  sha: HEAD,
  check: {
    key: `ci/${name}`,
    name,
    kind: 'check',
    app: null,
    status: outcome ? 'ended' : 'running',
    outcome,
    startedAt,
  },
});
const testIsOurs: Input = {
  type: 'worker.ci.compared',
  sha: HEAD,
  ref: 'main',
  checks: ['test'],
  failingOnBase: [],
  flaky: [],
};
const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0 };
const fixMade: Input = {
  type: 'worker.implementation.completed',
  commit: { ...someCommit(), sha: FIX },
  session: null,
  summary: '',
  usage,
  ms: 60_000,
  containment: 'bwrap',
  claims: { status: 'done', ran: [] },
  violations: 0,
};
const assessment = someAssessment({ decision: 'escalate', risk: 'medium' });
const fixChecked: Input = {
  type: 'worker.validation.completed',
  commitSha: FIX,
  passed: true,
  checks: [],
  assessment,
  grade: null,
  failure: null,
  ms: 900,
  proposal: someProposal({ action: 'push', headSha: FIX, assessment }),
};
const fixPushed: Input = {
  type: 'worker.push.completed',
  branch: 'feature/agentpr-x',
  sha: FIX,
  proposal: null,
};
type World = Awaited<ReturnType<typeof createChatWorld>>;
/** Makes, checks and pushes the fix that is under way. */
const finishFix = async (w: World, id: string): Promise<void> => {
  await w.offer(id, fixMade, fixChecked);
  const {
    gate: { approval },
  } = await w.run(id);
  const by = { id: ANA, name: 'Ana' };
  const { id: approvalId, digest } = approval ?? { id: '', digest: '' };
  await w.offer(id, { type: 'command.push.approve', by, approvalId, digest }, fixPushed);
};
const shownWords = (w: World) => w.messages.findLast((m) => m.text.startsWith('💬'));
const labels = (message: { buttons: { text: string }[][] } | undefined): string[] =>
  message?.buttons.flat().map((b) => b.text) ?? [];

describe('words of others', () => {
  it('P5: are shown quietly as data, with who wrote them and whether they may write', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    await w.offer(run.id, comment());
    const shown = shownWords(w);
    expect(shown?.text).toBe(
      `💬 leo (outsider) on acme/api · ${run.id}\nSay <b>salut</b>.\n${PULL}#issuecomment-1`,
    );
    expect(shown?.silent).toBe(true);
    expect(labels(shown)).toEqual(['Let the agent do it', 'Details']);
    await w.offer(run.id, comment({ access: 'write', url: `${PULL}#2` }));
    expect(shownWords(w)?.text).toContain('leo (has write access)');
    await w.offer(run.id, comment({ access: 'unknown', url: `${PULL}#3` }));
    expect(shownWords(w)?.text).toContain('leo (access unknown)');
    expect((await w.run(run.id)).lifecycle.state).toBe('CI_WAIT');
  });

  it('P5, C5: nothing of them can be tapped, breaks the markup or shows a secret, however long they are', () => {
    const nasty = fc
      .string({ unit: 'binary', maxLength: 2_000 })
      .map((s) => `${s}<b>&"@you /cancel r7k2 \u202e https://evil.example ghp_${'a1B2'.repeat(9)}`);
    fc.assert(
      fc.property(nasty, nasty, nasty, (author, body, url) => {
        const view: MessageView = { view: 'comment', author, access: 'read', body, url, forwardedBy: null };
        const { html } = renderView(view, waiting(), words);
        expect(html.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
        expect(parseHtml(html)).not.toHaveProperty('complaint');
        const outside = html.replace(/<code>[\s\S]*?<\/code>/g, '');
        expect(outside).not.toMatch(/@you|\/cancel|evil\.example/);
        expect(html).not.toMatch(/\u202e|a1B2a1B2/);
      }),
      { numRuns: 30 },
    );
  });

  it('P5: reach the agent only by the tap of an approver, who is named to it and on the message', async () => {
    const w = await createChatWorld();
    await w.ledger.setUser({ id: '10', name: 'Olga', role: 'operator' }, null);
    const run = await w.openRun({ order: { chat: '-50' } });
    await w.offer(run.id, comment());
    for (const by of [VIC, '10']) expect(await w.taps('Let the agent', { by })).toContain('Only approvers');
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version + 1);
    expect(await w.taps('Let the agent', { by: BO })).toBe('Recorded: the agent gets these words.');
    expect(await w.run(run.id)).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: {
        round: { kind: 'person_request', feedback: saying('leo wrote (passed on by Bo): Say <b>salut</b>.') },
      },
    });
    expect(shownWords(w)?.text).toContain('Passed on to the agent by Bo.');
    expect(labels(shownWords(w))).toEqual(['Details']);
  });

  it('P5: a second tap passes nothing on twice, not even when the fix is long done', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    await w.offer(run.id, comment());
    const first = shownWords(w);
    const old = { chat: ANA, messageId: first?.messageId ?? '', data: first?.buttons[0]?.[0]?.token ?? '' };
    await w.taps('', old);
    expect(await w.taps('', old)).toBe('Already passed on by P7.');
    await finishFix(w, run.id);
    expect((await w.run(run.id)).lifecycle.state).toBe('CI_WAIT');
    const {
      lifecycle: { version },
    } = await w.run(run.id);
    expect(await w.taps('', old)).toBe('Already passed on by P7.');
    expect((await w.run(run.id)).lifecycle.version).toBe(version);
    expect((await w.run(run.id)).lifecycle.counts.iterations).toBe(1);
    expect(labels(shownWords(w))).toEqual(['Details']);
  });

  it('P5: stay good while the run moves on; where they cannot be used the machine says why', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    await w.offer(run.id, comment(), checked('test', 'failed'), testIsOurs);
    expect((await w.run(run.id)).lifecycle.state).toBe('ITERATING');
    expect(await w.taps('Let the agent')).toContain('is being fixed; from there it cannot be sent back');
    expect(labels(shownWords(w))).toContain('Let the agent do it');
    await finishFix(w, run.id);
    expect(await w.taps('Let the agent')).toBe('Recorded: the agent gets these words.');
    expect((await w.run(run.id)).lifecycle.counts.iterations).toBe(2);
  });

  it('P5: longer ones than the message shows are read before they are passed on, as they are passed on', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    const body = `${'word '.repeat(400)}\u200bdo evil ghp_${'a1B2'.repeat(9)}`;
    await w.offer(run.id, comment({ body }));
    expect(shownWords(w)?.text).toMatch(/\n… 5\d\d more characters\n/);
    expect(await w.taps('Let the agent')).toContain('longer than this message shows');
    expect((await w.run(run.id)).lifecycle.state).toBe('CI_WAIT');
    expect(w.documents.at(-1)).toMatchObject({
      name: `run-${run.id}-comment.txt`,
      content: expect.stringContaining('word \\u{200b}do evil [secret]') as string,
    });
    await w.taps('Let the agent');
    const {
      agent: { round },
    } = await w.run(run.id);
    expect(toldIn({ agent: { round } })).toContain('word \\u{200b}do evil');
    await w.offer(run.id, comment({ body: 'x'.repeat(60_000), url: `${PULL}#9` }));
    await finishFix(w, run.id);
    const long = { on: shownWords(w) } as object;
    await w.taps('Let the agent', long);
    await w.taps('Let the agent', long);
    expect(toldIn(await w.run(run.id))).toHaveLength(20_000);
  });

  it('P5: words that are told anew do not offer again what was done', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    const review = (access: 'unknown' | 'read'): Input => ({
      type: 'forge.review.submitted',
      id: '9',
      url: `${PULL}#9`,
      reviewer: 'leo',
      access,
      state: 'wants_changes',
      commitSha: HEAD,
      body: 'Say salut.',
      submittedAt: 9,
    });
    await w.offer(run.id, review('unknown'));
    await w.taps('Let the agent');
    await w.offer(run.id, review('read'));
    expect(w.messages.filter((m) => m.text.startsWith('💬'))).toHaveLength(1);
    expect(shownWords(w)?.text).toMatch(/leo \(outsider\)[\s\S]*Passed on to the agent by P7/);
    expect(labels(shownWords(w))).toEqual(['Details']);
  });

  it('P5: words that were edited to the same length after they were read are read again first', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    const words = (access: 'unknown' | 'read', body: string): Input => ({
      type: 'forge.review.submitted',
      id: '9',
      url: `${PULL}#9`,
      reviewer: 'leo',
      access,
      state: 'wants_changes',
      commitSha: HEAD,
      body,
      submittedAt: 9,
    });
    const before = `${'word '.repeat(400)}do good`;
    await w.offer(run.id, words('unknown', before));
    await w.taps('Let the agent');
    expect(w.documents.at(-1)?.content).toContain('do good');
    await w.offer(run.id, words('read', before.replace('good', 'evil')));
    expect(await w.taps('Let the agent')).toContain('longer than this message shows');
    expect(w.documents.at(-1)?.content).toContain('do evil');
    expect((await w.run(run.id)).lifecycle.state).toBe('CI_WAIT');
    await w.taps('Let the agent');
    expect(toldIn(await w.run(run.id))).toContain('do evil');
  });

  it('P5: remarks that were edited to the same length after they were read are read again first', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    const reviewed = (body: string): Input => ({
      type: 'forge.review.submitted',
      id: '9',
      url: `${PULL}#9`,
      reviewer: 'mia',
      access: 'write',
      state: 'wants_changes',
      commitSha: HEAD,
      body: '',
      submittedAt: 9,
      hasAllRemarks: true,
      remarks: [remark('c1', body)],
    });
    const before = `${'word '.repeat(400)}do good`;
    await w.offer(run.id, reviewed(before));
    expect(await w.taps('Start')).toContain('Some remarks are longer');
    expect(w.documents.at(-1)?.content).toContain('do good');
    await w.offer(run.id, reviewed(before.replace('good', 'evil')));
    expect(await w.taps('Start')).toContain('Some remarks are longer');
    expect(w.documents.at(-1)?.content).toContain('do evil');
    expect((await w.run(run.id)).lifecycle.state).toBe('CI_WAIT');
    await w.taps('Start');
    expect((await w.run(run.id)).lifecycle.state).toBe('ITERATING');
  });

  it('S7: past the bound of fixes a tap is noted and a person is asked, and nobody is told otherwise', async () => {
    const w = await createChatWorld();
    const { bounds } = await w.openRun().then((r) => r.order);
    const run = await w.openRun({ order: { bounds: { ...bounds, maxIterations: 0 } } });
    await w.offer(run.id, comment());
    expect(await w.taps('Let the agent')).toContain('fixes after the pull request, 0 of 0');
    expect((await w.run(run.id)).lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(shownWords(w)?.text).toContain('Passed on');
  });

  it('G4: a button of that verb acts on words only, and on no other message', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    const message = w.messages.findLast((m) => m.text.startsWith('Waiting for CI'));
    const n = w.tokens.read(message?.buttons[0]?.[0]?.token ?? '')?.n ?? 0;
    const data = w.tokens.make({ verb: 'comment.fix', index: null, n }, ANA);
    expect(await w.taps('', { chat: ANA, messageId: message?.messageId ?? '', data })).toContain(
      'no longer known',
    );
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C1: an operator may say it in their own words; /fix needs some', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    expect(await w.says(`/fix ${run.id} Say salut.`, { by: VIC })).toEqual([
      'Only operators may do that; ask an admin.',
    ]);
    expect((await w.says(`/fix ${run.id}`))[0]).toBe(
      'Say what to fix. Write it like this: /fix <run> what to do',
    );
    await w.says(`/fix ${run.id} Say salut,\nnot hello.`);
    expect(await w.run(run.id)).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'person_request', feedback: saying('Say salut,\nnot hello.') } },
    });
  });
});

const ci = (checks: CheckFact[], required: string[] = []): CiFacts => ({
  checks: Object.fromEntries(checks.map((c) => [c.key, { ...c, observedAt: 0 }])),
  required: required.map((name) => toCheckRequirement(name)),
  firstAt: NOW - 900_000,
  changedAt: NOW - 900_000,
  confirmed: true,
  partial: false,
  awaitsMaintainer: false,
  usesMergeQueue: false,
});
const fact = (name: string, outcome: CheckFact['outcome']): CheckFact => ({
  key: name,
  name,
  kind: 'check',
  app: null,
  outcome,
  startedAt: 1,
  status: outcome ? 'ended' : 'running',
});
const openRun = (changes: RunPatch = {}, facts: CiFacts | null = null): Run => {
  const run = aRun('r7k2', NOW - 1_200_000, { repo: 'acme/api', goal: 'Greet in French' });
  return patchRun(
    run,
    {
      lifecycle: { state: 'CI_WAIT', epoch: 9, stateEnteredAt: NOW - 600_000, updatedAt: NOW },
      change: { commit: someCommit(), pushedHead: { branch: 'b', sha: HEAD } },
      upstream: {
        pullRequest: { id: '#12', url: PULL },
        observed: { ...run.upstream.observed, ci: facts ? { [HEAD]: facts } : {} },
      },
    },
    changes,
  );
};
const waiting = (run = openRun(), changes: Partial<ViewScene> = {}): ViewScene => ({
  run,
  approval: null,
  attempts: [],
  patch: null,
  now: NOW,
  ...changes,
});
const progress = (run: Run, changes: Partial<ViewScene> = {}, language = words): string[] =>
  stripMarkup(renderView({ view: 'progress' }, waiting(run, changes), language).html)
    .replace(/\u00a0/g, ' ')
    .split('\n');

describe('progress after the pull request', () => {
  it('F3: shows the checks of the current head, what needs a look first, at most six', () => {
    const facts = ci(
      [
        ...['lint', 'types', 'docs', 'build', 'e2e'].map((n) => fact(n, 'passed')),
        ...[fact('unit', 'failed'), fact('slow', null), fact('deploy', 'idle')],
      ],
      ['cla', 'lint'],
    );
    expect(progress(openRun({}, facts))[2]).toBe('✗ unit  ● cla  ● slow  ✓ build  ✓ docs  ✓ e2e  +3 more');
    const other = openRun({ change: { pushedHead: { branch: 'b', sha: FIX } } }, facts);
    expect(progress(other).join('\n')).not.toMatch(/unit|slow/);
  });

  it('F3: says the verdict in words, and never calls silence green', () => {
    const said = (facts: CiFacts | null, language = words): string =>
      progress(openRun({ lifecycle: { state: 'REVIEW_WAIT' } }, facts), {}, language).join('\n');
    expect(said(ci([fact('test', 'passed')]))).toContain('All checks are green.');
    expect(said(ci([fact('test', 'failed')]))).toContain('Checks are red.');
    expect(said(ci([fact('test', null)]))).toContain('Checks have not finished.');
    expect(said(ci([fact('test', 'awaits_maintainer')]))).toMatch(/● test\nA maintainer must allow/);
    expect(said(ci([fact('a', 'passed'), fact('b', 'failed')], ['a']))).toContain('others are not');
    expect(said(ci([]))).toContain('No checks ran');
    expect(said(ci([]))).not.toMatch(/green|✓|passed/i);
    expect(said(ci([]), LANGUAGE_TEXTS.zh)).toMatch(/没有运行任何检查/);
    expect(said(ci([]), LANGUAGE_TEXTS.zh)).not.toMatch(/通过|✓/);
    expect(said(null)).not.toMatch(/green/i);
    const ended = openRun({ lifecycle: { state: 'DONE' } }, ci([fact('test', 'failed')]));
    expect(progress(ended).join('\n')).not.toMatch(/✗|red/);
    expect(stripMarkup(renderDetail(waiting(ended), words).html)).not.toMatch(/✗|red\b/);
  });

  it('F3: says what is waited for, whether it is required, and for how long it was not reported', () => {
    const told = (facts: CiFacts, language = words): string =>
      progress(openRun({}, facts), {}, language).join('\n');
    const facts = ci([fact('lint', 'passed')], ['build (windows)', 'lint']);
    const since = { ...facts, firstAt: NOW - 720_000 };
    expect(told(since)).toContain('waits for “build (windows)”, required, not reported for 12m');
    expect(told(since, LANGUAGE_TEXTS.zh)).toContain('在等必需的检查“build (windows)”，已经 12 分钟没有报告');
    const bound = { ...since, required: [toCheckRequirement('lint', '5')] };
    expect(told(bound)).toContain('waits for “lint”, required from a different app');
    const open = ci([fact('lint', 'passed'), fact('slow', null), fact('docs', 'failed')], ['lint']);
    // What runs is marked in the list; it is said once more only where the list is cut.
    expect(told(open)).toMatch(/● slow.*\n.*\n“docs” failed/);
    expect(told(open)).not.toContain('“slow”');
    expect(told({ ...ci([]), awaitsMaintainer: true })).toContain('Approve and run');
    expect(told({ ...ci([fact('lint', 'passed')]), confirmed: false })).toContain('looks once more');
    expect(told(ci([fact('lint', 'skipped')], ['lint']))).toContain('“lint” is required and was skipped');
    const seven = ci(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => fact(name, null)));
    expect(told(seven)).toMatch(/“a”, not finished · .*“c”, not finished · \+4 more/);
  });

  it('P5: shows the newest opinion of each reviewer, and marks those that steer nothing', () => {
    const review = (
      state: ObservedReview['state'],
      access: ObservedReview['access'],
      at: number,
    ): ObservedReview => ({
      state,
      access,
      at,
      commitSha: HEAD,
      body: '',
      handled: false,
    });
    const run = openRun();
    const reviews = {
      mia: review('approved', 'write', 3),
      leo: review('wants_changes', 'write', 2),
      eve: review('approved', 'read', 1),
      zoe: review('remarked', 'write', 4),
    };
    expect(
      progress({ ...run, upstream: { ...run.upstream, observed: { ...run.upstream.observed, reviews } } }),
    ).toContain('✓ mia  ✎ leo  ✓ eve (outsider)');
  });

  it('C2: says which fix it is, what it was asked for, and what goes on now', () => {
    const counts = { ...openRun().lifecycle.counts, iterations: 2 };
    const RED: Feedback = { kind: 'red', checks: ['test'] };
    const round = { kind: 'ci_fix' as const, feedback: [RED, ...saying('more')], purpose: [] };
    const fixing = openRun({
      lifecycle: { state: 'ITERATING', counts, reason: { kind: 'iterating', about: RED } },
      agent: { round },
    });
    expect(progress(fixing)).toEqual([
      'Fixing · acme/api · r7k2',
      'Greet in French',
      'Checks have not finished.',
      'fix 2 of 3: CI is red: test more',
      '▸ is being fixed · 11:50 UTC',
      `#12 ${PULL}`,
      'started 11:40 UTC',
    ]);
    const within = { kind: 'check_fix' as const, feedback: saying('lint failed'), purpose: [RED] };
    const again = {
      ...fixing,
      agent: { ...fixing.agent, round: within },
      lifecycle: { ...fixing.lifecycle, reason: { kind: 'checks_failed_again' as const } },
    };
    expect(progress(again)).toContain('fix 2 of 3: CI is red: test');
    expect(progress(again)).toContain('▸ The checks failed; the agent is trying again. · 11:50 UTC');
    const attempt = {
      step: 'agent',
      outcome: 'running',
      startedAt: NOW - 60_000,
    } as ViewScene['attempts'][0];
    expect(progress(again, { attempts: [attempt] })).toContain('▸ the agent is working · 11:59 UTC');
    const check = { ...attempt, step: 'lint' };
    expect(progress(again, { attempts: [check] })).toContain('▸ our check lint is running · 11:59 UTC');
    const running = { ...check, id: 2, command: 'npm run lint' };
    const before = { ...running, id: 1, outcome: 'passed', ms: 190_000 };
    const line = '▸ our check lint is running · 11:59 UTC';
    expect(progress(again, { attempts: [before, running] })).toContain(`${line} · took 3m last time`);
    for (const unknown of [{ command: 'another' }, { ms: 0 }, { ms: 400 }])
      expect(progress(again, { attempts: [{ ...before, ...unknown }, running] })).not.toContain('last time');
    const stopped = { ...before, id: 3, outcome: 'interrupted', ms: 0 };
    expect(progress(again, { attempts: [before, stopped, running] })).toContain(
      `${line} · took 3m last time`,
    );
    expect(progress(openRun())).toContain('▸ is waiting for the repository’s checks · 11:50 UTC');
    expect(progress(openRun({ lifecycle: { state: 'REVIEW_WAIT' } }))).toContain(
      '▸ is waiting for a review · 11:50 UTC',
    );
  });

  it('C3: is one message that follows the checks in place while the state stays', async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    const ofRun = () => w.messages.filter((m) => /^Waiting for CI/.test(m.text));
    const before = w.messages.length;
    await w.offer(run.id, checked('test', null), checked('lint', 'passed'));
    expect(ofRun()).toHaveLength(1);
    expect(ofRun()[0]?.text).toContain('●\u00a0test  ✓\u00a0lint');
    await w.offer(run.id, checked('test', 'passed', 2));
    expect(ofRun()[0]?.text).toContain('✓\u00a0lint  ✓\u00a0test');
    expect(w.messages).toHaveLength(before);
  });

  it('C2: stays short on a phone with many checks, reviewers and long names', () => {
    const many = Array.from({ length: 40 }, (_, i) => fact(`integration tests on platform ${i}`, 'failed'));
    const reviews = Object.fromEntries(
      many.map((c) => [
        c.name,
        {
          state: 'approved' as const,
          access: 'read' as const,
          at: 1,
          commitSha: '',
          body: '',
          handled: false,
        },
      ]),
    );
    const run = openRun({}, ci(many));
    const lines = progress({
      ...run,
      upstream: { ...run.upstream, observed: { ...run.upstream.observed, reviews } },
    });
    expect(lines.length).toBeLessThanOrEqual(9);
    expect(lines.join('\n').length).toBeLessThanOrEqual(700);
    expect(lines[2]).toMatch(/\+34 more$/);
  });
});

describe('the push card of a fix', () => {
  const asked = async () => {
    const w = await createChatWorld();
    const run = await w.openRun();
    await w.offer(run.id, checked('test', 'failed'), testIsOurs, fixMade, fixChecked);
    return { w, run, card: w.messages.findLast((m) => m.text.startsWith('Push this fix')) };
  };

  it('G6: says why there is a fix, and shows what it adds to the pull request', async () => {
    const { card } = await asked();
    expect(card?.silent).toBe(false);
    expect(card?.text.split('\n').slice(0, 6)).toEqual([
      'Push this fix to #12 in acme/api?',
      'Fix flaky retry in webhook worker',
      'Fix 1 of 3: CI is red: test',
      '',
      '⚠ no check was run: none was found for this change',
      '⚠ Medium risk because nothing was tested · small change: +2 −1 in 1 file',
    ]);
    expect(card?.text).toContain('src/greet.ts +2 −1');
    expect(card?.text).toContain('-hello\n+salut');
    expect(card?.text).not.toContain('worker.ts');
    expect(card?.html.replace(/\n<blockquote[\s\S]*$/, '').split('\n').length).toBeLessThanOrEqual(12);
  });

  it('G4: is told what a card asks for, who types an approval for a card of answers', async () => {
    const w = await createChatWorld();
    const { id } = await w.openRun();
    const remarks = [remark('c1', 'Why?')];
    for (const act of [
      review({ body: '', hasAllRemarks: true, remarks }),
      choose('c1', 'reply', 'So.'),
      begin,
      sealedReplies(),
    ])
      await w.offer(id, act(await w.run(id)).input);
    const said = await w.says(`/approve_open_pr ${id} --confirm`);
    expect(said[0]).toMatch(/^This card asks to post answers to a review/);
    expect(said[1]).toMatch(/^ANSWERS/);
    expect((await w.run(id)).review.pendingReplies?.signature).toBeNull();
  });

  it('P4: a no to it waits for a person: nobody would follow the open pull request of a run that ended', async () => {
    const { w, run } = await asked();
    await w.taps('Deny');
    await w.taps('Not needed');
    expect(await w.run(run.id)).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { denialReason: 'unneeded' } },
    });
  });

  it('G6: is pushed by two taps of an approver, as a push', async () => {
    const { w, run, card } = await asked();
    expect((await w.kinds(run.id)).filter((k) => k === 'push')).toHaveLength(1);
    expect(labels(card)).toEqual([
      ...['Push fix', 'Ask for changes', 'Deny'],
      ...['Diff', 'PR text', 'More'],
    ]);
    await w.taps('Push fix');
    expect(card?.text).toContain('Tap Confirm to push the fix');
    expect(await w.taps('Confirm')).toBe('Recorded: approved.');
    expect((await w.kinds(run.id)).filter((k) => k === 'push')).toHaveLength(2);
  });

  it('G2: of a fix that cannot be told apart, the card shows the whole change', () => {
    const run = openRun({
      lifecycle: { state: 'ITERATING' },
      change: { commit: { ...someCommit(), sha: FIX } },
    });
    const proposal = someProposal({ action: 'push', headSha: FIX });
    const { digest } = proposal;
    const expiresAt = NOW + 86_400_000;
    const approval = { id: 'a', kind: 'push' as const, digest, expiresAt, needed: 1 };
    const scene = waiting(
      { ...run, gate: { ...run.gate, proposal, approval: { ...approval, signatures: [] } } },
      {
        approval: {
          ...approval,
          runId: 'r7k2',
          state: 'open',
          reason: null,
          consumedBy: null,
          passedTo: null,
          openedAt: NOW,
          closedAt: null,
        },
      },
    );
    const gate: MessageView = { view: 'gate', approvalId: 'a', armedBy: null, armedUntil: null };
    const shown = (patch: ViewScene['patch']): string =>
      stripMarkup(renderView(gate, { ...scene, patch }, words).html);
    expect(shown({ text: FIX_PATCH, omitted: 0 })).toContain('Small change: +2 −1 in 1 file');
    for (const patch of [null, { text: FIX_PATCH, omitted: 7 }]) {
      expect(shown(patch)).toContain('Small change: +36 −12 in 2 files');
      expect(shown(patch)).toContain('worker.ts');
    }
  });

  it('C2: its files are both the fix and the whole change', async () => {
    const { w, run } = await asked();
    await w.taps('Diff');
    expect(w.documents.map(({ name, content }) => [name, content])).toEqual([
      [`run-${run.id}-fix.patch`, FIX_PATCH],
      [`run-${run.id}.patch`, PATCH],
    ]);
    expect(w.documents[0]?.caption).toContain('since d4e5f6');
  });
});

describe('times', () => {
  it('C2: name their day when it is not today, in either language', () => {
    const { calendar } = words;
    expect(momentText(NOW + 3_600_000, NOW, calendar)).toBe('13:00 UTC');
    expect(momentText(NOW + 12 * 3_600_000 + 180_000, NOW, calendar)).toBe('Tue 00:03 UTC');
    expect(momentText(NOW - 86_400_000, NOW, calendar)).toBe('Sun 12:00 UTC');
    expect(momentText(NOW + 7 * 86_400_000, NOW, calendar)).toBe('12 Jan 12:00 UTC');
    expect(momentText(NOW + 12 * 3_600_000, NOW, LANGUAGE_TEXTS.zh.calendar)).toBe('周二 00:00 UTC');
    expect(momentText(NOW + 40 * 86_400_000, NOW, LANGUAGE_TEXTS.zh.calendar)).toBe('2月14日 12:00 UTC');
  });
});
