/** A model that fixes the sample repository through any agent. */
import { sampleAgentCommand, type SampleAgentOptions } from '#playground';
import type { Turn } from './fake-model.ts';

type Said = { type?: string; role?: string; content?: unknown; parts?: unknown };

/** Responses uses `input`, Google `contents` with `parts`, the others `messages`. */
const saidIn = ({ input, messages, contents }: Readonly<Record<string, unknown>>): readonly Said[] => {
  const said = input ?? messages ?? contents;
  return Array.isArray(said) ? (said as Said[]).map((one) => ({ content: one.parts, ...one })) : [];
};

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : ''))
    .join('\n');
};

type Part = { type?: string; text?: string; functionResponse?: unknown };
/** Agents' own additions are skipped; a prompt may share a message with a tool result. */
const lastPart = (parts: readonly Part[]): Part | undefined =>
  parts.findLast(({ text = '' }) => !text.trimStart().startsWith('<system-reminder>'));

const isToolResult = ({ type, role, content }: Said): boolean =>
  role === 'tool' ||
  /_output$/.test(type ?? '') ||
  (Array.isArray(content) &&
    (lastPart(content as Part[])?.type === 'tool_result' ||
      lastPart(content as Part[])?.functionResponse !== undefined));

/** Returns the newest user text of a request. */
export const promptIn = (body: Readonly<Record<string, unknown>>): string => {
  const last = saidIn(body).findLast((said) => said.role === 'user' && textOf(said.content).trim() !== '');
  return textOf(last?.content);
};

export const afterTool = (body: Readonly<Record<string, unknown>>): boolean => {
  const last = saidIn(body).at(-1);
  return last !== undefined && isToolResult(last);
};

const END = 'END_OF_THE_PROMPT';

export const sampleModel =
  (options: SampleAgentOptions = { mood: 'learns' }) =>
  (body: Readonly<Record<string, unknown>>): Turn =>
    afterTool(body)
      ? { report }
      : { run: `${sampleAgentCommand(options)} <<'${END}'\n${promptIn(body)}\n${END}` };

type Change = { file: string; from: string; to: string };
const PROOF = [
  ...['', "test('waits as long as the README says', () => {"],
  ...['  assert.deepEqual(waits({ tries: 4 }), [100, 200, 400]);', '});'],
];
const WAIT = (exponent: string): string =>
  `    list.push(Math.min(firstWait * factor ** ${exponent}, longestWait));`;
const LAST = ['  assert.equal(Math.max(...waits({ tries: 20, longestWait: 1000 })), 1000);', '});'];
/** The sample's tasks by round. */
const CHANGES: readonly [RegExp, readonly Change[]][] = [
  [
    /What reviewers asked for/,
    [
      {
        file: 'README.md',
        from: 'lists the waits without waiting.',
        to: 'lists the waits without waiting; with the defaults that is `[100, 200]`.',
      },
    ],
  ],
  [
    /Which checks of the code host failed/,
    [
      {
        file: 'CHANGELOG.md',
        from: '# Changelog',
        to: '# Changelog\n\n## Unreleased\n\n- The first wait is as long as documented.',
      },
    ],
  ],
  [
    /What our checks say of your last change/,
    [{ file: 'src/waits.js', from: WAIT('failed - 1'), to: WAIT('(failed - 1)') }],
  ],
  [
    /./,
    [
      { file: 'src/waits.js', from: WAIT('failed'), to: WAIT('failed - 1') },
      { file: 'test/waits.test.js', from: LAST.join('\n'), to: [...LAST, ...PROOF].join('\n') },
    ],
  ],
];
const changesFor = (body: Readonly<Record<string, unknown>>): readonly Change[] =>
  CHANGES.find(([asked]) => asked.test(promptIn(body)))?.[1] ?? [];
const report = { status: 'done', summary: 'The first wait is the documented one', ran: [] };

/** Fixes the sample repository by patches, wrongly at first. */
export const patchingModel =
  () =>
  (body: Readonly<Record<string, unknown>>): Turn => {
    if (afterTool(body)) return { report };
    const blocks = changesFor(body).map(
      ({ file, from, to }) => `${file}\n<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`,
    );
    return { calls: [{ name: 'patch', input: { patch: blocks.join('') } }] };
  };

/** Contains no single quote, for use in a shell. */
const literal = (value: unknown): string => JSON.stringify(value).replaceAll("'", '\\x27');
/** Texts of agents for a command that was not run. */
const REFUSED = /reject|cancel|abort|interrupt/i;

/** Needs permission for a command instead; repeats it after a yes. */
export const askingModel =
  () =>
  (body: Readonly<Record<string, unknown>>): Turn => {
    if (afterTool(body) && !REFUSED.test(JSON.stringify(saidIn(body).at(-1)))) return { report };
    const writes = changesFor(body).map(
      ({ file, from, to }) =>
        `f.writeFileSync("${file}", f.readFileSync("${file}", "utf8").replace(${literal(from)}, () => ${literal(to)}));`,
    );
    return { run: `node -e 'const f = require("fs"); ${writes.join(' ')}'` };
  };
