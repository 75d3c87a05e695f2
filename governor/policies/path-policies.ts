/** Lists what is asked of the files of a change with its risk, and the policies that only ask these. */
import { hasHiddenCharacters, matchesGlob, visibleName } from '#text-safety';
import type { AssessmentReason } from '#model/assessment';
import type { DiffFacts, FileChange, Finding } from '#model/change';
import {
  isAgentConfig,
  isCi,
  isGenerated,
  isInstallTime,
  isLockfile,
  isManifest,
  isTrustRoot,
  isUnreadable,
  keyFileLikelihood,
  isOutsideWorkspace,
  lockfilesWithoutManifest,
  isTestRemoved,
  newNamesFailingOnWindows,
  isTestShrunk,
  selectTouchedPaths,
} from '#model/paths';
import { toPathReasons } from '../shorten-paths.ts';
import {
  denyWhere,
  escalateWhere,
  createDiffQuestion,
  createFileQuestion,
  createPathQuestion,
  type DiffQuestion,
} from '../policy-questions.ts';
import type { PolicyQuestion, PolicyRows, RiskLevel } from '../policy-types.ts';

export const endsInDotOrSpace = (name: string): boolean =>
  name.split('/').some((part) => /[\s.]$/u.test(part) && !/^\.\.?$/.test(part));

const shortName = (text: string): string => visibleName(text).slice(0, 120);

const dependencyReasons = (diff: DiffFacts): AssessmentReason[] => {
  const { dependencies: all = [], ownVersions = [] } = diff;
  const named = new Set([...all.map(({ path }) => path), ...ownVersions]);
  const files = selectTouchedPaths(diff, (p) => (isManifest(p) || isLockfile(p)) && !named.has(p));
  const changes = all.slice(0, 3).map((one) => ({
    name: shortName(one.name),
    was: one.was === null ? null : shortName(one.was),
    version: one.version === null ? null : shortName(one.version),
    path: shortName(one.path),
  }));
  return [
    ...(all.length === 0
      ? []
      : [{ kind: 'dependency_changes' as const, changes, more: all.length - changes.length }]),
    ...toPathReasons('dependencies', files),
  ];
};

const KNOWN_MODES = ['100644', '100755', '120000', '160000', '040000', '000000', '0'];
const hasMode = (mode: string) => (f: FileChange) => [f.oldMode, f.newMode].includes(mode);
/** A deletion reveals nothing. */
const isKeyFile = (how: ReturnType<typeof keyFileLikelihood>) => (f: FileChange) =>
  f.status !== 'deleted' && keyFileLikelihood(f.path) === how;

const pathsOfFindings = ({ findings }: DiffFacts, ...kinds: readonly Finding['kind'][]): string[] =>
  findings.filter((f) => kinds.includes(f.kind)).map((f) => f.path);
const listLostTests = (diff: DiffFacts): string[] => [
  ...new Set([
    ...diff.files.filter(isTestRemoved).map((f) => f.oldPath ?? f.path),
    ...pathsOfFindings(diff, 'test_removed'),
  ]),
];
const listWeakenedTests = (diff: DiffFacts): string[] => [
  ...new Set(pathsOfFindings(diff, 'test_skipped', 'test_weakened')),
];

type DiffRow = { asks: DiffQuestion; risk: RiskLevel | null };

