/** Finds rules about submitting a change: changelog, base branch, size, language, contributors. */
import { findBaseBranchRules } from './base-branch.ts';
import { findElsewhereRule } from './elsewhere-rules.ts';
import { findIssueFirstRule } from './issue-first-rules.ts';
import { findSizeRule } from './size-rule.ts';
import { wordGroup, wordPatterns } from '#tools/words';
import {
  REQUEST_WORDS,
  isInstructionSentence,
  type FoundRule,
  type RuleReader,
  type RulePassage,
} from './rule-passage.ts';

const CHANGELOG = wordPatterns('discovery/rules', 'changelog', [
  ...['toLog', 'noted', 'asked', 'notOurs', 'cutting', 'dontForget', 'purpose', 'commandInBox'],
  ...['inThePatch', 'needed', 'orders', 'noStyle', 'ownChangeset', 'changeset', 'fragment', 'releaseNotes'],
  'dataChangeset',
] as const);
const BOXED = /^\W*\[[ x]?\]/i;
/** Capitals make these file names; in small letters they are everyday words. */
const CHANGELOG_FILE_NAMES = /\b(?:CHANGES|HISTORY|NEWS|RELEASE)\b/g;
/** `A RELEASE.rst` is written for each change; `in the RELEASE.md` is one that is there. */
const RELEASE_FILE = /(?<!\b(?:in|to|of) (?:the |its |your )?(?:\w{1,20} )?[`'"]?)\bRELEASE\.(?:rst|md)\b/;
/** `master_changes.md`, `docs/history.rst`: their names say what is kept in them. */
const LOG_FILE = /\b(?:[\w-]{1,30}[-_])?(?:changes|history)\.(?:md|rst|txt|adoc)\b/gi;

const findChangelogRule = (one: RulePassage): FoundRule | null => {
  const { plain, heading, before, after } = one;
  if (CHANGELOG.commandInBox.test(one.quote)) return { kind: 'changelog', value: 'changeset' };
  const words = (CHANGELOG.dataChangeset.test(plain) ? plain.split(CHANGELOG.changeset).join('data') : plain)
    .replace(CHANGELOG.purpose, ' ')
    .replace(LOG_FILE, 'changelog')
    // `DESCRIBE YOUR CHANGES HERE` names no file.
    .replace(/[a-z]/.test(plain) ? CHANGELOG_FILE_NAMES : /$^/, 'changelog')
    .split(CHANGELOG.dontForget)
    .join('please')
    .split(CHANGELOG.noStyle)
    .join('conventional')
    .replace(/https?:\/\/\S+/g, ' ');
  const isRequest = REQUEST_WORDS.test(words);
  const isBoxed = BOXED.test(one.quote);
  const asks =
    CHANGELOG.toLog.test(words) &&
    (isRequest || CHANGELOG.needed.test(words) || isInstructionSentence(words, CHANGELOG.orders.source));
  if (
    !asks &&
    !(isBoxed && CHANGELOG.noted.test(words)) &&
    !CHANGELOG.inThePatch.test(words) &&
    !(CHANGELOG.asked.test(words) && (isRequest || isBoxed))
  )
    return null;
  if (
    CHANGELOG.notOurs.test(words) ||
    CHANGELOG.cutting.test(heading.split(CHANGELOG.releaseNotes).join(' '))
  )
    return null;
  const around = `${before} ${plain} ${after}`;
  const value = CHANGELOG.changeset.test(words.split(CHANGELOG.ownChangeset).join(' '))
    ? 'changeset'
    : CHANGELOG.fragment.test(around) || RELEASE_FILE.test(around)
      ? 'fragment'
      : 'file';
  return { kind: 'changelog', value };
};

const LANGUAGES = wordGroup('discovery/rules', 'languages').map(([, pattern]) => pattern);
const LANGUAGE = wordPatterns('discovery/rules', 'language', [
  ...['kindOfEnglish', 'orders', 'preferred', 'written', 'notAsked'],
] as const);
const findLanguageRule = ({ plain }: RulePassage): FoundRule | null => {
  const english = LANGUAGE.kindOfEnglish.exec(plain)?.[1];
  if (
    english !== undefined &&
    (REQUEST_WORDS.test(plain) ||
      isInstructionSentence(plain, LANGUAGE.orders.source) ||
      LANGUAGE.preferred.test(plain))
  )
    return { kind: 'language', value: `${english} English` };
  if (!LANGUAGE.written.test(plain) || LANGUAGE.notAsked.test(plain)) return null;
  const name = LANGUAGES.map((says) => says.exec(plain)?.[1]).find((told) => told !== undefined);
  return name === undefined
    ? null
    : { kind: 'language', value: name.charAt(0).toUpperCase() + name.slice(1).toLowerCase() };
};

const VOUCH = wordPatterns('discovery/rules', 'vouch', ['asked']);
const findVouchRule = ({ plain }: RulePassage): FoundRule | null =>
  VOUCH.asked.test(plain) ? { kind: 'vouch' } : null;

/** Only in capitals: `cla` may be anything. */
const CLA = /\b(?:[CI]|Easy)?CLAs?\b/;
const AGREEMENTS = wordPatterns('discovery/rules', 'agreements', ['asked', 'notAsked', 'yes'] as const);
const findClaRule = ({ plain, after }: RulePassage): FoundRule | null => {
  if (plain.endsWith('?') && !AGREEMENTS.yes.test(after)) return null;
  const words = plain.replace(/https?:\/\/\S+/g, ' ');
  return (CLA.test(words) || AGREEMENTS.asked.test(words)) && !AGREEMENTS.notAsked.test(plain)
    ? { kind: 'cla' }
    : null;
};

const compactRules = (...found: (FoundRule | null)[]): FoundRule[] => found.filter((f) => f !== null);

export const findProcessRules: RuleReader = (one) => [
  ...compactRules(findIssueFirstRule(one), findChangelogRule(one)),
  ...findBaseBranchRules(one),
  ...compactRules(
    findSizeRule(one),
    findLanguageRule(one),
    findVouchRule(one),
    findClaRule(one),
    findElsewhereRule(one),
  ),
];
