/** E15: a limit of ours that ended a check is named to people as it is to the agent. */
import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { checkLine } from '../../bot/views/evidence-lines.ts';
import { readVerdict } from '../../executors/checks/read-verdict.ts';
import { findBaselineStops, type CheckResult } from '#model/evidence';
import { failureDetail } from '#model/failure';
import type { CapExcess } from '#ports/processes';
import { NO_CLAIMS } from '#model/agent';
import { gradeAttempt } from '../../governor/grade-attempt.ts';
import { commit } from '../support/core-samples.ts';
import { at, baseChecked, discovered, implemented, validated, works } from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

const LIMITS: readonly [string, CapExcess, RegExp][] = [
  [
    'memory',
    {
      limit: 'memory',
      says: 'it used more than 4,096 MB of memory (sandboxLimits.memoryMb)',
      detail: failureDetail({ kind: 'memory_exceeded', limit: 4096 }),
    },
    /4,096 MB.*sandboxLimits\.memoryMb/,
  ],
  [
    'processes',
    {
      limit: 'processes',
      says: 'it started more than 512 processes',
      detail: failureDetail({ kind: 'processes_exceeded', limit: 512 }),
    },
    /512.*sandboxLimits\.processes/,
  ],
  [
    'disk',
    {
      limit: 'disk',
      says: 'it wrote more than 8,192 MB to disk',
      detail: failureDetail({ kind: 'disk_exceeded', limit: 8192 }),
    },
    /8,192 MB.*sandboxLimits\.diskMb/,
  ],
  [
    'output',
    {
      limit: 'output',
      says: 'it printed more than 16 MB (sandboxLimits.outputMb)',
      detail: failureDetail({ kind: 'output_exceeded', limit: 16 }),
    },
    /16 MB.*sandboxLimits\.outputMb/,
  ],
];

const ended = (excess: CapExcess): CheckResult => {
  const by = excess.limit === 'output' ? 'output_limit' : 'over_limit';
  const end = {
    ended: by,
    exitCode: null,
    signal: 'SIGKILL',
    ms: 1,
    stdout: '',
    stderr: '',
    excess,
  } as const;
  const verdict = readVerdict({ kind: 'check', command: 'npm test', refusal: null, end });
  return { name: 'test', command: 'npm test', exitCode: null, ms: 1, ...verdict };
};

it.each(LIMITS)('E15: %s used up on the base stops the run before an agent is paid', (_, excess, named) => {
  const check = ended(excess);
  expect(findBaselineStops({ installs: [], checks: [check] }, { ordered: false, without: [] })).toHaveLength(
    1,
  );
  const story = at('DISCOVERY').when(discovered(), baseChecked({ checks: [check] }));
  expect([story.run.lifecycle.state, ...works(story)]).toEqual(['NEEDS_HUMAN_REVIEW']);
  expect(reasonOf(story.run)).toMatch(named);
  expect(reasonOf(story.run)).not.toContain('First error');
});

it.each(LIMITS)(
  'E15: %s used up by the change is named on the card, and to the agent',
  (_, excess, named) => {
    const check = ended(excess);
    expect(check.outcome).toBe('failed');
    expect(check.tail).toContain(excess.says);
    const { reasons } = gradeAttempt({
      commit: commit('a'),
      checks: [check],
      contract: null,
      ordered: true,
      summary: '',
      claims: NO_CLAIMS,
    });
    for (const texts of Object.values(LANGUAGE_TEXTS)) {
      expect(checkLine(check, 'main', texts)).toMatch(named);
      expect(reasons.map(({ reason }) => texts.judgement(reason)).join('; ')).toMatch(named);
    }
    const story = at('IMPLEMENTING').when(implemented(), validated({ passed: false, checks: [check] }));
    expect(works(story)).toEqual(['implement']);
  },
);
