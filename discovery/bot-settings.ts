/** Reads what bots that have files of their own here will do with a pull request (F14). */
import type { ContributionRule } from '#model/contract';
import { childTree, listAt, parseYamlTree, textAt, type YamlTree } from './workflows/yaml-tree.ts';

type Read = (path: string) => string | null;
type Told = Pick<ContributionRule, 'kind'> & { value?: string; line: number };

const lineWith = (text: string, says: RegExp): number =>
  text.split('\n').findIndex((one) => says.test(one)) + 1;

const STALE_STEP = /^actions\/stale@/;
/** Days of silence after which it is closed; null: never. Defaults are those of `actions/stale`. */
const readDays = (tree: YamlTree | undefined, keys: readonly string[], usual: number): number | null => {
  const found =
    keys.map((key) => textAt(tree, ...key.split('/'))).find((text) => text !== null) ?? String(usual);
  return /^\d{1,4}$/.test(found) ? Number(found) : null;
};
const OF_SOME_LABELS = ['only-pr-labels', 'only-labels', 'any-of-pr-labels', 'any-of-labels'];
const closesSilent = (given: YamlTree | undefined): boolean =>
  OF_SOME_LABELS.every((key) => (textAt(given, key) ?? '') === '') &&
  readDays(given, ['days-before-pr-stale', 'days-before-stale'], 60) !== null &&
  readDays(given, ['days-before-pr-close', 'days-before-close'], 7) !== null;
