/** P2: how dangerous an action is, from facts that we gathered. What is unknown is high; nobody's words lower it. */
import type { DiffFacts, FileChange, Finding } from '../facts.ts';
import { endsUnseen, hidden, hiddenInName } from '../invisible.ts';
import { signals } from '../public-text.ts';
import {
  wordsOf,
  type Action,
  type Change,
  type Context,
  type Factor,
  type Level,
  type Risk,
  type Words,
} from './action.ts';
import { judgeCommand } from './command.ts';
import { secretsIn } from './secrets.ts';
import {
  isAgentConfig,
  isCi,
  isGenerated,
  isInstallTime,
  isLockfile,
  isManifest,
  isTest,
  isTrustRoot,
  isUnreadable,
  keyFile,
  leavesWorkspace,
  listed,
  touched,
} from './paths.ts';

const ORDER: readonly Level[] = ['low', 'medium', 'high'];
export const higher = (a: Level, b: Level): Level => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);

const FINDINGS: Readonly<Record<Finding['kind'], Level>> = {
  secret: 'high',
  lent_key: 'high',
  likely_secret: 'high',
  hidden_line: 'high',
  bidi_text: 'high',
  hidden_text: 'high',
  mixed_script: 'medium',
  long_line: 'medium',
  line_endings_only: 'medium',
  blanks_only: 'medium',
  unseen_change: 'medium',
  test_removed: 'medium',
  test_skipped: 'medium',
  test_weakened: 'medium',
  outside_write: 'high',
  nested_repository: 'high',
  special_file: 'high',
  hard_link: 'high',
  bad_name: 'high',
  too_large: 'high',
  not_read: 'high',
  symlink_escape: 'high',
  lfs_pointer: 'medium',
  lfs_raw: 'medium',
  // Left out of the commit because the repository ignores it: build output, caches.
  skipped_ignored: 'low',
};

const fromFindings = (findings: readonly Finding[]): Factor[] => {
  const kinds = [...new Set(findings.map((f) => f.kind))];
  return kinds.map((kind) => {
    const places = findings
      .filter((f) => f.kind === kind)
      .map((f) => (f.line > 0 ? `${f.path}:${f.line}` : f.path));
    // A kind that this table does not know yet is unknown, hence high.
    const level = Object.hasOwn(FINDINGS, kind) ? FINDINGS[kind] : 'high';
    return {
      id: kind.replaceAll('_', '-'),
      level,
      reason: `${kind.replaceAll('_', ' ')} in ${listed(places)}`,
    };
  });
};

const factor = (id: string, level: Level, words: string, paths: readonly string[]): Factor[] =>
  paths.length === 0 ? [] : [{ id, level, reason: `${words} ${listed(paths)}` }];

/** What each class of paths means; a rename counts with both its names. */
const PATH_FACTORS: readonly [id: string, level: Level, words: string, is: (path: string) => boolean][] = [
  ['ci', 'high', 'changes what CI runs:', isCi],
  ['agent-config', 'high', 'changes what steers coding agents:', isAgentConfig],
  ['trust-root', 'high', 'changes where packages, hooks or submodules come from:', isTrustRoot],
  ['unreadable-path', 'high', 'has a name that cannot be read:', isUnreadable],
  ['hidden-path', 'high', 'has invisible characters in the name:', hiddenInName],
  ['key-file', 'high', 'may hold keys or passwords:', (p) => keyFile(p) !== null],
  ['unseen-end', 'high', 'has a name that ends in a blank or a dot:', endsUnseen],
  ['outside-path', 'high', 'has a name that leaves the workspace:', leavesWorkspace],
  ['install-time', 'medium', 'may run code on install or build:', isInstallTime],
  ['dependencies', 'medium', 'changes dependencies:', (p) => isManifest(p) || isLockfile(p)],
  [
    'attributes',
    'medium',
    'changes how git and reviewers see files:',
    (p) => /(?:^|\/)\.gitattributes$/i.test(p),
  ],
  ['generated', 'medium', 'looks generated:', isGenerated],
];

const KNOWN_MODES = ['100644', '100755', '120000', '160000', '040000', '000000', '0'];
const executable = (f: FileChange): boolean => f.newMode === '100755' && f.oldMode !== '100755';
const noLongerExecutable = (f: FileChange): boolean => f.oldMode === '100755' && f.newMode === '100644';

const FILE_FACTORS: readonly [id: string, level: Level, words: string, is: (f: FileChange) => boolean][] = [
  ['gitlink', 'high', 'is a submodule pointer:', (f) => [f.oldMode, f.newMode].includes('160000')],
  ['symlink', 'medium', 'is a symbolic link:', (f) => [f.oldMode, f.newMode].includes('120000')],
  ['binary', 'medium', 'is binary:', (f) => f.binary],
  ['executable', 'medium', 'becomes executable:', executable],
  ['not-executable', 'low', 'is no longer executable:', noLongerExecutable],
  ['type-changed', 'medium', 'changes its type:', (f) => f.status === 'type_changed'],
  ['test-deleted', 'medium', 'removes a test:', (f) => losesTest(f)],
  ['deleted', 'medium', 'is deleted:', (f) => f.status === 'deleted'],
  ['renamed', 'low', 'is renamed:', (f) => f.status === 'renamed'],
  [
    'unknown-mode',
    'high',
    'has a mode that is not known:',
    (f) => !KNOWN_MODES.includes(f.oldMode) || !KNOWN_MODES.includes(f.newMode),
  ],
];

