/** Finds rules about submitting a change: changelog, base branch, size, language, contributors. */
import { baseBranches } from './base-branch.ts';
import { elsewhereRule } from './elsewhere-rules.ts';
import { issueFirst } from './issue-first-rules.ts';
import { sizeRule } from './size-rule.ts';
import {
  REQUEST_WORDS,
  isInstructionSentence,
  type FoundRule,
  type RuleReader,
  type RulePassage,
} from './rule-passage.ts';

const LOG = String.raw`(?:change[- ]?logs?|release[- ]notes? (?:entr|fragment|file|snippet)\w*|what'?s[-_ ]?new|change ?sets?|(?:news|changelog|change) ?(?:fragments?|entr(?:y|ies)|items?|notes?|files?)|newsfragments?|news\/|news[\`"']? (?:director|folder|item|snippet)\w*|towncrier|fragments? (?=for (?:each|every|your)|per|describ))`;
const TO_LOG = new RegExp(
  String.raw`\b(?:add|updat|includ|creat|writ|need|requir|accompan|document|describ|mention|entry|entries|run|have|provid|put|append|bump|record|edit|amend|submit|bullet)\w*\b[^.;]{0,90}(?<!\w)\.?${LOG}(?:\.\w+)?\b`,
  'i',
);
const BOXED = /^\W*\[[ x]?\]/i;
const LOG_NOTED = new RegExp(
  String.raw`\b(?:noted|listed|documented|mentioned|added|updated|described|recorded)\b[^.;]{0,30}(?<![\w/])${LOG}`,
  'i',
);
const LOG_ASKED = new RegExp(
  String.raw`(?<![\w/])${LOG}(?:\.\w+)?\b[^.;]{0,60}\b(?:updated|required|needed|entry|entries|added|must|should)\b`,
  'i',
);
const NOT_OURS =
  /\b(?:optional\w*|maintainers? (?:will|can|may|should)|automatically|auto-?generat\w*|generated (?:from|by|on)|release (?:manager|process|branch|engineer)|(?:do not|don't|no need to|never|not need to|needn't|should not|shouldn't|without) (?:\w+ ){0,4}?(?:updat|edit|add|modif|chang|touch|writ|includ|bump|need)\w*|when (?:releasing|making a release|publishing)|(?:making|cutting|preparing|new) (?:a )?(?:new )?releases?|(?:not|only when \w+|n't) (?:required|necessary|needed|requested)|only when explicitly|^\W*(?:\[ \] )?no (?:change|news)[- ]?(?:log)?\b[^.;]*\b(?:necessary|needed|required)|used to generate|helps? (?:us |to )*generat\w*|(?:as )?part of (?:your|the|this) change ?sets?|above|will be (?:used|added|generated|included))\b/i;
const CUTTING = /\b(?:releas(?:e|ing)|publish\w*|maintain\w*|versioning)\b/i;

