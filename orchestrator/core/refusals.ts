/** What a command is answered where it is not allowed: how the run stands, that it cannot be done, and what can be done instead. */
import type { Input } from './inputs.ts';
import { isForeign } from './foreign.ts';
import type { Run } from './run.ts';
import { isTerminal } from './states.ts';

const VERBS = {
  'command.start.discovery': 'started',
  'command.start.implementation': 'started on its implementation',
  'command.local.validation.passed': 'passed on to validation',
  'command.push.approve': 'approved for a push',
  'command.pr.create': 'approved for a pull request',
  'command.deny': 'denied',
  'command.modify': 'given other words',
  'command.iterate': 'sent back for a fix',
  'command.ci.rerun': 'checked again',
  'command.update.base': 'updated from its base',
  'command.take.head': 'gone on from their commit',
  'command.retry': 'retried',
  'command.resume': 'resumed',
  'command.pause': 'paused',
  'command.skip': 'skipped',
  'command.cancel': 'cancelled',
  'command.mark.done': 'marked as done',
  'command.budget.raise': 'given more',
} as const;
type Command = keyof typeof VERBS;
const isCommand = (type: string): type is Command => Object.hasOwn(VERBS, type);

/** A command that is blank in the table for the state of the run. */
export const blank = (run: Run, { type }: Pick<Input, 'type'>): string => {
  const verb = isCommand(type) ? VERBS[type] : type;
  const says = isTerminal(run.state)
    ? `Run ${run.id} has ended (${run.state}); it cannot be ${verb}.`
    : `Run ${run.id} is ${run.state}; from there it cannot be ${verb}.`;
  const hint = isCommand(type) ? instead(run, type) : '';
  return hint === '' ? says : `${says} ${hint}`;
};

/** A decision about a card that is not there. */
export const noCard = (run: Run): string => {
  const { id, consumed, epoch } = run;
  if (consumed?.epoch === epoch) return `${consumed.by} approved it already; it is under way.`;
  return [`Run ${id} has no card that waits for a decision.`, instead(run, 'command.deny')].join(' ').trim();
};

/** Said when words are given together with a state in which nobody would read them. */
export const NO_READER =
  'No agent works in that state, so nobody would read your words. Leave out the state, or the words.';

export const NOTHING_TO_UPDATE = 'There is no change yet that could be updated.';
export const UNDER_WAY = 'Something is under way already; ask again when it is done.';
export const NOT_THEIRS = 'The branch holds nothing that somebody else pushed.';
export const HEAD_MOVED = 'The branch has moved again; look at what it holds now before you take it.';

/** Somebody else's commit is on the branch: nothing else is possible before a person decides about it. */
export const theirsFirst = ({ id }: Run): string => `${THEIRS} /take ${id} goes on with it.`;
export const THEIRS = 'Somebody else’s commit is on the branch.';

/** Of a pull request that could not be merged. */
export const CONFLICTS = 'The change conflicts with its base branch.';

const ANEW = 'Order it anew with /new.';

/** How a run that stands still goes on; empty for one that does not. */
const onward = (run: Run): string => {
  const { id, state } = run;
  if (state === 'PAUSED') return `/resume ${id} goes on with it.`;
  if (isForeign(run)) return `/take ${id} goes on with it.`;
  if (state === 'NEEDS_HUMAN_REVIEW') return `/retry ${id} goes on with it.`;
  if (state === 'FAILED_RETRYABLE') return `It tries again by itself; /retry ${id} does it at once.`;
  return '';
};

/** What a person may do in place of a command that the run does not take; empty when nothing comes close. */
const instead = (run: Run, command: Command): string => {
  const { id, state, pr } = run;
  const ended = isTerminal(state);
  const stands = onward(run);
  switch (command) {
    case 'command.push.approve':
    case 'command.pr.create':
    case 'command.deny':
    case 'command.modify':
      if (ended || stands !== '') return stands;
      if (run.approval) return 'Its card asks for a push: decide about that first.';
      return pr && state !== 'ITERATING'
        ? `Its pull request is open; /fix ${id} asks for changes in it.`
        : 'A card comes when there is something to decide.';
    case 'command.iterate':
      if (ended) return ANEW;
      if (stands !== '') return pr ? `${stands} Then ask again.` : stands;
      return pr
        ? 'A fix is made already; ask again when it is pushed.'
        : 'It has no pull request yet; its card can be denied with what to do.';
    case 'command.retry':
      if (ended) return ANEW;
      return stands || 'Nothing in it has failed.';
    case 'command.resume':
      if (ended) return ANEW;
      return stands || 'It is not paused.';
    case 'command.pause':
      if (ended) return '';
      if (state === 'PAUSED') return stands;
      if (state === 'FAILED_RETRYABLE') return `It tries again by itself; /cancel ${id} ends it.`;
      return `It stands still already: /retry ${id} goes on, /cancel ${id} ends it.`;
    case 'command.skip':
      return ended ? '' : `/cancel ${id} ends it.`;
    case 'command.mark.done':
      if (ended) return '';
      return stands === '' ? `/cancel ${id} ends it.` : `${stands} /cancel ${id} ends it.`;
    case 'command.update.base':
      if (ended) return ANEW;
      return stands || (run.commit ? UNDER_WAY : NOTHING_TO_UPDATE);
    case 'command.take.head':
      return ended ? '' : NOT_THEIRS;
    case 'command.start.discovery':
    case 'command.start.implementation':
    case 'command.local.validation.passed':
    case 'command.ci.rerun':
    case 'command.cancel':
    case 'command.budget.raise':
      return ended ? '' : stands;
  }
};
