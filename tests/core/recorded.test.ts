/** S9: what the log keeps of a step, and how it is read again. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { Input } from '#inputs';
import type { InputStamp } from '../../orchestrator/kernel/run/input-types.ts';
import {
  toRecordedEvent,
  RecordedEvent,
  type StepDecision,
} from '../../orchestrator/kernel/effects/recorded-step.ts';
import { discovered, given, startDiscovery } from '../support/core.ts';

const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const stamp: InputStamp = { at: 1, nonce: 'nonce-1', effectEpoch: null };
const LONG = 'long enough to stand in an event only once: '.repeat(3);

/** What is stored of a step whose input and changes are these. */
const stored = (input: object, set: Record<string, unknown>, told: unknown = null) => {
  const effects = [{ do: { kind: 'chat_message', content: { view: 'note', told } }, dueAt: 1 }];
  const decided = { changes: { set }, effects, approvals: [] } as unknown as StepDecision;
  return toRecordedEvent({ type: 'timer.timeout', ...input } as unknown as Input, stamp, decided);
};

describe('what is recorded of a step', () => {
  it('S9: a text or a part that the input holds is written once, wherever it goes', () => {
    const part = { words: LONG, of: ['one', 'two'] };
    const event = stored({ part, more: { text: LONG } }, { whole: part, new: { inside: [part] } }, LONG);
    expect(event).toMatchObject({
      changes: { set: { whole: null, new: { inside: [null] } } },
      effects: [{ do: { content: { told: null } } }],
      sameAsInput: {
        'changes/set/whole': 'part',
        'changes/set/new/inside/0': 'part',
        'effects/0/do/content/told': 'more/text',
      },
    });
    expect(RecordedEvent.parse(again(event))).toMatchObject({
      changes: { set: { whole: part, new: { inside: [part] } } },
      effects: [{ do: { content: { told: LONG } } }],
    });
  });

  it('S9: what is short is written again', () => {
    const part = { words: 'few' };
    expect(stored({ part }, { part })).toMatchObject({ changes: { set: { part } } });
    expect(stored({ part }, { part })).not.toHaveProperty('sameAsInput');
  });

  it('S9: the order and the contract of a run stand in its log once', () => {
    const { log, step } = given({ goal: LONG }, startDiscovery, discovered());
    const [first, , third] = log;
    const made = given({ goal: LONG });
    if (!first || !third || made.step.kind !== 'moved' || step.kind !== 'moved') throw new Error('no step');
    expect(JSON.stringify(toRecordedEvent(first.input, first.stamp, made.step)).split(LONG)).toHaveLength(2);
    expect(toRecordedEvent(third.input, third.stamp, step).sameAsInput).toMatchObject({
      'changes/nested/target/set/contract': 'contract',
    });
  });

  it('S9: every event reads as it was decided, whatever its members are called', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      '0',
      '1',
      'a/b',
      '',
      'sameAsInput',
      '__proto__',
      'length',
      'constructor',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(null, 1, LONG, 'x'),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('tree'), { maxLength: 3 }),
      object: fc.array(fc.tuple(name, tie('tree')), { maxLength: 3 }).map(Object.fromEntries),
    }));
    fc.assert(
      fc.property(tree, tree, name, (part, other, called) => {
        const input = Object.fromEntries([['part', { [called]: part }]]);
        const event = stored(input, { [called]: [other, part], part: [part, { [called]: part }] }, part);
        const { changes, effects } = RecordedEvent.parse(again(event));
        const set = { [called]: [other, part], part: [part, { [called]: part }] };
        expect(again(changes)).toEqual(again({ set }));
        expect(again(effects)).toMatchObject(again([{ do: { content: { told: part } } }]) as object[]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['elsewhere', 'part/more/still', '__proto__', 'length', ''])(
    'L5: an event that takes a value from where none is (%s) cannot be read, and stops nobody',
    (from) => {
      const event = { ...stored({ part: 'x' }, { part: null }), sameAsInput: { 'changes/set/part': from } };
      expect(RecordedEvent.safeParse(again(event)).success).toBe(false);
    },
  );

  it.each(['changes/set/other', 'effects/9/do', 'effects/length', 'changes/__proto__/x', '', 'nowhere'])(
    'L5: a value that is put where nothing was left out (%s) changes nothing there',
    (place) => {
      const event = stored({ part: { x: 1 } }, { part: 1 });
      const read = RecordedEvent.parse(again({ ...event, sameAsInput: { [place]: 'part' } }));
      expect(read).toEqual(RecordedEvent.parse(again(event)));
      expect({}).not.toHaveProperty('x');
    },
  );
});
