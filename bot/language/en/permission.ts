/** English texts for agents' permission questions. */
import { countWords } from '../../../orchestrator/model/text-format.ts';

export const enPermission = {
  title: 'PERMISSION',
  asks: {
    command: 'The agent asks to run this, once:',
    tool: (tool: string) => `The agent asks to use its tool “${tool}”, once, with this:`,
  },
  asksEach: {
    command: (n: number) => `${n} agents ask to run this, once each:`,
    tool: (n: number, tool: string) => `${n} agents ask to use their tool “${tool}”, once each, with this:`,
  },
  allowEach: (n: number) => `Allow once in each (${n})`,
  denyEach: (n: number) => `Deny in each (${n})`,
  answeredEach: (n: number, left: number) =>
    left === 0
      ? `Recorded in ${countWords(n, 'run', 'runs')}.`
      : `Recorded in ${countWords(n, 'run', 'runs')}; ${left} no longer asked.`,
  why: 'Why you are asked',
  alternatives: (proposer: string, tool: string | null, risk: string) =>
    `${proposer} proposes${tool === null ? '' : ` (${tool})`} in its place, risk ${risk}; it is weighed again after a no:`,
  nobodySaid: 'no policy allows or forbids it',
  waits: 'Nothing runs and nothing is spent until you answer. No answer is a no.',
  tooLong: 'It is longer than a card can show, so it cannot be allowed here.',
  allow: 'Allow once',
  /** Valid for the rest of the run; `sort` is a program and its sub-command. */
  allowSort: (sort: string) => `Allow “${sort} …” in this run`,
  sortMeans: (sort: string) =>
    `“${sort} …” means every command with these words and options, nothing but plain names after them and no other objection, until this run ends or somebody revokes it.`,
  allowedSort: (sort: string) => `Recorded: “${sort} …” is allowed in this run. /revoke takes it back.`,
  stands: (sort: string, by: string) => `Allowed in this run: “${sort} …” (${by})`,
  revoke: 'Ask me again',
  deny: 'Deny',
  denyWords: 'Deny with words',
  edit: 'Edit',
  allowed: 'Recorded: allowed, once.',
  denied: 'Recorded: denied. The agent is told.',
  ask: 'What should the agent know, or do instead? Reply to this message.',
  askEdit: 'Which command should run in its place, once? Reply to this message with the whole command.',
  edited: 'Recorded: allowed, once, as you changed it:',
  editDenied: 'Policies do not allow that command. The question is still open.',
  editLong: (most: number) =>
    `Nobody could read all of that: at most ${most} characters, please. The question is still open.`,
  over: 'This question is over: nothing was done.',
};
