/** L5: what a recorded step may not do, whoever wrote it and whatever the rules were. */
import { describe, expect, it } from 'vitest';
import { evolveRun, type RunChanges } from '../../orchestrator/kernel/run/run-patch.ts';
import type { ApprovalChange, Effect } from '#effects';
import {
  toRecordedEvent,
  RecordedEvent,
  type RecordedStep,
} from '../../orchestrator/kernel/effects/recorded-step.ts';
import { findStepViolation } from '../../orchestrator/audit/verify-step.ts';
import {
  ana,
  approvePush,
  ben,
  at,
  bounds,
  confirm,
  frozen,
  given,
  pause,
  pushed,
  unanswerable,
  validated,
  ways,
  type Act,
  type Story,
} from '../support/core.ts';

type Set = Record<string, unknown>;
/** A step as it was recorded, with something else in it. */
type Forged = {
  set?: Set;
  gate?: Set;
  lifecycle?: Set;
  input?: Set;
  effects?: unknown[];
  approvals?: unknown[];
  at?: number;
};

const recorded = (before: Story, act: Act): RecordedStep => {
  const after = before.when(act);
  const logged = after.log.at(-1);
  if (after.step.kind !== 'moved' || !logged) throw new Error('that step did not move');
  return RecordedEvent.parse(
    JSON.parse(JSON.stringify(toRecordedEvent(logged.input, logged.stamp, after.step))),
  );
};
const judged = (before: Story, act: Act, forge: (step: RecordedStep) => Forged): string | null => {
  const step = recorded(before, act);
  const { set, lifecycle, gate, input, ...rest } = forge(step);
  const { nested } = step.changes;
  const within = (name: 'gate' | 'lifecycle', more: Set | undefined): Record<string, RunChanges> =>
    more ? { [name]: { ...nested?.[name], set: { ...nested?.[name]?.set, ...more } } } : {};
  const forged = RecordedEvent.parse({
    ...step,
    ...rest,
    stamp: { ...step.stamp, at: rest.at ?? step.stamp.at },
    input: { ...step.input, ...input },
    changes: {
      ...step.changes,
      set: { ...step.changes.set, ...set },
      nested: { ...nested, ...within('lifecycle', lifecycle), ...within('gate', gate) },
    },
  });
  return findStepViolation(before.run, forged, evolveRun(frozen(before.run), forged.changes));
};

const working = at('IMPLEMENTING');
const asked = at('PUSHED');
const two = given({ bounds: bounds({ approvals: 2 }) }, ...ways.PUSHED);
const open = (id: string): ApprovalChange => ({
  op: 'open',
  id,
  kind: 'push',
  digest: 'd',
  expiresAt: 9e12,
  needed: 1,
});
const push = (approvalId: string | null): Effect => ({
  do: { kind: 'push', commitSha: 'a'.repeat(40), expectedHead: null, approvalId },
  dueAt: 1,
});
const opening: Effect = { do: { kind: 'open_pr', approvalId: 'other', digest: 'd' }, dueAt: 1 };

