/**
 * Policies over what a change contains: secrets, hidden text, binaries, links, and what the harvest
 * found.
 */
import { endsUnseen, hidden } from '../../invisible.ts';
import { lookAlikeIn } from '../../lookalikes.ts';
import type { Finding } from '../../facts.ts';
import type { PathsKind, Where } from '../../judgements.ts';
import { deny, escalate, isChange, wordsOf, type Action, type Opinion, type Judge } from '../action.ts';
import { judgeCommand } from '../command.ts';
import { secretsIn } from '../secrets.ts';
import {
  aboutPaths,
  keyFile,
  leavesWorkspace,
  listed,
  newNamesFailingOnWindows,
  pathsOf,
  placeOf,
  touched,
} from '../../paths.ts';

export const found = (action: Action, kinds: readonly Finding['kind'][]): Finding[] =>
  isChange(action) ? action.commit.diff.findings.filter((f) => kinds.includes(f.kind)) : [];

type Verdict = typeof deny | typeof escalate;

/** Of the findings of these kinds, where they are. */
const of = (
  action: Action,
  kinds: readonly Finding['kind'][],
  verdict: Verdict,
  kind: PathsKind,
): Opinion[] => aboutPaths(kind, found(action, kinds).map(placeOf)).map(verdict);

/**
 * Whatever a change adds under one of these names, or moves there; what goes away gives nothing
 * away.
 */
const keyFiles = (
  action: Action,
  how: ReturnType<typeof keyFile>,
  verdict: Verdict,
  kind: PathsKind,
): Opinion[] => {
  if (!isChange(action)) return [];
  const paths = action.commit.diff.files
    .filter((f) => f.status !== 'deleted' && keyFile(f.path) === how)
    .map((f) => f.path);
  return aboutPaths(kind, paths).map(verdict);
};

/** Words and names that become public. */
const publicWords = (action: Action): [Where, string][] => [
  ...wordsOf(action),
  ...(isChange(action) ? action.commit.diff.files : [])
    .flatMap(pathsOf)
    .map((p): [Where, string] => ['file_name', p]),
];

export const noSecrets: Judge = (action, { lentIn = [] }) => [
  ...of(action, ['lent_key'], deny, 'lent_key'),
  ...lentIn.map((where) => deny({ kind: 'words_lent', where })),
  // guard: P3-secrets
  ...of(action, ['secret'], deny, 'secret'),
  ...of(action, ['likely_secret'], escalate, 'likely_secret'),
  ...keyFiles(action, 'sure', deny, 'key_files'),
  ...keyFiles(action, 'likely', escalate, 'likely_key_files'),
  ...publicWords(action).flatMap(([where, text]) =>
    secretsIn(text).map(({ what, sure }) =>
      (sure ? deny : escalate)({ kind: 'words_secret', where, secret: what }),
    ),
  ),
];

/** G8: what the phone cannot show as it is, a person signs knowing how much that is. */
export const hiddenLines: Judge = (action) => {
  const hiding = found(action, ['hidden_line']);
  const lines = hiding.reduce((n, f) => n + (f.count ?? 1), 0);
  return hiding.length === 0
    ? []
    : [escalate({ kind: 'hidden_lines', lines, ...listed(hiding.map(placeOf)) })];
};

export const noWriteOutside: Judge = (action) => {
  if (action.kind === 'command') {
    const outside = judgeCommand(action.command).filter((f) => f.id === 'outside');
    return outside.map((f) => deny(f.reason));
  }
  if (!isChange(action)) return [];
  return [
    ...of(action, ['outside_write'], deny, 'outside_write'),
    ...aboutPaths('leaves_workspace', touched(action.commit.diff, leavesWorkspace)).map(deny),
  ];
};

export const noSymlinkEscape: Judge = (action) => of(action, ['symlink_escape'], deny, 'link_leaves');

export const noGitlinks: Judge = (action) => {
  if (!isChange(action)) return [];
  const { files } = action.commit.diff;
  const made = files.filter((f) => f.newMode === '160000').map((f) => f.path);
  const gone = files.filter((f) => f.oldMode === '160000' && f.newMode !== '160000').map((f) => f.path);
  return [...aboutPaths('gitlink_made', made).map(deny), ...aboutPaths('gitlink_gone', gone).map(escalate)];
};

export const noBinary: Judge = (action) => {
  if (!isChange(action)) return [];
  const binary = action.commit.diff.files.filter((f) => f.binary).map((f) => f.path);
  return [
    ...aboutPaths('binary', binary).map(escalate),
    ...of(action, ['lfs_pointer'], escalate, 'lfs_pointer'),
    ...of(action, ['lfs_raw'], escalate, 'lfs_raw'),
    ...of(action, ['filter_raw'], escalate, 'filter_raw'),
    ...of(action, ['not_read'], deny, 'not_read'),
  ];
};

const blankEnds = (action: Action): Opinion[] =>
  isChange(action) ? aboutPaths('unseen_end', touched(action.commit.diff, endsUnseen)).map(escalate) : [];

export const hiddenText: Judge = (action) => {
  if (action.kind === 'command') {
    const how = hidden(action.command);
    return how === null ? [] : [(how === 'bidi' ? deny : escalate)({ kind: 'command_hidden', how })];
  }
  const words = publicWords(action).flatMap(([where, text]) => {
    const how = hidden(text);
    return how === null ? [] : [(how === 'bidi' ? deny : escalate)({ kind: 'words_hidden', where, how })];
  });
  const alike = publicWords(action).flatMap(([where, text]) => {
    const found = text
      .split('\n')
      .map(lookAlikeIn)
      .find((one) => one !== null);
    return found
      ? [escalate({ kind: 'words_look_alike', where, as: found.as, characters: found.codes })]
      : [];
  });
  return [
    ...of(action, ['bidi_text'], deny, 'bidi_text'),
    ...of(action, ['hidden_text'], escalate, 'hidden_text'),
    ...blankEnds(action),
    ...of(action, ['unseen_change', 'line_endings_only', 'blanks_only'], escalate, 'blanks_changed'),
    ...of(action, ['mixed_script'], escalate, 'mixed_script'),
    // guard: G8-look-alikes-asked
    ...of(action, ['look_alike'], escalate, 'look_alike'),
    ...of(action, ['long_line'], escalate, 'long_line'),
    ...words,
    ...alike,
  ];
};

/** What the harvest met in the workspace and left out, or could not put right. */
export const noOddFiles: Judge = (action) => [
  ...of(
    action,
    ['nested_repository', 'special_file', 'hard_link', 'bad_name', 'too_large'],
    escalate,
    'odd_files',
  ),
  ...(isChange(action)
    ? aboutPaths('not_on_windows', newNamesFailingOnWindows(action.commit.diff)).map(escalate)
    : []),
];
