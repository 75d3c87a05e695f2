/** Inputs of people, effects, the code host and timers for a run; some depend on its state. */
import type { AlternativeProposals } from '../../orchestrator/kernel/run/alternative-proposals.ts';
import { permissionsOf, permissionQuestionOf, type Run } from '#run';
import { findOpenQuestion } from '../../orchestrator/kernel/run/run.ts';
import type { QuestionOutcome } from '#model/agent';
import type { Input, InputOf } from '#inputs';
import type { CommandGroup } from '#model/environment';
import type { Baseline, CheckResult } from '#model/evidence';
import { NO_USAGE } from '#model/reports';
import type { Assessment, PlanEscalation } from '#model/assessment';
import type { ForeignHead } from '#model/change';
import type { BudgetKind } from '#model/limits';
import type { FailureClass, AccessLost, PollFailure } from '#model/failure';
import type { Order } from '#model/order';
import type { PullSetupRefusal } from '#model/opening';
import type { PullShown } from '#model/pull';
import type { AgentPlan } from '#model/feedback';
import type { Proposal, SealFields } from '#model/seal';
import type { PersonalRequirement } from '../../model/requirements/contributor-requirements.ts';
import type { RemarkChoice } from '../../model/review/review-threads.ts';
import type { AnswerOutcome, ReviewRemark } from '#model/review';
import type { RunState } from '#model/run';
import { toCheckRequirement, type CheckFact } from '#model/ci';
import { commandGroupOf } from '../../governor/command-group.ts';
import { redNames } from '#kernel';
import { BRANCH, ana, assessment, commit, contract, order, proposal, sha } from './core-samples.ts';

export type Act = (run: Run) => Offer;
/** `epoch` is the effect's (default: the run's); `wait` is time before the input (ms). */
export type Offer = { input: Input; epoch?: number | null; wait?: number };

export const act =
  <T extends Input>(make: T | ((run: Run) => T)): Act =>
  (run) => ({ input: typeof make === 'function' ? make(run) : make });

export const ofEpoch =
  (epoch: number, inner: Act): Act =>
  (run) => ({ ...inner(run), epoch });
export const later =
  (ms: number, inner: Act): Act =>
  (run) => ({ ...inner(run), wait: ms });

export const created = (change: Partial<Order> = {}): Input => ({
  type: 'command.run.create',
  runId: 'r1',
  order: order(change),
});

export const startDiscovery = act({ type: 'command.discovery.start' });
export const startWork = (by: typeof ana | null = null): Act =>
  act({ type: 'command.implementation.start', by });
export const sendToChecks = act({ type: 'command.validation.accept', by: ana });
type Decision = { by?: { id: string | null; name: string }; id?: string; digest?: string };
const decision =
  (type: 'command.pr.approve' | 'command.push.approve' | 'command.reply.approve') =>
  ({ by = ana, id, digest }: Decision = {}): Act =>
    act((run) => ({
      type,
      by,
      approvalId: id ?? run.gate.approval?.id ?? 'none',
      digest: digest ?? run.gate.approval?.digest ?? 'none',
    }));
export const confirm = decision('command.pr.approve');
export const approvePush = decision('command.push.approve');
export const approveReply = decision('command.reply.approve');
export const openNow: Act = act({ type: 'command.pr.open_now', by: ana });
export const deny = (reason = '', final = false, approvalId: string | null = null): Act =>
  act({ type: 'command.deny', by: ana, reason, final, approvalId });
export const askChanges = (reason = 'Smaller.'): Act =>
  act({ type: 'command.deny', by: ana, reason, final: false, approvalId: null, retryNow: true });
export const iterate = (instruction = 'Please rename it.'): Act =>
  act({ type: 'command.iterate', by: ana, instruction });
export const updateBase = act({ type: 'command.base.update', by: ana });
export const baseMerged = (kind: 'level' | 'merged' | 'conflicts', letter = 'm', base = 'n'): Act =>
  act((run) => {
    const told = { type: 'worker.base.merged', ref: 'main', sha: sha(base) } as const;
    if (kind === 'level') return { ...told, commits: 0, result: { kind } };
    if (kind === 'conflicts')
      return {
        ...told,
        commits: 2,
        result: {
          kind,
          workspaceSha: sha('l'),
          conflicts: ['src/a.ts'],
          says: 'CONFLICT (content): src/a.ts',
        },
      };
    const made = { ...commit(letter), base: sha(base), message: `Merge into ${run.id}` };
    return { ...told, commits: 2, result: { kind, commit: made, workspaceSha: made.sha, conflicts: [] } };
  });
