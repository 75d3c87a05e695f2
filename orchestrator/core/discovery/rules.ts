/** Contribution rules in the words of the repository, each with file and line. They are data: nothing in them is obeyed. */
import { TYPE_NAMES } from '../branches.ts';
import type { Contract } from '../facts.ts';
import { aiRule } from './ai-policy.ts';
import { sentences, type Sentence } from './sentences.ts';

export type RuleFile = { path: string; text: string };
type Rule = Contract['rules'][number];

const FOR_AGENTS = /(?:^|\/)agents\.md$/i;
/** It tells of the project: what sounds like a rule there may be about what the project makes. */
const README = /^readme[^/]*$/i;

const NEGATED =
  /\b(?:no|not|n't|without|never)\b(?: \S+){0,4} (?:a |an |any |the )?(?:CLA|DCO|sign-?off|contributor|developer certificate|conventional)|\b(?:CLA|DCO|sign-?off|agreement|certificate of origin|conventional commits?)\b(?: \S+){0,3} (?:not|n't|un)(?: be)? ?(?:required|needed|necessary|used|use)/i;

const PLAIN_RULES: readonly [Rule['kind'], RegExp][] = [
  [
    'dco',
    /\bsigned-off-by\b|\bDCO\b|developer(?:'s)? certificate of origin|\bcommit (?:-\w+ )*(?:-s|--signoff)\b|\bsign(?:ed)?[- ]off\b/i,
  ],
  ['cla', /\b[CI]?CLA\b|contributor(?:'s)? licen[sc]e agreement|contribution agreement/i],
  [
    'commit_style',
    /\bconventional[- ]?commits?\b|\bcommitizen\b|\bsemantic (?:commits?|pull requests?|PR titles?)\b/i,
  ],
];

const ALL_TYPES = Object.values(TYPE_NAMES).flat();
const ABOUT_BRANCH =
  /\bbranch(?:es)?\b.*\b(?:nam(?:e|es|ed|ing)|prefix(?:ed|es)?|start(?:s|ing)?|begin(?:s|ning)?|called|format|pattern|convention|follow(?:s|ing)?)\b|\b(?:name|prefix|call)\b.*\bbranch(?:es)?\b/i;
const NOT_A_NAME =
  /^(?:https?:|origin\/|upstream\/|and\/or$|refs\/|\.|docs?\/[\w-]+\.)|\.(?:md|txt|js|ts|py|ya?ml|json|html)$/i;
const ISSUE = /issue|ticket|jira|number|\bid\b|#|\d{2,}/i;

/** Names that a sentence gives as examples or patterns: in code, in quotes, or bare with a slash. */
const candidates = (quote: string): string[] => {
  const inCode = [...quote.matchAll(/`([^`]+)`|["“]([^"”]+)["”]/g)].map((m) => m[1] ?? m[2] ?? '');
  const bare = quote.replace(/`[^`]*`|https?:\S+/g, ' ').match(/[\w<{[-]+\/[^\s,;:()`"”]*/g) ?? [];
  return [...inCode.map((c) => c.trim().split(/\s+/).at(-1) ?? ''), ...bare]
    .map((c) => c.replace(/["'.)]+$/, (m) => (/^\.{3}/.test(m) ? m : '')))
    .filter((c) => /^[^/]+\/[^/]*/.test(c) && !NOT_A_NAME.test(c));
};

const placeholder = (part: string): boolean => /^[<{[(]?.*[>}\])]$|^(?:type|\*)$/i.test(part);

/** `fix/<slug>`: the first segment is kept or stands for a type of work, the rest is free, after a ticket when one is meant. */
const patternOf = (names: readonly string[]): string | null => {
  const split = names.map((n) => ({ first: n.slice(0, n.indexOf('/')), rest: n.slice(n.indexOf('/') + 1) }));
  const one = split[0];
  if (!one) return null;
  const rest = ISSUE.test(one.rest)
    ? /[-_/]\D/.test(one.rest.replace(/[<{[]?issue[-_ ](?:number|id)/i, 'issue'))
      ? '<issue>-<slug>'
      : '<issue>'
    : '<slug>';
  if (placeholder(one.first)) return `<type>/${rest}`;
  const firsts = [...new Set(split.map((s) => s.first))].filter((f) => /^[A-Za-z][\w.-]*$/.test(f));
  const types = firsts.filter((f) => ALL_TYPES.includes(f.toLowerCase()));
  const kept = types.length > 0 ? types : firsts.slice(0, 1);
  return kept.length === 0 ? null : `${kept.join('|')}/${rest}`;
};

export const branchPattern = (s: Pick<Sentence, 'plain' | 'quote'>): string | null =>
  ABOUT_BRANCH.test(s.plain) ? patternOf(candidates(s.quote)) : null;

const rule = (kind: Rule['kind'], s: Sentence, file: string): Rule => ({
  kind,
  quote: s.quote.slice(0, 300),
  file,
  line: s.line,
});

export const readRules = (files: readonly RuleFile[]): { rules: Rule[]; branchRule: string | null } => {
  const rules: Rule[] = [];
  let branchRule: string | null = null;
  const add = (r: Rule): void => {
    if (!rules.some((other) => other.kind === r.kind && other.file === r.file)) rules.push(r);
  };
  for (const { path, text } of files) {
    const forAgents = FOR_AGENTS.test(path);
    for (const s of sentences(text)) {
      const ai = aiRule(s.plain, s.quote, forAgents);
      if (README.test(path)) {
        if (ai === 'ai_ban') add(rule('other', s, path));
        continue;
      }
      if (ai) add(rule(ai, s, path));
      for (const [kind, pattern] of PLAIN_RULES)
        if (pattern.test(s.plain) && !NEGATED.test(s.plain)) add(rule(kind, s, path));
      const pattern = branchPattern(s);
      if (pattern !== null) {
        branchRule ??= pattern;
        add(rule('branch_name', s, path));
      }
    }
  }
  return { rules, branchRule };
};
