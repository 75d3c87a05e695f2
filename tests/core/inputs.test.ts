/** The rows of inputs: everything about one stands in its row, beside what it does to a run. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { targetStates } from '#inputs';
import { Person } from '#model/order';
import { INPUTS } from '../../orchestrator/kernel/inputs/inputs.ts';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import {
  defineCommand,
  defineFact,
  defineResult,
  moveFrom,
  stayIn,
  type HandlerRuling,
  type InputRow,
} from '../../orchestrator/kernel/lifecycle/define-input.ts';
import { enterState } from '../../orchestrator/kernel/lifecycle/enter-state.ts';
import { diagram } from '../rules/states-diagram.ts';
import { ana, at, pause, shows, type Story } from '../support/core.ts';

const ROOT = join(import.meta.dirname, '../..');
const rows: InputRow[] = INPUTS;
const known = rows.length;
afterEach(() => void rows.splice(known));

/** Offers what only a test knows; a product cannot, for its type has no such input. */
const offer = ({ run, now }: Story, input: object, effectEpoch: number | null = null) =>
  decideStep(run, z.custom<Parameters<typeof decideStep>[1]>().parse(input), {
    at: now + 1,
    nonce: 'nonce',
    effectEpoch,
  });

const PRAISE = defineCommand({
  type: 'command.run.praise',
  fields: { by: Person, words: z.string().max(10) },
  moves: [moveFrom(['PUSHED'], ['NEEDS_HUMAN_REVIEW'], 'praised')],
  pushes: true,
  instead: () => ['cancel'],
  handle: (d, { by, words }): HandlerRuling =>
    words === ''
      ? { refuse: { kind: 'reason_missing' } }
      : void enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'rejected', by: by.name, note: words }),
});
const praise = { type: 'command.run.praise', by: ana, words: 'Well done' };

describe('a row of an input', () => {
  it('S2: is all that a new command needs: it moves where its row says, and is refused elsewhere', () => {
    rows.push(PRAISE);
    expect(offer(at('PUSHED'), praise)).toMatchObject({
      kind: 'moved',
      run: { lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'rejected', note: 'Well done' } } },
    });
    expect(offer(at('PUSHED'), { ...praise, words: '' })).toEqual({
      kind: 'refused',
      reason: { kind: 'reason_missing' },
    });
    expect(offer(at('QUEUED'), praise)).toEqual({
      kind: 'refused',
      reason: {
        kind: 'not_possible_now',
        run: 'r1',
        state: 'QUEUED',
        command: 'command.run.praise',
        hints: ['cancel'],
      },
    });
    expect([...targetStates('PUSHED', 'command.run.praise')]).toEqual(['NEEDS_HUMAN_REVIEW']);
    expect(diagram()).toContain('| `command.run.praise` | PUSHED | NEEDS_HUMAN_REVIEW | praised |');
    expect(PRAISE.schema.safeParse(praise).success).toBe(true);
    expect(PRAISE.schema.safeParse({ ...praise, words: 'Far too many words' }).success).toBe(false);
  });

  it('S3: may not move a run where it does not say so', () => {
    rows.push({ ...PRAISE, moves: stayIn(['PUSHED']) });
    expect(() => offer(at('PUSHED'), praise)).toThrow('does not list PUSHED → NEEDS_HUMAN_REVIEW');
  });

  it('F12: which ends in a push is refused while nothing can be pushed', () => {
    rows.push({ ...PRAISE, moves: stayIn(['PAUSED']) });
    const archived = at('CI_WAIT').when(shows({ headDeleted: true }));
    expect(archived.run.lifecycle.state).toBe('PAUSED');
    expect(offer(archived, praise)).toMatchObject({ kind: 'refused', reason: { kind: 'push_blocked' } });
  });

  it('S2: fences a result by its epoch: a late one is kept, ignored, or holds, as its row says', () => {
    const define = (late?: 'ignored' | (() => HandlerRuling)) =>
      defineResult({
        type: 'worker.test.done',
        fields: {},
        moves: stayIn(['IMPLEMENTING', 'PAUSED']),
        handle: (d): HandlerRuling => {
          d.run.agent.summary = 'heard';
          return undefined;
        },
        ...(late === undefined ? {} : { late }),
      });
    const busy = at('IMPLEMENTING');
    const { epoch } = busy.run.lifecycle;
    const paused = busy.when(pause);
    const done = { type: 'worker.test.done' };
    rows.push(define());
    expect(offer(busy, done, epoch)).toMatchObject({ kind: 'moved', run: { agent: { summary: 'heard' } } });
    expect(offer(busy, done, epoch - 1)).toEqual({ kind: 'ignored', reason: 'stale result' });
    expect(offer(paused, done, epoch)).toMatchObject({
      kind: 'moved',
      run: { lifecycle: { deferredResult: { input: done, effectEpoch: epoch } } },
    });
    rows.splice(known);
    rows.push(define('ignored'));
    expect(offer(paused, done, epoch)).toEqual({ kind: 'ignored', reason: 'stale result' });
    rows.splice(known);
    rows.push(define(() => ({ ignore: 'known already' })));
    expect(offer(paused, done, epoch)).toEqual({ kind: 'ignored', reason: 'known already' });
  });

  it('S2: ignores a timer of an earlier epoch, and a fact where its row names no state', () => {
    rows.push(
      defineFact({
        type: 'timer.test.due',
        fields: { epoch: z.number() },
        moves: stayIn(['PUSHED']),
        handle: (): HandlerRuling => ({ ignore: 'nothing new' }),
      }),
    );
    const story = at('PUSHED');
    const { epoch } = story.run.lifecycle;
    const due = { type: 'timer.test.due', epoch };
    expect(offer(story, due)).toEqual({ kind: 'ignored', reason: 'nothing new' });
    expect(offer(story, { ...due, epoch: epoch - 1 })).toEqual({ kind: 'ignored', reason: 'stale timer' });
    expect(offer(at('QUEUED'), due)).toEqual({ kind: 'ignored', reason: 'nothing to do in this state' });
  });

  it('stands in one file, beside its handler: its type is defined nowhere else', () => {
    const files = globSync('orchestrator/kernel/**/*.ts', { cwd: ROOT }).map((file) => ({
      file,
      text: readFileSync(join(ROOT, file), 'utf8'),
    }));
    for (const { type } of rows) {
      const defining = files.filter(({ text }) => text.includes(`\n    type: '${type}',\n    fields:`));
      const creating = files.filter(({ text }) => text.includes(`\n  type: '${type}',\n  fields:`));
      expect(
        [...defining, ...creating].map(({ file }) => file),
        type,
      ).toHaveLength(1);
    }
  });
});
