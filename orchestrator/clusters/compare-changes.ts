/** Finds changes of a campaign to approve together: equal edits, text and assessment. */
import { BUILT_IN_POLICIES, isBuiltIn } from '#governor';
import { codeSpan } from '#text-safety';
import type { RunAgent, RunTarget, RunGate, RunUpstream, Run } from '../kernel/run/run.ts';
import { objectionsOf } from '#model/assessment';
import type { Commit } from '#model/change';
import { readHunkHeader } from '#model/values';
import { canonicalJson, type SealFields } from '#model/seal';
import { abstractVaryingValues, type VaryingValue } from './varying-values.ts';

/** `header` says what happens to the file; `blocks` are runs of added and removed lines. */
type PatchedFile = { header: string[]; blocks: string[][]; around: string[] };

/** Depends on the rest of the file, which differs per repository. */
const INCIDENTAL = /^(?:similarity|dissimilarity) index /;
const BLOB = /^index [0-9a-f]+\.\.[0-9a-f]+/;

/** Returns null for binary content and for anything git does not write. */
export const parsePatchedFiles = (patch: string): PatchedFile[] | null => {
  if (patch.includes('\0')) return null;
  const parts = patch.split(/(?:^|\n)(?=diff --git )/).filter((part) => part !== '');
  const files = parts.map(readFile);
  return files.length > 0 && files.every((file) => file !== null) ? files : null;
};

const readFile = (part: string): PatchedFile | null => {
  const lines = (part.endsWith('\n') ? part.slice(0, -1) : part).split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  const head = first < 0 ? lines : lines.slice(0, first);
  if (!head[0]?.startsWith('diff --git ') || head.some((line) => /^(?:Binary files|GIT binary)/.test(line)))
    return null;
  const header = head.filter((line) => !INCIDENTAL.test(line)).map((line) => line.replace(BLOB, 'index'));
  const content = first < 0 ? { blocks: [], around: [] } : readHunks(lines.slice(first));
  return content && { header, ...content };
};

type Left = { old: number; now: number };

const readHunks = (lines: readonly string[]): Omit<PatchedFile, 'header'> | null => {
  const blocks: string[][] = [];
  const around: string[] = [];
  let block: string[] | null = null;
  let left: Left = { old: 0, now: 0 };
  for (const line of lines) {
    const sign = line[0] ?? '';
    if (left.old === 0 && left.now === 0 && sign !== '\\') {
      const hunk = readHunkHeader(line);
      if (!hunk) return null;
      left = { old: hunk.oldLines, now: hunk.newLines };
      block = null;
      around.push('@@');
      continue;
    }
    around.push(line);
    if (sign === '\\') {
      block?.push(line);
      continue;
    }
    if (sign !== ' ' && sign !== '+' && sign !== '-') return null;
    left = { old: left.old - (sign === '+' ? 0 : 1), now: left.now - (sign === '-' ? 0 : 1) };
    if (left.old < 0 || left.now < 0) return null;
    if (sign === ' ') block = null;
    else if (block) block.push(line);
    else blocks.push((block = [line]));
  }
  return left.old === 0 && left.now === 0 ? { blocks, around } : null;
};

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
  const files = parsePatchedFiles(sample.patch.text);
  if (!files) return null;
  const withoutVarying = (text: string): string => abstractVaryingValues(text, varying);
  const { kind, fields, run, needed } = sample;
  const { assessment, evidence, draft, maintainerCanModify, author } = fields;
  const common = inOrder(files.map((file) => withoutVarying(changesOf(file))));
  const title = withoutVarying(fields.title);
  const key = canonicalJson({
    kind,
    common,
    title,
    needed,
    draft,
    maintainerCanModify,
    author,
    signer: fields.signer ?? null,
    body: withoutVarying(withoutChecks(fields)),
    messages: sample.patch.messages.map(withoutVarying),
    branch: withoutVarying(fields.branch),
    pushes: fields.pushes ?? false,
    fork: run.target.fork !== null,
    containment: run.agent.containment,
    risk: assessment.risk,
    decision: assessment.decision,
    reasons: withoutVarying(canonicalJson(objectionsOf(assessment))),
    factors: withoutVarying(canonicalJson(assessment.factors)),
    checked: evidence.some((e) => e.kind === 'check'),
    grade: withoutVarying(canonicalJson(evidence.filter((e) => e.kind === 'grade'))),
  });
  return { key, common, title, around: inOrder(files.map((file) => withoutVarying(file.around.join('\n')))) };
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
