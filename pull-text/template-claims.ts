/** Verifies what an agent says of a template's lines; only what its reason proves stays (F9). */
import { isPassingEvidence } from '#model/evidence';
import { shortCommand } from '#model/contract';
import type { TemplateClaim } from '#model/agent';
import { isTest } from '#model/paths';
import { wordPatterns } from '#tools/words';
import { hasUnknownWord } from './checkbox-words.ts';
import {
  ADDS,
  haveTestsPassed,
  isClaimable,
  PASSES,
  withoutDeniedHalf,
  type BoxFacts,
} from './confirm-checkboxes.ts';
import { isChangelog, isDoc, sharesWord, TOPIC_WORDS } from './supported-claims.ts';

const MIN_QUOTED_LENGTH = 8;

const withoutBox = (text: string): string => text.replace(/^\s*(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]?\])?/, '');
const plainLabel = (text: string): string =>
  withoutBox(text)
    .replace(/[*_`#:：]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const fileThatAdds = ({ patch }: BoxFacts, quoted: string): string | null => {
  const line = quoted.trim().replace(/^\+\s*/, '');
  if (line.length < MIN_QUOTED_LENGTH) return null;
  for (const part of patch.split(/^diff --git /m)) {
    const added = part.split('\n').filter((one) => one.startsWith('+') && !one.startsWith('+++'));
    const path = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? / b\/(.+)$/.exec(part.split('\n')[0] ?? '')?.[1];
    if (path !== undefined && added.some((one) => one.slice(1).trim() === line)) return path;
  }
  return null;
};

const CLAIMED_TOPICS = [
  ['tests', isTest],
  ['docs', isDoc],
  ['changelog', isChangelog],
] as const;

const withoutLinks = (text: string): string => text.replace(/\]\([^)]*\)|https?:\S+/g, ' ');
const ofTopics = (text: string, path: string): boolean | null => {
  const all = CLAIMED_TOPICS.filter(([topic]) => TOPIC_WORDS[topic].test(withoutLinks(text)));
  return all.length === 0 ? null : all.every(([, is]) => is(path));
};
const isAboutWords = (words: string, path: string, quoted: string): boolean =>
  ofTopics(words, path) ?? sharesWord(words, `${path}\n${quoted}`);

const ENGLISH =
  /\b(?:the|of|and|for|is|are|to|has|have|this|that|i|my|your|you|tests?|docs?|documentation|added|updated|an?)\b/i;
const IS_ASCII = /^[\0-\x7f]*$/;
/** A box may link the very file that the hunk is of; what else it links says more than we know. */
const linksOnly = (label: string, path: string): boolean => {
  const links = [...label.matchAll(/\]\(\s*([^()\s]{1,500})\s*\)/g)];
  const bare = label.replace(/\[([^\][]{0,200})\]\(\s*[^()\s]{1,500}\s*\)/g, '$1');
  return (
    links.every(([, target = '']) => target === path || target.endsWith(`/${path}`)) &&
    !/\]\(|https?:|\[[\w ]+\]/.test(bare)
  );
};
/** We know each word of an English box, so a word that a line has too proves nothing. */
const isAboutBox = (label: string, path: string, quoted: string): boolean => {
  if (!linksOnly(label, path)) return false;
  if (!IS_ASCII.test(label)) return isAboutWords(label, path, quoted);
  return (!ENGLISH.test(label) || !hasUnknownWord(label)) && ofTopics(label, path) === true;
};

/** `Unit tests` or `单元测试` may ask for new tests or for green ones, so it takes both. */
const NOUN =
  /^[^\p{L}]*(?:[\p{Script=Latin} -]{1,14}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{1,6})[^\p{L}]*$/u;
const asksForGreen = (label: string): boolean =>
  TOPIC_WORDS.tests.test(label) && NOUN.test(label) && !ADDS.test(label);

const CHECK_WORDS: readonly RegExp[] = [
  TOPIC_WORDS.tests,
  /\blint\w*\b/i,
  /\bformat\w*\b|\bfmt\b/i,
  /\btype\w*\b/i,
  /\bbuil[dt]\w*\b|\bcompil\w+\b/i,
];
const plainCommand = (text: string): string =>
  text
    .trim()
    .replace(/^\$\s+/, '')
    .replace(/\s+/g, ' ');

const FACTS = ['one_commit', 'signed_off', 'issue_named', 'title_kept'] as const;
const FACT_WORDS = wordPatterns('pull-text/words', 'facts', FACTS);
const TEMPLATE_FACTS: Readonly<Record<(typeof FACTS)[number], (facts: BoxFacts) => boolean>> = {
  one_commit: ({ commits }) => commits === 1,
  signed_off: ({ signedOff }) => signedOff,
  issue_named: ({ hasIssue }) => hasIssue,
  title_kept: ({ titleKept }) => titleKept,
};

const isProven = (facts: BoxFacts, { line, value, because, proof }: TemplateClaim): boolean => {
  if (value !== 'x' && because !== 'hunk') return false;
  switch (because) {
    case 'hunk': {
      const path = fileThatAdds(facts, proof);
      // guard: F9-unit-tests-are-green
      if (value === 'x' && asksForGreen(withoutBox(line)) && !haveTestsPassed(facts.checks)) return false;
      // guard: F9-hunk-of-its-topic
      return (
        path !== null &&
        (value === 'x'
          ? isAboutBox(withoutDeniedHalf(withoutBox(line)), path, proof)
          : isAboutWords(value, path, proof))
      );
    }
    case 'check': {
      const ran = facts.checks.filter(({ command }) =>
        [command, shortCommand(command)].map(plainCommand).includes(plainCommand(proof)),
      );
      const isAbout = (check: { name: string; command: string }): boolean =>
        line.includes(check.command) ||
        CHECK_WORDS.some((word) => word.test(line) && word.test(`${check.name} ${check.command}`));
      // guard: F9-check-adds-nothing
      if (IS_ASCII.test(line) && (!PASSES.test(line) || ADDS.test(line))) return false;
      return ran.length > 0 && !hasUnknownWord(line) && ran.every((c) => isPassingEvidence(c) && isAbout(c));
    }
    case 'fact': {
      const fact = FACTS.find((one) => one === proof);
      return (
        fact !== undefined &&
        !hasUnknownWord(line) &&
        TEMPLATE_FACTS[fact](facts) &&
        FACT_WORDS[fact].test(line)
      );
    }
  }
};

export type TemplateClaims = { ticks(label: string): boolean; words(title: string): string };

export const selectProvenClaims = (
  claims: readonly TemplateClaim[],
  facts: BoxFacts,
  supported: (text: string) => string,
): TemplateClaims => {
  // guard: F9-proven-lines
  const proven = claims.filter((claim) => isProven(facts, claim));
  const claimsOn = (line: string): TemplateClaim[] =>
    proven.filter((claim) => plainLabel(claim.line) === plainLabel(line));
  return {
    ticks: (label) =>
      isClaimable(withoutDeniedHalf(label), facts) && claimsOn(label).some(({ value }) => value === 'x'),
    words: (title) => {
      const [claim] = claimsOn(title).filter(({ value }) => value !== 'x');
      return claim ? supported(claim.value) : '';
    },
  };
};
