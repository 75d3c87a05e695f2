/** Finds what a repository requires of AI-assisted changes, short of refusing them. */
import { wordPatterns } from '#tools/words';
import { isAboutAi, AGENT_NOUN, findBarredLabels, NEGATION_PATTERN, findTrailerRules } from './ai-marks.ts';
import { CHECKBOX_LINE, BY_AGENTS, DENIES, GENERATED_FILES_PATTERN, namesModel } from './ai-words.ts';
import { findHumanWordsRule, GENERATED_TEXT_PATTERN, shortenTextNames } from './human-words.ts';
import { REQUEST_WORDS, type FoundRule, type RulePassage } from './rule-passage.ts';

const ASKED_WORDS = wordPatterns('discovery/rules', 'requirements', [
  ...['media', 'exceptCode', 'nonCode', 'neither', 'reportTitle', 'unreviewed', 'oneAtATime', 'only'],
  ...['letsAgents', 'neverOpens', 'stops', 'disclosureHelps', 'modelsDisclose', 'disclosureTitle'],
  ...['refusesTold'],
  ...['argues', 'attributes', 'translates', 'acknowledgesPolicy', 'usedHere', 'readsOrFollows'],
  ...['iUsed', 'discloses', 'thatTheIssue', 'describes', 'assistance', 'titleOfUse', 'toolsUsed'],
  ...['please', 'disclosesFirst', 'ofIssues', 'reviewedByTeam', 'unclear', 'bound', 'reviewedByHuman'],
  ...['requires', 'ontoReviewers', 'code', 'made', 'ofMedia', 'said', 'reviews', 'issues'],
  ...['unsupervised', 'agenticToo', 'toWrite', 'anyContent', 'productsText', 'byTheProduct'],
  ...['besideTexts', 'onWhich', 'saidToPeople', 'vibeCoded', 'automation', 'uses', 'tells'],
  ...['tellsAgain', 'needNot', 'byHuman', 'readBy', 'verified', 'noBots', 'understands', 'explains'],
  ...['responsible', 'takes', 'unread', 'readAll', 'somebody', 'personStands', 'relieves', 'author'],
  ...['readsAll', 'aboutIssues', 'humanHand', 'inLoop', 'ownCode'],
] as const);

export const CODE_NOUN = ASKED_WORDS.code;
export const NEED_NOT = ASKED_WORDS.needNot;

/** Refuses something other than changes: pictures, issues, reviews, unattended agents. */
export const findNonCodeRefusals = (one: RulePassage): FoundRule[] | null => {
  const { plain, heading } = one;
  // Text after a contrast names what is allowed.
  const clause =
    plain.split(/;|,? (?:but|while|whereas) |, (?=(?:the )?code (?:is|can|may)\b)/).find(namesModel) ?? plain;
  const object = shortenTextNames(clause.split(ASKED_WORDS.exceptCode).join(' '))
    .split(ASKED_WORDS.nonCode)
    .join('words');
  const toAiLimit = (value: string): FoundRule[] => [{ kind: 'ai_limited', value }];
  const told = ASKED_WORDS.toWrite.exec(shortenTextNames(plain))?.[1];
  if (
    told !== undefined &&
    told !== '' &&
    !ASKED_WORDS.code.test(told) &&
    !ASKED_WORDS.anyContent.test(told)
  ) {
    if (ASKED_WORDS.said.test(told)) return [{ kind: 'human_words' }];
    if (ASKED_WORDS.issues.test(told)) return toAiLimit('issues');
    return toAiLimit(ASKED_WORDS.media.test(told) ? 'media' : told.trim().slice(0, 60));
  }
  if (BY_AGENTS.test(plain)) return toAiLimit('pull requests opened by an agent');
  const part = GENERATED_FILES_PATTERN.exec(object);
  if (part && !ASKED_WORDS.code.test(object.replace(part[0], ' '))) return toAiLimit(part[1] ?? '');
  if (ASKED_WORDS.ofMedia.test(object) && !ASKED_WORDS.code.test(object)) return toAiLimit('media');
  const thing = GENERATED_TEXT_PATTERN.exec(object)?.[0];
  const ofCode = ASKED_WORDS.code.test(object);
  if (
    ASKED_WORDS.productsText.test(object) &&
    ASKED_WORDS.byTheProduct.test(object) &&
    !ofCode &&
    !ASKED_WORDS.saidToPeople.test(plain) &&
    !one.aboutAi &&
    !namesModel(heading)
  )
    return [];
  if (thing !== undefined && !ASKED_WORDS.besideTexts.test(object.split(ASKED_WORDS.onWhich).join(' '))) {
    if (/review/i.test(thing)) return toAiLimit('reviews');
    return /issue|report/i.test(thing) ? toAiLimit('issues') : [{ kind: 'human_words' }];
  }
  if (ASKED_WORDS.agenticToo.test(plain))
    return ASKED_WORDS.unsupervised.test(plain) ? [{ kind: 'other', value: 'ai' }] : null;
  if (ASKED_WORDS.unsupervised.test(plain) && !ASKED_WORDS.neither.test(plain))
    return toAiLimit('unsupervised agents');
  const nearest = (heading.split(' / ').at(-1) ?? '').replace(/code[- ]review/i, 'review');
  const isOfCode = ASKED_WORDS.code.test(nearest);
  // A refusal of work made by models holds under every heading.
  if (/\breview/i.test(nearest) && !isOfCode && !ASKED_WORDS.made.test(object)) return toAiLimit('reviews');
  if (ofCode) return null;
  if (ASKED_WORDS.reportTitle.test(nearest) && !isOfCode) return toAiLimit('issues');
  if (ASKED_WORDS.reviews.test(object) && !ASKED_WORDS.unreviewed.test(object)) return toAiLimit('reviews');
  if (ASKED_WORDS.said.test(object)) return [{ kind: 'human_words' }];
  if (ASKED_WORDS.issues.test(object)) return toAiLimit('issues');
  return null;
};

