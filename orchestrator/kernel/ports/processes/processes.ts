/** The ports for processes of the repository: agents, checks, and survivors of a crash. */
import type { Failure, FailureDetail } from '#model/failure';
import type { BoxWish } from '#model/environment';
import type { CheckResult, ContainmentLevel, ExposedCredential } from '#model/evidence';
import type { AgentSession, ModelUsage } from '#model/reports';
import type { Activity, AgentClaims } from '#model/agent';
import type { LintComplaint } from '#discovery';
import type { AttemptRow } from '#ports/ledger';
import type { SpendingRequest, SpendingStop } from '#model/spending';
import type { TurnRecorder } from '#ports/records';
import type { RepositoryMap } from '#ports/workspaces';

/**
 * `says` is the end of a sentence. `reserve`: disk space kept for us. `host`: the machine ran out.
 * `lost`: the box's engine or machine went away, and how the command ended is not known.
 */
export type CapExcess = {
  limit: 'memory' | 'processes' | 'disk' | 'output' | 'reserve' | 'host' | 'lost';
  says: string;
  detail?: FailureDetail;
};

export type ProcessEnd = {
  exitCode: number | null;
  ended: 'exited' | 'signalled' | 'timed_out' | 'aborted' | 'output_limit' | 'over_limit' | 'not_started';
  signal: string | null;
  ms: number;
  stdout: string;
  stderr: string;
  /** Set for `over_limit`, for a refused start, and when the kernel refused or killed something. */
  excess?: CapExcess;
};

export type ExecutorEvent =
  | { type: 'started'; pid: number; pidStart: string | null }
  /** `isOfModel` once the model has answered; before that the engine may speak of itself. */
  | ({ type: 'progress'; isOfModel?: true } & Activity)
  /** Usage of this round so far; engines that count only at the end send none. */
  | { type: 'used'; usage: ModelUsage; session: AgentSession | null; outputBytes: number }
  /** The same call came `times` times among the last `of`; at most once a round. */
  | { type: 'repeated'; call: string; times: number; of: number };

export type ExecutorDone = {
  outcome: 'completed' | 'failed';
  /** E21: ended for words that this engine hears only with its next prompt. */
  interrupted?: true;
  /** E18: `model` is the model without a price, if that is the cause; null when unnamed. */
  failure: (Failure & { retryAt: number | null; model?: string | null }) | null;
  /** Session that the next round may resume, with its total usage as the engine counts it. */
  session: AgentSession | null;
  /** S5: the agent's own words, a claim. */
  summary: string;
  words?: string;
  claims?: AgentClaims;
  usage: ModelUsage;
  containment: ContainmentLevel;
  lends?: ExposedCredential | null;
  end: ProcessEnd;
  model: string | null;
  transcript?: string;
};

/** E10: `input` is the tool's input as JSON with sorted keys, without the agent's description. */
export type PermissionRequest = {
  tool: string;
  input: string;
  /** Set when the input is only a shell command that runs in the workspace. */
  command: string | null;
  /** Affected files of the workspace; null when unknown or outside it. */
  files: readonly string[] | null;
  /** P4: the engine can run another input instead. */
  editable?: boolean;
  outside?: boolean;
  /** E9: what other proposers want in its place, best first. */
  alternatives?: readonly { proposer: string; request: PermissionRequest }[];
};

/** A judgement that uses up no grant and asks nobody. */
export type WeighedRequest = {
  /** `granted`: a person allowed it before. `refused`: a person said no, or nobody may be asked. */
  verdict: 'allow' | 'granted' | 'ask' | 'refused' | 'deny';
  reason: string | null;
  governed: GovernedBy;
  /** Who allowed exactly this, once. */
  by?: string;
};

type GovernedBy = {
  risk: 'low' | 'medium' | 'high';
  policies: readonly string[];
  policyVersion: string;
};

/** `wait` ends the turn until a person answers. `modified`: their input. No `by`: policies decided. */
export type PermissionAnswer = (
  | { kind: 'allow'; by?: string }
  | { kind: 'modified'; input: string; by: string }
  | { kind: 'deny'; reason: string; by?: string }
  | { kind: 'wait' }
) & { governed?: GovernedBy };

export type CommandNetwork =
  | { kind: 'open' }
  | { kind: 'none' }
  | { kind: 'listed'; registries: string[]; hosts: string[] };

/** `file`: it opens one by its path. `attached`: it comes with the prompt. */
export type PictureWay = 'file' | 'attached';
export type RunPicture = { file: string; mime: string; bytes: Uint8Array };