export const resolved = (letter = 'm', base = 'n'): Act =>
  act((run) => {
    const done = implemented(letter)(run).input;
    if (done.type !== 'worker.implementation.completed') throw new Error('no commit');
    return { ...done, commit: { ...commit(letter), base: sha(base) } };
  });
export const theirHead = (letter: string, change: Partial<ForeignHead> = {}): ForeignHead => ({
  sha: sha(letter),
  author: 'Eve <eve@example.org>',
  subject: 'Mend the tests',
  commits: 1,
  containsOurs: true,
  diffFromOurs: { files: 1, added: 2, deleted: 1 },
  commit: commit(letter),
  ...change,
});
export const headRead = (
  letter?: string,
  takenBy: string | null = null,
  change: Partial<ForeignHead> = {},
): Act =>
  act((run) => ({
    type: 'worker.head.read',
    head: {
      ...theirHead('e', change),
      ...(letter ? theirHead(letter, change) : { sha: run.change.foreignHead?.sha ?? sha('e') }),
    },
    adoptedBy: takenBy,
  }));
/** What *Update branch* of the code host leaves, as git proves it. */
export const baseMergedThere = (head: string = sha('e')): Act =>
  headRead(undefined, null, {
    sha: head,
    mergedBase: { ref: 'main', sha: sha('n'), commits: 2 },
    commit: { ...commit('e'), sha: head, base: sha('n') },
  });
export const takeHead = (letter?: string): Act =>
  act((run) => ({
    type: 'command.head.adopt',
    by: ana,
    sha: letter ? sha(letter) : (run.change.foreignHead?.sha ?? sha('e')),
  }));
export const remark = (id: string, body = 'Please use salut.'): ReviewRemark => ({
  id,
  thread: id,
  path: 'src/hello.ts',
  line: 3,
  hunk: '@@ -1 +1 @@',
  body,
  url: `https://forge/ana/app/pull/7#r${id}`,
});
export const choose = (id = 'c1', choice: RemarkChoice = 'reply', words?: string): Act =>
  act((run) => ({
    type: 'command.review.choose',
    by: ana,
    card: run.review.triage?.card ?? 'none',
    remark: id,
    choice,
    ...(words === undefined ? {} : { words }),
  }));
export const begin = act((run) => ({
  type: 'command.review.begin',
  by: ana,
  card: run.review.triage?.card ?? 'none',
}));
export const remarksAnswered = act((run) => ({
  type: 'command.remarks.answered',
  by: ana,
  remarks: (run.review.remarks?.open ?? []).map(({ id }) => id),
}));
export const commentAnswered = act((run) => ({
  type: 'command.comment.answer',
  by: ana,
  comment: (run.review.remarks?.open ?? []).find(({ review }) => review === undefined)?.id ?? 'none',
  words: 'Yes.',
}));
export const survived = act({
  type: 'forge.survival.observed',
  days: 30,
  reverted: false,
  added: 2,
  remaining: 2,
});
export const sealedReplies = (change: Partial<Assessment> = {}): Act =>
  act((run) => ({
    type: 'worker.replies.sealed',
    proposal: {
      digest: `reply ${run.review.chosenRemarks.map(({ id, answer: words }) => `${id}${words ?? ''}`).join(' ')}`,
      fields: {
        action: 'reply',
        repoId: '1',
        pull: run.upstream.pullRequest?.id ?? '#7',
        again: [],
        policyVersion: 'p1',
        answers: run.review.chosenRemarks.map(({ thread, answer: words }) => ({
          thread,
          to: 'mia',
          path: 'src/hello.ts',
          line: 3,
          body: words ?? 'Fixed.',
        })),
        assessment: assessment(change),
      },
    },
  }));
export const postedReplies = (how: AnswerOutcome['outcome'] = 'posted'): Act =>
  act((run) => ({
    type: 'worker.replies.posted',
    approvalId: run.review.pendingReplies?.signature?.id ?? 'none',
    outcomes: (run.review.pendingReplies?.proposal.fields.answers ?? []).map(({ thread }) => ({
      thread,
      outcome: how,
      url: null,
      message: '',
    })),
    reviewRequest: null,
  }));
