/** English texts for failures, budgets and warnings. Plain text, not escaped. */
import type { OrderExpectation, SpendingRange } from '../../../orchestrator/model/spending-range.ts';
import { MINUTE } from '../../../orchestrator/model/units.ts';
import type { BudgetKind } from '../../../orchestrator/model/run-bounds.ts';
import type { CostCaution } from '../../../orchestrator/model/cost-caution.ts';
import type { FailureClass } from '../../../orchestrator/model/failure-classes.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import { enSentences } from './sentences.ts';

/** `budget_exceeded` is about one process; a run's budgets have their own sentences. */
export const enFailures: Record<FailureClass, string> = {
  agent_missing: 'The agent program was not found. Run `agentpr doctor`, install it, then retry.',
  auth_missing:
    'A sign-in is missing or was refused. `agentpr doctor` on the host says which. Sign in again, then retry.',
  rate_limited: 'The model provider asked us to wait.',
  quota_exhausted: 'The model account has no quota left. Top it up, then retry.',
  context_exceeded: 'The task was too large for the model. Make the goal smaller, then retry.',
  model_unavailable: 'The model did not answer.',
  sandbox_denied: 'The sandbox refused what the agent needs. Look at the log, then retry.',
  permission_denied: 'Permission was denied. The log says for what. Fix it, then retry.',
  env_missing: 'The machine lacks something the repository needs. Install it, then retry.',
  registry_unavailable:
    'A package registry did not answer, or not as it should. Nothing is wrong with the change: it is tried again; if that does not help, look at the network, the proxy and the status page of that registry, then retry.',
  registry_refused:
    'A package registry, or the proxy on the way to it, refuses us, or its certificate is not trusted here. Nothing is wrong with the change: check the credential, the proxy and the certificates of this machine, then retry.',
  install_failed:
    'An installation failed that works on the base branch, and the change does not touch what it reads. Look at the log, then retry.',
  session_lost: 'The agent lost its conversation; the next try starts a new one.',
  bad_config: 'The agent refused how it was started. The log says why. Fix its settings, then retry.',
  invalid_output: 'The agent ended without a valid report. Retry, or use another engine.',
  crashed: 'The step ended unexpectedly.',
  timed_out: 'The step ran out of time and was stopped.',
  cancelled: 'The step was stopped on request.',
  interrupted: 'The step was cut off by a restart.',
  budget_exceeded: 'The step went past a limit of its own. Look at which, then retry.',
  price_unknown:
    'The cost of the run is limited, and nobody has told what its model costs. Name its price, take the limit away, or use another model.',
  no_changes: 'The agent changed nothing. Say more about the goal, then retry.',
  checks_failed: 'The checks of the repository fail. Look at the log, then retry.',
  push_rejected: 'The code host refused the push. Look at the reason, then retry.',
  policy_denied: 'A policy forbids this change. `/detail` says which one.',
  repository_missing: 'The repository was not found, or our credential may not read it.',
  repository_archived:
    'The repository was archived. Its owner can open it again; then retry, or cancel the run.',
  not_allowed:
    'The repository takes no push, fork or pull request of ours. Ask its owner, then retry, or cancel the run.',
  revert_impossible: 'The pull request cannot be reverted here.',
  base_missing: 'The repository has no such base branch. Make a new run with `base=` and one that exists.',
  repository_empty: 'The repository has no commit yet. Push a first one, then make a new run.',
  unsafe_workspace: 'What the agent left behind cannot be committed safely. Look at the findings.',
  bad_repository_file:
    'The repository’s `.agentpr.json` cannot be read. Fix it on its base branch, then retry.',
  repository_unreadable:
    'The repository could not be read within our limits, and is not read again by itself. Look at the file, then retry, or cancel the run.',
  moved_refused:
    'What another worker kept of this run is not what it kept, so nothing of it is used, and each retry ends the same. Cancel the run and order it anew.',
  bucket_unavailable:
    'The bucket with what the run needs to go on here could not be used. `agentpr doctor` on the host says why.',
  disk_full: 'The disk is full. Free some space, then retry.',
  seal_moved: 'What you approved is no longer what would be published, so nothing was opened.',
  readback_mismatch: 'What the code host shows is not what was approved. Look at it before going on.',
  forge_unavailable: 'The code host did not answer.',
  forge_refused: 'The code host refused the request. Look at the reason, then retry.',
  pull_limit: 'The repository takes no more open pull requests of ours for now.',
  account_suspended:
    'The code host has suspended us. Its support, or whoever suspended our App, can lift that.',
  certificate_untrusted:
    'A certificate is not trusted by this machine. Name your company’s authority in NODE_EXTRA_CA_CERTS, then retry.',
  proxy_refused: 'The proxy of this network refused us. Look at HTTPS_PROXY and NO_PROXY, then retry.',
};

