/** Decides which boxes of a checklist our facts confirm; boxes about a person stay open. */
import type { CheckResult } from '../orchestrator/core/change-facts.ts';
import { isTest } from '../orchestrator/core/path-kinds.ts';
import { isChangelog, isDoc, type ClaimGrounds } from './supported-claims.ts';

export type BoxFacts = ClaimGrounds & {
  baseRef: string;
  commits: number;
  title: string;
  titleKept: boolean;
  signedOff: boolean;
  claSigned: boolean;
  hasIssue: boolean;
};

/** Only the sender can confirm these, or nobody can. */
const PERSONAL =
  /\bI(?:'ve| have)? (?:have )?(?:read|review|agree|understand|confirm|search|check(?:ed)? (?:that|my|for)|self|perform|follow|certif|am\b|will\b|discuss|ask|consider|look)|\bself[- ]review|\bread the\b|\bagree\b|\bguidelines?\b|\bfollow(?:s|ed)\b.{0,40}\b(?:style|standards?|conventions?|guide|checklist|recommendations|process)\b|\bfully reviewed\b|\bexplain|\bdescri(?:be|ption)|\breviewed\b|\bmanual(?:ly)?\b|\bscreen ?shots?\b|\bfail(?:s)? without\b|\bno warnings?\b|\bcompatib|\bsecurity\b|\bnot (?:needed|applicable|required)\b|\bno (?:new )?(?:warnings|breaking|commented)\b|\bcomment(?:s|ed)\b.{0,40}\bcode\b|\bdownstream\b/i;

const passed = (checks: readonly CheckResult[], of: RegExp): boolean => {
  const such = checks.filter((c) => of.test(c.name) || of.test(c.command));
  return such.length > 0 && such.every((c) => c.outcome === 'passed');
};
const allPassed = (checks: readonly CheckResult[]): boolean =>
  checks.length > 0 && checks.every((c) => c.outcome === 'passed');

const TESTS =
  /\b(?:tests?|specs?|pytest|unittest|jest|vitest|mocha|rspec|tox|nox|ctest|phpunit|surefire|verify)\b/i;
const LINTS = /\b(?:lint(?:s|er|ing)?|eslint|ruff|flake8|clippy|golangci|rubocop|pylint|biome|checkstyle)\b/i;
const FORMATS = /\b(?:format(?:ted|ting)?|fmt|prettier|black|gofmt|rustfmt|spotless)\b/i;
const TYPE_CHECK_WORDS = /\b(?:types?|type[- ]?check\w*|tsc|mypy|pyright)\b/i;
const BUILDS = /\b(?:build(?:s)?|compiles?)\b/i;
const PASSES =
  /\b(?:pass(?:es|ed|ing)?|succeed|green|clean|no (?:tests? )?(?:failed|failures|errors)|run|ran|works?|is linted|are linted|linted|formatted)\b/i;

/** All commands named in the box passed. */
const namedCommands = (label: string, { checks, files, baseRef }: BoxFacts): boolean | null => {
  const spans = [...label.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner.trim());
  const commands = spans.filter(
    (s) => s !== baseRef && !files.some((f) => f.path.includes(s)) && !/\.\w+$|^\.\./.test(s),
  );
  if (commands.length === 0) return null;
  return commands.every((name) => checks.some((c) => c.command.includes(name) && c.outcome === 'passed'));
};

const changed = ({ files }: BoxFacts, is: (path: string) => boolean): boolean =>
  files.some((f) => f.added > 0 && is(f.path));

const ADDS =
  /\bthere (?:is|are)\b|\b(?:add(?:s|ed)?|includ(?:e[sd]?|ing)|contains?|has|have|updat(?:e[sd]?|ing)|provid(?:e[sd]?)|writ(?:e|ten)|wrote|new|cover(?:s|ed)?|made corresponding|extended)\b/i;

const BOX_ROWS: readonly (readonly [RegExp, (facts: BoxFacts, label: string) => boolean])[] = [
  [/\bsigned?[- ]?off\b|\bDCO\b|developer certificate/i, (f) => f.signedOff],
  [/\bCLA\b|contributor licen[cs]e/i, (f) => f.claSigned],
  [/\b(?:single|one) commit\b|\bsquashed?\b/i, (f) => f.commits === 1],
  [/\bconventional[- ]commits?\b/i, (f) => f.titleKept],
  [
    /\bchange ?log\b|\bchangeset\b|\bnews ?fragment\b|\brelease notes?\b|\b(?:CHANGES|HISTORY|NEWS)\b/,
    (f) => changed(f, isChangelog),
  ],
  [
    /\b(?:linked|links?|references?|closes|fixes|auto-closes?|relat\w+)\b.{0,40}\bissues?\b|\bissues?\b.{0,30}\b(?:linked|referenced|exists?)\b/i,
    (f, label) => f.hasIssue && !/#\d|issues\/\d/.test(label),
  ],
  [
    /\b(?:target(?:s|ed|ing)?|against|based on|base branch|opened? against)\b/i,
    (f, label) => new RegExp(`(?:\`|\\b)${f.baseRef.replace(/[^\w]/g, '\\$&')}(?:\`|\\b)`).test(label),
  ],
  [
    /\bdoc(?:s|umentation|umented)?\b|\breadme\b/i,
    (f, label) =>
      ADDS.test(label) && !TESTS.test(label) && !/\bwww\.|https?:/.test(label) && changed(f, isDoc),
  ],
  [
    TESTS,
    (f, label) => {
      const green = passed(f.checks, TESTS);
      // A bare "tests" means tests for the change.
      if (/^\W*(?:unit )?tests?\W*$/i.test(label)) return changed(f, isTest) && green;
      if (ADDS.test(label) && !/\b(?:existing|all)\b/i.test(label)) return changed(f, isTest) && green;
      return PASSES.test(label) && green && !/\b(?:integration|e2e|end[- ]to[- ]end)\b/i.test(label);
    },
  ],
  [LINTS, (f, label) => PASSES.test(label) && passed(f.checks, LINTS)],
  [FORMATS, (f, label) => PASSES.test(label) && passed(f.checks, FORMATS)],
  [TYPE_CHECK_WORDS, (f, label) => PASSES.test(label) && passed(f.checks, TYPE_CHECK_WORDS)],
  [BUILDS, (f, label) => PASSES.test(label) && passed(f.checks, BUILDS)],
  [/\bchecks?\b.{0,20}\bpass/i, (f) => allPassed(f.checks)],
];

/** Every claim of a box has to hold. */
const claims = (label: string): string[] =>
  label.split(/,? \band\b (?=(?:is|are|has|all|it|docs?|documentation|tests?|lint|updated?|added?)\b)/i);

export const boxHolds = (label: string, facts: BoxFacts): boolean => {
  if (/\bbreaking\b|\bdeprecat/i.test(label)) return false;
  const named = namedCommands(label, facts);
  if (named !== null && PASSES.test(label))
    return named && !PERSONAL.test(label.replace(/\bI(?:'ve| have)? (?:run|ran)\b/i, ''));
  if (PERSONAL.test(label)) return false;
  const all = claims(label);
  return all.every((one) => {
    const row = BOX_ROWS.find(([says]) => says.test(one));
    return row !== undefined && row[1](facts, all.length > 1 ? label : one);
  });
};