export const commentOnItem: Act = act({ type: 'command.item.comment', by: ana });
export const commented =
  (outcome: 'posted' | 'refused' | 'unclear'): Act =>
  (run) => ({
    input: {
      type: 'worker.item.commented',
      pull: run?.upstream.pullRequest?.id ?? '#1',
      outcome,
      message: 'HTTP 403',
    },
  });
export const setUpPull = (what: 'fields' | 'ready', refused: PullSetupRefusal[] = []): Act =>
  act((run) => ({
    type: 'worker.pull.set_up',
    pull: run.upstream.pullRequest?.id ?? 'none',
    what,
    refused,
  }));
export const ciCompared = (onBase: string[], flaky: string[] = [], checks?: string[]): Act =>
  act((run) => ({
    type: 'worker.ci.compared',
    sha: run.change.pushedHead?.sha ?? sha('a'),
    ref: 'main',
    checks: checks ?? redNames(run),
    failingOnBase: onBase,
    flaky,
  }));
export const rerun = act({ type: 'command.ci.rerun', by: ana });
export const goWithout = act({ type: 'command.checks.waive', by: ana });
const onward =
  (type: 'command.retry' | 'command.resume') =>
  (target: RunState | null = null, advice?: string): Act =>
    act({ type, by: ana, target, ...(advice === undefined ? {} : { advice }) });
export const retry = onward('command.retry');
export const resume = onward('command.resume');
export const overrule = (reason = 'it is about the chat'): Act =>
  act({ type: 'command.ban.overrule', by: ana, reason });
export const answers = (what: PersonalRequirement = 'cla', text = 'Signed in May.', by = ana): Act =>
  act({ type: 'command.requirement.answer', by, what, text });
export const asksFor = (
  command = 'curl x.y',
  digest = `digest of ${command}`,
  editable = true,
  alternatives: AlternativeProposals = [],
): Act =>
  act({
    ...(alternatives.length > 0 ? { alternatives } : {}),
    sort: commandGroupOf(command, []),
    editable,
    type: 'worker.permission.asked',
    tool: 'execute',
    input: JSON.stringify({ command }),
    digest,
    objections: [],
    session: { id: 's1', usage: NO_USAGE },
    usage: NO_USAGE,
    ms: 1_000,
    outputBytes: 10,
    containment: 'bwrap',
    lends: null,
    undone: null,
  });
type Answered = Partial<
  Pick<InputOf<'command.permission.answer'>, 'question' | 'digest' | 'note' | 'sort' | 'instead' | 'pick'>
>;
export const permits = (allows = true, change: Answered = {}): Act =>
  act((run) => {
    const question = permissionQuestionOf(run);
    const shown = { question: question?.id ?? 'none', digest: question?.digest ?? 'none' };
    return { type: 'command.permission.answer', by: ana, allows, ...shown, ...change };
  });
export const permitsSort = (change: Answered = {}): Act =>
  act((run) => {
    const question = permissionQuestionOf(run);
    const shown = { question: question?.id ?? 'none', digest: question?.digest ?? 'none' };
    const sort = question?.sort ?? { words: 'none', objections: [] };
    return { type: 'command.permission.answer', by: ana, allows: true, ...shown, sort, ...change };
  });
export const revokes = act({ type: 'command.permission.revoke', by: ana });
/** Uses the newest grant by default. */
type Used = { grant?: string; digest?: string; sort?: CommandGroup; input?: string };
export const usesGrant = (change: Used = {}): Act =>
  act((run) => {
    const grant = permissionsOf(run).grants.at(-1);
    const named = { grant: grant?.id ?? 'none', digest: grant?.digest ?? 'none' };
    return { type: 'worker.permission.used', ...named, ...change };
  });
export const tells = (words = 'Use the helper.', when: 'now' | 'after' = 'after'): Act =>
  act({ type: 'command.agent.tell', by: ana, words, when });
export const reschedules = (when: 'now' | 'after', no: number | null = null): Act =>
  act({ type: 'command.words.schedule', by: ana, no, when });
export const hearsWords = (nos: number[] = [1], how: 'stream' | 'prompt' = 'prompt'): Act =>
  act({ type: 'worker.words.delivered', nos, how });
export const interrupted = (costUsd = 0): Act =>
  act({
    type: 'worker.turn.interrupted',
    session: { id: 's1', usage: NO_USAGE },
    usage: { ...NO_USAGE, costUsd },
    ms: 1_000,
    containment: 'bwrap',
  });