const inStaleWorkflow = (text: string): Told[] => {
  if (!text.split('\n').some((line) => /^[^#]*uses: ["']?actions\/stale@/.test(line))) return [];
  const jobs = [...(childTree(parseYamlTree(text) ?? undefined, 'jobs')?.entries.values() ?? [])];
  return jobs.flatMap((job) =>
    listAt(job, 'steps').flatMap((step): Told[] => {
      const uses = childTree(step, 'uses');
      return STALE_STEP.test(uses?.text ?? '') && closesSilent(childTree(step, 'with'))
        ? [{ kind: 'other', value: 'stale', line: uses?.line ?? 1 }]
        : [];
    }),
  );
};
/** `.github/stale.yml` of the bot before GitHub had workflows. */
const inStaleFile = (text: string): Told[] => {
  const tree = parseYamlTree(text) ?? undefined;
  if (textAt(tree, 'only') === 'issues') return [];
  if ([listAt(tree, 'onlyLabels'), listAt(tree, 'pulls', 'onlyLabels')].some((one) => one.length > 0))
    return [];
  const days = readDays(tree, ['pulls/daysUntilClose', 'daysUntilClose'], 7);
  return days === null ? [] : [{ kind: 'other', value: 'stale', line: lineWith(text, /daysUntil/) || 1 }];
};

const OF_SILENCE = /^-?(?:updated-at|created-at)\b/;
/** Conditions on labels, authors, conflicts and drafts leave out what we open, unless they are turned. */
const OF_OTHERS_PULLS =
  /^(?:(?:label|author|head)\s*(?:=|~=)\s*(?!.*\(\?!)|(?:conflict|draft|merged|closed)\b(?!\s*(?:!=|=\s*(?:false|no)\b))|(?:check-|status-|approved-|changes-requested-)[\w-]+\s*~?=|#(?:label|approved-|changes-requested-)[\w-]*\s*(?:>|=\s*[1-9]))/i;
const MOST_SETTINGS = 100;
/** Returns true when these conditions can all hold for our pull request; `silent`: after a time without a word. */
const canHoldForOurs = (conditions: readonly YamlTree[], { silent }: { silent: boolean }): boolean => {
  let left = MOST_SETTINGS;
  const canHold = (tree: YamlTree, { turned }: { turned: boolean }): boolean => {
    left -= 1;
    if (left < 0) return true;
    if (tree.text !== null) {
      if (OF_SILENCE.test(tree.text)) return silent;
      return turned !== tree.text.startsWith('-') || !OF_OTHERS_PULLS.test(tree.text.replace(/^-/, ''));
    }
    if (tree.items.length > 0) return canHoldTogether(tree.items, { turned, any: turned });
    return [...tree.entries].every(([key, inner]) => {
      if (key === 'not') return canHold(inner, { turned: !turned });
      return canHoldTogether(inner.items, { turned, any: (key === 'or') !== turned });
    });
  };
  const canHoldTogether = (
    parts: readonly YamlTree[],
    { turned, any }: { turned: boolean; any: boolean },
  ): boolean =>
    any ? parts.some((one) => canHold(one, { turned })) : parts.every((one) => canHold(one, { turned }));
  return canHoldTogether(conditions, { turned: false, any: false });
};
const inMergify = (text: string): Told[] =>
  listAt(parseYamlTree(text) ?? undefined, 'pull_request_rules')
    .slice(0, MOST_SETTINGS)
    .flatMap((rule): Told[] => {
      if (!childTree(rule, 'actions')?.entries.has('close')) return [];
      const conditions = listAt(rule, 'conditions');
      if (canHoldForOurs(conditions, { silent: false }))
        return [{ kind: 'other', value: 'closer', line: rule.line }];
      return canHoldForOurs(conditions, { silent: true })
        ? [{ kind: 'other', value: 'stale', line: rule.line }]
        : [];
    });

const MAX_DANGER_LINES = 1_500;
const REFUSES = /^\s*(?:danger\.)?(?:fail|raise|failure)\b ?\(?|[;)&{]\s*fail\(/;
/** Forbids in place of asking for something. */
const DENIES =
  /\b(?:(?<!\b(?:did|does|has|have) )not|never|avoid|remove|no longer)\b|\b(?:do|must|should|may|can|need)n't\b|\bcan't\b/i;
const OPENS_BLOCK = /^\s*(?:\}\s*)?(?:else\s+)?(?:if|elsif|unless)\b/;
const COMMENT_LINE = /^\s*(?:#|\/\/|$)/;
/** A rule of Danger is known by the line that fails; limits of size, by the condition just above it. */
const DANGER_RULES: readonly (readonly [RegExp, Omit<Told, 'line'>])[] = [
  [/change-?log|CHANGELOG/i, { kind: 'changelog', value: 'file' }],
  [/\blabels?\b|pr_labels|\.labels\b/i, { kind: 'other', value: 'labels' }],
  [
    /\b(?:link|reference|mention|include|missing|add)\w*\b.{0,30}\b(?:issue|ticket)\b/i,
    { kind: 'issue_first', value: 'open' },
  ],
];
const DANGER_SIZE = /\b(?:lines_of_code|additions ?\+ ?[\w.]{0,40}deletions) ?>=? ?(\d{2,5})\b/;
const inDangerfile = (text: string): Told[] => {
  const lines = text.split('\n').slice(0, MAX_DANGER_LINES);
  return lines.flatMap((line, at): Told[] => {
    if (!REFUSES.test(line) || COMMENT_LINE.test(line) || /\bwarn\b/.test(line)) return [];
    const above = lines.slice(0, at).findLast((one) => !COMMENT_LINE.test(one)) ?? '';
    const isGuarded = /\b(?:if|unless)\b/.test(line.replace(/"[^"]*"|'[^']*'/g, ''));
    const own = !isGuarded && OPENS_BLOCK.test(above) ? above : line;
    const most = DANGER_SIZE.exec(own)?.[1];
    if (most !== undefined) return [{ kind: 'size', value: most, line: at + 1 }];
    if (DENIES.test(line)) return [];
    const row = DANGER_RULES.find(([says]) => says.test(line));
    return row ? [{ ...row[1], line: at + 1 }] : [];
  });
};

/** Settings of the host that are kept in a file: a cap of open pull requests, signed commits. */
const inHostSettings = (text: string): Told[] => {
  const cap = lineWith(text, /^\s*max_open_pull_requests:\s*\d{1,4}\s*(?:#.*)?$/);
  const signed = lineWith(text, /^\s*required_signatures:\s*(?:true|yes)\s*(?:#.*)?$/i);
  return [
    ...(cap > 0 ? [{ kind: 'other', value: 'open_limit', line: cap } as const] : []),
    ...(signed > 0 ? [{ kind: 'other', value: 'signed', line: signed } as const] : []),
  ];
};

const BOTS: readonly { of: RegExp; reads: (text: string) => Told[] }[] = [
  { of: /^\.github\/workflows\/[^/]+\.ya?ml$/, reads: inStaleWorkflow },
  { of: /^\.github\/stale\.ya?ml$/, reads: inStaleFile },
  { of: /^(?:\.github\/|\.mergify\/)?\.?(?:mergify|config)\.ya?ml$/, reads: inMergify },
  { of: /^(?:\.github\/|\.ci\/|danger\/)?dangerfile(?:\.[cm]?[jt]s|\.rb)?$/i, reads: inDangerfile },
  { of: /^(?:\.asf|\.github\/settings)\.ya?ml$/, reads: inHostSettings },
];
const MAX_SETTINGS_LENGTH = 100_000;

export const selectBotFiles = (paths: readonly string[]): string[] =>
  paths.filter((path) => BOTS.slice(1).some(({ of }) => of.test(path)));

/** Each rule once a file. */
export const readBotRules = (paths: readonly string[], read: Read): ContributionRule[] =>
  paths.flatMap((file) => {
    const bot = BOTS.find(({ of }) => of.test(file));
    const text = bot ? (read(file) ?? '').slice(0, MAX_SETTINGS_LENGTH) : '';
    if (!bot || text === '') return [];
    const lines = text.split('\n');
    const told = bot.reads(text);
    return told
      .filter((one, i) => told.findIndex((o) => o.kind === one.kind && o.value === one.value) === i)
      .map((one) => ({ ...one, quote: (lines[one.line - 1] ?? '').trim().slice(0, 200), file }));
  });
