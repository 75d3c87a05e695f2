/** S3: the transition table as a page: a Mermaid diagram, and every state × every input. */
import { INPUTS } from '../../orchestrator/kernel/inputs/inputs.ts';
import { type InputType, targetStates } from '#inputs';
import { ACTIVE_STATES, RUN_STATES, isTerminal, type RunState } from '#model/run';

/** Short names of the table's columns: the state's initials, unique by hand. */
const SHORT: Record<RunState, string> = {
  QUEUED: 'QU',
  DISCOVERY: 'DI',
  PLAN_READY: 'PL',
  IMPLEMENTING: 'IM',
  LOCAL_VALIDATING: 'LV',
  PUSHED: 'PU',
  CI_WAIT: 'CI',
  REVIEW_WAIT: 'RW',
  ITERATING: 'IT',
  PAUSED: 'PA',
  DONE: 'DO',
  SKIPPED: 'SK',
  NEEDS_HUMAN_REVIEW: 'NH',
  FAILED_RETRYABLE: 'FR',
  FAILED_TERMINAL: 'FT',
};
const CREATE: InputType = 'command.run.create';
const INPUT_TYPES = INPUTS.map(({ type }) => type);

type Edge = { from: string; to: string; input: InputType };

/** Names of a set of states, where the whole group of active ones has one name. */
const grouped = (states: readonly RunState[]): string[] =>
  ACTIVE_STATES.every((s) => states.includes(s))
    ? ['Active', ...states.filter((s) => !ACTIVE_STATES.some((a) => a === s))]
    : [...states];

/** Moves to another state; what all active states share is drawn once. */
const edges = (): Edge[] =>
  INPUT_TYPES.flatMap((input) => {
    const wide = RUN_STATES.filter((s) => ACTIVE_STATES.every((a) => targetStates(s, input).has(a)));
    const into = (from: RunState): RunState[] =>
      RUN_STATES.filter((to) => to !== from && targetStates(from, input).has(to));
    return [
      ...wide.flatMap((from) => grouped(into(from)).map((to) => ({ from, to, input }))),
      ...RUN_STATES.flatMap((to) =>
        grouped(RUN_STATES.filter((from) => !wide.includes(from) && into(from).includes(to))).map((from) => ({
          from,
          to,
          input,
        })),
      ),
    ];
  });

const drawing = (): string[] => {
  const labels = new Map<string, string[]>();
  for (const { from, to, input } of edges()) {
    const key = `${from} --> ${to}`;
    labels.set(key, [...(labels.get(key) ?? []), input]);
  }
  return [
    'stateDiagram-v2',
    `  [*] --> QUEUED: ${CREATE}`,
    '  state Active {',
    ...ACTIVE_STATES.map((s) => `    ${s}`),
    '  }',
    ...[...labels].map(([move, inputs]) => `  ${move}: ${inputs.join(', ')}`),
    ...RUN_STATES.filter(isTerminal).map((s) => `  ${s} --> [*]`),
  ];
};

const cell = (from: RunState, input: InputType): string =>
  [...targetStates(from, input)].map((to) => (to === from ? '↺' : SHORT[to])).join(' ');

const grid = (): string[] => [
  `| input | ${RUN_STATES.map((s) => SHORT[s]).join(' | ')} |`,
  `|---|${RUN_STATES.map(() => '---').join('|')}|`,
  ...INPUT_TYPES.filter((i) => i !== CREATE).map(
    (input) => `| \`${input}\` | ${RUN_STATES.map((s) => cell(s, input)).join(' | ')} |`,
  ),
];

const notes = (): string[] => [
  '| input | from | to | note |',
  '|---|---|---|---|',
  ...INPUTS.flatMap(({ type, moves }) =>
    moves
      .filter(({ note }) => note !== '')
      .map(({ from, to, note }) => `| \`${type}\` | ${from.join(' ')} | ${to.join(' ')} | ${note} |`),
  ),
];

/** The page `docs/states.md`. */
export const diagram = (): string =>
  [
    '# States',
    '',
    'Drawn from the rows of all inputs (`orchestrator/kernel/inputs/inputs.ts`) by `npm run docs:states`; a test compares them. Do not edit.',
    '',
    '```mermaid',
    ...drawing(),
    '```',
    '',
    '## Every state and every input',
    '',
    `${RUN_STATES.map((s) => `${SHORT[s]} ${s}`).join(' · ')}. ↺ is the same state. A blank cell refuses a command with a`,
    'sentence, and ignores a result or an observation. A cell lists where the machine may go; which of them, its rules decide.',
    `\`${CREATE}\` makes a run in QUEUED and is refused on every run that exists.`,
    '',
    ...grid(),
    '',
    '## Notes',
    '',
    ...notes(),
    '',
  ].join('\n');
