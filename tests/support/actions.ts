/** Actions for policy tests: a plain small change, and variations of it. */
import type { Contract } from '#model/contract';
import type { CheckResult } from '#model/evidence';
import type { DiffFacts, FileChange, Finding } from '#model/change';
import type { AssessmentReason } from '#model/assessment';
import { DEFAULT_POLICY_SETTINGS, type PolicySettings } from '#model/settings';
import type { GovernedAction, OpenPr, PushAction } from '../../governor/governed-action.ts';
import type { PolicyContext } from '../../governor/policy-types.ts';
import { assessAction } from '../../governor/assess-action.ts';

export const contract: Contract = {
  ecosystems: ['node'],
  packageManager: 'npm',
  installs: [],
  checks: [{ name: 'test', command: 'npm test', dir: '', source: 'package.json' }],
  tools: [],
  branchRule: null,
  titleRule: null,
  rules: [],
  template: null,
  riskFlags: [],
};
export const context: PolicyContext = {
  repo: 'ana/app',
  requester: { id: '7', name: 'Ana' },
  contract,
  defaultBranch: 'trunk',
  containment: 'bwrap',
  openPrs: 0,
  settings: DEFAULT_POLICY_SETTINGS,
};
export const check = (outcome: CheckResult['outcome']): CheckResult => ({
  name: 'test',
  command: 'npm test',
  exitCode: 0,
  outcome,
  ms: 1,
  tail: '',
});
export const file = (path: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  oldPath: null,
  status: 'modified',
  oldMode: '100644',
  newMode: '100644',
  added: 4,
  deleted: 2,
  binary: false,
  ...more,
});
const diffOf = (files: FileChange[], findings: Finding[] = []): DiffFacts => ({
  files,
  added: files.reduce((n, f) => n + f.added, 0),
  deleted: files.reduce((n, f) => n + f.deleted, 0),
  digest: 'd',
  bytes: 900,
  documentBytes: 900,
  findings,
});
const plain = [file('src/sum.ts'), file('tests/sum.test.ts')];

type More = Partial<Omit<PushAction, 'kind'>> & {
  files?: FileChange[];
  findings?: Finding[];
  message?: string;
};
export const push = ({
  files = plain,
  findings = [],
  message = 'Fix rounding\n',
  ...more
}: More = {}): PushAction => ({
  kind: 'push',
  branch: 'feature/agentpr-r7',
  baseRef: 'trunk',
  passed: true,
  checks: [check('passed')],
  iteration: false,
  commit: { sha: 'a', tree: 'b', base: 'c', message, diff: diffOf(files, findings) },
  ...more,
});
export const pull = (more: More & Partial<Pick<OpenPr, 'title' | 'body'>> = {}): OpenPr => {
  const { title = 'Fix rounding', body = 'Made by a coding agent.', ...rest } = more;
  const { iteration: _, ...change } = push(rest);
  return { ...change, kind: 'open_pr', title, body, draft: false };
};
export const command = (text: string): GovernedAction => ({ kind: 'command', command: text });
export const finding = (kind: Finding['kind'], note: Finding['note'] = { kind: 'looks_same' }): Finding => ({
  kind,
  path: 'src/a.ts',
  line: 3,
  note,
});
export const withRule = (kind: Contract['rules'][number]['kind']): PolicyContext => ({
  ...context,
  contract: { ...contract, rules: [{ kind, quote: 'A rule.', file: 'CONTRIBUTING.md', line: 4 }] },
});
export const with_ = (settings: Partial<PolicySettings>): PolicyContext => ({
  ...context,
  settings: { ...DEFAULT_POLICY_SETTINGS, ...settings },
});

export const own = (words: string, at: string[] = []): AssessmentReason => ({
  kind: 'custom_policy',
  says: words,
  at,
  more: 0,
});

/** Returns the strongest verdict of one policy, or null. */
export const says = (
  policy: string,
  action: GovernedAction,
  around: PolicyContext = context,
): string | null => assessAction(action, around).reasons.find((r) => r.policy === policy)?.verdict ?? null;

export const move = (oldPath: string, path: string): FileChange =>
  file(path, { oldPath, status: 'renamed', added: 0, deleted: 0 });
export const gone = (path: string): FileChange =>
  file(path, { status: 'deleted', newMode: '000000', added: 0, deleted: 9 });
export const link = (path: string, oldMode = '000000', newMode = '160000'): FileChange =>
  file(path, { oldMode, newMode });
export const mended = 'Made by a coding agent.\n\n## What\n\nx';
export const templated: PolicyContext = {
  ...context,
  contract: { ...contract, template: '## What\n\n## How was this tested\n' },
};

export const comment = (body: string): GovernedAction => ({ kind: 'comment', on: '12', body });
export const reply = (body: string): GovernedAction => ({
  kind: 'reply',
  on: '12',
  to: 'https://example.org/c/1',
  body,
});