export const keepsWork = act({ type: 'command.work.keep', by: ana });
export const dropsWork = act({ type: 'command.work.drop', by: ana });
export const askQuestion = (
  text = 'Why did you change the default?',
  more: { by?: typeof ana; chat?: string } = {},
): Act => act({ type: 'command.question.ask', by: ana, text, ...more });
/** Its effect belongs to no state of the run, so it has no epoch. */
export const answered = (
  outcome: QuestionOutcome = { kind: 'answered', text: 'The old one was wrong.' },
  change: Partial<InputOf<'worker.question.answered'>> = {},
): Act =>
  ofEpochless(
    act((run) => ({
      type: 'worker.question.answered',
      question: findOpenQuestion(run)?.id ?? 'none',
      outcome,
      session: { id: 's1', usage: { inputTokens: 3, outputTokens: 2, costUsd: 0.02 } },
      usage: { inputTokens: 2, outputTokens: 1, costUsd: 0.01 },
      ms: 500,
      containment: 'bwrap',
      ...change,
    })),
  );
const ofEpochless =
  (inner: Act): Act =>
  (run) => ({ ...inner(run), epoch: null });
export const takeBack = (id?: string): Act =>
  act((run) => ({
    type: 'command.change.restore',
    by: ana,
    approvalId: id ?? run.gate.approval?.id ?? 'none',
  }));
export const repeatsCall = act({ type: 'worker.call.repeated', call: '$ npm test', times: 8, of: 12 });
export const pause = act({ type: 'command.pause', by: ana });
export const skip = act({ type: 'command.skip', by: ana, reason: '' });
export const cancel = act({ type: 'command.cancel', by: ana, reason: '' });
export const markDone = act({ type: 'command.run.finish', by: ana });

type Discovered = {
  escalate?: PlanEscalation | null;
  base?: string;
  repoId?: string;
  archived?: boolean;
  banned?: boolean;
  wantsSigned?: boolean;
  duplicate?: string;
};
export const discovered = (of: Discovered = {}): Act => {
  const { escalate = null, base = sha('0'), archived = false, banned = false } = of;
  const { repoId = '1', wantsSigned = false, duplicate } = of;
  return act({
    type: 'worker.discovery.completed',
    contract: contract(
      banned
        ? { rules: [{ kind: 'ai_ban', quote: 'No AI, please.', file: 'CONTRIBUTING.md', line: 3 }] }
        : { rules: [{ kind: 'cla', quote: 'Sign our CLA.', file: 'CONTRIBUTING.md', line: 5 }] },
    ),
    base: { ref: 'main', sha: base, repoId },
    archived,
    escalate,
    ...(wantsSigned ? { requiresSignedCommits: wantsSigned } : {}),
    ...(duplicate === undefined ? {} : { duplicate }),
  });
};
export const baseChecked = (of: Partial<Baseline> = {}, ms = 0): Act =>
  act({
    type: 'worker.base.checked',
    baseline: { key: 'k', sha: sha('0'), at: 0, from: null, tools: [], installs: [], checks: [], ...of },
    ms,
    outputBytes: 0,
  });
export const refined = (change: Partial<Omit<InputOf<'worker.contract.refined'>, 'type'>> = {}): Act =>
  act({
    type: 'worker.contract.refined',
    contract: contract(),
    added: 1,
    refused: [],
    escalate: null,
    session: null,
    usage: { inputTokens: 5, outputTokens: 2, costUsd: 0.01 },
    ms: 700,
    containment: 'bwrap',
    ...change,
  });
export const implemented = (
  letter: string | null = 'a',
  ms = 1_000,
  more: Partial<
    Pick<
      InputOf<'worker.implementation.completed'>,
      'skippedFiles' | 'ignored' | 'discardedEdits' | 'claims' | 'revert' | 'usage'
    >
  > = {},
): Act =>
  act({
    type: 'worker.implementation.completed',
    commit: letter === null ? null : commit(letter),
    session: { id: 's1', usage: { inputTokens: 1, outputTokens: 1, costUsd: 0.01 } },
    summary: 'Done.',
    usage: { inputTokens: 1, outputTokens: 1, costUsd: 0.01 },
    ms,
    containment: 'bwrap',
    claims: { status: 'done', ran: [] },
    violations: 0,
    ...more,
  });
