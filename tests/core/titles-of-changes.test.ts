/** F9: title and commit are one text, of what changed; an order is not published as a reason. */
import { expect, it } from 'vitest';
import { commitMessage, titleFrom } from '#pull-text';
import { order as sampleOrder } from '../support/core-samples.ts';
import { rendered, SAMPLES, type Sample } from '../support/change-samples.ts';
import { saying } from '../support/published.ts';

const files = [
  {
    path: 'src/retry.ts',
    oldPath: null,
    status: 'modified',
    oldMode: '100644',
    newMode: '100644',
    added: 4,
    deleted: 2,
    binary: false,
  },
] as const;
const patch = 'diff --git a/src/retry.ts b/src/retry.ts\n+  const last = delay; // keep the last delay\n';
const textsOf = (goal: string, what: string | null, titleRule: 'conventional' | 'component' | null) => {
  const order = { ...sampleOrder, goal, title: null };
  const said = saying(what === null ? {} : { what });
  const shape = { titleRule };
  const title = titleFrom({ order, said, files, patch, checks: [] }, shape, 100);
  const message = commitMessage({
    order,
    shape,
    said,
    summary: '',
    fix: null,
    files,
    patch,
    trailers: [],
  });
  return { title, subject: message.split('\n')[0] };
};

it.each([
  [
    'Make retries better and say so in the notes',
    'Keep the last delay of a retry',
    null,
    'Keep the last delay of a retry',
  ],
  [
    'Fix the retry. Say so.',
    'Keep the last delay of `retry`',
    'conventional',
    'fix: keep the last delay of `retry`',
  ],
  ['Fix the retry', 'retry: Keep the last delay', 'component', 'retry: Keep the last delay'],
  ['Fix the retry', 'lib/retry: keep the last delay', null, 'lib/retry: keep the last delay'],
  ['Keep the last delay of a retry', 'The last delay is kept now', null, 'Keep the last delay of a retry'],
  ['Keep the last delay of a retry. Add a line to the notes.', null, null, 'Keep the last delay of a retry'],
  [
    'retry.delay 重试时 没有保留。Fixed #12',
    '重试时保留最后的延迟 delay',
    null,
    '重试时保留最后的延迟 delay',
  ],
  ['重试没有保留最后的延迟。Fixed #12', null, null, '重试没有保留最后的延迟'],
  ['Keep the last delay without a limit (fixes #12)', null, null, 'Keep the last delay without a limit'],
  [
    'A waiting client must wait twice.',
    'Stop starting over for a client',
    null,
    'Stop starting over for a client',
  ],
] as const)('F9: “%s” and “%s” make one text (%s)', (goal, what, rule, text) => {
  expect(textsOf(goal, what, rule)).toEqual({ title: text, subject: text });
});

it('F9: code in a title stays code, and nothing in it acts', () => {
  const { title } = textsOf('Fix it', 'Keep the last delay of `retry`, see #12', null);
  expect(title).toContain('`retry`');
  expect(title).not.toMatch(/@\w|#\d|:\/\//);
});

it('F9: an order is no reason, and what a person says of the problem is one', () => {
  const sample = SAMPLES['fix'] as Sample;
  const bodyOf = (goal: string) =>
    rendered({ ...sample, goal, said: { what: 'Keep the last delay' } }, null).body;
  expect(bodyOf('Change the retry so that it waits longer')).not.toContain('Change the retry');
  expect(bodyOf('Change the retry. It forgets its delay.')).toContain('It forgets its delay.');
  expect(bodyOf('The retry forgets its delay')).toContain('The retry forgets its delay');
});
