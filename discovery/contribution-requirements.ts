/** Collects what a repository requires of contributions, from its own and its owner's files. */
import { type Contract, type ContributionRule, type RuleKind, titleFormatOf } from '#model/contract';
import {
  WORKFLOW_RULES,
  isContributionGuide,
  isTemplate,
  isWorkflow,
  RULE_MARKER_FILES,
  ruleFiles,
  templateFiles,
} from './rule-files.ts';
import type { WorkType } from '#model/pull';
import { readContributionRules, type RuleFile } from './contribution-rules.ts';
import { isNameInTree } from './base-branch.ts';
import type { OwnAddress } from './rule-passage.ts';
import { findLinkedGuides } from './linked-guides.ts';
import { readBotRules } from './bot-settings.ts';
import { readWorkflowPullRules } from './workflow-pull-rules.ts';
import { findTitleFormat } from './title-checks.ts';
import { isReadWhole } from './split-sentences.ts';
import { childTree, parseYamlTree, textAt } from './workflows/yaml-tree.ts';

/** The repository's place, its owner's rules and the kind of change that is meant, beside its files. */
export type ContributionContext = OwnAddress & {
  owner?: OwnerFiles | null;
  work?: WorkType | 'breaking' | undefined;
};
export type OwnerFiles = { name: string; files: readonly RuleFile[] };

type Read = (path: string) => string | null;
export type ContributionRequirements = Pick<
  Contract,
  'rules' | 'branchRule' | 'titleRule' | 'titleFormat' | 'template' | 'pull'
>;

const LONGEST_TEMPLATE = 10_000;
const LONGEST_COMMENT = 300;
/** Comments make most of a long template; the first words of one say what it asks. */
const shortTemplate = (text: string): string =>
  text.length <= LONGEST_TEMPLATE
    ? text
    : text.replace(/<!--([^]*?)(?:-->|$(?![^]))/g, (all, words: string) =>
        all.length <= LONGEST_COMMENT ? all : `<!--${words.slice(0, LONGEST_COMMENT)} -->`,
      );
const wholeLines = (text: string): string =>
  text.length <= LONGEST_TEMPLATE ? text : text.slice(0, text.lastIndexOf('\n', LONGEST_TEMPLATE) + 1);

const tooLong = (file: string): ContributionRule => ({
  kind: 'other',
  value: 'unread',
  file,
  line: 1,
  quote: 'This file is too long, or no text that we can read.',
});

const findUnreadGuides = (paths: readonly string[], read: Read): ContributionRule[] =>
  ruleFiles(paths)
    .filter(isContributionGuide)
    .filter((path) => {
      const text = read(path);
      return text === null || !isReadWhole(text);
    })
    .map(tooLong);

const findRuleMarks = (paths: readonly string[]): ContributionRule[] =>
  RULE_MARKER_FILES.flatMap(({ of, ...mark }) => {
    const file = paths.find((p) => of.test(p));
    return file === undefined ? [] : [{ ...mark, file, line: 1 }];
  });

const ON_GITHUB = /^\.github\/|^\.circleci\/|^\.travis\.yml$/;
const ON_GITLAB = /^\.gitlab\/merge_request_templates\//;
const leadsToGitLab = ({ path, text }: RuleFile): boolean =>
  isContributionGuide(path) && /\bmerge requests?\b/i.test(text) && /https:\/\/gitlab\./i.test(text);
/** Only GitLab shows these forms, nothing here is for GitHub, and a guide leads there: a mirror. */
const findMirrorRules = (paths: readonly string[], guides: readonly RuleFile[]): ContributionRule[] => {
  const file = paths.find((p) => ON_GITLAB.test(p));
  return file === undefined || paths.some((p) => ON_GITHUB.test(p)) || !guides.some(leadsToGitLab)
    ? []
    : [
        {
          kind: 'elsewhere',
          value: 'gitlab',
          quote: 'This form is for merge requests on GitLab.',
          file,
          line: 1,
        },
      ];
};

