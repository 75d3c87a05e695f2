/** Dependencies of the effect handlers: ports, and settings that are not part of an order. */
import type { ForkSettings } from '#model/pull';
import type { PullSettings } from '#model/opening';
import type { PolicySettings, UserRole } from '#model/settings';
import { repositoryOf, type Run } from '../run/run.ts';
import type { PollExpediter } from '../ci/expedite-poll.io.ts';
import { OutsideFailure, type PullFacts, type RepoFacts, type WriteHold } from '#ports/forge';
import type { ForgePort, ForgeRepository } from '#ports/roles';
import type {
  CheckExecutor,
  SystemClock,
  EngineExecutor,
  TimerPort,
  LogPort,
  EngineRound,
  PostItemComment,
  RunPicture,
} from '#ports/processes';
import type { AttemptRow, Ledger, CreateMeter, SpendingGuard } from '#ports/ledger';
import type {
  RevertResult,
  RunNotes,
  RepositoryReader,
  RepoRef,
  WorkspaceLeftovers,
  WorkspacePort,
} from '#ports/workspaces';
import type { CheckOwnKeys, IssueReceipt } from '#ports/records';
import type { DiscardedEdits, Finding } from '#model/change';
import type { Feedback } from '#model/feedback';
import type { AssessmentReason } from '#model/assessment';
import type { Reason } from '../run/reasons.ts';
import type { Refusal } from '../run/refusals.ts';
import type { AgentRound } from '../run/round-table.ts';
import type { SubmitInput } from '../runtime/submit-input.ts';

export type RoundGround = {
  past: readonly AttemptRow[];
  left: WorkspaceLeftovers;
  undone: DiscardedEdits | null;
  conflicts: Extract<RevertResult, { kind: 'conflicts' }> | null;
};

/** An agent is told this, and may ask for this, in one round (E7, P5). */
type RoundBriefing = {
  prompt: string;
  picture: RunPicture | null;
  /** For an engine that records turns. Call `end` when its process is over. */
  equip(
    attempt: number,
    signal: AbortSignal,
  ): Promise<{
    tools: Required<Pick<EngineRound, 'turns' | 'map' | 'lint'>>;
    end(): Promise<void>;
  }>;
};

/** Renders data of the core as English sentences, for prompts and for people. */
type EnglishWording = {
  reason(reason: Reason): string;
  refusal(refusal: Refusal): string;
  judgement(judgement: AssessmentReason): string;
  findingNote(finding: Pick<Finding, 'note' | 'more'>): string;
  fixedIn(sha: string): string;
  /** `lines`: what stands there in place of the suggested ones; empty when unknown. */
  fixedOtherwise(sha: string, lines: readonly string[]): string;
  ownWords: string;
  feedback(told: readonly Feedback[]): string;
};

export type EffectContext = {
  ledger: Ledger;
  submit: SubmitInput;
  clock: SystemClock & TimerPort;
  log: LogPort;
  forge: ForgePort;
  workspaces: WorkspacePort;
  checks: CheckExecutor;
  agents: {
    engines: Readonly<Record<string, EngineExecutor>>;
    brief(run: Run, round: AgentRound, ground: RoundGround): Promise<RoundBriefing>;
    notes: RunNotes;
    /** Whether limits above the run hold its next agent back: budgets, and the provider of its model. */
    findHold?: (run: Run) => Promise<WriteHold | null>;
  };
  texts: {
    reader: RepositoryReader;
    wording: EnglishWording;
    /** E16: keys that were lent to a box. */
    lent?: { namesIn(text: string): readonly string[] };
  };
  approvals: {
    /** G10: what a person may do today. */
    roleOf: (id: string) => Promise<UserRole | null>;
    checkOwnKeys: CheckOwnKeys;
    issueReceipt: IssueReceipt;
  };
  spending: { createMeter: CreateMeter; guard?: SpendingGuard };
  settings: {
    maxParallelRuns: number;
    maxRunsPerDay: number;
    policies: PolicySettings;
    forks: ForkSettings;
    pull?: PullSettings;
    author: { name: string; email: string };
    checkTimeoutMs: number;
  };
};

