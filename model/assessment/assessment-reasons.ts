/** Records of what policies, risk and grades say; the catalogues hold their sentences (S9). */
import { z } from 'zod';
import { BudgetKind } from '#model/limits';
import { DependencyChange, FINDING_KINDS, SecretName } from '#model/change';
import { Failure, FailureDetail } from '#model/failure';
import { ISSUE_STANDINGS } from '#model/requirements';
import { RULE_KINDS } from '#model/contract';
import {
  COMMAND_TRAITS,
  INLINE_ACTS,
  PublicPlace,
  SHELL_OPACITIES,
  WORD_SIGNALS,
} from './reason-vocabulary.ts';

const ACTIONS = ['push', 'open_pr', 'comment', 'reply', 'command'] as const;

const text = z.string();
const count = z.number();
const at = { at: z.array(text), more: count };
const where = { where: PublicPlace };
const names = { names: z.array(text) };
const outcome = z.enum(['passed', 'failed', 'timed_out', 'not_run', 'ran_no_test']);
const rule = { quote: text, file: text, line: count };
const stated = { rule: z.enum(RULE_KINDS), value: text.nullable(), ...rule };

/** Reason why checks did not run with the base's configuration. `tool_message` quotes a tool. */
export const NotCompared = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no_budget'), budget: BudgetKind }),
  z.object({ kind: z.literal('tool_message'), words: text }),
]);
export type NotCompared = z.infer<typeof NotCompared>;

/** `ids` are those of a group when the change was judged. A role stands in for them. */
const DemandedApprover = z.object({
  name: text,
  ids: z.array(text).exactOptional(),
  role: z.literal('admin').exactOptional(),
});
export type DemandedApprover = z.infer<typeof DemandedApprover>;
/** G10: what a policy asks of those who approve, and how long after them nothing is published (ms). */
export const SignatureAsks = z.object({
  approvals: z.number().int().min(2).exactOptional(),
  approvers: z.array(DemandedApprover).exactOptional(),
  afterMs: count.exactOptional(),
});
export type SignatureAsks = z.infer<typeof SignatureAsks>;

const ABOUT_PATHS = [
  'exposed_credential',
  'secret',
  'likely_secret',
  'key_files',
  'likely_key_files',
  'leaves_workspace',
  'link_leaves',
  'gitlink_added',
  'gitlink_removed',
  'binary',
  'lfs_pointer',
  'lfs_raw',
  'filter_raw',
  'not_read',
  'bidi_text',
  'hidden_text',
  'trailing_dot_or_space',
  'not_on_windows',
  'whitespace_changed',
  'mixed_script',
  'look_alike',
  'long_line',
  'odd_files',
  'ci_changed',
  'agent_config_changed',
  'trust_root_changed',
  'forbidden_path',
  'protected_path',
  'lockfile_without_manifest',
  'tests_removed',
  'tests_weaker',
  'tests_skipped',
  'tests_weakened',
  'tests_thinner',
  'tests_not_run',
  'check_config_changed',
  'unreadable_path',
  'hidden_path',
  'key_file_touched',
  'install_time',
  'dependencies',
  'attributes',
  'generated',
  'gitlink',
  'symlink',
  'executable',
  'not_executable',
  'type_changed',
  'deleted',
  'renamed',
  'unknown_mode',
  'tests_found_by_agent',
] as const;

const FIELDLESS_REASONS = [
  'high_risk',
  'watched',
  'small_change',
  'no_check',
  'no_facts',
  'no_contract',
  'containment_unknown',
  'containment_weak',
  'open_pulls_unknown',
  'comment_empty',
  'comment_signed',
  'unknown_action',
  'no_changes',
  'claim_of_test',
  'claim_of_green',
] as const;

const NAMING = [
  ...(['checks_fail', 'checks_missing', 'no_tests', 'graded_by'] as const),
  /** No test counted, as before; or none any more (E19). */
  ...(['ran_no_test', 'tests_stopped'] as const),
  /** Red on the base too: by name, without names, or flaky. */
  ...(['red_before', 'red_unnamed', 'flaky_before'] as const),
] as const;

