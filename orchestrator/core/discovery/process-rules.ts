/**
 * Rules about how a change is brought in: an issue first, a changelog, the base branch, its size,
 * the language, who may.
 */
import { issueFirst } from './issue-first.ts';
import { size } from './size-rule.ts';
import { ASKS, orders, type Found, type Reader, type Passage } from './reading.ts';

const LOG = String.raw`(?:change[- ]?logs?|release notes? (?:entr|fragment|file)\w*|what'?s[-_ ]?new|change ?sets?|(?:news|changelog|change) ?(?:fragments?|entr(?:y|ies)|items?|notes?|files?)|newsfragments?|towncrier|fragments? (?=for (?:each|every|your)|per|describ))`;
const TO_LOG = new RegExp(
  String.raw`\b(?:add|updat|includ|creat|writ|need|requir|accompan|document|describ|mention|entry|entries|run|have|provid|put|append|bump|record|edit|amend|generat)\w*\b[^.;]{0,90}(?<![\w/])${LOG}(?:\.\w+)?\b`,
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
  /\b(?:optional\w*|maintainers? (?:will|can|may|should)|automatically|auto-?generat\w*|generated (?:from|by|on)|release (?:manager|process|branch|engineer)|(?:do not|don't|no need to|never|not need to|needn't|should not|shouldn't|without) (?:\w+ ){0,4}?(?:updat|edit|add|modif|chang|touch|writ|includ|bump|need)\w*|when (?:releasing|making a release|publishing)|(?:making|cutting|preparing|new) (?:a )?(?:new )?releases?|not (?:required|necessary|needed)|above|will be (?:used|added|generated|included))\b/i;
const CUTTING = /\b(?:releas(?:e|ing)|publish\w*|maintain\w*|versioning)\b/i;

const FORGET = /\b(?:do not|don't) forget to\b/gi;
/** Files that are called so in capitals alone: in small letters these are words of everyday speech. */
const FILES = /\b(?:CHANGES|HISTORY|NEWS|RELEASE)\b/g;
const changelog = (one: Passage): Found | null => {
  const { plain, heading, before, after } = one;
  const words = plain
    .replace(FILES, 'changelog')
    .replace(FORGET, 'please')
    .replace(/conventional[- ]changelog/gi, 'conventional')
    .replace(/https?:\/\/\S+/g, ' ');
  const asks =
    TO_LOG.test(words) &&
    (ASKS.test(words) ||
      /\bneeds?\b|\bif your (?:change|PR|pull request)\b/i.test(words) ||
      orders(
        words,
        'add|update|include|create|write|document|describe|run|provide|put|append|record|mention|updated|added|included|an entry|a (?:news|changelog)|changelog|news',
      ));
  const noted = BOXED.test(one.quote) && LOG_NOTED.test(words);
  if (!asks && !noted && !(LOG_ASKED.test(words) && (ASKS.test(words) || BOXED.test(one.quote)))) return null;
  if (NOT_OURS.test(words) || CUTTING.test(heading)) return null;
  const around = `${before} ${plain} ${after}`;
  const value = /\bchange ?sets?\b/i.test(words)
    ? 'changeset'
    : /\b(?:fragments?|newsfragments?|towncrier|reno|scriv|chloggen|changie|unreleased\/)\b|\b(?:news|changes|changelogs?)(?:\.d)?\/|\bchangelog\.d\b|\bchanges\.d\b|\b(?:new )?files? (?:in|into|to|under|inside) (?:the )?[`']?(?:\.?change|news|doc)/i.test(
          around,
        ) || /\bRELEASE\.(?:rst|md)\b/.test(around)
      ? 'fragment'
      : 'file';
  return { kind: 'changelog', value };
};

const USUAL = String.raw`(?:main|master|develop(?:ment)?|dev|trunk|next|stable|devel|staging|unstable|canary|devel?|beta|edge|integration|experimental|(?:\d+\.)+[x\d]|v\d[\w.]*|\d+\.x)`;
const NAMED = String.raw`[\`"'“*]{0,3}(?:origin\/|upstream\/)?([A-Za-z0-9][\w./-]{0,40}?)[\`"'”*]{0,3}`;
const INTO: readonly RegExp[] = [
  new RegExp(String.raw`\bbase branch \(e\.?g\.?,? [\`"'](${USUAL})[\`"']`, 'i'),
  new RegExp(String.raw`\bbase\b[^.;]{0,50}\bon [\`"'“*]{0,3}(${USUAL})[\`"'”*]{0,3}(?=[\s,.;:)]|$)`, 'i'),
  new RegExp(
    String.raw`\b(?:against|onto|into|target(?:s|ing|ed)?|base[d]? (?:on|off|against)|directed (?:at|to)|to|on) (?:the |our |its |\w+'s )?${NAMED} (?:development |git )?branch\b`,
    'i',
  ),
  new RegExp(
    String.raw`\bbranch (?:off )?(?:of |from )(?:the )?(?:latest |current )?[\`"'“*]{0,3}(?:origin\/|upstream\/)?(${USUAL})[\`"'”*]{0,3}(?=[\s,.;:)]|$)`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:against|target(?:s|ing|ed)?|onto) (?:the |our )?(?:branch |branch called |branch named )?[\`"'“*]{0,3}(?:origin\/|upstream\/)?(${USUAL})[\`"'”*]{0,3}(?=[\s,.;:)]|$)`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:pull[- ]?requests?|PRs?|changes|patches)\b[^.;]{0,60}\b(?:to|into|on) (?:the )?(?:branch )?[\`"'“*]{1,3}(?:origin\/|upstream\/)?(${USUAL})[\`"'”*]{1,3}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:base|target|default|destination) branch\b[^.;]{0,40}\b(?:is|to|should be|must be|:) [\`"'“*]{0,3}(${USUAL})\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:to|against|into|on) (?:the |our )?\w+ branch,? [\`"'](?:origin\/)?(${USUAL})[\`"']`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:based (?:on|off)|base (?:your \w+|it|them|off) (?:on|of)|targeted (?:at|to)|start (?:from|with)|happens on|up to date with|on top of) (?:the |our )?[\`"'“*]{0,3}(?:origin\/|upstream\/)?(${USUAL})[\`"'”*]{0,3}(?=[\s,.;:)]|$)`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:use|with|make|set)\b [\`"'“*]{1,3}(${USUAL})[\`"'”*]{1,3} as (?:the |your )?(?:base|target)\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:PRs?|pull[- ]requests?|patches|MRs?)\b[^.;]{0,20}\b(?:to|into|against) [\`"'“*]{0,3}(main|master|develop|dev|next|trunk|staging|canary|unstable)[\`"'”*]{0,3}(?=[,.;:)]| (?:not|instead|rather|only|and)\b|$)`,
    'i',
  ),
  new RegExp(String.raw`\botherwise (?:the target is |target |use |against )?[\`"'“*]{0,3}(${USUAL})\b`, 'i'),
];
const ABOUT_PULL =
  /\bbranch off\b|\bbase branch\b|\bstart from\b|\bnew branch\b|\b(?:base your|set the base)\b|\b(?:pull[- ]?requests?|PRs?|MRs?|merge requests?|patch(?:es)?|contributions?|submi\w+|features?|fix(?:es)?|changes|target\w*|develop(?:ment)?|fork\w*|create your)\b/i;
const NOT_BASE =
  /\b(?:rebas\w*|fetch|pull (?:from|in|the latest)|sync\w*|merged? (?:into|to) (?:the )?\S+ (?:branch )?(?:by|will|when|after|before)|checkout|check out|releas\w+|up[- ]to[- ]date|push (?:directly|to|permissions?)|switch\w*|commit directly|directly (?:to|on)|deploy\w*|never|do not|don't|tests? (?:fail|run)|fork(?:ed)? the (?:main|repo\w*) (?:branch )?only|compar\w+|diff|bench\w*|working (?:directory|tree|copy)|merging (?:\w+ )?(?:pull requests|PRs))\b/i;
const NO_NAME =
  /^(?:maintenance|maintained|corresponding|proper|active|respective|backport|supported|a|the|new|your|this|that|same|correct|right|appropriate|default|relevant|feature|separate|topic|upstream|origin|dedicated|own|other|each|base|target|current|latest|specific|it|any|release|which|another|main\/master|local|remote|working|primary|git|existing|pull|prs?|mrs?|.*(?:new|my|your|awesome|amazing|cool)[-_](?:\w+[-_])?(?:features?|branch|fix|topic).*)$/i;

/** Another one, for other kinds of changes. */
const SECOND = new RegExp(
  String.raw`(?:\b(?:and|or)|,) (?:the )?[\`"'“*]{0,3}(${USUAL})[\`"'”*]{0,3}(?: branch)? for (?:\w+ ){0,2}(?:features?|fix(?:es)?|changes|everything|others?|docs|documentation|releases)\b`,
  'i',
);
const baseBranch = ({ plain, quote, before, heading }: Passage): Found | null => {
  if (NOT_BASE.test(plain) && !/\b(?:against|target|PRs? to|open\b[^.;]*\b(?:PR|pull request))/i.test(plain))
    return null;
  if (/\b(?:do not|don't|never)\b[^.;]{0,40}\b(?:against|target|to)\b|^\W*(?:breaking|rebase)\b/i.test(plain))
    return null;
  // What happens afterwards, or what sets a workflow going.
  if (/^\W*(?:once|after|when)\b[^.;]*\bmerged\b|\bruns? on every\b|\bas a maintainer\b/i.test(plain))
    return null;
  const pull = ABOUT_PULL.test(plain) || /pull[- ]?request|\bPR\b/i.test(`${before} ${heading}`);
  if (!pull || /\b(?:push|ci|workflow)\b[^.;]{0,20}\b(?:trigger|run)/i.test(plain)) return null;
  const said = quote.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');
  for (const pattern of [...INTO].reverse()) {
    const name = pattern.exec(said)?.[1];
    if (name !== undefined && !NO_NAME.test(name))
      return { kind: 'base_branch', value: name.replace(/[.]+$/, '') };
  }
  return null;
};

const LANGUAGE = 'English|Chinese|German|French|Spanish|Portuguese|Russian|Japanese|Korean';
const IN_LANGUAGE: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:must|should|please|only|always|have to|need to|required|ask)\b[^.;]{0,80}\b(?:in|use|using|speak|write)\b (?:only )?(?:the )?(${LANGUAGE})\b`,
    'i',
  ),
  new RegExp(
    String.raw`^\W*(?:\w+ ){0,2}?(?:use|write|communicate|speak)\b[^.;]{0,40}\b(${LANGUAGE})\b`,
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
const language = ({ plain }: Passage): Found | null => {
  const one = KIND_OF_ENGLISH.exec(plain)?.[1];
  if (one && (ASKS.test(plain) || orders(plain, 'use|write') || /\bpreferred\b/i.test(plain)))
    return { kind: 'language', value: `${one} English` };
  if (
    !WRITTEN.test(plain) ||
    /\b(?:British|American|translat\w*|grammar|fluent|proper|correct|spelling|native|not (?:your|a)|locale|i18n|US|UK)\b/i.test(
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
const vouch = ({ plain }: Passage): Found | null => (VOUCH.test(plain) ? { kind: 'vouch' } : null);

const CLA =
  /\b(?:[CI]|Easy)?CLAs?\b|\b[Cc]ontribut(?:or|ion|ors')(?:'s|s)?['’]? [Ll]icen[sc]e [Aa]greements?\b|\b[Cc]ontribution agreement\b|\b[Cc]ontributor [Aa]greement\b|\bsign(?:ed)?\b[^.;]{0,50}\b[Aa]greement\b/;
const NO_CLA =
  /\b(?:no|not|n't|without|never)\b(?: \S+){0,4} (?:a |an |any |the )?(?:formal )?(?:CLA|contributor)|\b(?:CLA|agreement)\b\)?(?: \S+){0,3} (?:not|n't|un)(?: be)? ?(?:required|needed|necessary|used|use)|\blicensed (?:to|by)\b[^.]*\bunder (?:one or more|a)\b/i;
const cla = ({ plain, after }: Passage): Found | null =>
  !(plain.endsWith('?') && !/^\W*yes\b/i.test(after)) &&
  CLA.test(plain.replace(/https?:\/\/\S+/g, ' ')) &&
  !NO_CLA.test(plain)
    ? { kind: 'cla' }
    : null;

const some = (...found: (Found | null)[]): Found[] => found.filter((f) => f !== null);

export const processRules: Reader = (one) => {
  const base = baseBranch(one);
  const second = SECOND.exec(one.quote)?.[1];
  return some(
    issueFirst(one),
    changelog(one),
    base,
    base && second !== undefined && second !== base.value ? { kind: 'base_branch', value: second } : null,
    size(one),
    language(one),
    vouch(one),
    cla(one),
  );
};