/** A control process hastens polls; a worker has no hints. */
export type PollHints = { hints?: PollExpediter };

export type ItemComments = { postComment?: PostItemComment };

export type ReceiptIssuer = { approvals: Pick<EffectContext['approvals'], 'issueReceipt'> };

export type TextReader = { texts: Pick<EffectContext['texts'], 'reader'> };

export const requireRunOf = async (
  parts: Pick<EffectContext, 'ledger'>,
  runId: string | null,
): Promise<Run> => {
  const run = runId === null ? null : await parts.ledger.query.run(runId);
  if (!run) throw new Error(`there is no run ${runId}`);
  return run;
};

/** F12: the repository was renamed; the run must learn its name first. */
export class RepositoryRenamed extends OutsideFailure {
  readonly facts: RepoFacts;
  constructor(before: string, facts: RepoFacts) {
    super('repository_missing', `${before} is called ${facts.name} now`);
    this.facts = facts;
  }
}

/** F12: the pull request was retargeted or accepts no more pushes. */
export class PullMoved extends OutsideFailure {
  readonly pull: PullFacts;
  constructor(pull: PullFacts) {
    super('seal_moved', `${pull.id} is not what the run knows of it; it goes into ${pull.baseRef}`);
    this.pull = pull;
  }
}

const repoNamed = async (
  { forge }: { forge: ForgeRepository },
  name: string,
): Promise<RepoFacts | OutsideFailure> => {
  try {
    return await forge.repo(name);
  } catch (error) {
    if (error instanceof OutsideFailure && error.class === 'repository_missing') return error;
    throw error;
  }
};

/** G6: names are reused, so the known id decides, and a renamed repository is found by it. */
export const readPossiblyRenamedRepository = async (
  parts: { forge: ForgeRepository },
  run: Run,
): Promise<RepoFacts> => {
  const name = repositoryOf(run);
  const found = await repoNamed(parts, name);
  const isFound = !(found instanceof OutsideFailure);
  // guard: F12-by-id
  if (isFound && (!run.target.base || found.id === run.target.base.repoId)) return found;
  const now = run.target.base && (await parts.forge.nameOf(run.target.base.repoId));
  if (!now && !isFound) throw found;
  const again = now ? await parts.forge.repo(now) : null;
  // guard: F12-asked-twice
  if (again && again.id === run.target.base?.repoId) return again;
  const says = `${name} is another repository now, and ours is gone or hidden from us. Cancel the run`;
  throw new OutsideFailure('repository_missing', says);
};

/** Throws RepositoryRenamed when the run has an older name. */
export const readRunRepository = async (parts: { forge: ForgeRepository }, run: Run): Promise<RepoFacts> => {
  const facts = await readPossiblyRenamedRepository(parts, run);
  // guard: F12-name-first
  if (run.target.base && facts.name.toLowerCase() !== repositoryOf(run).toLowerCase())
    throw new RepositoryRenamed(repositoryOf(run), facts);
  return facts;
};

/** F10: refuses in the host's own words. */
export const assertTakesPulls = ({ name, pullsRefused }: RepoFacts): void => {
  // guard: F10-refused-before-work
  if (pullsRefused)
    throw new OutsideFailure('not_allowed', `${name} takes no pull request of ours (${pullsRefused.says})`, {
      detail: { kind: pullsRefused.kind, field: pullsRefused.says.slice(0, 200) },
    });
};

export const repoRef = (run: Run, facts: Pick<RepoFacts, 'cloneUrl'>): RepoRef => ({
  name: repositoryOf(run),
  cloneUrl: facts.cloneUrl,
});

export const requireValue = <T>(value: T | null | undefined, what: string): T => {
  if (value === null || value === undefined)
    throw new OutsideFailure('env_missing', `the run has no ${what} yet`);
  return value;
};
