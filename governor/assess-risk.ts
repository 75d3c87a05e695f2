/** Rates an action's risk from facts that we gathered (P2). Unknown is high; no text lowers it. */
import {
  isBlockingCheck,
  passingOnlyWithChange,
  isPassingEvidence,
  isExcusedRed,
  isRedWithoutNames,
} from '#model/evidence';
import type { DiffFacts, Finding } from '#model/change';
import type { RiskFactor, AssessmentReason, PathsKind, PublicPlace } from '#model/assessment';
import { findingLocation } from '#model/paths';
import { findHiddenCharacterKind, findSecrets } from '#text-safety';
import { signalsIn, listPublicTexts } from './public-texts.ts';
import type { GovernedAction, ChangeAction, TextAction } from './governed-action.ts';
import type { PolicyContext, RiskLevel, AssessedRisk } from './policy-types.ts';
import { classifyCommand } from './classify-command.ts';
import { toPathReasons, shortenPaths } from './shorten-paths.ts';
import { DIFF_QUESTIONS } from './policies/path-policies.ts';

const RISK_LEVELS: readonly RiskLevel[] = ['low', 'medium', 'high'];
export const higherLevel = (left: RiskLevel, right: RiskLevel): RiskLevel =>
  RISK_LEVELS.indexOf(left) >= RISK_LEVELS.indexOf(right) ? left : right;

const FINDINGS: Readonly<Record<Finding['kind'], RiskLevel>> = {
  secret: 'high',
  exposed_credential: 'high',
  likely_secret: 'high',
  hidden_line: 'high',
  bidi_text: 'high',
  hidden_text: 'high',
  mixed_script: 'medium',
  look_alike: 'high',
  long_line: 'medium',
  line_endings_only: 'medium',
  whitespace_only: 'medium',
  unseen_change: 'medium',
  test_removed: 'medium',
  test_skipped: 'medium',
  test_weakened: 'medium',
  nested_repository: 'high',
  special_file: 'high',
  hard_link: 'high',
  bad_name: 'high',
  too_large: 'high',
  not_read: 'high',
  symlink_escape: 'high',
  lfs_pointer: 'medium',
  lfs_raw: 'medium',
  // Content that the repository encrypts would be published in plain text.
  filter_raw: 'high',
  skipped_ignored: 'low',
  agent_git: 'low',
};

const fromFindings = (findings: readonly Finding[]): RiskFactor[] => {
  const kinds = [...new Set(findings.map((f) => f.kind))];
  return kinds.map((kind) => {
    const places = findings.filter((f) => f.kind === kind).map(findingLocation);
    // A kind missing in this table counts as unknown, hence high.
    const level = Object.hasOwn(FINDINGS, kind) ? FINDINGS[kind] : 'high';
    return {
      id: kind.replaceAll('_', '-'),
      level,
      reason: { kind: 'finding', finding: kind, ...shortenPaths(places) },
    };
  });
};

const toRiskFactors = (
  id: string,
  level: RiskLevel,
  kind: PathsKind,
  paths: readonly string[],
): RiskFactor[] => toPathReasons(kind, paths).map((reason) => ({ id, level, reason }));

const fromFiles = (diff: DiffFacts, { settings }: PolicyContext): RiskFactor[] =>
  Object.entries(DIFF_QUESTIONS).flatMap(([id, { asks, risk: level }]) =>
    level === null ? [] : asks(diff, settings).map((reason) => ({ id, level, reason })),
  );

const fromSize = (diff: DiffFacts, { settings: s }: PolicyContext): RiskFactor[] => {
  // The greater of git's total and the files' sum.
  const sum = diff.files.reduce((n, f) => n + f.added + f.deleted, 0);
  const lines = Math.max(sum, diff.added + diff.deleted);
  const files = diff.files.length;
  const size = { kind: 'size', files, lines, bytes: diff.bytes } as const;
  if (files > s.maxFiles || lines > s.maxLines || diff.bytes > s.maxBytes)
    return [{ id: 'size', level: 'high', reason: { ...size, overLimit: true } }];
  if (files > s.smallFiles || lines > s.smallLines)
    return [{ id: 'size', level: 'medium', reason: { ...size, overLimit: false } }];
  return [];
};

