/** Policies on a change's content: secrets, hidden text, binaries, links and skipped files. */
import { endsUnseen, findLookalike, hiddenCharacterKind, findPathLookalike, secretsIn } from '#text-safety';
import type { Finding } from '../../model/change-records.ts';
import type { PathsKind } from '../../model/assessment-reasons.ts';
import type { PublicPlace } from '../../model/reason-vocabulary.ts';
import {
  denyOpinion,
  escalateOpinion,
  type PolicyOpinion,
  type PolicyEvaluator,
  type PolicyRows,
} from '../policy-types.ts';
import { findingsOfKinds, isChange, type GovernedAction } from '../governed-action.ts';
import { publicWordsOf } from '../public-texts.ts';
import { classifyCommand } from '../classify-command.ts';
import { aboutPaths, listPaths } from '../path-reasons.ts';
import {
  keyFileLikelihood,
  leavesWorkspace,
  newNamesFailingOnWindows,
  pathsOf,
  findingLocation,
  touchedPaths,
} from '../../model/path-kinds.ts';

type Verdict = typeof denyOpinion | typeof escalateOpinion;

const of = (
  action: GovernedAction,
  kinds: readonly Finding['kind'][],
  verdict: Verdict,
  kind: PathsKind,
): PolicyOpinion[] => aboutPaths(kind, findingsOfKinds(action, kinds).map(findingLocation)).map(verdict);

/** Added or renamed files; a deletion reveals nothing. */
const keyFiles = (
  action: GovernedAction,
  how: ReturnType<typeof keyFileLikelihood>,
  verdict: Verdict,
  kind: PathsKind,
): PolicyOpinion[] => {
  if (!isChange(action)) return [];
  const paths = action.commit.diff.files
    .filter((f) => f.status !== 'deleted' && keyFileLikelihood(f.path) === how)
    .map((f) => f.path);
  return aboutPaths(kind, paths).map(verdict);
};

const publicWords = (action: GovernedAction): [PublicPlace, string][] => [
  ...publicWordsOf(action),
  ...(isChange(action) ? action.commit.diff.files : [])
    .flatMap(pathsOf)
    .map((p): [PublicPlace, string] => ['file_name', p]),
];

const noSecrets: PolicyEvaluator = (action, { lentIn = [] }) => [
  ...of(action, ['exposed_credential'], denyOpinion, 'exposed_credential'),
  ...lentIn.map((where) => denyOpinion({ kind: 'public_text_credential', where })),
  // guard: P3-secrets
  ...of(action, ['secret'], denyOpinion, 'secret'),
  ...of(action, ['likely_secret'], escalateOpinion, 'likely_secret'),
  ...keyFiles(action, 'sure', denyOpinion, 'key_files'),
  ...keyFiles(action, 'likely', escalateOpinion, 'likely_key_files'),
  ...publicWords(action).flatMap(([where, text]) =>
    secretsIn(text).map(({ what, sure }) =>
      (sure ? denyOpinion : escalateOpinion)({ kind: 'public_text_secret', where, secret: what }),
    ),
  ),
];

/** G8: the signer is told how much the phone cannot show. */
const hiddenLinesPolicy: PolicyEvaluator = (action) => {
  const hiding = findingsOfKinds(action, ['hidden_line']);
  const lines = hiding.reduce((n, f) => n + (f.count ?? 1), 0);
  return hiding.length === 0
    ? []
    : [escalateOpinion({ kind: 'hidden_lines', lines, ...listPaths(hiding.map(findingLocation)) })];
};

const noWriteOutside: PolicyEvaluator = (action) => {
  if (action.kind === 'command') {
    const outside = classifyCommand(action.command).filter((f) => f.id === 'outside');
    return outside.map((f) => denyOpinion(f.reason));
  }
  if (!isChange(action)) return [];
  return aboutPaths('leaves_workspace', touchedPaths(action.commit.diff, leavesWorkspace)).map(denyOpinion);
};

const noSymlinkEscape: PolicyEvaluator = (action) =>
  of(action, ['symlink_escape'], denyOpinion, 'link_leaves');