const vibeCoded = ({ plain }: RulePassage): FoundRule | null =>
  ASKED_WORDS.vibeCoded.test(plain) ? { kind: 'ai_limited', value: 'vibe-coded changes' } : null;

const oneAtATime = ({ plain }: RulePassage): FoundRule | null =>
  namesModel(plain) && ASKED_WORDS.oneAtATime.test(plain)
    ? { kind: 'ai_limited', value: 'one pull request at a time' }
    : null;

const mediaOnly = ({ plain }: RulePassage): FoundRule | null =>
  ASKED_WORDS.ofMedia.test(plain) &&
  !ASKED_WORDS.code.test(shortenTextNames(plain)) &&
  ASKED_WORDS.only.test(plain)
    ? { kind: 'ai_limited', value: 'media' }
    : null;

const neverOpens = ({ plain, forAgents }: RulePassage): FoundRule | null =>
  ASKED_WORDS.letsAgents.test(plain) || (forAgents && ASKED_WORDS.neverOpens.test(plain))
    ? { kind: 'ai_limited', value: 'pull requests opened by an agent' }
    : null;

const byAutomation = ({ plain }: RulePassage): FoundRule | null =>
  ASKED_WORDS.automation.test(plain) && REQUEST_WORDS.test(plain)
    ? { kind: 'ai_limited', value: 'automated pull requests' }
    : null;

const findUnsupervisedLimit = ({ plain }: RulePassage): FoundRule | null =>
  ASKED_WORDS.unsupervised.test(plain) &&
  !ASKED_WORDS.agenticToo.test(plain) &&
  (NEGATION_PATTERN.test(plain) || ASKED_WORDS.stops.test(plain)) &&
  !ASKED_WORDS.neither.test(plain) &&
  (namesModel(plain) || AGENT_NOUN.test(plain) || ASKED_WORDS.code.test(plain)) &&
  !CHECKBOX_LINE.test(plain)
    ? { kind: 'ai_limited', value: 'unsupervised agents' }
    : null;

const disclosureRule = (one: RulePassage): FoundRule | null => {
  const { plain, quote, template, heading } = one;
  // A sentence that says what disclosure is good for asks for nothing.
  if (ASKED_WORDS.disclosureHelps.test(plain) || ASKED_WORDS.refusesTold.test(plain)) return null;
  if (ASKED_WORDS.modelsDisclose.test(plain)) return { kind: 'ai_disclosure' };
  if (
    one.forAgents &&
    ASKED_WORDS.disclosureTitle.test(plain) &&
    !heading.endsWith(plain) &&
    (AGENT_NOUN.test(one.after) || namesModel(one.after))
  )
    return { kind: 'ai_disclosure' };
  // A sentence on what models cannot give argues, and asks for nothing.
  if (ASKED_WORDS.argues.test(plain)) return null;
  if (ASKED_WORDS.attributes.test(plain)) return null;
  if (ASKED_WORDS.needNot.test(plain) || ASKED_WORDS.translates.test(plain)) return null;
  if (CHECKBOX_LINE.test(quote)) {
    const told =
      namesModel(plain) &&
      (ASKED_WORDS.tells.test(plain.replace(ASKED_WORDS.acknowledgesPolicy, '')) ||
        (template && ASKED_WORDS.usedHere.test(plain)));
    return told &&
      !DENIES.test(plain) &&
      !ASKED_WORDS.readsOrFollows.test(plain) &&
      !needsUnderstanding(plain)
      ? { kind: 'ai_disclosure' }
      : null;
  }
  if (namesModel(plain)) {
    if (template && ASKED_WORDS.iUsed.test(plain)) return { kind: 'ai_disclosure' };
    if (!template && plain !== '' && heading.endsWith(plain) && !ASKED_WORDS.discloses.test(plain))
      return null;
    if (ASKED_WORDS.thatTheIssue.test(plain)) return null;
    if (
      template &&
      ASKED_WORDS.describes.test(plain) &&
      (ASKED_WORDS.uses.test(plain) || ASKED_WORDS.assistance.test(plain))
    )
      return { kind: 'ai_disclosure' };
    if (ASKED_WORDS.tells.test(plain) && ASKED_WORDS.uses.test(plain)) return { kind: 'ai_disclosure' };
    const titled = template && heading.endsWith(plain) && plain !== '';
    return titled && ASKED_WORDS.titleOfUse.test(plain) ? { kind: 'ai_disclosure' } : null;
  }
  const near = namesModel(one.before) || namesModel(heading) || one.aboutAi;
  const named = one.aboutAi && ASKED_WORDS.tells.test(plain) && ASKED_WORDS.toolsUsed.test(plain);
  if (named && (REQUEST_WORDS.test(plain) || ASKED_WORDS.please.test(plain)))
    return { kind: 'ai_disclosure' };
  return near &&
    ASKED_WORDS.tellsAgain.test(plain) &&
    (REQUEST_WORDS.test(plain) || ASKED_WORDS.disclosesFirst.test(plain))
    ? { kind: 'ai_disclosure' }
    : null;
};

