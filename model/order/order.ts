/** The order: what a user asked for. It never changes after the run is created. */
import { z } from 'zod';
import { RunBounds } from '#model/limits';
import { PullOptions } from '#model/opening';
import { BudgetAmount } from '#model/spending';
import { OrderPicture } from './sent-picture.ts';

/** An opaque id of the chat or code host: compared and never parsed. */
export const OpaqueId = z.string().min(1).max(300);

/** The giver of a command; the operator at the command line has no id. */
export const Person = z.object({ id: OpaqueId.nullable(), name: z.string().max(200) });
export type Person = z.infer<typeof Person>;

/** Any name is valid: an order outlives the table of engines. */
export const OrderedEngineName = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);

/** `engine`, or `engine:name`: a model of that engine, or a proposer of its settings. */
const OrderedProposer = z.string().regex(/^[a-z][a-z0-9-]{0,30}(?::[A-Za-z0-9][\w.@:/+-]{0,99})?$/);

/** E9: those of one engine propose actions in each turn, side by side; engines propose changes, in turn. */
export const MAX_PROPOSERS = 3;
export const OrderProposers = z
  .array(OrderedProposer)
  .min(1)
  .max(MAX_PROPOSERS)
  .refine((all) => new Set(all).size === all.length, 'a proposer is named twice')
  .refine((all) => all.length > 1 || all.every((one) => one.includes(':')), 'two engines are needed')
  .refine(
    (all) => !all.some((one) => all.some((other) => other.startsWith(`${one}:`))),
    'an engine is named alone, and with a name',
  );

export const readProposer = (text: string): { engine: string; name: string | null } => {
  const at = text.indexOf(':');
  return at < 0 ? { engine: text, name: null } : { engine: text.slice(0, at), name: text.slice(at + 1) };
};

type Proposed = { proposers?: readonly string[] | undefined };
export const proposersOfEngine = ({ proposers = [] }: Proposed, engine: string): string[] =>
  proposers
    .map(readProposer)
    .flatMap((one) => (one.engine === engine && one.name !== null ? [one.name] : []));

export const enginesInTurn = ({ proposers = [] }: Proposed): string[] => {
  const engines = [...new Set(proposers.map((one) => readProposer(one).engine))];
  return engines.length > 1 ? engines : [];
};

/** Parts with slashes, none of which is `.` or `..`. */
export const RepositoryName = z
  .string()
  .max(400)
  .regex(
    /^(?!-)(?!\.{1,2}(?:\/|$))[\p{L}\p{M}\p{N}._~+@:-]+(?:\/(?!\.{1,2}(?:\/|$))[\p{L}\p{M}\p{N}._~+@:-]+)*$/u,
    'that is not the name of a repository',
  );

/** Length limit of a file name, minus git's `.lock` suffix (bytes). */
const MAX_REF_PART_BYTES = 250;
const isRefPart = (part: string): boolean => Buffer.byteLength(part) <= MAX_REF_PART_BYTES;

/** Rules of `git check-ref-format --branch`, and no leading dash. */
export const BranchName = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (s) =>
      !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\.lock(\/|$)|\/\.|^(?:@|HEAD)$/.test(s) &&
      s.isWellFormed() &&
      s.split('/').every(isRefPart),
    'that is not a branch name git accepts',
  );

/** Control characters would reach a shell, a commit or a phone. */
const plainTextSchema = (most: number): z.ZodString =>
  z
    .string()
    .max(most)
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'control characters are not allowed')
    .refine((s) => s.isWellFormed(), 'that is not valid text');

export const CampaignId = z.string().regex(/^c-[a-z0-9]{6}$/);

/** Untrusted text that the goal is about: data for the agent, never an order. */
const QuotedIssue = z.object({
  url: z.string().max(500),
  text: plainTextSchema(8_000),
  /** F5: its webhook here and its id there, where a person may let a comment be posted. */
  item: z.object({ hook: z.string().max(100), id: plainTextSchema(500).min(1) }).exactOptional(),
});
type QuotedIssue = z.infer<typeof QuotedIssue>;

export const OrderedFix = z.object({
  title: plainTextSchema(200).min(1),
  goal: plainTextSchema(8_000).min(1),
  script: plainTextSchema(100_000).min(1).exactOptional(),
});
export type OrderedFix = z.infer<typeof OrderedFix>;
export const MAX_ORDERED_FIXES = 20;

const RevertOrder = z.object({ pull: OpaqueId, url: z.string().max(500) });
type RevertOrder = z.infer<typeof RevertOrder>;

export const FollowedPull = z.object({
  url: z.string().max(500),
  commit: z.string().max(64),
  tag: z.string().max(100).exactOptional(),
});
export type FollowedPull = z.infer<typeof FollowedPull>;

const PromptExperiment = z.object({ other: z.string(), percent: z.number() });
export type PromptExperiment = z.infer<typeof PromptExperiment>;

export const INSTALL_MODES = ['found', 'none'] as const;

export const Order = z.object({
  repo: RepositoryName,
  goal: plainTextSchema(8_000).min(1),
  quoted: QuotedIssue.exactOptional(),
  base: BranchName.nullable(),
  branch: BranchName.nullable(),
  title: plainTextSchema(200).nullable(),
  /** Made in sequence and published together; absent for a single goal. */
  fixes: z.array(OrderedFix).min(2).max(MAX_ORDERED_FIXES).exactOptional(),
  reverts: RevertOrder.exactOptional(),
  follows: z.array(FollowedPull).max(10).exactOptional(),
  picture: OrderPicture.exactOptional(),
  engine: OrderedEngineName,
  proposers: OrderProposers.exactOptional(),
  engineArgs: z.array(plainTextSchema(100_000)),
  promptVersion: z.string(),
  /** Prompts on trial for a percentage of runs; absent without a trial. */
  promptExperiment: PromptExperiment.exactOptional(),
  /** `none`: no dependencies are installed; absent: as found. */
  install: z.enum(INSTALL_MODES).exactOptional(),
  /** These replace the contract's checks. */
  checks: z.array(plainTextSchema(10_000)),
  requester: Person,
  /** Chat of this run; null when created at the command line with nobody paired. */
  chat: OpaqueId.nullable(),
  /** Chat of the approvers, when the requester may not sign; null: the same chat. */
  decider: OpaqueId.nullable().default(null),
  /** Restricts the approvers; absent: all of them. */
  approvers: z.array(OpaqueId).min(1).max(20).exactOptional(),
  /** `plan`: small steps, each checked before the next. */
  flow: z.enum(['direct', 'plan']).default('direct'),
  /** `agent`: the agent reads the repository first and adds to the contract (E7). */
  discovery: z.enum(['files', 'agent']).default('files'),
  bounds: RunBounds,
  campaign: CampaignId.exactOptional(),
  /** P7: what all of its campaign may cost, beside the budget of each campaign. */
  campaignBudget: BudgetAmount.exactOptional(),
  /** F13: how its pull request opens, beside what settings say. */
  pull: PullOptions.exactOptional(),
});
export type Order = z.infer<typeof Order>;

/** Checks named by the user are never excused by the base. */
export const hasOrderedChecks = ({ order }: { order: Pick<Order, 'checks'> }): boolean =>
  order.checks.length > 0;
