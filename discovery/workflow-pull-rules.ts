/** Reads what workflows refuse or close by themselves: no issue, branch, size, labels, open boxes (F14). */
import type { ContributionRule } from '#model/contract';
import { CHANGE_TYPE_NAMES } from '#model/pull';
import { evaluateCondition } from './workflows/expressions.ts';
import { childTree, listAt, parseYamlTree, textAt, type YamlTree } from './workflows/yaml-tree.ts';

type Read = (path: string) => string | null;
type Found = Pick<ContributionRule, 'kind'> & { value?: string };

const ON_PULLS = ['pull_request', 'pull_request_target'];
const AT_OPENING = /^(?:opened|edited|synchronize|reopened|ready_for_review)$/;
const eventsOfPulls = (on: YamlTree | undefined): string[] =>
  ON_PULLS.filter((event) => {
    const named = [...(on?.entries.keys() ?? []), ...(on?.items ?? []).map(({ text }) => text), on?.text];
    const types = listAt(on, event, 'types').map(({ text }) => text ?? '');
    return named.includes(event) && (types.length === 0 || types.some((type) => AT_OPENING.test(type)));
  });

/** Conditions on labels, drafts, bots or names of branches concern no pull request that we open. */
const FOR_OTHERS =
  /(?<!!\s?)\bstartsWith\(\s*github\.head_ref\b|\bgithub\.head_ref\s*==|\blabel|\bdraft\b|dependabot|renovate|\[bot\]|\bmerged\b|\.fork\s*==\s*false|workflow_dispatch/i;

/** A condition is for others when it cannot hold for our pull request, or names others and nobody can tell. */
const isForOthers = (condition: string | null, events: readonly string[]): boolean => {
  // Nobody knows yet whether an earlier step fails.
  const asked = condition?.replaceAll(/\bfailure\(\)/g, 'steps.failed') ?? null;
  return events.every((event) => {
    const truth = evaluateCondition(asked, { 'github.event_name': event });
    return truth === null ? FOR_OTHERS.test(condition ?? '') : !truth;
  });
};

type Step = { uses: string; script: string; line: number; tree: YamlTree };
const MAX_CHECK_SCRIPT_LENGTH = 8_000;
const stepsIn = (tree: YamlTree, events: readonly string[]): Step[] =>
  [...(childTree(tree, 'jobs')?.entries.values() ?? [])].flatMap((job) =>
    isForOthers(textAt(job, 'if'), events)
      ? []
      : (childTree(job, 'steps')?.items ?? []).flatMap((step) => {
          if (isForOthers(textAt(step, 'if'), events)) return [];
          const script = (textAt(step, 'run') ?? textAt(step, 'with', 'script') ?? '').slice(
            0,
            MAX_CHECK_SCRIPT_LENGTH,
          );
          const given = [...(childTree(step, 'env')?.entries.keys() ?? [])].map(
            (key) => `${key}=${textAt(step, 'env', key) ?? ''}`,
          );
          const at = childTree(step, 'uses') ?? childTree(step, 'run') ?? childTree(step, 'with', 'script');
          return [
            {
              uses: textAt(step, 'uses') ?? '',
              script: script === '' ? '' : [script, ...given].join('\n'),
              line: at?.line ?? step.line,
              tree: step,
            },
          ];
        }),
  );

const LINKED_ISSUE =
  /^(?:nearform(?:-actions)?\/github-action-check-linked-issues|hattan\/verify-linked-issue-action|bcgov\/.*linked-issue|reediculous456\/pr-linked-issue|actions-cool\/check-.*issue)/i;
const CHANGELOG_ACTION =
  /^(?:tarides\/changelog-check-action|dangoslen\/changelog-enforcer|zomzog\/changelog-checker|scientific-python\/action-check-changelogfile)@/i;
const CLOSING_ACTION = /^(?:superbrothers\/close-pull-request|peter-evans\/close-pull)@/i;
const LOCKDOWN = /^dessant\/repo-lockdown@/i;
const REQUIRED_LABELS =
  /^(?:mheap\/github-action-required-labels|jesusvasquez333\/verify-pr-label-action|yogevbd\/enforce-label-action|(?:docker:\/\/)?agilepathway\/(?:pull-request-)?label-checker|ludeeus\/action-require-labels)/i;
const CHECKLIST =
  /^(?:mheap\/require-checklist-action|venkatsarvesh\/pr-tasks-completed-action|kalgurn\/.*checklist)/i;
const BRANCH_ACTION =
  /^(?:deepakputhraya\/action-branch-name|lekterable\/branchlint-action|nicolasmure\/.*branch|batistein\/.*branch-name)/i;
const SIZE_ACTION = /^codelytv\/pr-size-labeler@/i;

const FAILS = /\bexit [1-9]|\bsetFailed\b|\bthrow\b|::error|\bcore\.error\b/;
const CLOSES = /\bgh pr close\b|\bstate:\s*['"]closed['"]|-f state=closed|\bclosePullRequest\b/;
const READS_ISSUE = /closingIssuesReferences|\bPR_BODY\b|\b(?:pull_request|pr|pull|pullRequest)\.body\b/;
/** Pull requests are issues to the API: its calls speak of none. */
const CALLS_OF_ISSUES = /\b(?:github\.)?(?:rest\.)?issues\.\w+|\bissue_number\b|\bcontext\.issue\b/g;
const SPEAKS_OF_ISSUE = /\bissues?\b|#\\d|#\[0-9\]/i;
const SPEAKS_OF_BOXES = /- \\?\[ \\?\]|\\\[\\s\\\]|\[ \]|unchecked|checklist/i;
const READS_BRANCH = /github\.head_ref|GITHUB_HEAD_REF|pull_request\.head\.ref/;
/** Otherwise the names are those that are refused. */
const UNLESS_NAME_FITS = /\bif ! |\[\[ ! |! \[\[|\|\||\bif \(!|!~/;
const BRANCH_PATTERN = /\^?\(?(?:\?:)?((?:[a-z]{2,15}\|){1,20}[a-z]{2,15})\)?\\*[/]/i;

const branchRuleOf = (words: readonly string[]): string | undefined => {
  const types = words
    .map((word) => word.trim().replace(/\/$/, ''))
    .filter((word) => /^[A-Za-z][\w.-]*$/.test(word));
  const known = types.filter((type) => CHANGE_TYPE_NAMES.includes(type.toLowerCase()));
  return known.length === 0 ? undefined : `${known.join('|')}/<slug>`;
};

const branchIn = ({ uses, script, tree }: Step): Found | null => {
  const readInput = (key: string): string => textAt(tree, 'with', key) ?? '';
  const text = BRANCH_ACTION.test(uses)
    ? `${readInput('allowed_prefixes')}\n${readInput('regex')}\n${readInput('allowed')}`
    : READS_BRANCH.test(script) && FAILS.test(script) && /grep|=~|\.test\(|\.match\(/.test(script)
      ? script
      : '';
  if (text.trim() === '') return null;
  if (text === script && !UNLESS_NAME_FITS.test(script)) return { kind: 'other', value: 'branch' };
  const listed = readInput('allowed_prefixes').split(',').filter(Boolean);
  const rule = branchRuleOf(listed.length > 0 ? listed : (BRANCH_PATTERN.exec(text)?.[1]?.split('|') ?? []));
  return rule === undefined ? { kind: 'other', value: 'branch' } : { kind: 'branch_name', value: rule };
};

const sizeIn = ({ uses, tree }: Step): Found | null => {
  if (!SIZE_ACTION.test(uses) || textAt(tree, 'with', 'fail_if_xl') !== 'true') return null;
  const most = textAt(tree, 'with', 'l_max_size') ?? '1000';
  return /^\d{1,6}$/.test(most) ? { kind: 'size', value: most } : null;
};

const ruleOfStep = (step: Step): Found | null => {
  const { uses, script, tree } = step;
  if (LINKED_ISSUE.test(uses)) return { kind: 'issue_first', value: 'open' };
  if (CHANGELOG_ACTION.test(uses)) return { kind: 'changelog', value: 'file' };
  if (LOCKDOWN.test(uses))
    return textAt(tree, 'with', 'process-only') === 'issues' ? null : { kind: 'elsewhere' };
  if (CLOSING_ACTION.test(uses))
    return textAt(tree, 'if') === null ? { kind: 'elsewhere' } : { kind: 'other', value: 'closer' };
  if (REQUIRED_LABELS.test(uses)) return { kind: 'other', value: 'labels' };
  if (CHECKLIST.test(uses)) return { kind: 'other', value: 'checklist' };
  const named = branchIn(step) ?? sizeIn(step);
  if (named) return named;
  const [fails, closes] = [FAILS.test(script), CLOSES.test(script)];
  if (!fails && !closes) return null;
  if (READS_ISSUE.test(script) && SPEAKS_OF_BOXES.test(script)) return { kind: 'other', value: 'checklist' };
  if (READS_ISSUE.test(script) && SPEAKS_OF_ISSUE.test(script.replace(CALLS_OF_ISSUES, '')))
    return { kind: 'issue_first', value: 'open' };
  return closes ? { kind: 'other', value: 'closer' } : null;
};

const MAX_QUOTE = 200;
/** The line that says it: the action's name, the condition, or what closes. */
const quoteFor = ({ uses, script, line }: Step, text: string): { quote: string; line: number } => {
  const lines = text.split('\n');
  const end = line + script.split('\n').length + 1;
  const at = [CLOSES, FAILS].map((says) =>
    lines.findIndex((one, i) => i >= line - 1 && i < end && says.test(one)),
  );
  const found = uses !== '' && script === '' ? line - 1 : (at.find((one) => one >= 0) ?? line - 1);
  return { quote: (lines[found] ?? uses).trim().slice(0, MAX_QUOTE), line: found + 1 };
};

const MENTIONS =
  /linked-issue|changelog|repo-lockdown|close-pull|label|checklist|pr-tasks|branch|head_ref|HEAD_REF|pr-size|pr close|closed|pull_request\.body|closingIssues/i;

export const readWorkflowPullRules = (files: readonly string[], read: Read): ContributionRule[] =>
  files.flatMap((file) => {
    const text = read(file);
    if (text === null || !MENTIONS.test(text) || /^[^#\n]*uses: actions\/stale@/m.test(text)) return [];
    const tree = parseYamlTree(text);
    if (tree === null) return [];
    const events = eventsOfPulls(childTree(tree, 'on'));
    if (events.length === 0) return [];
    return stepsIn(tree, events).flatMap((step): ContributionRule[] => {
      const found = ruleOfStep(step);
      return found === null ? [] : [{ ...found, ...quoteFor(step, text), file }];
    });
  });
