/**
 * E7: with `discovery=agent` the repository is read by the agent before anything is changed, and a
 * person sees what is doubtful.
 */
import { describe, expect, it } from 'vitest';
import {
  bounds,
  budgeted,
  contract,
  baseChecked,
  discovered,
  failed,
  given,
  ofEpoch,
  pause,
  resume,
  refined,
  spent,
  startDiscovery,
  works,
  type Act,
  type Story,
} from '../support/core.ts';
import { reasonOf } from '../support/english.ts';
import { readerHere } from '../support/reader-here.ts';
import { readContractAfterRound } from '../../orchestrator/kernel/preparation/preflight-round.io.ts';

const at = { dir: '', source: 'CONTRIBUTING.md:3', by: 'agent' } as const;
const check = { name: 'test', command: 'make check', ...at };
const found = (change: Parameters<typeof refined>[0] = {}): Act =>
  refined({ contract: contract({ checks: [check] }), ...change });
const lies = { refused: ['line 1: those words do not stand in A.md:1'] };
const begin = (change: Parameters<typeof bounds>[0] = {}, learned = discovered()): Story =>
  given({ discovery: 'agent', bounds: bounds(change) }, startDiscovery, learned, baseChecked());
const onBase = baseChecked({ checks: [{ ...check, exitCode: 0, outcome: 'passed', ms: 1, tail: '' }] });
const rounds = (story: Story): string[] =>
  story.all.flatMap((e) => (e.do.kind === 'implement' ? [e.do.round.kind] : []));

const SIGN = { kind: 'agreement_required', file: 'CLA.md', line: 1 } as const;
const BAN = { kind: 'ban_read_by_agent', quote: 'No.', file: 'A.md', line: 2 } as const;

describe('a repository that the agent reads first', () => {
  it('E7: is read in DISCOVERY, and the contract is what both found', () => {
    const reading = begin();
    expect(reading.run.lifecycle.state).toBe('DISCOVERY');
    expect(rounds(reading)).toEqual(['preflight']);
    const ready = reading.when(found(), onBase);
    expect(ready.run).toMatchObject({
      lifecycle: { state: 'PLAN_READY', workedMs: 700 },
      target: { contract: { checks: [check] } },
    });
    expect(reasonOf(ready.run)).toContain('the agent added 1 to them');
  });

  it('E7: is not asked for where files are enough, banned or archived', () => {
    expect(rounds(given({}, startDiscovery, discovered(), baseChecked()))).toEqual([]);
    const ends = [
      [discovered({ banned: true }), 'NEEDS_HUMAN_REVIEW'],
      [discovered({ archived: true }), 'SKIPPED'],
    ] as const;
    for (const [learned, state] of ends) {
      const story = begin({}, learned);
      expect([story.run.lifecycle.state, ...rounds(story)]).toEqual([state]);
    }
  });

  it('E7: what stands nowhere is asked about once more, and then left out', () => {
    const again = begin().when(found({ ...lies, added: 0 }));
    expect(again.run.lifecycle.state).toBe('DISCOVERY');
    expect(rounds(again)).toEqual(['preflight', 'preflight']);
    const last = again.when(found({ ...lies, added: 0 }), onBase);
    expect(last.run).toMatchObject({ lifecycle: { state: 'PLAN_READY', counts: { reportRepairs: 0 } } });
    expect(reasonOf(last.run)).toContain('1 of its finds could not be used');
  });

  it('E7: a doubtful rule waits for a person, whoever found it', () => {
    const asks = begin().when(found({ escalate: BAN }), onBase);
    expect(asks.run).toMatchObject({ lifecycle: { state: 'PLAN_READY' }, target: { escalation: BAN } });
    expect(works(asks)).not.toContain('implement');
    const ours = begin({}, discovered({ escalate: SIGN })).when(found({ escalate: BAN }), onBase);
    expect(ours.run.target.escalation).toEqual(SIGN);
  });

  it('E5, E6: failures are tried again, and what is used up stops it', () => {
    const failing = begin().when(failed('crashed'));
    expect(failing.run).toMatchObject({ lifecycle: { state: 'FAILED_RETRYABLE', resumeState: 'DISCOVERY' } });
    const tired = begin(budgeted({ maxTokens: 5 })).when(found(lies), onBase);
    expect(tired.run.lifecycle.state).toBe('PLAN_READY');
    const over = begin(budgeted({ maxTokens: 5 }));
    const stopped = over.when(spent({ tokens: 9 }));
    expect(stopped.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(stopped.run.lifecycle.reason).toMatchObject({ kind: 'budget_exhausted', budget: 'tokens' });
  });

  it('E7: a rule that only the agent read is weighed before the work, as ours are', async () => {
    const text = 'All that is under way lives on develop, send it there.';
    const rule = { kind: 'base_branch', value: 'develop', text, file: 'HACKING', line: 1 };
    const read = readContractAfterRound(
      {
        agents: { notes: { read: async () => JSON.stringify(rule) } } as never,
        workspaces: { tree: async () => ({ read: async () => new Map([['HACKING', text]]) }) } as never,
        texts: { reader: readerHere },
      },
      begin().run,
      { summary: '', containment: 'process' } as never,
      spent({ tokens: 1 }) as never,
      null,
    );
    expect(await read).toMatchObject({
      input: {
        added: 1,
        escalate: { kind: 'rule_unmet', rule: 'base_branch', value: 'develop', quote: text },
      },
    });
  });

  it('S2: what it found while the run was paused is kept', () => {
    const reading = begin();
    const paused = reading.when(pause, ofEpoch(reading.run.lifecycle.epoch, found()));
    expect(paused.run.lifecycle.state).toBe('PAUSED');
    expect(paused.when(resume(), onBase).run).toMatchObject({
      lifecycle: { state: 'PLAN_READY' },
      target: { contract: { checks: [check] } },
    });
  });
});
