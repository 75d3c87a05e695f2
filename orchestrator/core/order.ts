/** The order: what a person asked for. It never changes after the run is created. */
import { z } from 'zod';
import { RunBounds } from './run-bounds.ts';

/**
 * A chat's name for a person or a place, or a code host's for a repository: compared, and never
 * looked into.
 */
export const OpaqueId = z.string().min(1).max(300);

/**
 * Somebody who gave a command, as the chat knows them; the operator at the host's command line has
 * no id.
 */
export const Person = z.object({ id: OpaqueId.nullable(), name: z.string().max(200) });
export type Person = z.infer<typeof Person>;

/** Who does the work, by name. Which engines there are, their rows say: an order outlives them. */
export const OrderedEngineName = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);

export const MAX_PROPOSERS = 3;
export const OrderProposers = z
  .array(OrderedEngineName)
  .min(2)
  .max(MAX_PROPOSERS)
  .refine((names) => new Set(names).size === names.length, 'an engine is named twice');

/**
 * A repository as its code host writes it: parts with slashes between them, none of which leads
 * elsewhere.
 */
export const RepositoryName = z
  .string()
  .max(400)
  .regex(
    /^(?!-)(?!\.{1,2}(?:\/|$))[\p{L}\p{M}\p{N}._~+@:-]+(?:\/(?!\.{1,2}(?:\/|$))[\p{L}\p{M}\p{N}._~+@:-]+)*$/u,
    'that is not the name of a repository',
  );

/** As long as the name of a file can be, which a branch becomes with `.lock` at its end (bytes). */
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

/** No control characters but line ends and tabs: they would reach a shell, a commit or a phone. */
const plain = (most: number): z.ZodString =>
  z
    .string()
    .max(most)
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'control characters are not allowed')
    .refine((s) => s.isWellFormed(), 'that is not valid text');

/** Short and readable, as a run's id is: `c-` and six characters. */
export const CampaignId = z.string().regex(/^c-[a-z0-9]{6}$/);

/** Words of others that the goal is about: an agent reads them as data, never as an order. */
export const QuotedIssue = z.object({ url: z.string().max(500), text: plain(8_000) });
export type QuotedIssue = z.infer<typeof QuotedIssue>;

/** One of several fixes that one pull request is to make; `script` in place of an agent. */
export const OrderedFix = z.object({
  title: plain(200).min(1),
  goal: plain(8_000).min(1),
  script: plain(100_000).min(1).exactOptional(),
});
export type OrderedFix = z.infer<typeof OrderedFix>;
export const MAX_ORDERED_FIXES = 20;

const PromptExperiment = z.object({ other: z.string(), percent: z.number() });
export type PromptExperiment = z.infer<typeof PromptExperiment>;

export const INSTALL_MODES = ['found', 'none'] as const;

export const Order = z.object({
  repo: RepositoryName,
  goal: plain(8_000).min(1),
  quoted: QuotedIssue.exactOptional(),
  base: BranchName.nullable(),
  branch: BranchName.nullable(),
  title: plain(200).nullable(),
  /** Made one after the other, and published together; absent where the goal is one. */
  fixes: z.array(OrderedFix).min(2).max(MAX_ORDERED_FIXES).exactOptional(),
  /** Who works; the first of several. */
  engine: OrderedEngineName,
  /** Several that try the same, one after the other; the best of their changes goes on. */
  proposers: OrderProposers.exactOptional(),
  engineArgs: z.array(plain(100_000)),
  promptVersion: z.string(),
  /** Prompts on trial: so many runs of a hundred get these instead. Absent where nobody tries any. */
  promptExperiment: PromptExperiment.exactOptional(),
  /** `none`: dependencies are not installed; absent: as was found. */
  install: z.enum(INSTALL_MODES).exactOptional(),
  /** Commands that replace the contract's checks when any is given. */
  checks: z.array(plain(10_000)),
  requester: Person,
  /**
   * The chat that hears of this run; null when it was created at the command line and nobody is
   * paired.
   */
  chat: OpaqueId.nullable(),
  /**
   * The chat that is shown the cards to sign, when the requester may not sign; null: the same chat.
   */
  decider: OpaqueId.nullable().default(null),
  /** Of those who may approve anything, only these may approve this; absent: all of them. */
  approvers: z.array(OpaqueId).min(1).max(20).exactOptional(),
  /** `plan`: the agent keeps a plan of small steps, and each is checked before the next. */
  flow: z.enum(['direct', 'plan']).default('direct'),
  /**
   * `agent`: before anything is changed, the agent reads the repository and adds to what we found
   * in its files (E7).
   */
  discovery: z.enum(['files', 'agent']).default('files'),
  mode: z.literal('push_only'),
  bounds: RunBounds,
  /** The campaign that it is a part of; none for a run that somebody ordered by itself. */
  campaign: CampaignId.exactOptional(),
});
export type Order = z.infer<typeof Order>;