const FORGET = /\b(?:do not|don't) forget to\b/gi;
/** Capitals make these file names; in small letters they are everyday words. */
const CHANGELOG_FILE_NAMES = /\b(?:CHANGES|HISTORY|NEWS|RELEASE)\b/g;
/** Says what something is for, and asks for something else. */
const PURPOSE =
  /^\W*(?:in order )?to (?:be able to )?(?:generate|build|create|make|produce|automate)\b[^.;]{0,60}?,/i;
const COMMAND_IN_BOX = /^\W*\[[ x]?\][^.;]*`(?:npx |pnpm |yarn |npm run |bunx? )?changeset(?: add)?`/i;
const IN_THE_PATCH =
  /\b(?:release[- ]notes?|change ?logs?)\b[^.;]{0,40}\b(?:should|must|need to|have to)\b[^.;]{0,20}\bincluded in the (?:same )?(?:patch|change|commit|pull[- ]request|PR|review)\b/i;
const findChangelogRule = (one: RulePassage): FoundRule | null => {
  const { plain, heading, before, after } = one;
  if (COMMAND_IN_BOX.test(one.quote)) return { kind: 'changelog', value: 'changeset' };
  const words = plain
    .replace(PURPOSE, ' ')
    // `DESCRIBE YOUR CHANGES HERE` names no file.
    .replace(/[a-z]/.test(plain) ? CHANGELOG_FILE_NAMES : /$^/, 'changelog')
    .replace(FORGET, 'please')
    .replace(/conventional[- ]changelog/gi, 'conventional')
    .replace(/https?:\/\/\S+/g, ' ');
  const asks =
    TO_LOG.test(words) &&
    (REQUEST_WORDS.test(words) ||
      /\bneeds?\b|\bif your (?:change|PR|pull request)\b|, (?:then |please |also )?(?:add|update|include|create|write) /i.test(
        words,
      ) ||
      isInstructionSentence(
        words,
        'add|update|include|create|write|document|describe|run|provide|put|append|record|mention|updated|added|included|an entry|a (?:news|changelog)|changelog|news',
      ));
  const noted = BOXED.test(one.quote) && LOG_NOTED.test(words);
  const inPatch = IN_THE_PATCH.test(words);
  if (
    !asks &&
    !noted &&
    !inPatch &&
    !(LOG_ASKED.test(words) && (REQUEST_WORDS.test(words) || BOXED.test(one.quote)))
  )
    return null;
  if (NOT_OURS.test(words) || CUTTING.test(heading.replace(/\brelease[- ]notes?\b/gi, ' '))) return null;
  const around = `${before} ${plain} ${after}`;
  const value = /\bchange ?sets?\b/i.test(words.replace(/\b(?:your|this|the) change ?set\b/gi, ' '))
    ? 'changeset'
    : /\b(?:change files?|fragments?|newsfragments?|towncrier|reno|scriv|chloggen|changie|unreleased\/)\b|\b(?:news|changes|changelogs?)(?:\.d)?\/|\bchangelog\.d\b|\bchanges\.d\b|\b(?:new )?files? (?:in|into|to|under|inside) (?:the )?[`']?(?:\.?change|news|doc)/i.test(
          around,
        ) || /\bRELEASE\.(?:rst|md)\b/.test(around)
      ? 'fragment'
      : 'file';
  return { kind: 'changelog', value };
};

const LANGUAGE = 'English|Chinese|German|French|Spanish|Portuguese|Russian|Japanese|Korean';
const IN_LANGUAGE: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:all|everything)\b[^.;]{0,40}\b(?:in|uses?) (${LANGUAGE})\b`, 'i'),
  new RegExp(
    String.raw`\b(?:must|should|please|only|always|have to|need to|required|ask)\b[^.;]{0,80}\b(?:in|use|using|speak|write)\b (?:only )?(?:the )?(${LANGUAGE})\b`,
    'i',
  ),
  new RegExp(
    String.raw`^\W*(?:\w+ ){0,2}?(?:use|write|communicate|speak)\b[^.;]{0,90}\b(${LANGUAGE})\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(${LANGUAGE})\b (?:only|is (?:the )?(?:only|required|project|official|working|primary))\b`,
    'i',
  ),
];
const WRITTEN =
  /\b(?:issues?|pull[- ]?requests?|PRs?|communicat\w*|comments?|commits?|messages?|discussions?|contributions?|documentation|titles?|descriptions?|code|everything|write|language)\b/i;

const KIND_OF_ENGLISH = /\b(British|American) English\b/i;
const findLanguageRule = ({ plain }: RulePassage): FoundRule | null => {
  const one = KIND_OF_ENGLISH.exec(plain)?.[1];
  if (
    one &&
    (REQUEST_WORDS.test(plain) || isInstructionSentence(plain, 'use|write') || /\bpreferred\b/i.test(plain))
  )
    return { kind: 'language', value: `${one} English` };
  if (
    !(WRITTEN.test(plain) || /\ball work\b/i.test(plain)) ||
    /\brespond in\b/i.test(plain) ||
    /\b(?:British|American|translat\w*|grammar|fluent|proper|correct|spelling|native|not (?:your|a)|locale|i18n|US|UK|(?:any|either|both|your own) languages?)\b/i.test(
      plain,
    )
  )
    return null;
  for (const pattern of IN_LANGUAGE) {
    const name = pattern.exec(plain)?.[1];
    if (name) return { kind: 'language', value: name.charAt(0).toUpperCase() + name.slice(1).toLowerCase() };
  }
  return null;
};

const VOUCH =
  /(?:\b(?:un-?vouched|not (?:been |yet )?vouched)\b|n't (?:been )?vouched\b)[^.;]{0,120}\b(?:clos\w+|block\w+|reject\w+|not|cannot|can't)|\b(?:must|need to|needs to|have to|required to)\b[^.;]{0,30}\bvouched\b/i;
const findVouchRule = ({ plain }: RulePassage): FoundRule | null =>
  VOUCH.test(plain) ? { kind: 'vouch' } : null;

const CLA =
  /\b(?:[CI]|Easy)?CLAs?\b|\b[Cc]ontribut(?:or|ion|ors')(?:'s|s)?['’]? [Ll]icen[sc]e [Aa]greements?\b|\b[Cc]ontribution agreement\b|\b[Cc]ontributor [Aa]greement\b|\bassign\w* (?:their|its) copyright\b|\b[Cc]opyright assignment\b|\bsign(?:ed)?\b(?![- ]off)[^.;]{0,50}\b[Aa]greement\b/;
const NO_CLA =
  /\b(?:over|instead of|rather than) (?:an? |the )?CLAs?\b|(?:\b(?:no|not|without|never)|n't)\b(?: (?!(?:before|until|unless|without)\b)\S+){0,4} (?:a |an |any |the )?(?:formal )?(?:CLA|contributor)|(?:\b(?:no|not|never)|n't)\b(?: (?!(?:before|until|unless|without)\b)\S+){0,6} (?:copyright assignment|assign\w* (?:their|its|your) copyright)|(?<!(?:\b(?:no|not|never|cannot)|n't)\b[^.;]{0,60})\bwithout (?:an? |any |the )?copyright assignment|\bcopyright assignments? (?:is|are) (?:not|never) |\b(?:CLA|agreement)\b\)?(?: \S+){0,3} (?:not|n't|un)(?: be)? ?(?:required|needed|necessary|used|use)|\blicensed (?:to|by)\b[^.]*\bunder (?:one or more|a)\b/i;
const findClaRule = ({ plain, after }: RulePassage): FoundRule | null =>
  !(plain.endsWith('?') && !/^\W*yes\b/i.test(after)) &&
  CLA.test(plain.replace(/https?:\/\/\S+/g, ' ')) &&
  !NO_CLA.test(plain)
    ? { kind: 'cla' }
    : null;

const compactRules = (...found: (FoundRule | null)[]): FoundRule[] => found.filter((f) => f !== null);

export const processRules: RuleReader = (one) => [
  ...compactRules(issueFirst(one), findChangelogRule(one)),
  ...baseBranches(one),
  ...compactRules(
    sizeRule(one),
    findLanguageRule(one),
    findVouchRule(one),
    findClaRule(one),
    elsewhereRule(one),
  ),
];