export const AssessmentReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(FIELDLESS_REASONS) }),
  z.object({ kind: z.enum(ABOUT_PATHS), ...at }),
  /** Records of older versions lack `what`. */
  z.object({
    kind: z.literal('no_policy_allows'),
    what: z.object({ action: z.enum(ACTIONS), name: text }).exactOptional(),
  }),
  /** `was` is null for an added, `version` for a removed dependency; empty without a version. */
  z.object({ kind: z.literal('dependency_changes'), changes: z.array(DependencyChange), more: count }),
  z.object({ kind: z.literal('finding'), finding: z.enum(FINDING_KINDS), ...at }),
  z.object({ kind: z.literal('hidden_lines'), lines: count, ...at }),
  z.object({ kind: z.literal('size'), files: count, lines: count, bytes: count, overLimit: z.boolean() }),
  z.object({ kind: z.literal('document'), bytes: count, limit: count }),
  z.object({ kind: z.literal('public_text_credential'), ...where }),
  z.object({ kind: z.literal('public_text_secret'), ...where, secret: SecretName }),
  z.object({ kind: z.literal('public_text_hidden'), ...where, how: z.enum(['bidi', 'invisible']) }),
  /** The field `as` is its ASCII reading. */
  z.object({ kind: z.literal('public_text_look_alike'), ...where, as: text, characters: z.array(text) }),
  /** `never`: no comment of ours may do it. */
  z.object({
    kind: z.literal('public_text_signal'),
    ...where,
    signal: z.enum(WORD_SIGNALS),
    excerpt: text,
    never: z.boolean(),
  }),
  z.object({ kind: z.literal('branch_guarded'), branch: text }),
  z.object({ kind: z.literal('open_pulls'), count, limit: count }),
  z.object({ kind: z.literal('competing_pulls'), pulls: z.array(z.object({ id: text, author: text })) }),
  z.object({ kind: z.literal('first_pull'), lines: count, limit: count }),
  z.object({ kind: z.literal('comment_too_long'), length: count }),
  z.object({ kind: z.literal('comment_long'), length: count, limit: count }),
  /** `rule_followed`: the change obeys, as far as we see. */
  z.object({ kind: z.literal('rule'), ...stated }),
  z.object({ kind: z.literal('rule_followed'), ...stated }),
  /** The approver's reason why a ban does not apply. */
  z.object({ kind: z.literal('ban_overruled'), by: text, why: text, ...rule }),
  z.object({ kind: z.literal('issue'), issue: text, standing: z.enum(ISSUE_STANDINGS) }),
  z.object({ kind: z.literal('pulls_unread'), issue: text, unread: text }),
  z.object({ kind: z.literal('undisclosed'), ...where, ...rule }),
  z.object({ kind: z.literal('branch_rule'), branch: text, rule: text }),
  z.object({
    kind: z.literal('title_rule'),
    title: text,
    style: z.enum(['conventional', 'component', 'bracketed', 'ticket', 'numbered', 'pattern']),
    /** Types, a project's key or a pattern that CI asks for. */
    asked: text.exactOptional(),
    place: z.object({ quote: text, file: text, line: z.number() }).exactOptional(),
  }),
  z.object({ kind: z.literal('template_open'), questions: z.array(text) }),
  z.object({ kind: z.literal('template_cut'), headings: z.array(text) }),
  z.object({ kind: z.enum([...NAMING]), ...names }),
  /** Checks that pass only with the changed configuration. */
  z.object({ kind: z.literal('check_config_needed'), ...names, ...at }),
  z.object({ kind: z.literal('check_config_not_compared'), ...at, why: NotCompared }),
  z.object({ kind: z.literal('command'), command: text, trait: z.enum(COMMAND_TRAITS), ...at }),
  /** `program` with its option, and its acts with the words that show them. */
  z.object({
    kind: z.literal('inline_program'),
    program: text,
    acts: z.array(z.object({ act: z.enum(INLINE_ACTS), words: text })),
  }),
  /** `words` are those where parsing stops; absent without any. */
  z.object({ kind: z.literal('command_opaque'), why: z.enum(SHELL_OPACITIES), words: text.exactOptional() }),
  z.object({ kind: z.literal('command_hidden'), how: z.enum(['bidi', 'invisible']) }),
  /** Format `U+00A0`, and the number of others. */
  z.object({ kind: z.literal('command_characters'), characters: z.array(text), more: count }),
  /** The policy author's text; `at` is empty when it concerns no paths. */
  z.object({
    kind: z.literal('custom_policy'),
    says: text,
    ...at,
    /** G11: what it asks of whoever approves. */
    by: z.literal('passkey').exactOptional(),
    asks: SignatureAsks.exactOptional(),
  }),
  z.object({
    kind: z.literal('check_failed'),
    name: text,
    timedOut: z.boolean(),
    exitCode: count.nullable(),
    /** The limit of ours that ended it. */
    limit: FailureDetail.exactOptional(),
  }),
  z.object({ kind: z.literal('check_not_run'), name: text }),
  z.object({ kind: z.literal('claim_unseen'), command: text }),
  z.object({ kind: z.literal('claim_differs'), command: text, passed: z.boolean(), outcome }),
  z.object({ kind: z.literal('not_done'), says: text }),
  z.object({ kind: z.literal('opinion'), says: text }),
  z.object({
    kind: z.literal('step_failed'),
    ...Failure.shape,
    message: text,
  }),
]);
export type AssessmentReason = z.infer<typeof AssessmentReason>;
type AssessmentReasonKind = AssessmentReason['kind'];
export type AssessmentReasonOf<K extends AssessmentReasonKind> = AssessmentReason & { kind: K };
export type PathsKind = (typeof ABOUT_PATHS)[number];
