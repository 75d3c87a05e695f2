/** P3: a ban stops a run, and is never the end without a way. */
import { describe, expect, it } from 'vitest';
import { findAiBan } from '../../orchestrator/kernel/preparation/ai-bans.ts';
import { bansStoppingRun } from '#preparation';
import { at, baseChecked, discovered, retry, validated, works } from '../support/core.ts';
import { overrule } from '../support/core-acts.ts';
import { reasonOf } from '../support/english.ts';

const BAN = { quote: 'No AI, please.', file: 'CONTRIBUTING.md', line: 3 };
const banned = () => at('DISCOVERY').when(discovered({ banned: true }));

describe('a ban', () => {
  it('P3: stops before an agent costs anything, with the quote and how to go on', () => {
    const story = banned();
    expect(story.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'ai_banned', ...BAN } },
    });
    expect(works(story)).toEqual([]);
    expect(reasonOf(story.run)).toMatch(/“No AI, please.” \(CONTRIBUTING.md:3\).*about something else/);
    expect(bansStoppingRun(story.run)).toEqual([BAN]);
  });

  it('P3: an approver’s word that it is about something else is kept with its reason, and the run goes on', () => {
    const again = banned().when(overrule('it is about the chat'));
    expect(again.run).toMatchObject({
      lifecycle: {
        state: 'DISCOVERY',
        reason: { kind: 'ban_overruled', by: 'Ana', note: 'it is about the chat' },
      },
      target: { overruledBans: [{ ...BAN, by: 'Ana', why: 'it is about the chat' }] },
    });
    expect(works(again)).toEqual(['discover']);
    const ready = again.when(discovered({ banned: true }), baseChecked());
    expect(ready.run.lifecycle.state).toBe('PLAN_READY');
    expect(findAiBan(ready.run)).toBeNull();
  });

  it('P3: a retry alone stops at it again, and other words of the same file are another ban', () => {
    expect(banned().when(retry(), discovered({ banned: true })).run.lifecycle.state).toBe(
      'NEEDS_HUMAN_REVIEW',
    );
    const overruled = [{ ...BAN, quote: 'No AI here.', by: 'Ana', why: 'x' }];
    const {
      target: { contract },
    } = banned().run;
    expect(findAiBan({ target: { contract, overruledBans: overruled } })).toEqual(BAN);
  });

  it('P3: is overruled only with a reason, and only where the run stands at one', () => {
    expect(banned().when(overrule('  ')).step).toMatchObject({
      kind: 'refused',
      reason: { kind: 'reason_missing' },
    });
    const denied = at('LOCAL_VALIDATING').when(validated({ decision: 'deny' }));
    expect(denied.when(overrule()).step).toMatchObject({ kind: 'refused', reason: { kind: 'no_ban' } });
  });

  it('P3: one that is found when the change is judged goes on from there', () => {
    const reason = { kind: 'rule', rule: 'ai_ban', value: null, ...BAN } as const;
    const reasons = [{ policy: 'contribution-rules', verdict: 'deny', reason } as const];
    const denied = at('LOCAL_VALIDATING').when(validated({ decision: 'deny', reasons }));
    expect(denied.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    const again = denied.when(overrule());
    expect(again.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(again.run.target.overruledBans).toMatchObject([{ ...BAN, by: 'Ana' }]);
    expect(works(again)).toEqual(['check']);
  });
});