const names: Record<BudgetKind, string> = {
  time: 'agent and check time',
  tokens: 'tokens',
  cost: 'cost',
  output: 'output of agents and checks',
  iterations: 'fixes after the pull request',
  fixes: 'fixes of one step',
};

const amounts: Record<BudgetKind, (n: number) => string> = {
  time: (n) => `${Math.round(n * 10) / 10} min`,
  tokens: (n) => n.toLocaleString('en'),
  cost: (n) => `$${n.toFixed(2)}`,
  output: (n) => `${n} MB`,
  iterations: String,
  fixes: String,
};

export const enWhy = {
  failures: enFailures,
  stops: enSentences.stops,
  until: (time: string) => `Next try: ${time}.`,
  waiting: {
    since: (time: string) => `Waiting for the model provider since ${time}. The run goes on by itself.`,
    host: (time: string) => `Waiting for the code host since ${time}. The run goes on by itself.`,
    others: (n: number) => `${countWords(n, 'other run waits', 'other runs wait')} for the same.`,
    check: 'If its service or its address has changed, change the settings on the host, then /retry.',
  },
  undone: {
    title: 'EDITS UNDONE',
    guard: 'This round may not change files, so the agent’s edits were put back.',
    plan: 'This step may not change the plan, so its edit of the plan was put back.',
    disk: 'The agent filled the disk. Its uncommitted edits were removed to make room.',
    missing: 'The run’s workspace was gone. The agent starts again from the last commit.',
    moved: 'The workspace moved to another commit, and these edits, which were not committed yet, are gone.',
    anew: 'The repository was read again, so these earlier edits are no longer in the workspace.',
    more: (n: number) => `… and ${countWords(n, 'more file', 'more files')}`,
    told: 'The agent is told.',
  },
};

const between = (low: string, high: string): string => (low === high ? low : `${low}–${high}`);
export const minuteRange = ({ low, high }: SpendingRange): string => {
  const text = (ms: number): string => (ms < MINUTE ? '<1' : String(Math.round(ms / MINUTE)));
  return between(text(low), text(high));
};
export const dollarRange = ({ low, high }: SpendingRange): string => {
  const text = (usd: number): string => (usd < 0.01 ? '<0.01' : usd.toFixed(2));
  return `$${between(text(low), text(high))}`;
};

export const enBudgets = {
  names,
  amounts,
  title: 'Used so far',
  line: (name: string, used: string, limit: string, left: string) =>
    `${name}: ${used} of ${limit}, ${left} left`,
  untold: 'not known (nobody has told what the model costs)',
  open: (name: string, used: string) => `${name}: ${used}, no limit`,
  split: (input: number, output: number) => `${input} tokens read, ${output} written`,
  raiseWith: (form: string) => `Raise one with ${form}`,
  wider: (name: string) => `Only an approver can give a run more than usual (${name}).`,
  near: (name: string, share: number) => `${share}% of the budget is used: ${name}`,
  raise: (amount: string) => `Raise to ${amount}`,
  expected: ({ runs, ms, costUsd, limitMs, limitUsd }: OrderExpectation): string =>
    [
      `${runs} runs like this: ${costUsd ? `${dollarRange(costUsd)}, ` : ''}${minuteRange(ms)} min.`,
      `Limit: ${limitUsd === null ? '' : `${amounts.cost(limitUsd)}, `}${amounts.time(limitMs / MINUTE)}.`,
    ].join(' '),
  raised: (label: string, name: string, limit: string) => `Recorded: ${label} may use ${limit} (${name}).`,
  lift: 'Without a cost limit',
  lifted: (label: string, name: string) => `Recorded: ${label} has no limit of that kind any more (${name}).`,
  caution: (found: CostCaution, limit: string): string =>
    found.kind === 'no_price'
      ? `⚠ The cost is limited to ${limit}, and nobody has told what ${found.model} costs. Unless its provider lists a price, ${found.engine} will stop at its first request. Name its price in "gateway.prices" of agentpr.config.json, order it with another model or engine, or take the limit away: /budget <run> cost none.`
      : `⚠ The cost is limited to ${limit}, but ${found.engine}, signed in as it is, never tells what it costs: the limit stops nothing. Limit its tokens (budget=tokens:2m), or give it a key.`,
  pricesOf: (date: string) =>
    `Cost goes by the list prices of ${date}; prices of your own (gateway.prices) come first.`,
};
