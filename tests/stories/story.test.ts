/**
 * The whole story, once, through the real process: what Ana's phone shows, what the code host holds
 * and what the ledger proves.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutReceipt } from '../../pull-text/pull-body.ts';
import { canonicalJson } from '#model/seal';
import type { Run } from '#run';
import { sha256Hex } from '#runtime';
import { sampleAgentCommand, sampleDirectory, sampleGoal, type RepoHandle, type Tap } from '#playground';
import { buttonOf, cardFor } from '../support/approves.ts';
import { git } from '../support/git-world.ts';
import { apiCalls, judge } from '../support/openapi/judge.ts';
import { createProduct, PATIENCE, type Product } from '../support/product.ts';

const REPO = 'acme/patient';
const addSample = (product: Product): Promise<RepoHandle> =>
  product.github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });

describe('the story by long polling', () => {
  let product: Product;
  let repo: RepoHandle;
  let run: Run;
  const taps: Tap[] = [];
  const shown = { card: '', armed: '', progressWhileWaiting: '' };

  beforeAll(async () => {
    product = await createProduct({ script: sampleAgentCommand() });
    repo = await addSample(product);
    const { ana } = product;
    product.start();
    ana.sends(`/new ${REPO} ${sampleGoal}`);
    const card = await cardFor(ana);
    shown.card = buttonOf(card, /^Open PR/);
    taps.push(ana.taps('Open PR'));
    const armed = await cardFor(ana, '', /^Confirm\b/);
    shown.armed = buttonOf(armed, /^Confirm/);
    taps.push(ana.taps('Confirm'));
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    await repo.merge(1);
    await ana.waitForMessage(/DONE[\s\S]*Merged by/, { deadlineMs: PATIENCE });
    await product.atRest();
    run = product.run() as Run;
  });
  afterAll(() => product.close());

  it('S1: goes through every state from QUEUED to DONE, in order', () => {
    const states = product
      .look()
      .states(run.id)
      .filter((state, i, all) => state !== all[i - 1]);
    const way = [
      'QUEUED',
      'DISCOVERY',
      'PLAN_READY',
      'IMPLEMENTING',
      'LOCAL_VALIDATING',
      'PUSHED',
      'CI_WAIT',
      'DONE',
    ];
    expect(states.filter((s) => s !== 'REVIEW_WAIT')).toEqual(way);
  });

  it('G1, G2: opens exactly one pull request, with the bytes that were sealed', () => {
    const fields = run.gate.proposal?.fields;
    const [pull] = repo.pulls;
    expect(repo.pulls).toHaveLength(1);
    expect(pull).toMatchObject({
      title: fields?.title,
      headSha: fields?.headSha,
      base: 'main',
      author: 'agentpr-bot',
      draft: false,
    });
    expect(withoutReceipt(pull?.body ?? '')).toBe(fields?.body);
    expect(run.gate.consumedApproval?.digest).toBe(sha256Hex(canonicalJson(fields)));
    expect(git(repo.dir, 'rev-parse', `${pull?.headSha}^{tree}`)).toBe(fields?.tree);
    expect(git(repo.dir, 'show', `${pull?.headSha}:src/waits.js`)).toContain('factor ** (failed - 1)');
    expect(shown).toMatchObject({ card: 'Open PR', armed: 'Confirm' });
  });

  it('E14, S8: pushes once, to a branch of its own, and never asks for a merge', () => {
    expect(repo.pushes).toHaveLength(1);
    expect(repo.pushes[0]).toMatchObject({ old: '0'.repeat(40), new: repo.pulls[0]?.headSha, refused: null });
    expect(repo.pushes[0]?.ref).toContain(run.id);
    expect(product.github.mergeCalls()).toEqual([]);
  });

  it('C3: tells of the progress in one message that is edited in place', () => {
    const { ana, telegram } = product;
    const about = ana.messages().filter((m) => m.from === 'bot' && m.text.includes(run.id));
    const progress = about.filter((m) => m.edits > 0 && !/Pull request #\d+ opened/.test(m.text));
    expect(progress).toHaveLength(1);
    expect(progress[0]?.text).toMatch(/^Done/);
    // The progress, the card and the end: each was sent once.
    expect(telegram.calls.filter((c) => c.route === 'sendMessage')).toHaveLength(3);
    expect(about.filter((m) => !m.silent).map((m) => m.text.split(' ')[0])).toEqual(['Pull']);
  });

  it('C2: answers both taps, and leaves no button that could still open something', () => {
    expect(taps.map((t) => t.answer())).toEqual([
      { text: 'Tap Confirm within 60 seconds.', alert: false },
      { text: 'Recorded: approved.', alert: false },
    ]);
    const buttons = product.ana.messages().flatMap((m) => m.buttons.flat().map((b) => b.text));
    expect(buttons.filter((text) => /Open|Confirm|Deny|Retry/.test(text))).toEqual([]);
  });

  it('L3, L6: leaves no unhandled message, no workspace and no process', () => {
    expect(product.look().inbox()).toEqual({ done: 4 });
    expect(
      product
        .look()
        .effects()
        .filter((e) => e.state === 'dead'),
    ).toEqual([]);
    expect(product.workspaces()).toEqual([]);
    expect(product.processes()).toEqual([]);
    expect(product.complaints()).toEqual([]);
  });

  it('F1: asked GitHub for nothing that its own description does not know', () => {
    const calls = apiCalls(product.github);
    expect(calls.length).toBeGreaterThan(10);
    expect([...new Set(calls.flatMap(judge))]).toEqual([]);
  });

  it('L5: replay --all gives three good verdicts, beside the running process', async () => {
    const said = await product.cli(['replay', '--all', '--json']);
    expect(said.code).toBe(0);
    expect(JSON.parse(said.out)).toMatchObject({
      runs: 1,
      findings: [],
      verdicts: { trajectory: true, decisions: true, signatures: true },
    });
  });

  it('O3, O5: tells its health on the loopback, and only under its own name', async () => {
    const health = await fetch(`${product.address()}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { ok: true }]);
    const ready = await fetch(`${product.address()}/readyz`);
    expect(await ready.json()).toMatchObject({ ok: true, runs: { DONE: 1 } });
    expect((await fetch(`${product.address()}/telegram/guess`, { method: 'POST' })).status).toBe(404);
  });

  it('O4: tells Prometheus how runs went: CI, fixes, stops, the first card, taps, sounds, what waits, attempts', async () => {
    const metrics = await (await fetch(`${product.address()}/metrics`)).text();
    for (const line of [
      /^agentpr_pull_requests 1$/m,
      /^agentpr_first_ci_checked [01]$/m,
      /^agentpr_iterations_mean 0$/m,
      /^agentpr_needs_human_review_ratio 0$/m,
      /^agentpr_ready_median_seconds \d+\.?\d*$/m,
      /^agentpr_taps_per_pull [1-9]/m,
      /^agentpr_pings_per_pull [1-9]/m,
      /^agentpr_queue_depth\{pool="\w+",kind="\w+",state="later"\} 0$/m,
      /^agentpr_attempt_seconds_count\{step="agent",engine="script",outcome="completed"\} [1-9]/m,
      /^agentpr_attempt_seconds_count\{step="check",engine="",outcome="passed"\} [1-9]/m,
    ])
      expect(metrics).toMatch(line);
  });

  it('stops within moments when it is asked to, with nothing left behind', async () => {
    expect(await product.stop()).toEqual({ code: 0, signal: null });
    expect(product.processes()).toEqual([]);
  });
});