/** A workflow that others call runs some of its jobs only if they ask for it. */
const createOfferedTest = (text: string): ((line: number) => boolean) => {
  if (!text.includes('workflow_call')) return () => false;
  const tree = parseYamlTree(text) ?? undefined;
  const parts = [...(tree?.entries ?? []), ...(childTree(tree, 'jobs')?.entries ?? [])]
    .map(([name, part]) => ({
      from: part.line,
      offered: name === 'on' || /\binputs\./.test(textAt(part, 'if') ?? ''),
    }))
    .sort((a, b) => a.from - b.from);
  return (line) => parts.findLast(({ from }) => from <= line)?.offered ?? false;
};
const NO_EVIDENCE = /^\s*(?:#|[\w-]+:\s*$)/;

const findWorkflowRules = (paths: readonly string[], read: Read): ContributionRule[] =>
  paths.filter(isWorkflow).flatMap((file) =>
    WORKFLOW_RULES.flatMap(({ says, ...mark }): ContributionRule[] => {
      const text = read(file) ?? '';
      if (!says.test(text)) return [];
      const lines = text.split('\n');
      const isOffered = createOfferedTest(text);
      const at = lines.findIndex(
        (line, i) => says.test(line) && !NO_EVIDENCE.test(line) && !isOffered(i + 1),
      );
      return at < 0 ? [] : [{ ...mark, quote: (lines[at] ?? '').trim().slice(0, 200), file, line: at + 1 }];
    }),
  );

const sendsElsewhere = (text: string): boolean => (text.match(/[?&]template=[\w.%-]+/g) ?? []).length > 1;

const hasText = (text: string | null): text is string => text !== null && text.trim() !== '';

const ownersFor = (paths: readonly string[], owner: OwnerFiles | null): readonly RuleFile[] => {
  const templated = paths.some(isTemplate);
  return (owner?.files ?? []).filter(({ path }) => !(templated && isTemplate(path)));
};

const titleRule = (rules: readonly ContributionRule[]): Contract['titleRule'] => {
  const styles = rules.flatMap((r) => (r.kind === 'commit_style' ? [r.value] : []));
  if (styles.includes('component') && !styles.includes('conventional')) return 'component';
  return styles.includes('conventional') ? 'conventional' : null;
};

const guidesIn = (paths: readonly string[], read: Read): RuleFile[] =>
  paths.flatMap((path) => {
    const text = read(path);
    return text === null ? [] : [{ path, text }];
  });

/** Guides name files for contributors, and these name further ones: of what is loaded, the names of the next step. */
export const findNamedGuides = (paths: readonly string[], read: Read): string[] => {
  const first = ruleFiles(paths);
  const there = new Set(paths);
  const named = findLinkedGuides(guidesIn(first, read), there, first);
  return [...named, ...findLinkedGuides(guidesIn(named, read), there, [...first, ...named])];
};

/** A guide that asks for an accepted issue says more than the check that looks for any. */
const SAID_ONCE: readonly RuleKind[] = ['elsewhere', 'issue_first', 'changelog'];
const isSaidBy = (said: ContributionRule, rule: ContributionRule): boolean =>
  said.kind === rule.kind &&
  said.appliesTo === undefined &&
  (said.value === rule.value || SAID_ONCE.includes(said.kind));

export const collectContributionRequirements = (
  paths: readonly string[],
  read: Read,
  { owner = null, work, host, repo }: ContributionContext = {},
): ContributionRequirements => {
  const own = guidesIn([...ruleFiles(paths), ...findNamedGuides(paths, read)], read);
  const toOwnerPlace = (path: string): string => (owner?.name ? `${owner.name}/.github/${path}` : path);
  const theirs = ownersFor(paths, owner).map((f) => ({ ...f, place: toOwnerPlace(f.path) }));
  const said = readContributionRules([...own, ...theirs], { host, repo });
  const named = said.rules.filter((r) => r.kind !== 'base_branch' || !isNameInTree(r, paths));
  const rules = [...withFragments(named, paths), ...findUnreadGuides(paths, read)];
  const shapes = templateFiles(paths, work).map((path) => ({ file: path, text: read(path) }));
  const owners = theirs.filter((f) => isTemplate(f.path)).map((f) => ({ file: f.place, text: f.text }));
  const all = [...shapes, ...owners].filter((t) => hasText(t.text));
  const template = all.find((t) => !sendsElsewhere(t.text ?? '')) ?? all[0];
  const shape = template ? shortTemplate(template.text ?? '') : null;
  if (template)
    rules.push({ kind: 'template', quote: quoteOf(template.text ?? ''), file: template.file, line: 1 });
  // guard: F9-template-read-whole
  if (template && shape !== null && shape.length > LONGEST_TEMPLATE) rules.push(tooLong(template.file));
  const others = host === undefined || host === 'github.com' ? findMirrorRules(paths, own) : [];
  for (const mark of [...findRuleMarks(paths), ...others, ...findWorkflowRules(paths, read)])
    if (!rules.some((r) => r.kind === mark.kind && r.value === mark.value)) rules.push(mark);
  const refused = [...readWorkflowPullRules(paths.filter(isWorkflow), read), ...readBotRules(paths, read)];
  // guard: F14-refusals-said
  for (const rule of refused) if (!rules.some((r) => isSaidBy(r, rule))) rules.push(rule);
  const checked = findTitleFormat(paths.filter(isWorkflow), read);
  if (checked?.shape === 'conventional' && checked.place && !rules.some((r) => r.kind === 'commit_style'))
    rules.push({ kind: 'commit_style', value: 'conventional', ...checked.place });
  const titleFormat = checked ?? titleFormatOf(rules);
  return {
    rules,
    ...(titleFormat ? { titleFormat } : {}),
    branchRule: said.branchRule ?? refused.find(({ kind }) => kind === 'branch_name')?.value ?? null,
    titleRule: titleRule(rules),
    template: shape === null ? null : wholeLines(shape),
  };
};

const FRAGMENTS =
  /(?:^|\/)(?:newsfragments?|changelog\.d|changes\.d|news\.d|changelogs?\/(?:unreleased|fragments|next-release)|\.changes\/unreleased|\.chloggen|releasenotes\/notes|changelog_unreleased)\/[^/]+$|(?:^|\/)(?:changes|changelog|news|snippets)\/(?:\w+\/)?(?:[#+]?\d+(?=\.[a-z])|readme|_?template)[\w.+-]*\.(?:rst|md|txt|toml|ya?ml|jinja2?)$/i;
const withFragments = (rules: readonly ContributionRule[], paths: readonly string[]): ContributionRule[] => {
  const kept = paths.some((p) => FRAGMENTS.test(p));
  return rules.map((r) =>
    kept && r.kind === 'changelog' && r.value === 'file' ? { ...r, value: 'fragment' } : r,
  );
};

const quoteOf = (text: string): string =>
  (text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '').trim().slice(0, 200);
