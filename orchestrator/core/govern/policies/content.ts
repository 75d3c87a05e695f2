/** Policies over what a change contains: secrets, hidden text, binaries, links, and what the harvest found. */
import { endsUnseen, hidden } from '../../invisible.ts';
import type { Finding } from '../../facts.ts';
import { deny, escalate, isChange, wordsOf, type Action, type Judgement, type Policy } from '../action.ts';
import { judgeCommand } from '../command.ts';
import { secretsIn } from '../secrets.ts';
import { keyFile, leavesWorkspace, listed, pathsOf, touched } from '../paths.ts';

export const found = (action: Action, kinds: readonly Finding['kind'][]): Finding[] =>
  isChange(action) ? action.commit.diff.findings.filter((f) => kinds.includes(f.kind)) : [];

const at = (findings: readonly Finding[]): string =>
  listed(findings.map((f) => (f.line > 0 ? `${f.path}:${f.line}` : f.path)));

const when = (findings: readonly Finding[], say: (places: string) => Judgement): Judgement[] =>
  findings.length === 0 ? [] : [say(at(findings))];

/** Whatever a change adds under one of these names, or moves there; what goes away gives nothing away. */
const keyFiles = (
  action: Action,
  how: ReturnType<typeof keyFile>,
  say: (paths: string) => Judgement,
): Judgement[] => {
  if (!isChange(action)) return [];
  const paths = action.commit.diff.files
    .filter((f) => f.status !== 'deleted' && keyFile(f.path) === how)
    .map((f) => f.path);
  return paths.length === 0 ? [] : [say(listed(paths))];
};

/** Words and names that become public. */
const publicWords = (action: Action): [string, string][] => [
  ...wordsOf(action),
  ...(isChange(action) ? action.commit.diff.files : [])
    .flatMap(pathsOf)
    .map((p): [string, string] => ['a file name', p]),
];

const noSecrets: Policy = {
  id: 'no-secrets',
  judge: (action, { lentIn = [] }) => [
    ...when(found(action, ['lent_key']), (places) =>
      deny(`a key or sign-in that was lent to the agent is in ${places}`),
    ),
    ...lentIn.map((where) => deny(`${where} has a key or sign-in that was lent to the agent`)),
    ...when(found(action, ['secret']), (places) => deny(`what looks like a secret is in ${places}`)),
    ...when(found(action, ['likely_secret']), (places) => escalate(`what may be a secret is in ${places}`)),
    ...keyFiles(action, 'sure', (paths) =>
      deny(`these files hold keys or passwords by their names: ${paths}`),
    ),
    ...keyFiles(action, 'likely', (paths) =>
      escalate(`these files may hold keys or passwords by their names: ${paths}`),
    ),
    ...publicWords(action).flatMap(([where, text]) =>
      secretsIn(text).map(({ what, sure }) =>
        (sure ? deny : escalate)(`${where} has what looks like ${what}`),
      ),
    ),
  ],
};

/** G8: what the phone cannot show as it is, a person signs knowing how much that is. */
const hiddenLines: Policy = {
  id: 'hidden-lines',
  judge: (action) => {
    const hiding = found(action, ['hidden_line']);
    const lines = hiding.reduce((n, f) => n + (f.count ?? 1), 0);
    return when(hiding, (places) =>
      escalate(
        `${lines === 1 ? '1 line is' : `${lines} lines are`} not shown as they are, because a secret is hidden: ${places}`,
      ),
    );
  },
};

const noWriteOutside: Policy = {
  id: 'no-write-outside-workspace',
  judge: (action) => {
    if (action.kind === 'command') {
      const outside = judgeCommand(action.command).filter((f) => f.id === 'outside');
      return outside.map((f) => deny(f.reason));
    }
    if (!isChange(action)) return [];
    const paths = touched(action.commit.diff, leavesWorkspace);
    return [
      ...when(found(action, ['outside_write']), (places) => deny(`something was written outside: ${places}`)),
      ...(paths.length > 0 ? [deny(`a path leaves the workspace: ${listed(paths)}`)] : []),
    ];
  },
};