const noGitlinks: PolicyEvaluator = (action) => {
  if (!isChange(action)) return [];
  const { files } = action.commit.diff;
  const made = files.filter((f) => f.newMode === '160000').map((f) => f.path);
  const gone = files.filter((f) => f.oldMode === '160000' && f.newMode !== '160000').map((f) => f.path);
  return [
    ...aboutPaths('gitlink_added', made).map(denyOpinion),
    ...aboutPaths('gitlink_removed', gone).map(escalateOpinion),
  ];
};

const noBinary: PolicyEvaluator = (action) => {
  if (!isChange(action)) return [];
  const binary = action.commit.diff.files.filter((f) => f.binary).map((f) => f.path);
  return [
    ...aboutPaths('binary', binary).map(escalateOpinion),
    ...of(action, ['lfs_pointer'], escalateOpinion, 'lfs_pointer'),
    ...of(action, ['lfs_raw'], escalateOpinion, 'lfs_raw'),
    ...of(action, ['filter_raw'], escalateOpinion, 'filter_raw'),
    ...of(action, ['not_read'], denyOpinion, 'not_read'),
  ];
};

const blankEnds = (action: GovernedAction): PolicyOpinion[] =>
  isChange(action)
    ? aboutPaths('trailing_dot_or_space', touchedPaths(action.commit.diff, endsUnseen)).map(escalateOpinion)
    : [];

const hiddenText: PolicyEvaluator = (action) => {
  if (action.kind === 'command') {
    const how = hiddenCharacterKind(action.command);
    return how === null
      ? []
      : [(how === 'bidi' ? denyOpinion : escalateOpinion)({ kind: 'command_hidden', how })];
  }
  const words = publicWords(action).flatMap(([where, text]) => {
    const how = hiddenCharacterKind(text);
    return how === null
      ? []
      : [(how === 'bidi' ? denyOpinion : escalateOpinion)({ kind: 'public_text_hidden', where, how })];
  });
  const alike = publicWords(action).flatMap(([where, text]) => {
    const found = text
      .split('\n')
      .map(where === 'file_name' ? findPathLookalike : findLookalike)
      .find((one) => one !== null);
    return found
      ? [escalateOpinion({ kind: 'public_text_look_alike', where, as: found.as, characters: found.codes })]
      : [];
  });
  return [
    ...of(action, ['bidi_text'], denyOpinion, 'bidi_text'),
    ...of(action, ['hidden_text'], escalateOpinion, 'hidden_text'),
    ...blankEnds(action),
    ...of(
      action,
      ['unseen_change', 'line_endings_only', 'whitespace_only'],
      escalateOpinion,
      'whitespace_changed',
    ),
    ...of(action, ['mixed_script'], escalateOpinion, 'mixed_script'),
    // guard: G8-look-alikes-asked
    ...of(action, ['look_alike'], escalateOpinion, 'look_alike'),
    ...of(action, ['long_line'], escalateOpinion, 'long_line'),
    ...words,
    ...alike,
  ];
};

const noOddFiles: PolicyEvaluator = (action) => [
  ...of(
    action,
    ['nested_repository', 'special_file', 'hard_link', 'bad_name', 'too_large'],
    escalateOpinion,
    'odd_files',
  ),
  ...(isChange(action)
    ? aboutPaths('not_on_windows', newNamesFailingOnWindows(action.commit.diff)).map(escalateOpinion)
    : []),
];

export const contentPolicies = {
  'no-secrets': { evaluate: noSecrets, version: 1, settings: [], card: 'own' },
  'hidden-lines': { evaluate: hiddenLinesPolicy, version: 1, settings: [], card: 'own' },
  'no-write-outside-workspace': { evaluate: noWriteOutside, version: 1, settings: [], card: 'shared' },
  'no-symlink-escape': { evaluate: noSymlinkEscape, version: 1, settings: [], card: 'shared' },
  'no-gitlinks': { evaluate: noGitlinks, version: 1, settings: [], card: 'shared' },
  'no-binary': { evaluate: noBinary, version: 1, settings: [], card: 'shared' },
  'hidden-text': { evaluate: hiddenText, version: 1, settings: [], card: 'own' },
  'no-odd-files': { evaluate: noOddFiles, version: 1, settings: [], card: 'shared' },
} as const satisfies PolicyRows;
