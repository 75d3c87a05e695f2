/** S2: every state × every input, on runs in every shape that real inputs can give them. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS, ENGLISH_WORDING } from '#language';
import { inputKindOf } from '../../orchestrator/kernel/run/input-types.ts';
import { INPUTS } from '../../orchestrator/kernel/inputs/inputs.ts';
import { type InputType, targetStates } from '#inputs';
import { RUN_STATES, isTerminal, type RunState } from '#model/run';
import { shapes, trials } from '../support/core-shapes.ts';
import { later, type Act, type Story } from '../support/core.ts';

const INPUT_TYPES = INPUTS.map(({ type }) => type);

type Tried = { from: RunState; type: InputType; name: string; story: Story; before: Story };

const tried: Tried[] = shapes.flatMap(({ name, story: before }) =>
  trials(before.run).flatMap((a) =>
    [a, later(60_000, a)].map((act: Act) => {
      const story = before.when(act);
      const { type } = act(before.run).input;
      return { from: before.run.lifecycle.state, type, name: `${name} + ${type}`, story, before };
    }),
  ),
);
/** What is wrong with one try, as sentences; none when it does what its cell says. */
const wrong = ({ from, type, name, story: { step }, before }: Tried): string[] => {
  const listed = targetStates(from, type);
  const command = inputKindOf(type) === 'command';
  if (step.kind === 'moved') {
    if (!listed.has(step.run.lifecycle.state))
      return [`${name}: moved to ${step.run.lifecycle.state}, which is not listed`];
    return step.run.lifecycle.version === before.run.lifecycle.version + 1
      ? []
      : [`${name}: is not one event`];
  }
  if (step.kind !== (command ? 'refused' : 'ignored')) return [`${name}: was ${step.kind}`];
  const { headings, states } = LANGUAGE_TEXTS.en;
  const names =
    type === 'command.run.create' ? ['r1'] : ['r1', isTerminal(from) ? headings[from] : states[from]];
  const blank = command && listed.size === 0;
  if (!blank || step.kind !== 'refused') return [];
  const says = ENGLISH_WORDING.refusal(step.reason);
  return names.every((n) => says.includes(n)) ? [] : [`${name}: says only ${says}`];
};

describe('the table', () => {
  it.each(RUN_STATES)(
    'S2: %s × every input does what its cell says, and every listed state is reached',
    (from) => {
      const here = tried.filter((t) => t.from === from);
      expect(here.flatMap(wrong)).toEqual([]);
      const reached = new Set(
        here.map((t) => `${t.type} → ${t.story.step.kind === 'moved' ? t.story.run.lifecycle.state : ''}`),
      );
      const listed = INPUT_TYPES.flatMap((type) =>
        [...targetStates(from, type)].map((to) => `${type} → ${to}`),
      );
      expect(listed.filter((l) => !reached.has(l))).toEqual([]);
      expect(INPUT_TYPES.filter((type) => !here.some((t) => t.type === type))).toEqual([]);
    },
  );

  it('S1, S11: lists no way out of a terminal state, but for a closed pull request that is reopened', () => {
    for (const from of RUN_STATES.filter(isTerminal))
      for (const type of INPUT_TYPES.filter((one) => one !== 'forge.pull.reopened'))
        expect(
          [...targetStates(from, type)].filter((to) => to !== from),
          `${from} × ${type}`,
        ).toEqual([]);
  });

  it('S11: only a run that failed by a closing is taken up again', () => {
    for (const from of ['DONE', 'SKIPPED'] as const)
      expect([...targetStates(from, 'forge.pull.reopened')]).toEqual([]);
    const moved = tried.filter(
      ({ type, story }) => type === 'forge.pull.reopened' && story.step.kind === 'moved',
    );
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.filter(({ before }) => before.run.lifecycle.reason.kind !== 'pull_closed')).toEqual([]);
  });

  it('S2: says of every input where it may lead, but of the one that makes a run', () => {
    expect(INPUTS.filter(({ moves }) => moves.length === 0).map(({ type }) => type)).toEqual([
      'command.run.create',
    ]);
    expect(new Set(INPUT_TYPES).size).toBe(INPUT_TYPES.length);
  });
});
