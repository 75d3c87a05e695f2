/**
 * C4: commands that are offered as buttons, and those that are carried out at once: what only shows
 * something of one run.
 */
import type { Choice } from '../../orchestrator/core/machine/effects.ts';
import { lacksPrice } from '../../orchestrator/core/machine/budget.ts';
import { label, type Run } from '../../orchestrator/core/machine/run.ts';
import { targets } from '../../orchestrator/core/machine/table.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { LONGEST } from '../../orchestrator/commands/problems.ts';
import { commandOf, neededFor, readKept, rowOf, unsaid } from '../../orchestrator/commands/read.ts';
import type { CommandName, CommandOf, SteeringName } from '../../orchestrator/commands/rows.ts';
import type { ChangeIntent, LookIntent } from '../phrases/phrases.ts';
import type { Proposed } from '../views/proposal.ts';
import { doing } from '../views/scene.ts';
import { isBusy, plain, putOff, refuse, settle, showing, type Context } from './context.ts';
import { perform } from './handlers.ts';

/** More runs than this are no choice for a thumb. */
export const MOST_CHOICES = 4;

export const propose = async (c: Context, choices: Choice[]): Promise<void> => {
  const roles = choices.map(({ command: name, parameters: told }) => neededFor(name as CommandName, told));
  const [needed] = roles;
  // guard: C4-answer-role
  if (needed !== undefined && !roles.some((role) => atLeast(c.role, role)))
    return refuse(c, 'role', plain(c.words.roles.needs(needed)));
  const runs = new Set(
    choices.flatMap(({ targets: on }) => on.flatMap(({ run, epoch }) => (epoch === null ? [] : [run]))),
  );
  const [only = null] = runs.size === 1 ? runs : [];
  return settle(c, 'a proposal', showing({ view: 'command_choice', choices }, only));
};

const on = ({ id, lifecycle: { epoch }, gate: { approval } }: Run): Choice['targets'][number] => ({
  run: id,
  epoch,
  approval: approval?.id ?? null,
});
export const choice = (name: Proposed, told: Record<string, unknown>, runs: readonly Run[]): Choice => ({
  command: name,
  parameters: told,
  targets: runs.map(on),
});

/** Whether the machine takes it now. */
export const takes = (run: Run, name: CommandName): boolean => {
  if (name === 'deny' || name === 'changes' || name === 'approve') return run.gate.approval !== null;
  if (name === 'retry')
    return ['NEEDS_HUMAN_REVIEW', 'FAILED_RETRYABLE'].includes(run.lifecycle.state) && !lacksPrice(run);
  const { offers } = rowOf(name);
  return offers.length === 0 || offers.some((input) => targets(run.lifecycle.state, input).size > 0);
};

/** Several runs are meant by "all", or one of several is. */
export const change = async (
  c: Context,
  name: ChangeIntent,
  asked: readonly Run[],
  fit: readonly Run[],
  all: boolean,
  words: string | null,
): Promise<void> => {
  const [one] = asked;
  if (fit.length === 0 && one && asked.length === 1)
    return settle(c, 'not now', plain(c.words.replies.notNow(label(one), doing(one, c.words)), one.id));
  if (fit.length === 0) return settle(c, 'nothing to do', plain(c.words.replies.noneFits));
  const told = toldOf(name, words);
  if (all || fit.length === 1) return propose(c, [choice(name, told, fit)]);
  if (fit.length > MOST_CHOICES) return refuse(c, 'which one', plain(c.words.replies.whichOne));
  return propose(
    c,
    fit.map((run) => choice(name, told, [run])),
  );
};

/** What a command is told besides its run. */
export const toldOf = (name: CommandName, words: string | null): Record<string, unknown> => {
  const told: Record<string, unknown> = { ...unsaid(name as SteeringName) };
  for (const key of ['reason', 'advice'] as const)
    if (key in told && words !== null) told[key] = words.slice(0, LONGEST[key]);
  return told;
};

/** Of one run, or a choice of them. */
export const look = async (
  c: Context,
  name: Extract<LookIntent, 'detail' | 'diff' | 'log' | 'plan' | 'budget'>,
  runs: readonly Run[],
  messageId: string,
): Promise<void> => {
  const [run, ...others] = runs;
  if (!run) return settle(c, 'nothing to do', plain(c.words.replies.noneFits));
  if (others.length === 0) {
    const given = readKept(name, toldOf(name, null));
    return given ? show(c, commandOf(given, run.id), messageId) : settle(c, 'free text');
  }
  if (runs.length > MOST_CHOICES) return refuse(c, 'which one', plain(c.words.replies.whichOne));
  return propose(
    c,
    runs.map((one) => choice(name, toldOf(name, null), [one])),
  );
};

/** Takes the same way as typed commands. */
export const show = async (c: Context, given: CommandOf<CommandName>, messageId: string): Promise<void> => {
  const needed = neededFor(given.kind, given);
  // guard: C4-shown-role
  if (!atLeast(c.role, needed)) return refuse(c, 'role', plain(c.words.roles.needs(needed)));
  if (await isBusy(c, rowOf(given.kind).dear)) return putOff(c);
  return perform(c, given, messageId);
};