/** A test that goes away, moves to where none is looked for, or only gets shorter. */
export const losesTest = (f: FileChange): boolean =>
  (f.status === 'deleted' && isTest(f.path)) ||
  (f.oldPath !== null && isTest(f.oldPath) && !isTest(f.path)) ||
  (f.status === 'modified' && isTest(f.path) && f.deleted > 0 && f.added === 0);

/** An existing test file that loses at least as much as it gains: its checks may have been gutted. */
export const thinsTest = (f: FileChange): boolean =>
  f.status === 'modified' && isTest(f.path) && f.deleted > 0 && f.deleted >= f.added;

const fromSize = (diff: DiffFacts, { settings: s }: Context): Factor[] => {
  // The total is whatever is greater: what git said, or the sum of the files.
  const sum = diff.files.reduce((n, f) => n + f.added + f.deleted, 0);
  const lines = Math.max(sum, diff.added + diff.deleted);
  const files = diff.files.length;
  const reason = `${files} files, ${lines} lines, ${diff.bytes} bytes`;
  if (files > s.maxFiles || lines > s.maxLines || diff.bytes > s.maxBytes)
    return [{ id: 'size', level: 'high', reason: `${reason}: more than the limit` }];
  if (files > s.smallFiles || lines > s.smallLines)
    return [{ id: 'size', level: 'medium', reason: `${reason}: not a small change` }];
  return [];
};

const fromContext = (action: Change, context: Context): Factor[] => {
  const out: Factor[] = [];
  const add = (id: string, level: Level, reason: string): void => void out.push({ id, level, reason });
  const { judges } = action;
  const madeToPass = judges?.base?.some((c) => c.outcome !== 'passed') ?? false;
  if (judges && madeToPass)
    add('judges', 'high', `checks pass only with what it changes: ${listed(judges.files)}`);
  else if (judges) add('judges', 'medium', `changes what judges it: ${listed(judges.files)}`);
  if (action.commit.diff.files.length === 0) add('no-facts', 'high', 'it is not known which files change');
  if (context.contract === null) add('no-contract', 'high', 'the rules of the repository are not known');
  if (context.containment === null) add('containment', 'high', 'it is not known how the agent was contained');
  if (context.containment === 'group')
    add('weak-containment', 'medium', 'the agent ran without a sandbox, only in a process group');
  if (!action.passed || action.checks.some((c) => c.outcome === 'failed' || c.outcome === 'timed_out'))
    add('checks', 'high', 'checks fail');
  else if (!action.checks.some((c) => c.outcome === 'passed')) add('checks', 'medium', 'nothing was checked');
  return out;
};

const fromWords = (action: Action): Factor[] =>
  wordsOf(action).flatMap(([where, text]) => [
    ...signals(text).map((s): Factor => ({
      id: s.kind.replaceAll('_', '-'),
      level: 'medium',
      reason: `${where} would act on others: ${JSON.stringify(s.excerpt)}`,
    })),
    ...(hidden(text) === null
      ? []
      : [{ id: 'hidden-text', level: 'high', reason: `${where} has characters that are not seen` } as const]),
    ...secretsIn(text).map(({ what }): Factor => ({
      id: 'secret',
      level: 'high',
      reason: `${where} has what looks like ${what}`,
    })),
  ]);

const ofChange = (action: Change, context: Context): Factor[] => {
  const { diff } = action.commit;
  return [
    ...fromContext(action, context),
    ...fromFindings(diff.findings),
    ...PATH_FACTORS.flatMap(([id, level, words, is]) => factor(id, level, words, touched(diff, is))),
    ...FILE_FACTORS.flatMap(([id, level, words, is]) =>
      factor(
        id,
        level,
        words,
        diff.files.filter(is).map((f) => f.path),
      ),
    ),
    ...fromSize(diff, context),
    ...fromWords(action),
  ];
};

const ofWords = (action: Words, { contract, settings: s }: Context): Factor[] => [
  ...(contract === null
    ? [{ id: 'no-contract', level: 'high', reason: 'the rules of the repository are not known' } as const]
    : []),
  ...(action.body.length > s.maxCommentLength
    ? [{ id: 'length', level: 'medium', reason: `${action.body.length} characters in one comment` } as const]
    : []),
  ...fromWords(action),
];

export const risk = (action: Action, context: Context): Risk => {
  const factors = factorsOf(action, context);
  return { level: factors.map((f) => f.level).reduce(higher, 'low'), factors };
};

const factorsOf = (action: Action, context: Context): Factor[] => {
  switch (action.kind) {
    case 'push':
    case 'open_pr':
      return ofChange(action, context);
    case 'comment':
    case 'reply':
      return ofWords(action, context);
    case 'command':
      return judgeCommand(action.command).map((f) => ({ id: f.id, level: f.level, reason: f.reason }));
    default:
      return [{ id: 'unknown-action', level: 'high', reason: unknownAction(action) }];
  }
};

const unknownAction = (_: never): string => 'this kind of action is not known';