const noSymlinkEscape: Policy = {
  id: 'no-symlink-escape',
  judge: (action) =>
    when(found(action, ['symlink_escape']), (places) =>
      deny(`a link points out of the repository: ${places}`),
    ),
};

const noGitlinks: Policy = {
  id: 'no-gitlinks',
  judge: (action) => {
    if (!isChange(action)) return [];
    const { files } = action.commit.diff;
    const made = files.filter((f) => f.newMode === '160000').map((f) => f.path);
    const gone = files.filter((f) => f.oldMode === '160000' && f.newMode !== '160000').map((f) => f.path);
    return [
      ...(made.length > 0 ? [deny(`a submodule pointer would be published: ${listed(made)}`)] : []),
      ...(gone.length > 0 ? [escalate(`a submodule is removed: ${listed(gone)}`)] : []),
    ];
  },
};

const noBinary: Policy = {
  id: 'no-binary',
  judge: (action) => {
    if (!isChange(action)) return [];
    const binary = action.commit.diff.files.filter((f) => f.binary).map((f) => f.path);
    return [
      ...(binary.length > 0 ? [escalate(`nobody can read a binary file: ${listed(binary)}`)] : []),
      ...when(found(action, ['lfs_pointer']), (places) =>
        escalate(`it points to a large file that is not pushed: ${places}`),
      ),
      ...when(found(action, ['lfs_raw']), (places) =>
        escalate(`the repository keeps it in LFS, and here its own bytes would be published: ${places}`),
      ),
      ...when(found(action, ['not_read']), (places) =>
        deny(`nobody has read it, because it is too large to be looked through: ${places}`),
      ),
    ];
  },
};

const blankEnds = (action: Action): Judgement[] => {
  const paths = isChange(action) ? touched(action.commit.diff, endsUnseen) : [];
  return paths.length === 0 ? [] : [escalate(`a name ends in a blank or a dot: ${listed(paths)}`)];
};

const hiddenText: Policy = {
  id: 'hidden-text',
  judge: (action) => {
    if (action.kind === 'command') {
      const kind = hidden(action.command);
      if (kind === null) return [];
      return [
        kind === 'bidi'
          ? deny('the command is reordered on screen')
          : escalate('the command hides characters'),
      ];
    }
    const words = publicWords(action).flatMap(([where, text]) => {
      const kind = hidden(text);
      if (kind === 'bidi') return [deny(`${where} is reordered on screen by bidirectional controls`)];
      return kind === null ? [] : [escalate(`${where} has characters that are not seen`)];
    });
    return [
      ...when(found(action, ['bidi_text']), (places) =>
        deny(`text is reordered on screen by bidirectional controls: ${places}`),
      ),
      ...when(found(action, ['hidden_text']), (places) =>
        escalate(`characters that are not seen: ${places}`),
      ),
      ...blankEnds(action),
      ...when(found(action, ['unseen_change', 'line_endings_only', 'blanks_only']), (places) =>
        escalate(`only blanks or the ends of lines change: ${places}`),
      ),
      ...when(found(action, ['mixed_script']), (places) =>
        escalate(`letters of several scripts in one word: ${places}`),
      ),
      ...when(found(action, ['long_line']), (places) => escalate(`a line too long to be read: ${places}`)),
      ...words,
    ];
  },
};

/** What the harvest met in the workspace and left out, or could not put right. */
const noOddFiles: Policy = {
  id: 'no-odd-files',
  judge: (action) =>
    when(
      found(action, ['nested_repository', 'special_file', 'hard_link', 'bad_name', 'too_large']),
      (places) => escalate(`the agent left files that cannot be published as they are: ${places}`),
    ),
};

export const contentPolicies: readonly Policy[] = [
  noSecrets,
  hiddenLines,
  noWriteOutside,
  noSymlinkEscape,
  noGitlinks,
  noBinary,
  hiddenText,
  noOddFiles,
];