describe('a recorded step', () => {
  it('L5: is legal as it was decided', () => {
    expect(judged(working, pause, () => ({}))).toBe(null);
    expect(judged(asked, confirm(), () => ({}))).toBe(null);
    expect(judged(two, confirm(), () => ({}))).toBe(null);
  });

  it.each<[string, RegExp, Forged]>([
    [
      'leads where the table leads nowhere',
      /table does not list IMPLEMENTING → DONE/,
      { lifecycle: { state: 'DONE' } },
    ],
    ['leads to no state', /table does not list/, { lifecycle: { state: 'MERGED' } }],
    ['has an input of no type', /table does not list/, { input: { type: 'command.merge' } }],
    ['is of another run', /never changes: id/, { set: { id: 'other' } }],
    [
      'orders something else',
      /never changes: order/,
      { set: { order: { ...working.run.order, goal: 'Something else' } } },
    ],
    ['leaves a version out', /makes version/, { lifecycle: { version: 99 } }],
    ['enters no epoch', /makes epoch/, { lifecycle: { epoch: working.run.lifecycle.epoch } }],
    ['enters an epoch of its own', /makes epoch/, { lifecycle: { epoch: 1_000 } }],
    ['is of another time than its run', /another time/, { at: 5 }],
    ['opens a card that the run does not have', /another approval than/, { approvals: [open('x')] }],
    ['opens two cards', /opens approval y beside another/, { approvals: [open('x'), open('y')] }],
    [
      'closes a card that is not there',
      /does not wait/,
      { approvals: [{ op: 'close', id: 'x', state: 'void', reason: { kind: 'card_replaced' } }] },
    ],
    [
      'gives its run a card of nowhere',
      /another approval than/,
      { gate: { approval: asked.run.gate.approval } },
    ],
    ['pushes by an approval that it does not use up', /asks for a push/, { effects: [push('x')] }],
    ['opens a pull request by no approval', /asks for a open_pr/, { effects: [opening] }],
  ])('L5: that %s is not legal', (_, says, forged) => {
    expect(judged(working, pause, () => forged)).toMatch(says);
  });

  const changed = (step: RecordedStep, op: ApprovalChange['op'], to: Set | null): unknown[] =>
    step.approvals.flatMap((c) => (c.op !== op ? [c] : to ? [{ ...c, ...to }] : []));
  it.each<[string, RegExp, (step: RecordedStep) => Forged]>([
    ['nobody signed', /not signed for that/, (s) => ({ approvals: changed(s, 'sign', null) })],
    ['somebody else signed', /signs approval/, (s) => ({ approvals: changed(s, 'sign', { by: '99' }) })],
    [
      'another command signed',
      /table does not list|signs approval/,
      () => ({ input: { type: 'command.push.approve' } }),
    ],
    [
      'a fact of the code host signed',
      /table does not list|signs approval/,
      () => ({ input: { type: 'timer.reminder' } }),
    ],
    [
      'other bytes were approved',
      /not signed for that/,
      (s) => ({ approvals: changed(s, 'consume', { digest: 'd' }) }),
    ],
    ['nothing was done by', /not signed for that/, () => ({ effects: [] })],
    [
      'another effect uses up',
      /not signed for that/,
      (s) => ({ approvals: changed(s, 'consume', { effectIndex: 1 }) }),
    ],
    ['nothing uses up', /another approval than/, (s) => ({ approvals: changed(s, 'consume', null) })],
    ['two effects use up', /asks for a/, (s) => ({ effects: [...s.effects, ...s.effects] })],
  ])('G1, L5: an approval that %s is not legal', (_, says, forge) => {
    expect(judged(asked, confirm(), forge)).toMatch(says);
  });

  it('G3, L5: one signature of two opens nothing, and one person signs once', () => {
    const card = two.run.gate.approval;
    const consume = { op: 'consume', id: card?.id, digest: card?.digest, at: 1, effectIndex: 0 };
    const early = judged(two, confirm(), (step) => ({
      approvals: [...step.approvals, consume],
      effects: [{ do: { kind: 'open_pr', approvalId: card?.id, digest: card?.digest }, dueAt: 1 }],
    }));
    expect(early).toMatch(/not signed for that/);
    const signed = two.when(confirm({ by: ana }));
    const twice = judged(signed, confirm({ by: ben }), (step) => ({
      input: { by: ana },
      approvals: changed(step, 'sign', { by: ana.id }),
    }));
    expect(twice).toMatch(/signs approval/);
  });

  it('G3, L5: a card gets more time only for time in which nobody could answer', () => {
    const { id, expiresAt = 0 } = asked.run.gate.approval ?? {};
    const night = unanswerable(expiresAt - 10, expiresAt);
    const extend = (to: number) => () => ({
      approvals: [{ op: 'extend', id, expiresAt: to }],
      gate: { approval: { ...asked.run.gate.approval, expiresAt: to } },
    });
    expect(judged(asked, night, () => ({}))).toBe(null);
    expect(judged(asked, night, extend(expiresAt))).toMatch(/gives approval/);
    expect(judged(asked, night, extend(expiresAt - 1))).toMatch(/gives approval/);
    expect(judged(asked, night, () => ({ approvals: [] }))).toMatch(/another approval than/);
    const signed = two.when(confirm({ by: ana }));
    const longer = judged(signed, confirm({ by: ben }), (step) => ({
      approvals: [{ op: 'extend', id: signed.run.gate.approval?.id, expiresAt: 9e15 }, ...step.approvals],
    }));
    expect(longer).toMatch(/gives approval/);
  });

  const both = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate', both: {} }), confirm());
  const there = pushed(undefined, true);
  it.each<[string, (step: RecordedStep) => Forged]>([
    ['other bytes', (s) => ({ approvals: changed(s, 'pass_on', { digest: 'd' }) })],
    ['another approval', (s) => ({ approvals: changed(s, 'pass_on', { id: 'x' }) })],
    ['no opening', (s) => ({ approvals: changed(s, 'pass_on', { effectIndex: 99 }) })],
    ['another input', () => ({ input: { type: 'worker.step.failed' } })],
  ])('G1, L5: an approval that is passed on to %s is not legal', (_, forge) => {
    expect(judged(both, there, () => ({}))).toBe(null);
    expect(judged(both, there, forge)).toMatch(/passes on approval|table does not list/);
  });

  it('G1, L5: an approval that was for the push alone is passed on to nothing', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush());
    const { id, digest } = push.run.gate.consumedApproval ?? {};
    const forged = judged(push, pushed(), () => ({
      approvals: [{ op: 'pass_on', id, digest, effectIndex: 0 }],
      effects: [{ do: { kind: 'open_pr', approvalId: id, digest }, dueAt: 1 }],
    }));
    expect(forged).toMatch(/passes on approval/);
  });

  it('L5: a log begins with the order of a run, and with that alone', () => {
    const start = RecordedEvent.parse(JSON.parse(JSON.stringify(startOf())));
    expect(findStepViolation(null, start, evolveRun(null, start.changes))).toBe(null);
    const paused = recorded(working, pause);
    expect(findStepViolation(null, paused, evolveRun(null, paused.changes))).toMatch(/does not begin a run/);
    const none = { ...start, changes: { set: { ...start.changes.set, order: {} } } };
    expect(findStepViolation(null, none, evolveRun(null, none.changes))).toMatch(/holds no order/);
    expect(findStepViolation(working.run, start, evolveRun(working.run, start.changes))).toMatch(
      /table does not list/,
    );
  });
});

const startOf = (): unknown => {
  const { log, step } = given();
  const [first] = log;
  if (!first || step.kind !== 'moved') throw new Error('a new run moves');
  return toRecordedEvent(first.input, first.stamp, step);
};
