/** What holds for every history: random moves of people, effects, clocks and the forge. */
import { fc, HISTORIES } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { evolveRun } from '../../orchestrator/kernel/run/run-patch.ts';
import { attentionSlot, beginStep } from '../../orchestrator/kernel/lifecycle/step-draft.ts';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { findStepViolation } from '../../orchestrator/audit/verify-step.ts';
import { toRecordedEvent, RecordedEvent } from '../../orchestrator/kernel/effects/recorded-step.ts';
import type { Run } from '#run';
import { settleState } from '../../orchestrator/kernel/lifecycle/settle-state.ts';
import { isTerminal } from '#model/run';
import { trials } from '../support/core-shapes.ts';
import { live, move, moves, newWorld, offer, people, type Move, type World } from '../support/core-world.ts';
import { at, bounds, confirm, countOf, given, rings, validated, type Logged } from '../support/core.ts';

const everything = moves(
  ['claim', 'finish', 'finish', 'finish', 'timer', 'person', 'person', 'fact', 'late'],
  90,
);

const tight = bounds({ maxIterations: 2, maxReflections: 2, maxStepRetries: 1, autoIterate: true });
const starts = {
  'a new run': given(),
  'tight bounds': given({ bounds: tight }),
  'two strict approvers': given({
    bounds: bounds({ approvals: 2, requesterMayApprove: false, maxFailedOutside: 1 }),
  }),
  PUSHED: at('PUSHED'),
  pushing: at('LOCAL_VALIDATING').when(validated()),
  opening: at('PUSHED').when(confirm()),
  CI_WAIT: at('CI_WAIT', tight),
  ITERATING: at('ITERATING', tight),
};
const start = fc.constantFrom(...(Object.keys(starts) as (keyof typeof starts)[]));

/** A change of high risk is signed once, pushed, and opened. */
const BOTH: Move[] = [
  { what: 'finish', a: 0, b: 7 },
  { what: 'person', a: 37, b: 0 },
  { what: 'finish', a: 0, b: 66 },
  { what: 'person', a: 0, b: 0 },
  { what: 'finish', a: 0, b: 0 },
  { what: 'claim', a: 0, b: 0 },
];

/** Plays moves and looks at the world after each. */
const play = (from: keyof typeof starts, all: readonly Move[], look: (world: World) => void): World => {
  const world = newWorld(starts[from]);
  for (const m of all) {
    move(world, m);
    look(world);
  }
  return world;
};

const fold = (log: readonly Logged[]): Run | null =>
  log.reduce<Run | null>((run, { input, stamp }) => {
    const next = decideStep(run, input, stamp);
    if (next.kind !== 'moved') throw new Error(`${input.type} was ${next.kind} the second time`);
    return next.run;
  }, null);

/** Why the run will not be forgotten: work under way, a timer, or a card that rang. */
const waitsFor = (world: World): string[] => [
  ...live(world)
    .map((r) => r.effect.do.kind)
    .filter((k) => k !== 'poll' && k !== 'remove_workspace'),
  ...(world.run.gate.approval ? ['approval'] : []),
];

