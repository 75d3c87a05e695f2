/** F9: title and commit are one text, of what changed; an order is not published as a reason. */
import { expect, it } from 'vitest';
import { commitMessage, composePullTitle } from '#pull-text';
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
  const title = composePullTitle({ order, said, files, patch, checks: [] }, shape, 100);
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
  [
    'Fix the retry, with a test',
    'Keep the last delay as long as documented',
    'conventional',
    'fix: keep the last delay as long as documented',
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
  ['The retry forgets its delay', 'The last delay is kept now', null, 'The last delay is kept now'],
  ['The retry forgets its delay. See #12', null, null, 'Fix the retry forgetting its delay'],
  ['The retry forgets its delay', null, 'conventional', 'fix: correct the retry forgetting its delay'],
  [
    'A tuple as key breaks the message: "TypeError: not enough arguments". Format it as one value.',
    null,
    null,
    'Fix a tuple as key breaking the message',
  ],
  [
    'A tuple as key was taken for the arguments: `()` raised "TypeError". Format it as one value.',
    null,
    null,
    'Fix a tuple as key being taken for the arguments',
  ],
  ['The flag was renamed in 2.0. Use its new name.', null, null, 'The flag was renamed in 2.0'],
  ['Login breaks after an hour. Fix the refresh of tokens.', null, null, 'Fix the refresh of tokens'],
  ['Login breaks after an hour. Bump the version to 1.2.', null, null, 'Fix Login breaking after an hour'],
  [
    'The login breaks after an hour. Fix the typo in the login docs as well.',
    null,
    null,
    'Fix the login breaking after an hour',
  ],
  [
    'The parser crashes on empty input. Delete the old snapshot files of the parser.',
    null,
    null,
    'Fix the parser crashing on empty input',
  ],
  ['The loop hangs. Retry it twice.', null, null, 'The loop hangs'],
  ['Node 14 is no longer supported. Drop it from CI.', null, null, 'Node 14 is no longer supported'],
  ['Our users are asking for dark mode. Add a switch.', null, null, 'Our users are asking for dark mode'],
  ['A --json flag is needed by scripts', null, null, 'A --json flag is needed by scripts'],
  ['The default timeout is 30 seconds. Raise it to 60.', null, null, 'The default timeout is 30 seconds'],
  ['Fix slugify: umlauts are kept', null, null, 'Fix slugify: umlauts are kept'],
  ['Fix retry(): the last delay is kept', null, null, 'Fix retry(): the last delay is kept'],
  [
    'The first key is lost when the list is empty',
    null,
    null,
    'Fix the first key being lost when the list is empty',
  ],
  ['It breaks the build of all users', null, null, 'It breaks the build of all users'],
  ['When a key is a tuple, the message breaks', null, null, 'When a key is a tuple, the message breaks'],
  ['Form data should not turn LF into CRLF', null, null, 'Form data should not turn LF into CRLF'],
  ['Fix the Allow header: OPTIONS is listed', null, null, 'Fix the Allow header'],
  [
    'Fix parse_string: escape sequences after several backslashes are read wrong',
    null,
    null,
    'Fix escape sequences after several backslashes being read wrong',
  ],
  [
    'Use size_t for the length of buffers, so that CBC and CTR work with more than 4 GB',
    null,
    null,
    'Use size_t for the length of buffers',
  ],
  [
    'Fix the memory leak when a key holds an embedded null byte, and increment the version to 1.1.2',
    null,
    null,
    'Fix the memory leak when a key holds an embedded null byte',
  ],
  [
    'Treat a bare ")" as a syntax error regardless of all the other modes, as "(" is',
    null,
    null,
    'Treat a bare ")" as a syntax error regardless of all the other modes',
  ],
] as const)('F9: “%s” and “%s” make one text (%s)', (goal, what, rule, text) => {
  expect(textsOf(goal, what, rule)).toEqual({ title: text, subject: text });
});

it('F9: no condition of a long order is left out, and its code stays whole', () => {
  const long =
    'Raise a TypeError in all the loaders here, not an AttributeError, when bytes are given to any';
  expect(textsOf(long, null, null).title).toBe(long);
  for (const end of [
    ', as long as the upstream sends no cache-control header',
    ', so long as the address of the account is confirmed',
    ' (only on the machines of the developers, not in production)',
    ', not only for an hour, after the second failed request',
    ', which are older than a day, for robots of search engines',
  ])
    expect(textsOf(`Cache the responses for ten minutes${end}`, null, null).title).toContain(end);
  const code = 'Show what `set -x, so that it is seen` gives to all the other shells on the machine too';
  expect(textsOf(code, null, null).title).toBe(code);
});

it('F9: what a title leaves out of a long order stands in its commit', () => {
  const messageFor = (goal: string, title: string | null = null) =>
    commitMessage({
      order: { ...sampleOrder, goal, title },
      shape: null,
      said: saying({}),
      summary: '',
      fix: null,
      files,
      patch,
      trailers: [],
    });
  const goal = 'Use size_t for the length of all the buffers, so that more than 4 GB work. Closes #1';
  expect(messageFor(goal)).toBe(
    'Use size_t for the length of all the buffers\n\nThis uses size_t for the length of all the buffers, so that more than 4 GB work.\n',
  );
  expect(messageFor(goal, 'Use size_t')).toBe('Use size_t\n');
  expect(messageFor('Use size_t for the length, so that it works')).toBe(
    'Use size_t for the length, so that it works\n',
  );
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