/** E7: abilities of an agent in a round; its prompt asks for nothing else. */
export type AgentAbilities = {
  commands: { network: CommandNetwork } | null;
  /** The agent's CLI enforces our report schema. */
  hasReportForm: boolean;
  pictures?: PictureWay | null;
};

/** A file that an edit changed; null is no file, or none that can be read as text. */
export type EditedFile = { path: string; before: string | null; after: string | null };
/** E9: what the contract's linters complain about in these files and did not before. */
export type LintEdits = (edited: readonly EditedFile[]) => Promise<readonly LintComplaint[]>;

/** E21: words of operators that are to be said within a turn. What was taken is said by the taker. */
export type ArrivingWords = {
  /** Looks once more; the oldest first; `text` is what the agent is told, the same in every delivery. */
  take(): Promise<readonly { no: number; text: string }[]>;
  /** Calls back while there is something to take; returns what ends that. One listener at a time. */
  onArrival(call: () => void): () => void;
  /** The conversation has them: they are said to no one again. */
  heard(nos: readonly number[]): void;
};

export type EngineRound = {
  runId: string;
  engineArgs: string[];
  prompt: string;
  workspace: string;
  home: string;
  /** Session to resume; the engine fails with `session_lost` when it cannot find it. */
  session: AgentSession | null;
  /** `nothing`: the workspace must be unchanged afterwards. */
  writes: 'change' | 'nothing';
  /** Rest of the run's budgets; null or absent means no limit. */
  left?: { tokens: number | null; costUsd: number | null };
  timeoutMs: number;
  signal: AbortSignal;
  onEvent(event: ExecutorEvent): void;
  /** E18: stores the upper bound of the bill; resolves before the billed request. */
  reserve?: (asks: SpendingRequest) => Promise<SpendingStop | null>;
  /** Stores what was used once a request has its answer. */
  settled?: (most: ModelUsage, used: ModelUsage) => Promise<void>;
  /** What is left now of the run's budgets, counted from the beginning of this round. */
  /** P7: dollars are limited above the run, so a model without a price is refused. */
  needsPrice?: boolean;
  leftNow?: () => Promise<{ tokens: number | null; costUsd: number | null }>;
  /** Decides permission requests; everything is denied when absent. */
  /** E21: absent in rounds that nobody speaks to. */
  words?: ArrivingWords;
  ask?: (request: PermissionRequest) => Promise<PermissionAnswer>;
  weigh?: (request: PermissionRequest) => Promise<WeighedRequest>;
  proposers?: readonly string[];
  turns?: TurnRecorder;
  /** E20: what the repository asks its box to be. */
  box?: BoxWish;
  /** C2: context from a person; `file` is where the box shows it, read-only. */
  picture?: RunPicture;
  /** E9: asked for when a conversation begins; null where none can be made. */
  map?: (tokens: number) => Promise<RepositoryMap | null>;
  lint?: LintEdits;
};

/** E4, E7: emits `started`, any `progress`, then one result: `invalid_output` without a valid report. */
export type EngineExecutor = {
  /** Identity for co-author trailers (`Name <email>`), if any. */
  coAuthor?: string;
  /** Provider used through our gateway, by a name shared by all processes; null when unknown. */
  provider?(engineArgs: readonly string[]): string | null;
  /** P5: instruction files that the engine reads itself; folders end with a slash. */
  readsInstructions?: readonly string[];
  recordsTurns?: true;
  abilities?(round: { writes: 'change' | 'nothing' }): AgentAbilities;
  run(input: EngineRound): Promise<ExecutorDone>;
};

/** Runs one command, contained, in an export of the tree that will be published. */
export type CheckExecutor = {
  run(input: {
    runId: string;
    kind: 'install' | 'check';
    /** It may reach nothing, whatever the settings say; where that cannot be held, it is not run. */
    offline?: true;
    name: string;
    command: string;
    /** Writable. */
    dir: string;
    /** Working directory in the export; '' is its root. Chosen by the repository: untrusted. */
    folder: string;
    home: string;
    box?: BoxWish;
    timeoutMs: number;
    signal: AbortSignal;
    onStart(pid: number, pidStart: string | null): void;
    /** E21: what it prints, while it runs. */
    onProgress?: (activity: Activity) => void;
  }): Promise<{ result: CheckResult; end: ProcessEnd; containment: ContainmentLevel }>;
};

/** Kills survivors of a crash, matched by pid and start time; returns their number. */
export type ProcessReaper = {
  reap(attempts: readonly Pick<AttemptRow, 'runId' | 'pid' | 'pidStart'>[]): Promise<number>;
};