const planStep = (id: string) => ({ id, text: `do ${id}` });
export const plans = (
  make: (plan: AgentPlan) => AgentPlan,
  change: Partial<Omit<InputOf<'worker.plan.updated'>, 'type'>> = {},
): Act =>
  act((run) => ({
    type: 'worker.plan.updated',
    plan: run.agent.plan ? make(run.agent.plan.plan) : null,
    problem: '',
    session: null,
    usage: { inputTokens: 2, outputTokens: 3, costUsd: 0 },
    ms: 500,
    containment: 'bwrap',
    violations: 0,
    ...change,
  }));
export const planOfTwo = plans((p) => ({ ...p, next: planStep('001'), backlog: [planStep('002')] }));
export const planNext = plans((p) => ({ ...p, next: p.backlog[0] ?? null, backlog: p.backlog.slice(1) }));
export const planEnds = plans((p) => ({ ...p, next: null, backlog: [] }));
export const planBlocks = plans((p) => ({
  ...p,
  blocked: [planStep('001')],
  next: planStep('002'),
  notes: 'Which locale is meant?',
}));
export const planUnreadable = plans((p) => p, { plan: null, problem: 'the section “## Goal” is missing' });
type Validated = Partial<Assessment> & {
  passed?: boolean;
  letter?: string;
  bare?: boolean;
  checks?: CheckResult[];
  ms?: number;
  pullBody?: string;
  /** One card for push and opening. */
  both?: Partial<SealFields> | null;
};
export const validated = ({
  passed = true,
  letter,
  bare = false,
  checks = [],
  ms = 1_000,
  pullBody,
  both = null,
  ...change
}: Validated = {}): Act =>
  act((run) => {
    const commitSha = letter ? sha(letter) : (run.change.commit?.sha ?? sha('a'));
    return {
      type: 'worker.validation.completed',
      commitSha,
      passed,
      checks,
      assessment: assessment(change),
      grade: null,
      proposal:
        !passed || bare
          ? null
          : both
            ? proposal('open_pr', commitSha, { pushes: true, ...both })
            : proposal('push', commitSha, pullBody === undefined ? {} : { pullBody }),
      failure: passed ? null : 'test: expected bonjour',
      ms,
    };
  });
export const pushed = (letter?: string, bare = false): Act =>
  act((run) => {
    const head = letter ? sha(letter) : (run.change.commit?.sha ?? sha('a'));
    return {
      type: 'worker.push.completed',
      branch: BRANCH,
      sha: head,
      proposal: run.upstream.pullRequest || bare ? null : proposal('open_pr', head),
    };
  });
export const noted = (description: 'refreshed' | 'edited_by_others' | 'failed'): Act =>
  act((run) => ({
    type: 'worker.push.completed',
    branch: BRANCH,
    sha: run.change.commit?.sha ?? sha('a'),
    proposal: null,
    description,
  }));
export const pushedConflicting: Act = act((run) => ({
  type: 'worker.push.completed',
  branch: BRANCH,
  sha: run.change.commit?.sha ?? sha('a'),
  proposal: proposal('open_pr', run.change.commit?.sha ?? sha('a'), { conflicts: true }),
}));
export const opened = (pull = '#7'): Act =>
  act((run) => ({
    type: 'worker.pr.opened',
    approvalId: run.gate.consumedApproval?.id ?? 'none',
    pull,
    url: `https://forge/ana/app/pull/${pull.slice(1)}`,
    adopted: false,
  }));
export const modify = (title: string | null = 'Other words', approvalId: string | null = null): Act =>
  act({
    type: 'command.proposal.modify',
    by: ana,
    approvalId,
    pullText: { title, description: null },
    reason: 'clearer',
  });
/** A null title stands for a refusal. */
export const rewordedTo = (title: string | null, conflicts = false): Act =>
  act((run) => ({
    type: 'worker.proposal.modified',
    approvalId: run.gate.approval?.id ?? 'none',
    by: 'Ana',
    pullText: { title, description: null },
    decision:
      title === null
        ? { kind: 'rejected', by: 'policy', why: { kind: 'raises_risk', from: 'low', to: 'medium' } }
        : { kind: 'modified', by: 'human', original: run.gate.proposal?.digest ?? '', reason: 'clearer' },
    proposal:
      title === null
        ? null
        : proposal('open_pr', run.change.pushedHead?.sha ?? sha('a'), {
            title,
            conflicts,
            ...(run.gate.proposal?.fields.pushes ? { pushes: true } : {}),
          }),
  }));
