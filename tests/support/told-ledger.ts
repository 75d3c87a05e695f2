/** A ledger with rows in every table, written by the real core. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finishRest, MERGED, tellStory, TO_REVIEW } from '../../bench/story.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { turnFacts, type TurnDraft } from '#model/turn';
import { sha256Hex } from '#runtime';
import type { Ledger } from '#ports/ledger';
import { aCampaign } from './campaigns.ts';
import { cancel, ciCompared, deny, implemented, red, validated, type Act } from './core-acts.ts';

export const TOLD_KEY = new Uint8Array(32).fill(1);
const FROM = 1_690_000_000_000;

const TO_CARD = TO_REVIEW.slice(0, 7);
const STORIES: Readonly<Record<string, readonly Act[]>> = {
  merged: [...TO_REVIEW, MERGED],
  // A push that waits leaves no work for another story.
  fixed: [...TO_REVIEW, red, ciCompared([]), implemented('b'), validated()],
  denied: [...TO_CARD, deny('It does too much.', true)],
  failed: [...TO_REVIEW.slice(0, 4), cancel],
};

const leavesTraces = async (ledger: Ledger, runId: string, at: number): Promise<void> => {
  const id = await ledger.attempt.start({
    runId,
    step: 'implement',
    engine: 'script',
    model: null,
    promptHash: null,
    baseSha: null,
    command: 'true',
    containment: 'bwrap',
    startedAt: at,
    pid: null,
    pidStart: null,
  });
  await ledger.attempt.recordProcess(id, 99_999, `${at}`);
  await ledger.attempt.end(id, {
    exitCode: 0,
    outcome: 'done',
    ms: 5,
    stdout: '',
    stderr: '',
    containment: 'bwrap',
    model: null,
  });
  await ledger.artifact({ runId, type: 'log', content: `what ${runId} printed`, at });
};

const leavesTurns = async (ledger: Ledger, runId: string, at: number): Promise<void> => {
  const draft: TurnDraft = {
    session: 's1',
    engine: 'builtin',
    model: 'scripted-model',
    context: {
      digest: '0'.repeat(64),
      tokens: 10,
      parts: [{ kind: 'message', name: 'order', text: `Mend ${runId}.` }],
      files: [],
      summarised: 0,
      shortened: 0,
    },
    tools: { version: 'builtin-tools-1', names: ['read'] },
    thought: { kind: 'report', text: null, problem: null },
    actions: [],
    evaluation: { kind: 'done', failure: null },
    states: ['THINKING', 'EVALUATING', 'ENDED'],
    usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
  };
  for (const seq of [1, 2]) {
    const texts: Record<string, string> = {};
    const facts = turnFacts(draft, (text) => {
      const digest = sha256Hex(text);
      if (seq === 1) texts[digest] = text;
      return { digest, length: text.length };
    });
    const row = { runId, seq, attempt: 1, at, ended: true };
    await ledger.turn({ ...row, facts: JSON.stringify(facts), texts: JSON.stringify(texts) });
  }
};

export const writeLedger = async (dataDir: string): Promise<void> => {
  mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  const key = `${Buffer.from(TOLD_KEY).toString('hex')}\n`;
  writeFileSync(join(dataDir, 'keys', 'ledger.key'), key, { mode: 0o600 });
  const ledger = await openLedger({ dataDir, now: () => FROM });
  await ledger.recover(FROM);
  await ledger.setUser({ id: '1', name: 'Ana', role: 'approver' }, null);
  await ledger.setUser({ id: '2', name: 'Ben', role: 'viewer' }, null);
  await ledger.setSetting('language:1', 'en');
  await ledger.setSetting('language:2', 'zh');
  await ledger.campaigns.plan({ id: 'c-aaaaaa', order: aCampaign(), at: FROM, by: null });
  for (const kind of ['started', 'closed'] as const)
    await ledger.campaigns.decide('c-aaaaaa', { decision: { kind }, by: null, at: FROM });
  for (const [runId, story] of Object.entries(STORIES)) {
    await tellStory({ ledger, from: FROM }, runId, story);
    await leavesTraces(ledger, runId, FROM);
    await leavesTurns(ledger, runId, FROM);
  }
  await finishRest(ledger, FROM + 3_600_000);
  await ledger.close();
};
