/** Finds changes of a campaign to approve together: equal edits, text and assessment. */
import type { RunAgent, RunTarget, RunGate, RunUpstream, Run } from '../kernel/run/run.ts';
import { objectionsOf, type Commit } from '../model/change-records.ts';
import { BUILT_IN_POLICIES, isBuiltIn } from '#governor';
import { codeSpan } from '#text-safety';
import { canonicalJson, type SealFields } from '../model/seal.ts';
import { filesIn, type PatchedFile } from './split-patch.ts';
import { abstractVaryingValues, type VaryingValue } from './varying-values.ts';

export type ChangeSample = {
  kind: 'push' | 'open_pr';
  fields: SealFields;
  commit: Commit;
  patch: { text: string; omitted: number; messages: readonly string[] };
  run: Pick<Run, 'id' | 'order'> & {
    agent: Pick<RunAgent, 'containment' | 'exposedCredentials'>;
    target: Pick<RunTarget, 'fork' | 'requiresSignedCommits'>;
    gate: Pick<RunGate, 'editedPrText'>;
    upstream: Pick<RunUpstream, 'pullRequest'>;
  };
  needed: number;
};

export type SampleLikeness = {
  /** Equal for changes that may be approved together; callers hash it to compare many. */
  key: string;
  common: string;
  title: string;
  around: string;
};

/** A longer patch is shown by itself (characters). */
const MOST_TEXT = 64_000;

/** The repository ignores these files anyway. */
const HARMLESS: readonly string[] = ['skipped_ignored'];

/** Policies of an operator or a repository share cards, as their findings do not stand in the lines. */
const hasOwnCard = (policy: string): boolean => isBuiltIn(policy) && BUILT_IN_POLICIES[policy].card === 'own';

export const needsOwnCard = ({ fields, commit, patch, run }: ChangeSample): boolean => {
  const { assessment, conflicts, evidence } = fields;
  // guard: G6-high-alone
  if (assessment.risk === 'high' || assessment.decision === 'deny') return true;
  if (objectionsOf(assessment).some((r) => hasOwnCard(r.policy))) return true;
  // guard: G8-finding-alone
  if (commit.diff.findings.some((f) => !HARMLESS.includes(f.kind))) return true;
  if (evidence.some((e) => e.kind !== 'check' && e.kind !== 'grade')) return true;
  if (evidence.some((e) => e.kind === 'check' && e.outcome !== 'passed')) return true;
  const unsigned = run.target.requiresSignedCommits && fields.signer === undefined;
  return (
    conflicts ||
    unsigned ||
    run.upstream.pullRequest !== null ||
    run.gate.editedPrText !== null ||
    Boolean(run.agent.exposedCredentials) ||
    isLong(patch)
  );
};

const isLong = ({ text, omitted }: ChangeSample['patch']): boolean => omitted > 0 || text.length > MOST_TEXT;

export const likenessOf = (sample: ChangeSample, varying: readonly VaryingValue[]): SampleLikeness | null => {
  if (needsOwnCard(sample)) return null;
  const files = filesIn(sample.patch.text);
  if (!files) return null;
  const own = (text: string): string => abstractVaryingValues(text, varying);
  const { kind, fields, run, needed } = sample;
  const { assessment, evidence, draft, maintainerCanModify, author } = fields;
  const common = inOrder(files.map((file) => own(changesOf(file))));
  const title = own(fields.title);
  const key = canonicalJson({
    kind,
    common,
    title,
    needed,
    draft,
    maintainerCanModify,
    author,
    signer: fields.signer ?? null,
    body: own(withoutChecks(fields)),
    messages: sample.patch.messages.map(own),
    branch: own(fields.branch),
    pushes: fields.pushes ?? false,
    fork: run.target.fork !== null,
    containment: run.agent.containment,
    risk: assessment.risk,
    decision: assessment.decision,
    reasons: own(canonicalJson(objectionsOf(assessment))),
    factors: own(canonicalJson(assessment.factors)),
    checked: evidence.some((e) => e.kind === 'check'),
    grade: own(canonicalJson(evidence.filter((e) => e.kind === 'grade'))),
  });
  return { key, common, title, around: inOrder(files.map((file) => own(file.around.join('\n')))) };
};

/** File order follows names, which differ between repositories. */
const inOrder = (files: readonly string[]): string => [...files].sort().join('\n');

/** Drops line numbers and context. */
const changesOf = ({ header, blocks }: PatchedFile): string =>
  [...header, ...blocks.flatMap((block) => ['@@', ...block])].join('\n');

/** Commands differ per repository and stand in the table; that they passed is sealed. */
const withoutChecks = ({ body, evidence }: SealFields): string => {
  const lines = new Set(
    evidence.flatMap((e) => (e.kind === 'check' ? [`- ${codeSpan(e.command)}: passed`] : [])),
  );
  return body
    .split('\n')
    .filter((line) => !lines.has(line))
    .join('\n');
};
