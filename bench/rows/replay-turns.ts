/** Turns per second that `agentpr replay --turns` folds (L5, E9). */
import { openLedger } from '../../db/directory/open-ledger.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import { turnFacts, type TurnDraft } from '#model/turn';
import { sha256Hex } from '#runtime';
import { foldTurns } from '../../orchestrator/audit/replay-turns.ts';
import { fillLedger } from '../bulk.ts';
import { temporaryDirectory } from '../machine.ts';
import { median, round, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { TO_REVIEW } from '../story.ts';

export const draftOf = (seq: number): TurnDraft => ({
  session: 's1',
  engine: 'builtin',
  model: 'scripted-model',
  context: {
    digest: sha256Hex(String(seq)),
    tokens: 4_000,
    parts: seq === 1 ? [{ kind: 'message', name: 'order', text: 'Mend the test.' }] : [],
    files: [{ path: 'src/a.ts', digest: sha256Hex(`a${seq}`) }],
    summarised: 0,
    shortened: 0,
  },
  tools: { version: 'builtin-tools-1', names: ['read', 'list', 'search', 'patch', 'run'] },
  thought: { kind: 'actions', text: `thought ${seq}`.repeat(40), problem: null },
  actions: [
    {
      id: `${seq}.1`,
      call: `c${seq}`,
      tool: 'read',
      input: '{"path":"src/a.ts"}',
      request: { tool: 'read', files: ['src/a.ts'], outside: false },
      risk: 'low',
      decision: {
        verdict: 'approved',
        by: { kind: 'policy' },
        policies: ['files-of-the-workspace'],
        policyVersion: 'builtin-16',
        reason: null,
        original: null,
        input: null,
      },
      after: seq === 1 ? null : `${seq - 1}.1`,
      replaces: null,
      outcome: { ok: true, exitCode: null, ms: 3, files: [] },
      answer: seq % 3 === 0 ? `${seq} `.repeat(1_400) : `line ${seq}`,
    },
  ],
  evaluation: { kind: 'goes_on', failure: null },
  states: ['THINKING', 'PROPOSING', 'GOVERNING', 'EXECUTING', 'OBSERVING', 'EVALUATING'],
  usage: { inputTokens: 1_200, outputTokens: 80, costUsd: 0 },
});

export const replayTurns: Measurement = {
  name: 'replay-turns',
  about: 'turns a second that `agentpr replay --turns` folds',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const { dir, remove } = temporaryDirectory();
    try {
      const turns = quick ? 2_000 : 20_000;
      const { ids } = await fillLedger(dir, [{ story: TO_REVIEW.slice(0, 4), runs: 1 }], 1_000);
      const runId = ids.flat()[0] ?? '';
      const ledger = await openLedger({ dataDir: dir, now: () => Date.now() });
      for (let seq = 1; seq <= turns; seq += 1) {
        const texts: Record<string, string> = {};
        const facts = turnFacts(draftOf(seq), (text) => {
          const digest = sha256Hex(text);
          texts[digest] = text;
          return { digest, length: text.length };
        });
        const row = { runId, seq, attempt: 1, at: seq, ended: true };
        await ledger.turn({ ...row, facts: JSON.stringify(facts), texts: JSON.stringify(texts) });
      }
      await ledger.close();
      const reader = openReader(dir);
      const rates: number[] = [];
      for (let i = 0; i <= pairs; i += 1) {
        const ms = await timed(async () => {
          const folded = foldTurns(await reader.query.turns(runId), []);
          if (folded.turns.length !== turns || folded.findings.length > 0)
            throw new Error(`${folded.findings.length} faults in turns that have none`);
        });
        if (i > 0) rates.push((turns * 1_000) / ms);
      }
      await reader.close();
      return [
        {
          name: 'replay-turns',
          value: Math.round(median(rates)),
          unit: 'turns/s',
          bar: { is: '>=', at: 20_000 },
          note: `${round(turns)} turns of one run: hash, MAC, texts, states, decisions and lineage; file cached; one thread`,
        },
      ];
    } finally {
      remove();
    }
  },
};