/** A row with a risk is a factor of this id, told in this order. */
export const DIFF_QUESTIONS = {
  'not-on-windows': { asks: createDiffQuestion('not_on_windows', newNamesFailingOnWindows), risk: 'medium' },
  dependencies: { asks: dependencyReasons, risk: 'medium' },
  ci: { asks: createPathQuestion('ci_changed', isCi), risk: 'high' },
  'agent-config': { asks: createPathQuestion('agent_config_changed', isAgentConfig), risk: 'high' },
  'trust-root': { asks: createPathQuestion('trust_root_changed', isTrustRoot), risk: 'high' },
  'unreadable-path': { asks: createPathQuestion('unreadable_path', isUnreadable), risk: 'high' },
  'hidden-path': { asks: createPathQuestion('hidden_path', hasHiddenCharacters), risk: 'high' },
  'key-file': {
    asks: createPathQuestion('key_file_touched', (p) => keyFileLikelihood(p) !== null),
    risk: 'high',
  },
  'unseen-end': { asks: createPathQuestion('trailing_dot_or_space', endsInDotOrSpace), risk: 'high' },
  'outside-path': { asks: createPathQuestion('leaves_workspace', isOutsideWorkspace), risk: 'high' },
  'install-time': { asks: createPathQuestion('install_time', isInstallTime), risk: 'medium' },
  attributes: {
    asks: createPathQuestion('attributes', (p) => /(?:^|\/)\.gitattributes$/i.test(p)),
    risk: 'medium',
  },
  generated: { asks: createPathQuestion('generated', isGenerated), risk: 'medium' },
  gitlink: { asks: createFileQuestion('gitlink', hasMode('160000')), risk: 'high' },
  symlink: { asks: createFileQuestion('symlink', hasMode('120000')), risk: 'medium' },
  binary: { asks: createFileQuestion('binary', (f) => f.binary), risk: 'medium' },
  executable: {
    asks: createFileQuestion('executable', (f) => f.newMode === '100755' && f.oldMode !== '100755'),
    risk: 'medium',
  },
  'not-executable': {
    asks: createFileQuestion('not_executable', (f) => f.oldMode === '100755' && f.newMode === '100644'),
    risk: 'low',
  },
  'type-changed': {
    asks: createFileQuestion('type_changed', (f) => f.status === 'type_changed'),
    risk: 'medium',
  },
  'test-deleted': { asks: createFileQuestion('tests_removed', isTestRemoved), risk: 'medium' },
  deleted: { asks: createFileQuestion('deleted', (f) => f.status === 'deleted'), risk: 'medium' },
  renamed: { asks: createFileQuestion('renamed', (f) => f.status === 'renamed'), risk: 'low' },
  'unknown-mode': {
    asks: createFileQuestion(
      'unknown_mode',
      (f) => !KNOWN_MODES.includes(f.oldMode) || !KNOWN_MODES.includes(f.newMode),
    ),
    risk: 'high',
  },
  'sure-key-file': { asks: createFileQuestion('key_files', isKeyFile('sure')), risk: null },
  'likely-key-file': { asks: createFileQuestion('likely_key_files', isKeyFile('likely')), risk: null },
  'gitlink-added': { asks: createFileQuestion('gitlink_added', (f) => f.newMode === '160000'), risk: null },
  'gitlink-removed': {
    asks: createFileQuestion('gitlink_removed', (f) => f.oldMode === '160000' && f.newMode !== '160000'),
    risk: null,
  },
  'forbidden-path': {
    asks: createPathQuestion('forbidden_path', (p, { forbiddenPaths }) => matchesGlob(p, forbiddenPaths)),
    risk: null,
  },
  'protected-path': {
    asks: createPathQuestion('protected_path', (p, { protectedPaths }) => matchesGlob(p, protectedPaths)),
    risk: null,
  },
  'lockfile-alone': {
    asks: createDiffQuestion('lockfile_without_manifest', lockfilesWithoutManifest),
    risk: null,
  },
  'tests-removed': { asks: createDiffQuestion('tests_removed', listLostTests), risk: null },
  'tests-weaker': { asks: createDiffQuestion('tests_weaker', listWeakenedTests), risk: null },
  'tests-thinner': { asks: createFileQuestion('tests_thinner', isTestShrunk), risk: null },
} as const satisfies Readonly<Record<string, DiffRow>>;

type DiffQuestionId = keyof typeof DIFF_QUESTIONS;
export const denialQuestion = (id: DiffQuestionId): PolicyQuestion => denyWhere(DIFF_QUESTIONS[id].asks);
export const escalationQuestion = (id: DiffQuestionId): PolicyQuestion =>
  escalateWhere(DIFF_QUESTIONS[id].asks);

export const pathPolicies = {
  'no-workflow-edit-without-human': {
    asks: [escalationQuestion('ci')],
    version: 1,
    settings: [],
    card: 'own',
  },
  'agent-config-changed': {
    asks: [escalationQuestion('agent-config')],
    version: 1,
    settings: [],
    card: 'own',
  },
  'trust-roots-changed': { asks: [escalationQuestion('trust-root')], version: 1, settings: [], card: 'own' },
  'forbidden-paths': {
    asks: [denialQuestion('forbidden-path')],
    version: 1,
    settings: ['forbiddenPaths'],
    card: 'shared',
  },
  'protected-paths': {
    asks: [escalationQuestion('protected-path')],
    version: 1,
    settings: ['protectedPaths'],
    card: 'shared',
  },
  'lockfile-needs-manifest': {
    asks: [escalationQuestion('lockfile-alone')],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'no-test-deletion': {
    asks: [
      escalationQuestion('tests-removed'),
      escalationQuestion('tests-weaker'),
      escalationQuestion('tests-thinner'),
    ],
    version: 1,
    settings: [],
    card: 'shared',
  },
} as const satisfies PolicyRows;
