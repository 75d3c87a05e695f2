/** E19: a check that the machine ended says nothing about the change. */
import { expect, it } from 'vitest';
import { readVerdict } from '../../executors/checks/read-verdict.ts';
import { isEnvironmentFailure } from '#model/environment';
import { failureDetail } from '#model/failure';
import type { ProcessEnd } from '#ports/processes';
import { at, failed, works } from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

const ran = (change: Partial<ProcessEnd>) =>
  readVerdict({
    kind: 'check',
    command: 'npm test',
    refusal: null,
    end: { ended: 'exited', exitCode: 0, signal: null, ms: 1, stdout: '1 passing\n', stderr: '', ...change },
  });

it.each<[string, Partial<ProcessEnd>]>([
  ['the exit code of a shell', { exitCode: 137 }],
  ['the signal itself', { ended: 'signalled', exitCode: null, signal: 'SIGKILL' }],
])('E19: SIGKILL by nobody of ours is the machine’s, by %s', (_, end) => {
  const { outcome, commandFailure, tail } = ran(end);
  expect(outcome).toBe('not_run');
  expect(commandFailure).toMatchObject({ kind: 'killed' });
  expect(commandFailure && isEnvironmentFailure(commandFailure)).toBe(true);
  expect(tail).toContain('ended by the machine (137)');
});

it('E19: a limit of ours, and any other signal, are told as they were', () => {
  const excess = { kind: 'memory', says: 'more than 4,096 MB' } as unknown as ProcessEnd['excess'];
  expect(ran({ exitCode: 137, ...(excess ? { excess } : {}) }).outcome).toBe('failed');
  expect(ran({ exitCode: 139 }).outcome).toBe('failed');
});

it('E19: no agent is sent back for it: a person is told what to do', () => {
  const detail = failureDetail({ kind: 'check_killed', command: 'npm test' });
  const story = at('LOCAL_VALIDATING').when(failed('env_missing', { step: 'check', detail }));
  expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  expect(works(story)).toEqual([]);
  expect(reasonOf(story.run)).toContain('`npm test` was ended by the machine (137)');
});