type Failed = Partial<
  Pick<
    InputOf<'worker.step.failed'>,
    'usageSoFar' | 'assessment' | 'differences' | 'discardedEdits' | 'question' | 'model' | 'detail'
  >
> & {
  step?: string;
  retryAt?: number | null;
  proposal?: Proposal | null;
  message?: string;
};
export const failed = (failure: FailureClass, { step = 'agent', ...rest }: Failed = {}): Act =>
  act({
    type: 'worker.step.failed',
    step,
    class: failure,
    message: '',
    retryAt: null,
    usageSoFar: null,
    proposal: null,
    assessment: null,
    ...rest,
  });

export const spent = (
  change: Partial<Omit<InputOf<'worker.usage.reported'>, 'type'>> & {
    tokens?: number;
    costUsd?: number;
  } = {},
): Act => {
  const { tokens = 0, costUsd = 0, ...rest } = change;
  return act({
    type: 'worker.usage.reported',
    by: 'agent',
    session: null,
    usage: { inputTokens: tokens, outputTokens: 0, costUsd },
    ms: 0,
    ...rest,
  });
};
export const raise = (budget: BudgetKind, limit: number | null): Act =>
  act({ type: 'command.budget.raise', by: ana, budget, limit });
export const held = (change: Partial<Omit<InputOf<'worker.start.queued'>, 'type'>> = {}): Act =>
  act({ type: 'worker.start.queued', waitsFor: 'slot', used: 3, of: 3, at: null, ...change });
export const turn = (change: Partial<Omit<InputOf<'worker.slot.awaited'>, 'type'>> = {}): Act =>
  act({ type: 'worker.slot.awaited', action: 'open_pr', why: 'pace', readyAt: 0, position: 3, ...change });

type Pull = {
  merged?: boolean;
  closed?: boolean;
  head?: string;
  id?: string;
  standing?: 'level' | 'behind' | 'conflicts';
  shown?: PullShown;
};
export const pull = ({ merged = false, closed = false, head, id, standing, shown }: Pull = {}): Act =>
  act((run) => ({
    type: 'forge.pull.observed',
    pull: id ?? run.upstream.pullRequest?.id ?? '#7',
    state: merged || closed ? 'closed' : 'open',
    merged,
    headSha: head ? sha(head) : (run.change.pushedHead?.sha ?? sha('a')),
    by: merged || closed ? 'maintainer' : null,
    ...(standing ? { baseStatus: standing } : {}),
    ...(shown ? { metadata: shown } : {}),
  }));
/** What a poll shows of a pull request whose closing ended its run. */
export const reopened = (change: Pull = {}): Act => {
  const seen = pull(change);
  return (run) => {
    const of = seen(run);
    if (of.input.type !== 'forge.pull.observed') throw new Error('a pull request was meant');
    return { ...of, input: { ...of.input, type: 'forge.pull.reopened' } };
  };
};
export const headIs = (letter: string | null): Act =>
  act({ type: 'forge.head.observed', branch: BRANCH, sha: letter === null ? null : sha(letter) });
export type Check = Partial<Pick<CheckFact, 'name' | 'status' | 'outcome' | 'startedAt'> & { app: string }>;
export const checkFact = ({
  name = 'test',
  app = 'app',
  status,
  outcome = 'passed',
  startedAt = 1,
}: Check = {}): CheckFact => ({
  key: `${app}/${name}`,
  name,
  kind: 'check',
  app: app === 'app' ? '1' : app,
  status: status ?? (outcome === null ? 'running' : 'ended'),
  outcome,
  startedAt,
});
export const check = (change: Check = {}, letter?: string): Act =>
  act((run) => ({
    type: 'forge.check.observed',
    sha: letter ? sha(letter) : (run.change.pushedHead?.sha ?? sha('a')),
    check: checkFact(change),
  }));
export const ci = (changes: Check[], required: string[] = [], letter?: string): Act =>
  act((run) => ({
    type: 'forge.ci.observed',
    sha: letter ? sha(letter) : (run.change.pushedHead?.sha ?? sha('a')),
    checks: changes.map(checkFact),
    required: required.map((name) => toCheckRequirement(name)),
    awaitsMaintainer: false,
    partial: false,
    usesMergeQueue: false,
    polledAt: null,
  }));
