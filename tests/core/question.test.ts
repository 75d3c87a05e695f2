/** C4: an agent that asks in plain words is heard, and one that only talks is not. */
import { describe, expect, it } from 'vitest';
import { MAX_QUESTION_LENGTH } from '../../model/agent/agent-question.ts';
import { extractQuestion } from '#model/agent';
import type { Effect } from '#effects';
import {
  at,
  baseChecked,
  discovered,
  failed,
  given,
  implemented,
  planOfTwo,
  retry,
  startDiscovery,
  startWork,
  ways,
  works,
} from '../support/core.ts';
import { act } from '../support/core-acts.ts';

const ASKED = [
  'There are two parsers, old.js and new.js. Which of the two should I change?',
  'I found two places.\n\nWhich one do you want?\n1. lib/a.js\n2. lib/b.js',
  'Should the greeting be “Salut” or “Bonjour”? I have changed nothing yet.',
  'Please confirm that the public API may change before I go on.',
  'I need your decision on the name of the option.',
  'Please tell me which locale is meant.',
  '**Do you want to keep Node 18?**',
  'Is it `foo()` (see https://x.example/?a=1) that should change?',
  '有两个解析器。请告诉我应该修改哪一个。',
  '要保留旧的接口吗？',
];
const TALKED = [
  'I added the greeting, and the tests pass.',
  'Done. Let me know if you need anything else!',
  'Everything is in place. Is there anything else you would like?',
  'I changed the regex to `/a?/` and kept `b ? c : d`.',
  'See https://x.example/search?q=1 for details.',
  '```js\nconst which = ok ? 1 : 2; // what?\n```\nThat is the change.',
  'Would you like me to also add tests for it?',
  '已经完成。',
  '',
];

describe('words of an agent', () => {
  it.each(ASKED)('C4: ask: %s', (words) => expect(extractQuestion(words)).toBe(words));
  it.each(TALKED)('C4: ask nothing: %s', (words) => expect(extractQuestion(words)).toBeNull());

  it('C4: are shown from their question on where they are long', () => {
    const question = 'Which of these?\n\n- one\n- two';
    const told = extractQuestion(`${'I looked at much. '.repeat(300)}\n\n${question}`);
    expect(told).toBe(question);
    expect(extractQuestion(`Why ${'so '.repeat(3_000)}?`)?.length).toBeLessThanOrEqual(MAX_QUESTION_LENGTH);
  });

  it('L8: are read in time that grows with their length', () => {
    for (const part of ['please ', 'let me know ', '``', 'shall i ', '?', '"', 'https://', '吗'])
      expect(extractQuestion(part.repeat(4_000 / part.length))?.length ?? 0).toBeLessThanOrEqual(
        MAX_QUESTION_LENGTH,
      );
  });
});

const TEXT = 'Which of the two should I change?';
const notes = (all: readonly Effect[]) =>
  all.flatMap(({ do: what }) =>
    what.kind === 'chat_message' && what.content.view === 'note' ? [what.content.note] : [],
  );
const words = (edited: boolean) => failed('invalid_output', { question: { text: TEXT, edited } });
const blocked = (letter: string | null) =>
  act((run) => {
    const { input } = implemented(letter)(run);
    if (input.type !== 'worker.implementation.completed') throw new Error('not a round');
    return { ...input, summary: TEXT, claims: { status: 'blocked', ran: [] } };
  });

describe('a question in place of a report', () => {
  it('C4: is put to a person, and no repair round overwrites it', () => {
    const asked = at('IMPLEMENTING').when(words(false));
    expect(asked.run).toMatchObject({
      lifecycle: {
        state: 'NEEDS_HUMAN_REVIEW',
        reason: { kind: 'agent_question', question: TEXT },
        counts: { reportRepairs: 0 },
      },
    });
    expect(works(asked)).toEqual([]);
    const answered = asked.when(retry('IMPLEMENTING', 'The newer one.'));
    expect(answered.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: {
        round: { kind: 'person_advice', feedback: [{ text: 'The newer one.' }] },
        session: asked.run.agent.session,
      },
    });
  });

  it('C4: is told at once, and the report asked for, where files were changed all the same', () => {
    const asked = at('IMPLEMENTING').when(words(true));
    expect(asked.run.lifecycle.reason.kind).toBe('report_asked_again');
    expect(notes(asked.all)).toContainEqual({ kind: 'agent_asked', question: TEXT });
    expect(works(asked)).toEqual(['implement']);
  });

  it('C4: is put to a person in a fix of an open pull request, too', () => {
    const { run } = at('ITERATING').when(words(false));
    expect(run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'agent_question' } },
    });
  });

  it('C4: of a report that is blocked stands as one', () => {
    for (const state of ['IMPLEMENTING', 'ITERATING'] as const)
      expect(at(state).when(blocked(null)).run.lifecycle.reason).toEqual({
        kind: 'agent_question',
        question: TEXT,
      });
  });

  it('C4: beside a report without a change stands as one', () => {
    const beside = act((run) => {
      const { input } = implemented(null)(run);
      if (input.type !== 'worker.implementation.completed') throw new Error('not a round');
      return { ...input, summary: 'Waiting for an answer.', question: TEXT };
    });
    for (const state of ['IMPLEMENTING', 'ITERATING'] as const)
      expect(at(state).when(beside).run.lifecycle.reason).toEqual({
        kind: 'agent_question',
        question: TEXT,
      });
  });

  it('C4: of a step is not answered by planning anew', () => {
    const plan = given({ flow: 'plan' }, startDiscovery, discovered(), baseChecked(), startWork(), planOfTwo);
    expect(plan.when(blocked(null)).run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'agent_question' } },
    });
    expect(plan.when(implemented(null)).run.agent.round.kind).toBe('plan_update');
  });

  it('C4: is told where the next of several fixes, or of several engines, goes on without an answer', () => {
    const fixes = ['One', 'Two'].map((title) => ({ title, goal: title }));
    const several = given({ fixes }, ...ways.IMPLEMENTING).when(blocked(null));
    const tried = given({ proposers: ['script', 'codex'] }, ...ways.IMPLEMENTING).when(blocked(null));
    for (const story of [several, tried]) {
      expect(story.run.lifecycle.state).toBe('IMPLEMENTING');
      expect(notes(story.all)).toContainEqual({ kind: 'agent_asked', question: TEXT });
    }
  });
});
