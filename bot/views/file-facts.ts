/** Says what is special about the files of a change, and sorts them by risk. */
import type { DiffFacts, FileChange, Finding } from '#model/change';
import { isTest } from '#model/paths';
import { isDoc } from '#pull-text';
import type { LanguageTexts } from '#language';

export const formatDiffSize = (diff: { added: number; deleted: number }): string =>
  `+${diff.added} −${diff.deleted}`;

export const describeSize = (
  change: { added: number; deleted: number; files: readonly unknown[] },
  { sizes }: LanguageTexts['card'],
): string => {
  const lines = change.added + change.deleted;
  const files = change.files.length;
  const is = lines <= 60 && files <= 5 ? 'small' : lines <= 400 && files <= 20 ? 'medium' : 'large';
  return sizes[is](lines === 0 ? '' : formatDiffSize(change), files);
};

export const SKIPPED_FILE_FINDINGS = [
  'nested_repository',
  'hard_link',
  'bad_name',
  'too_large',
  'skipped_ignored',
] as const satisfies readonly Finding['kind'][];

export type ChangeNature =
  | 'renamed'
  | 'executable'
  | 'notExecutable'
  | 'link'
  | 'submodule'
  | 'lineEndings'
  | 'blanks'
  | 'lfs'
  | 'lfsRaw'
  | 'filterRaw';
export const NATURE_BY_FINDING: Partial<Record<Finding['kind'], ChangeNature>> = {
  line_endings_only: 'lineEndings',
  whitespace_only: 'blanks',
  lfs_pointer: 'lfs',
  lfs_raw: 'lfsRaw',
  filter_raw: 'filterRaw',
};

export const naturesOf = (diff: DiffFacts, file: FileChange): ChangeNature[] => {
  const hasModes = (old: string, now: string): boolean => file.oldMode === old && file.newMode === now;
  const is: [ChangeNature, boolean][] = [
    ['renamed', file.oldPath !== null && file.oldPath !== file.path],
    ['executable', file.newMode === '100755' && file.oldMode !== '100755'],
    ['notExecutable', hasModes('100755', '100644')],
    ['link', file.newMode === '120000'],
    ['submodule', file.newMode === '160000'],
  ];
  const found = diff.findings.flatMap(({ kind, path }) =>
    path === file.path ? (NATURE_BY_FINDING[kind] ?? []) : [],
  );
  return [...is.flatMap(([nature, so]) => (so ? [nature] : [])), ...new Set(found)];
};

const TELLING =
  /(^|\/)(\.github\/workflows\/|\.gitlab-ci|\.circleci\/|Jenkinsfile)|package-lock|\.lock$|(^|\/)(package\.json|setup\.py)$/;
/** Sorts flagged files first, then deletions, then source before tests and docs, then by size. */
export const sortFilesByRisk = (diff: DiffFacts): FileChange[] => {
  const flagged = new Set(diff.findings.map((f) => f.path));
  const weightOf = (file: FileChange): number =>
    (flagged.has(file.path) ? 8e9 : 0) +
    (TELLING.test(file.path) || file.binary || file.status === 'type_changed' ? 4e9 : 0) +
    (file.status === 'deleted' ? 2e9 : 0) +
    (isTest(file.path) || isDoc(file.path) ? 0 : 1e9) +
    file.added +
    file.deleted;
  return [...diff.files].sort((a, b) => weightOf(b) - weightOf(a) || (a.path < b.path ? -1 : 1));
};

export const deservesAttention = (diff: DiffFacts, file: FileChange): boolean =>
  diff.findings.some((f) => f.path === file.path) ||
  TELLING.test(file.path) ||
  file.binary ||
  file.status === 'deleted';