export const looked: Act = act((run) => {
  const sha = run.change.pushedHead?.sha ?? '';
  const {
    checks = {},
    required = [],
    awaitsMaintainer = false,
    partial = false,
    usesMergeQueue = false,
  } = run.upstream.observed.ci[sha] ?? {};
  return {
    type: 'forge.ci.observed',
    sha,
    checks: Object.values(checks),
    required,
    awaitsMaintainer,
    partial,
    usesMergeQueue,
    polledAt: null,
  };
});
export const red = check({ outcome: 'failed' });
export const running = check({ outcome: null, startedAt: 2 });
type Reviewed = Partial<Omit<InputOf<'forge.review.submitted'>, 'type'>>;
export const review = (change: Reviewed = {}): Act =>
  act((run) => ({
    type: 'forge.review.submitted',
    id: String(change.submittedAt ?? 50),
    url: `https://forge/ana/app/pull/7#${change.id ?? change.submittedAt ?? 50}`,
    reviewer: 'mia',
    access: 'write',
    state: 'wants_changes',
    commitSha: run.change.pushedHead?.sha ?? sha('a'),
    body: 'Use salut.',
    submittedAt: 50,
    ...change,
  }));
export const exposed = (hidden: boolean | null = true, pull = '#7'): Act =>
  act({ type: 'forge.visibility.observed', pull, hidden, at: 1 });
export const comment = act({
  type: 'forge.comment.created',
  author: 'mia',
  access: 'write',
  body: 'Nice.',
  url: 'https://forge/c/1',
  createdAt: 60,
});

export const commentAsks = act({
  type: 'forge.comment.created',
  author: 'mia',
  access: 'write',
  body: 'Why so?',
  url: 'https://forge/c/2',
  createdAt: 61,
});

export const lookFailed = (change: Partial<PollFailure> = {}): Act =>
  act({
    type: 'forge.poll.failed',
    outageId: 's1',
    startedAt: 100,
    lastFailureAt: 50,
    failure: { kind: 'credential', status: 401, parts: ['pull'], message: 'Bad credentials', ...change },
  });
export const accessIs = (lost: AccessLost | null): Act =>
  act({ type: 'forge.access.observed', account: 'ana', lost });
export const repositoryIs = (change: { name?: string; archived?: boolean; repository?: string } = {}): Act =>
  act({
    type: 'forge.repository.observed',
    repository: '1',
    name: 'ana/app',
    archived: false,
    ...change,
  });
export const branchRenamed = (from = 'main', to = 'trunk'): Act =>
  act({ type: 'forge.branch.renamed', from, to });
export const shown = (change: Partial<PullShown> = {}, at = 1_000): PullShown => ({
  at,
  title: 'Say hello in French',
  bodyDigest: '',
  base: 'main',
  draft: false,
  locked: false,
  autoMerge: null,
  labels: [],
  reviewers: [],
  ...change,
});
export const home = (change: Partial<NonNullable<PullShown['repo']>> = {}): PullShown['repo'] & object => ({
  name: 'ana/app',
  archived: false,
  private: false,
  ...change,
});
/** The time is later than that of the previous observation. */
export const shows = (change: Partial<PullShown> = {}): Act =>
  act((run) => {
    const at = (run.upstream.observed.pull?.metadata?.at ?? 1_000) + 1;
    const told = pull({ shown: shown({ ...run.upstream.observed.pull?.metadata, ...change, at }) })(
      run,
    ).input;
    if (told.type !== 'forge.pull.observed') throw new Error('no pull request');
    return told;
  });
export const baseFollowed = (base = 'd', letter?: string): Act =>
  act((run) => ({
    type: 'worker.base.compared',
    ref: run.target.pendingBaseChange?.to ?? 'develop',
    commit: {
      ...commit('a'),
      sha: letter ? sha(letter) : (run.target.pendingBaseChange?.commitSha ?? sha('a')),
      base: sha(base),
    },
    contract: contract(),
    requiresSignedCommits: false,
  }));
export const lookWorked = act({ type: 'forge.poll.recovered' });

type Timer = 'timer.timeout' | 'timer.reminder' | 'timer.retry' | 'timer.remarks.due';
export const timer = (type: Timer): Act => act((run) => ({ type, epoch: run.lifecycle.epoch }));
export const unanswerable = (from: number, until: number): Act =>
  act((run) => ({
    type: 'timer.approval.frozen',
    approvalId: run.gate.approval?.id ?? 'none',
    from,
    until,
  }));
export const expired = act((run) => ({
  type: 'timer.approval.expired',
  approvalId: run.gate.approval?.id ?? 'none',
}));