const needsUnderstanding = (plain: string): boolean =>
  ASKED_WORDS.understands.test(plain) || ASKED_WORDS.explains.test(plain);
const aboutIssues = ({ plain, before }: RulePassage): boolean =>
  ASKED_WORDS.aboutIssues.test(plain) || ASKED_WORDS.ofIssues.test(before);

const humanAuthor = (one: RulePassage): FoundRule | null => {
  const { plain, quote, template } = one;
  if (ASKED_WORDS.byHuman.test(plain) && !aboutIssues(one) && !ASKED_WORDS.reviewedByTeam.test(plain))
    return { kind: 'human_author' };
  if (ASKED_WORDS.noBots.test(plain)) return { kind: 'human_author' };
  if (ASKED_WORDS.ownCode.test(plain) || ASKED_WORDS.inLoop.test(plain)) return { kind: 'human_author' };
  if (!isAboutAi(one) || aboutIssues(one) || ASKED_WORDS.unclear.test(plain)) return null;
  const bound = REQUEST_WORDS.test(`${one.lead} ${plain}`) || ASKED_WORDS.bound.test(plain);
  if (template && CHECKBOX_LINE.test(quote))
    return (namesModel(plain) || namesModel(one.heading)) &&
      (needsUnderstanding(plain) ||
        ASKED_WORDS.responsible.test(plain) ||
        ASKED_WORDS.readAll.test(plain) ||
        ASKED_WORDS.reviewedByHuman.test(plain))
      ? { kind: 'human_author' }
      : null;
  const says =
    ASKED_WORDS.author.test(plain) ||
    ASKED_WORDS.readsAll.test(plain) ||
    (ASKED_WORDS.requires.test(plain) && ASKED_WORDS.humanHand.test(plain)) ||
    (REQUEST_WORDS.test(plain) && (ASKED_WORDS.verified.test(plain) || ASKED_WORDS.readBy.test(plain))) ||
    ASKED_WORDS.relieves.test(plain) ||
    ASKED_WORDS.personStands.test(plain) ||
    ASKED_WORDS.takes.test(plain) ||
    ASKED_WORDS.unread.test(plain) ||
    (REQUEST_WORDS.test(plain) && ASKED_WORDS.readAll.test(plain)) ||
    (bound && needsUnderstanding(plain)) ||
    (ASKED_WORDS.somebody.test(plain) &&
      ASKED_WORDS.responsible.test(plain) &&
      !ASKED_WORDS.ontoReviewers.test(plain));
  return says ? { kind: 'human_author' } : null;
};

const compactRules = (...found: (FoundRule | null)[]): FoundRule[] => found.filter((f) => f !== null);

export const findAiRequirements = (one: RulePassage): FoundRule[] => {
  const labels = findBarredLabels(one);
  if (labels.length > 0) return labels;
  const trailers = findTrailerRules(one);
  if (trailers.length > 0)
    return compactRules(
      ...trailers,
      trailers.some((t) => t.value === 'assisted_by') ? disclosureRule(one) : null,
      ASKED_WORDS.takes.test(one.plain) ? humanAuthor(one) : null,
    );
  if (CHECKBOX_LINE.test(one.quote)) return compactRules(humanAuthor(one), disclosureRule(one));
  return compactRules(
    neverOpens(one),
    oneAtATime(one),
    vibeCoded(one),
    byAutomation(one),
    mediaOnly(one),
    findUnsupervisedLimit(one),
    findHumanWordsRule(one),
    humanAuthor(one),
    disclosureRule(one),
  );
};
