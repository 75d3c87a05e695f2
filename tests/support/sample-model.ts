/**
 * A model that mends the sample repository through whatever agent asks it: it runs the sample
 * agent, then reports.
 */
import { sampleAgentCommand, type SampleAgentOptions } from '#playground';
import type { Turn } from './fake-model.ts';

type Said = { type?: string; role?: string; content?: unknown };

/** Of all dialects: Responses has `input`, the others `messages`. */
const saidIn = ({ input, messages }: Readonly<Record<string, unknown>>): readonly Said[] => {
  const said = input ?? messages;
  return Array.isArray(said) ? (said as Said[]) : [];
};

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : ''))
    .join('\n');
};

type Part = { type?: string; text?: string };
/**
 * What an agent adds in its own name says nothing; a prompt may come in one message with the result
 * of an older tool.
 */
const lastPart = (parts: readonly Part[]): Part | undefined =>
  parts.findLast(({ text = '' }) => !text.trimStart().startsWith('<system-reminder>'));

const isToolResult = ({ type, role, content }: Said): boolean =>
  role === 'tool' ||
  /_output$/.test(type ?? '') ||
  (Array.isArray(content) && lastPart(content as Part[])?.type === 'tool_result');

/** The newest words of a person in a request. */
export const promptIn = (body: Readonly<Record<string, unknown>>): string => {
  const last = saidIn(body).findLast((said) => said.role === 'user' && textOf(said.content).trim() !== '');
  return textOf(last?.content);
};

/** Whether the model is asked what to do now that a tool has run. */
export const afterTool = (body: Readonly<Record<string, unknown>>): boolean => {
  const last = saidIn(body).at(-1);
  return last !== undefined && isToolResult(last);
};

const END = 'END_OF_THE_PROMPT';

export const sampleModel =
  (options: SampleAgentOptions = { mood: 'learns' }) =>
  (body: Readonly<Record<string, unknown>>): Turn =>
    afterTool(body)
      ? { report: { status: 'done', summary: 'The first wait is the documented one', ran: [] } }
      : { run: `${sampleAgentCommand(options)} <<'${END}'\n${promptIn(body)}\n${END}` };

const block = (file: string, search: string, replace: string): string =>
  `${file}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const PROOF = [
  ...['', "test('waits as long as the README says', () => {"],
  ...['  assert.deepEqual(waits({ tries: 4 }), [100, 200, 400]);', '});'],
];
const WAIT = (exponent: string): string =>
  `    list.push(Math.min(firstWait * factor ** ${exponent}, longestWait));`;
const LAST = ['  assert.equal(Math.max(...waits({ tries: 20, longestWait: 1000 })), 1000);', '});'];
/** What the sample asks for in each of its rounds, as edits. */
const EDITS: readonly [RegExp, string][] = [
  [
    /What reviewers asked for/,
    block(
      'README.md',
      'lists the waits without waiting.',
      'lists the waits without waiting; with the defaults that is `[100, 200]`.',
    ),
  ],
  [
    /Which checks of the code host failed/,
    block(
      'CHANGELOG.md',
      '# Changelog',
      '# Changelog\n\n## Unreleased\n\n- The first wait is as long as documented.',
    ),
  ],
  [
    /What our checks say of your last change/,
    block('src/waits.js', WAIT('failed - 1'), WAIT('(failed - 1)')),
  ],
  [
    /./,
    block('src/waits.js', WAIT('failed'), WAIT('failed - 1')) +
      block('test/waits.test.js', LAST.join('\n'), [...LAST, ...PROOF].join('\n')),
  ],
];

/** A model that mends the sample repository by patches, wrongly at first. */
export const patchingModel =
  () =>
  (body: Readonly<Record<string, unknown>>): Turn => {
    const report = { status: 'done', summary: 'The first wait is the documented one', ran: [] };
    if (afterTool(body)) return { report };
    const patch = EDITS.find(([asked]) => asked.test(promptIn(body)))?.[1] ?? '';
    return { calls: [{ name: 'patch', input: { patch } }] };
  };