describe('every history', () => {
  it('S3: never throws, keeps one approval row for one card, and sends one message a slot', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        play(from, all, ({ run, open, last }) => {
          const slots = last?.kind === 'moved' ? last.effects.map((e) => e.do) : [];
          const named = slots.flatMap((e) => (e.kind === 'chat_message' && e.slot !== null ? [e.slot] : []));
          expect(new Set(named).size).toBe(named.length);
          expect([...open]).toEqual(run.gate.approval ? [run.gate.approval.id] : []);
          if (run.gate.approval) expect(run.gate.proposal?.digest).toBe(run.gate.approval.digest);
        });
      }),
      HISTORIES,
    );
  });

  it('C6: a call that was sent loses its buttons once the run goes on, and no other call is edited', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        const called = new Set(starts[from].run.lifecycle.epoch ? [attentionSlot(starts[from].run)] : []);
        play(from, all, ({ run, before, last }) => {
          if (last?.kind !== 'moved') return;
          const messages = last.effects.flatMap(({ do: work }) =>
            work.kind === 'chat_message' && work.content.view === 'attention' ? [work] : [],
          );
          const answered = messages.flatMap(({ slot, content }) =>
            content.view === 'attention' && content.answered ? [slot ?? ''] : [],
          );
          expect(answered.filter((slot) => !called.has(slot))).toEqual([]);
          const left = attentionSlot(before);
          const moved = run.lifecycle.epoch !== before.lifecycle.epoch;
          if (moved && before.lifecycle.state === 'NEEDS_HUMAN_REVIEW' && called.has(left))
            expect(answered).toContain(left);
          const reminded = [...called].filter((slot) => slot.startsWith(`${left}:`));
          if (moved && before.order.campaign === undefined)
            expect(reminded.filter((slot) => !answered.includes(slot))).toEqual([]);
          for (const { slot } of messages) if (slot !== null) called.add(slot);
        });
      }),
      HISTORIES,
    );
  });

  it('S3: the same events give the same state', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        const { run, log } = play(from, all, () => {});
        const stored = JSON.parse(JSON.stringify(log)) as Logged[];
        expect(fold(log)).toEqual(run);
        expect(fold(stored)).toEqual(JSON.parse(JSON.stringify(run)));
      }),
      HISTORIES,
    );
  });

  it('S9, L5: what is recorded of a step makes the next run again, and follows by the table and the approvals', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        let seen = 0;
        play(from, all, ({ run, before, last, log }) => {
          const logged = log.at(-1);
          if (last?.kind !== 'moved' || log.length === seen || !logged) return;
          seen = log.length;
          const stored = JSON.parse(
            JSON.stringify(toRecordedEvent(logged.input, logged.stamp, last)),
          ) as unknown;
          const step = RecordedEvent.parse(stored);
          const made = evolveRun(JSON.parse(JSON.stringify(before)) as Run, step.changes);
          expect(made).toEqual(JSON.parse(JSON.stringify(run)));
          expect(findStepViolation(before, step, evolveRun(before, step.changes))).toBe(null);
        });
      }),
      HISTORIES,
    );
  });

  it('S6: every live run has work, a timer or a card outstanding, and whoever must decide was rung for', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        play(from, all, (world) => {
          const { run, before, last } = world;
          if (isTerminal(run.lifecycle.state)) return;
          expect(waitsFor(world), `${run.lifecycle.state}: ${run.lifecycle.reason.kind}`).not.toEqual([]);
          const asked =
            last?.kind === 'moved' &&
            run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' &&
            run.lifecycle.epoch !== before.lifecycle.epoch;
          const { foreignHead: foreign, beforeForeign } = run.change;
          // A foreign head is read first: it may be the base alone, which is nobody's to decide.
          const isUnread = run.lifecycle.reason.kind === 'foreign_head';
          if (asked) expect(rings(last.effects)).toBe(isUnread ? 0 : 1);
          if (isUnread && foreign?.head && run.lifecycle.state === 'NEEDS_HUMAN_REVIEW')
            expect(beforeForeign).toMatchObject({ epoch: run.lifecycle.epoch, called: true });
        });
      }),
      HISTORIES,
    );
  });

  it('G1: no pull request is asked for but by consuming an approval of exactly that proposal, once', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        const used = new Set<string>();
        play(from, all, ({ before, last }) => {
          if (last?.kind !== 'moved') return;
          last.effects.forEach(({ do: work }, i) => {
            if (work.kind !== 'open_pr') return;
            // One signature for the push and the opening after it passes on from the one to the other.
            const passed = before.gate.approval ? null : before.gate.consumedApproval;
            const signed = passed
              ? { approvalId: passed.id, digest: passed.digest }
              : { approvalId: before.gate.approval?.id, digest: before.gate.proposal?.digest };
            expect(work).toEqual({ kind: 'open_pr', ...signed });
            expect(last.approvals).toContainEqual(
              expect.objectContaining({
                op: passed ? 'pass_on' : 'consume',
                id: work.approvalId,
                digest: work.digest,
                effectIndex: i,
              }),
            );
            expect(used.has(work.approvalId)).toBe(false);
            used.add(work.approvalId);
          });
        });
      }),
      { ...HISTORIES, examples: [['pushing', BOTH]] },
    );
  });

  it('G6: with a pull request, nothing is pushed without an approval unless that is allowed', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        play(from, all, ({ run, before, last }) => {
          if (last?.kind !== 'moved') return;
          for (const { do: work } of last.effects) {
            if (work.kind !== 'push') continue;
            expect(work.commitSha).toBe(run.change.commit?.sha);
            expect(run.change.evaluation).toMatchObject({ commitSha: work.commitSha, passed: true });
            if (work.approvalId !== null) expect(work.approvalId).toBe(before.gate.approval?.id);
            else if (work.commitSha !== before.change.pushedHead?.sha) {
              expect(run.change.evaluation?.assessment.decision).toBe('allow');
              expect(run.change.evaluation?.assessment.risk).not.toBe('high');
              if (run.upstream.pullRequest) expect(run.order.bounds.autoIterate).toBe(true);
            }
          }
        });
      }),
      HISTORIES,
    );
  });

  it('S7: no count goes beyond its bound', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        play(
          from,
          all,
          ({
            run: {
              lifecycle: { counts },
              order,
            },
          }) => {
            const b = order.bounds;
            expect(counts.iterations).toBeLessThanOrEqual(b.maxIterations);
            expect(counts.reflections).toBeLessThanOrEqual(b.maxReflections);
            expect(counts.retries).toBeLessThanOrEqual(b.maxStepRetries);
            expect(counts.outsideFailures).toBeLessThanOrEqual(b.maxFailedOutside);
          },
        );
      }),
      HISTORIES,
    );
  });

  it('S7: without people, the agent’s work is bounded however long the world turns', () => {
    const alone = moves(['finish', 'finish', 'timer', 'fact'], 300);
    fc.assert(
      fc.property(alone, (all) => {
        const world = newWorld(given({ bounds: tight }));
        let implement = 0;
        let checks = 0;
        for (const m of all) {
          move(world, m);
          const effects = world.last?.kind === 'moved' ? world.last.effects : [];
          implement += countOf(effects, 'implement');
          checks += countOf(effects, 'check');
          if (world.run.gate.approval) offer(world, confirmAny(world.run), null);
        }
        const stays = (1 + tight.maxIterations) * (1 + tight.maxReflections);
        expect(implement).toBeLessThanOrEqual(stays * (1 + tight.maxStepRetries));
        expect(checks).toBeLessThanOrEqual(stays * (1 + tight.maxStepRetries) * 2);
      }),
      { numRuns: 150 },
    );
  });

  it('S1: what has ended refuses every command and stays', () => {
    fc.assert(
      fc.property(start, everything, fc.nat(), (from, all, n) => {
        const world = play(from, all, () => {});
        if (!isTerminal(world.run.lifecycle.state))
          offer(world, { type: 'command.cancel', by: { id: '1', name: 'Ana' }, reason: '' }, null);
        const {
          lifecycle: { state, reason },
        } = world.run;
        expect(isTerminal(state)).toBe(true);
        for (const act of [...people, ...trials(world.run)]) {
          const { input, epoch = n } = act(world.run);
          offer(world, input, epoch);
          if (input.type.startsWith('command.')) expect(world.last?.kind).toBe('refused');
          expect(world.run).toMatchObject({ lifecycle: { state, reason } });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('S2: whatever state is entered is settled: settling again changes nothing', () => {
    fc.assert(
      fc.property(start, everything, (from, all) => {
        play(from, all, ({ run, before, now }) => {
          if (run.lifecycle.epoch === before.lifecycle.epoch) return;
          const d = beginStep(run, { at: now, nonce: 'n', effectEpoch: null });
          settleState(d);
          expect(d.run.lifecycle.state).toBe(run.lifecycle.state);
        });
      }),
      HISTORIES,
    );
  });

  it('S3: never throws on any input with any epoch, however little it fits', () => {
    const noise = fc.array(fc.record({ which: fc.nat(10_000), epoch: fc.integer({ min: -3, max: 0 }) }), {
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(start, noise, (from, all) => {
        const world = newWorld(starts[from]);
        for (const { which, epoch } of all) {
          const acts = trials(world.run).filter((a) => a(world.run).input.type !== 'command.cancel');
          const offered = acts[which % acts.length]?.(world.run);
          if (offered)
            offer(
              world,
              offered.input,
              epoch === -3 ? world.run.lifecycle.pausedEpoch : world.run.lifecycle.epoch + epoch,
            );
          expect([...world.open]).toEqual(world.run.gate.approval ? [world.run.gate.approval.id] : []);
        }
      }),
      HISTORIES,
    );
  });

  it('S8: nothing ever asks for a merge', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(start, everything, (from, all) => {
        play(from, all, ({ last }) => {
          if (last?.kind === 'moved') for (const { do: work } of last.effects) kinds.add(work.kind);
        });
      }),
      { numRuns: 200 },
    );
    expect([...kinds].filter((k) => k.includes('merge') && k !== 'update_from_base')).toEqual([]);
    expect(kinds).toContain('open_pr');
  });
});

const confirmAny = (run: Run): Parameters<typeof offer>[1] => ({
  type: run.gate.approval?.kind === 'push' ? 'command.push.approve' : 'command.pr.approve',
  by: { id: '1', name: 'Ana' },
  approvalId: run.gate.approval?.id ?? '',
  digest: run.gate.approval?.digest ?? '',
});
