/** English: why a run stands where it stands, and what its budgets are. Plain text: whoever shows it escapes it. */
import type { Budget } from '../../orchestrator/core/budget.ts';
import { AGAIN, FAILURE_CLASSES, sentence, type FailureClass } from '../../orchestrator/core/failures.ts';

const names: Record<Budget, string> = {
  time: 'agent and check time',
  tokens: 'tokens',
  cost: 'cost',
  output: 'output of agents and checks',
  iterations: 'fixes after the pull request',
  fixes: 'fixes of one step',
};

/** In what people count in. */
const amounts: Record<Budget, (n: number) => string> = {
  time: (n) => `${Math.round(n * 10) / 10} min`,
  tokens: (n) => n.toLocaleString('en'),
  cost: (n) => `$${n.toFixed(2)}`,
  output: (n) => `${n} MB`,
  iterations: String,
  fixes: String,
};

const counted = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`);

export const why = {
  /** What happened and what to do. */
  // What is said of the run’s own budgets is below; this is for the limits of one process.
  failures: {
    ...(Object.fromEntries(FAILURE_CLASSES.map((c) => [c, sentence(c).replace(AGAIN, '')])) as Record<
      FailureClass,
      string
    >),
    budget_exceeded: 'The step went past a limit of its own. Look at which, then retry.',
  },
  again: 'We try again by ourselves.',
  tried: (n: number) => `It was tried ${n === 1 ? 'once' : `${n} times`}.`,
  until: (time: string) => `Next try: ${time}.`,
  exceeded: (name: string, used: string, limit: string) =>
    `The budget is used up: ${name}, ${used} of ${limit}. An approver may raise it, or cancel the run.`,
  ended: {
    cancelled: (by: string) => `Cancelled by ${by}.`,
    denied: (by: string) => `Denied by ${by}.`,
  },
  stays: (pull: number) => `Pull request #${pull} stays open.`,
  closed: (by: string | null) => `The pull request was closed without a merge by ${by ?? 'a maintainer'}.`,
  foreign: (from: string, to: string) =>
    `Somebody else pushed to our branch: it was at ${from}, and is at ${to} now. Approvals are void.`,
  taken: (by: string, author: string, sha: string) =>
    `${by} took ${sha} by ${author}; the run goes on from it.`,
  update: (by: string, ref: string) => `${by} asked for an update from ${ref}.`,
  level: (ref: string, sha: string) => `${ref} has nothing new (${sha}).`,
  merging: (ref: string, sha: string, commits: number) =>
    `Merges ${ref} ${sha}: ${commits === 1 ? '1 commit' : `${commits} commits`}.`,
  conflicts: (paths: string) => `The agent resolves conflicts in ${paths}.`,
  slot: (taken: number, of: number) => `Waits for a free slot: ${taken} of ${of} runs are at work.`,
  day: (taken: number, of: number) =>
    `Waits for a free slot: ${taken} of ${of} runs of 24 hours were started.`,
  nextPlace: (time: string) => `The next place is free at ${time}.`,
  /** A provider is waited for, or the code host, and it takes long. */
  waiting: {
    since: (time: string) => `Waiting for the model provider since ${time}. The run goes on by itself.`,
    host: (time: string) => `Waiting for the code host since ${time}. The run goes on by itself.`,
    check: 'If its service or its address has changed, change the settings on the host, then /retry.',
  },
  /** Edits of an agent that did not stay. */
  undone: {
    title: 'EDITS UNDONE',
    guard: 'This round may not change files, so the agent’s edits were put back.',
    plan: 'This step may not change the plan, so its edit of the plan was put back.',
    disk: 'The agent filled the disk. Its uncommitted edits were removed to make room.',
    missing: 'The run’s workspace was gone. The agent starts again from the last commit.',
    moved: 'The files were brought to another commit, so these edits, which were in no commit yet, are gone.',
    anew: 'The repository was read again, so these earlier edits are not in the workspace any more.',
    more: (n: number) => `… and ${counted(n, 'more file', 'more files')}`,
    told: 'The agent is told.',
  },
};

export const budgets = {
  names,
  amounts,
  title: 'Used so far',
  line: (name: string, used: string, limit: string, left: string) =>
    `${name}: ${used} of ${limit}, ${left} left`,
  open: (name: string, used: string) => `${name}: ${used}, no limit`,
  split: (input: number, output: number) => `${input} tokens read, ${output} written`,
  raiseWith: (form: string) => `Raise one with ${form}`,
  wider: (name: string) => `Only an approver gives a run more than usual (${name}).`,
  near: (name: string, share: number) => `${share} % of the budget is used: ${name}`,
  raise: (amount: string) => `Raise to ${amount}`,
  raised: (label: string, name: string, limit: string) => `Recorded: ${label} may use ${limit} (${name}).`,
};