const fromContext = (action: ChangeAction, context: PolicyContext): RiskFactor[] => {
  const out: RiskFactor[] = [];
  const addFactor = (id: string, level: RiskLevel, reason: AssessmentReason): void =>
    void out.push({ id, level, reason });
  const { checkConfig } = action;
  const names = checkConfig ? passingOnlyWithChange(checkConfig) : [];
  if (checkConfig && names.length > 0)
    addFactor('check-config', 'high', {
      kind: 'check_config_needed',
      names,
      ...shortenPaths(checkConfig.files),
    });
  else if (checkConfig)
    out.push(...toRiskFactors('check-config', 'medium', 'check_config_changed', checkConfig.files));
  if (action.commit.diff.files.length === 0) addFactor('no-facts', 'high', { kind: 'no_facts' });
  if (context.contract === null) addFactor('no-contract', 'high', { kind: 'no_contract' });
  if (context.containment === null) addFactor('containment', 'high', { kind: 'containment_unknown' });
  if (context.containment === 'group') addFactor('weak-containment', 'medium', { kind: 'containment_weak' });
  const failed = action.checks.filter(
    (c) => (c.outcome === 'failed' || c.outcome === 'timed_out') && isBlockingCheck(c),
  );
  const untested = action.checks.filter((c) => c.outcome === 'ran_no_test');
  const stopped = untested.filter(isBlockingCheck).map((c) => c.name);
  const unnamed = action.checks.filter(isRedWithoutNames).map((c) => c.name);
  const before = action.checks.filter((c) => isExcusedRed(c) && !isRedWithoutNames(c)).map((c) => c.name);
  if (unnamed.length > 0) addFactor('red-unnamed', 'medium', { kind: 'red_unnamed', names: unnamed });
  if (stopped.length > 0) addFactor('checks', 'high', { kind: 'tests_stopped', names: stopped });
  if (failed.length > 0 || (!action.passed && stopped.length === 0))
    addFactor('checks', 'high', { kind: 'checks_fail', names: failed.map((c) => c.name) });
  else if (untested.length > 0 && stopped.length === 0 && !action.checks.some(isPassingEvidence))
    addFactor('ran-no-test', 'medium', { kind: 'ran_no_test', names: untested.map((c) => c.name) });
  else if (!action.checks.some((c) => c.outcome !== 'not_run'))
    addFactor('checks', 'medium', { kind: 'no_check' });
  const lucky = action.checks
    .filter((c) => c.outcome === 'passed' && !isPassingEvidence(c))
    .map((c) => c.name);
  if (lucky.length > 0) addFactor('flaky-before', 'medium', { kind: 'flaky_before', names: lucky });
  if (before.length > 0) addFactor('red-before', 'medium', { kind: 'red_before', names: before });
  return out;
};

const fromWords = (action: GovernedAction, context: PolicyContext): RiskFactor[] =>
  listPublicTexts(action).flatMap(([where, text]): RiskFactor[] => [
    ...signalsIn(action, where, text, context).map((s): RiskFactor => ({
      id: s.kind.replaceAll('_', '-'),
      level: 'medium',
      reason: { kind: 'public_text_signal', where, signal: s.kind, excerpt: s.excerpt, never: false },
    })),
    ...findHiddenText(where, text),
    ...findSecrets(text).map(({ what }): RiskFactor => ({
      id: 'secret',
      level: 'high',
      reason: { kind: 'public_text_secret', where, secret: what },
    })),
  ]);

const findHiddenText = (where: PublicPlace, text: string): RiskFactor[] => {
  const how = findHiddenCharacterKind(text);
  if (how === null) return [];
  return [{ id: 'hidden-text', level: 'high', reason: { kind: 'public_text_hidden', where, how } }];
};

const ofChange = (action: ChangeAction, context: PolicyContext): RiskFactor[] => {
  const { diff } = action.commit;
  return [
    ...fromContext(action, context),
    ...fromFindings(diff.findings),
    ...fromFiles(diff, context),
    ...fromSize(diff, context),
    ...fromWords(action, context),
  ];
};

const ofWords = (action: TextAction, context: PolicyContext): RiskFactor[] => {
  const { contract, settings } = context;
  const out: RiskFactor[] = [];
  const { length } = action.body;
  const limit = settings.maxCommentLength;
  if (contract === null) out.push({ id: 'no-contract', level: 'high', reason: { kind: 'no_contract' } });
  if (length > limit)
    out.push({ id: 'length', level: 'medium', reason: { kind: 'comment_long', length, limit } });
  return [...out, ...fromWords(action, context)];
};

/** Each signer weighs an overruled rule again. */
const findOverruledBans = (
  action: GovernedAction,
  { contract, overruled = [] }: PolicyContext,
): RiskFactor[] =>
  action.kind === 'command'
    ? []
    : overruled
        .filter((o) =>
          contract?.rules.some((r) => r.kind === 'ai_ban' && r.file === o.file && r.quote === o.quote),
        )
        .map(({ by, why, quote, file, line }) => ({
          id: 'ban-overruled',
          level: 'high',
          reason: { kind: 'ban_overruled', by, why, quote, file, line },
        }));

export const assessRisk = (action: GovernedAction, context: PolicyContext): AssessedRisk => {
  const factors = [...factorsOf(action, context), ...findOverruledBans(action, context)];
  return { level: factors.map((f) => f.level).reduce(higherLevel, 'low'), factors };
};

const factorsOf = (action: GovernedAction, context: PolicyContext): RiskFactor[] => {
  switch (action.kind) {
    case 'push':
    case 'open_pr':
      return ofChange(action, context);
    case 'comment':
    case 'reply':
      return ofWords(action, context);
    case 'command':
      return classifyCommand(action.command).map((f) => ({ id: f.id, level: f.level, reason: f.reason }));
    default:
      return [{ id: 'unknown-action', level: 'high', reason: unknownAction(action) }];
  }
};

const unknownAction = (_: never): AssessmentReason => ({ kind: 'unknown_action' });
