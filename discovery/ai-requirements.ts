/** Finds what a repository requires of AI-assisted changes, short of refusing them. */
import { wordPatterns } from '#tools/words';
import { isAboutAi, AGENT_NOUN, findBarredLabels, NEGATION_PATTERN, trailerRules } from './ai-marks.ts';
import { CHECKBOX_LINE, BY_AGENTS, DENIES, GENERATED_FILES_PATTERN, namesModel } from './ai-words.ts';
import { humanWords, GENERATED_TEXT_PATTERN, withoutTexts } from './human-words.ts';
import { REQUEST_WORDS, type FoundRule, type RulePassage } from './rule-passage.ts';

const SAYS = wordPatterns('discovery/rules', 'requirements', [
  ...['media', 'exceptCode', 'nonCode', 'neither', 'reportTitle', 'unreviewed', 'oneAtATime', 'only'],
  ...['letsAgents', 'neverOpens', 'stops', 'disclosureHelps', 'modelsDisclose', 'disclosureTitle'],
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

export const CODE_NOUN = SAYS.code;
export const NEED_NOT = SAYS.needNot;

/** Refuses something other than changes: pictures, issues, reviews, unattended agents. */
export const besidesCode = (one: RulePassage): FoundRule[] | null => {
  const { plain, heading } = one;
  // Text after a contrast names what is allowed.
  const clause =
    plain.split(/;|,? (?:but|while|whereas) |, (?=(?:the )?code (?:is|can|may)\b)/).find(namesModel) ?? plain;
  const object = withoutTexts(clause.split(SAYS.exceptCode).join(' ')).split(SAYS.nonCode).join('words');
  const toAiLimit = (value: string): FoundRule[] => [{ kind: 'ai_limited', value }];
  const told = SAYS.toWrite.exec(withoutTexts(plain))?.[1];
  if (told !== undefined && told !== '' && !SAYS.code.test(told) && !SAYS.anyContent.test(told)) {
    if (SAYS.said.test(told)) return [{ kind: 'human_words' }];
    if (SAYS.issues.test(told)) return toAiLimit('issues');
    return toAiLimit(SAYS.media.test(told) ? 'media' : told.trim().slice(0, 60));
  }
  if (BY_AGENTS.test(plain)) return toAiLimit('pull requests opened by an agent');
  const part = GENERATED_FILES_PATTERN.exec(object);
  if (part && !SAYS.code.test(object.replace(part[0], ' '))) return toAiLimit(part[1] ?? '');
  if (SAYS.ofMedia.test(object) && !SAYS.code.test(object)) return toAiLimit('media');
  const thing = GENERATED_TEXT_PATTERN.exec(object)?.[0];
  const ofCode = SAYS.code.test(object);
  if (
    SAYS.productsText.test(object) &&
    SAYS.byTheProduct.test(object) &&
    !ofCode &&
    !SAYS.saidToPeople.test(plain) &&
    !one.aboutAi &&
    !namesModel(heading)
  )
    return [];
  if (thing !== undefined && !SAYS.besideTexts.test(object.split(SAYS.onWhich).join(' '))) {
    if (/review/i.test(thing)) return toAiLimit('reviews');
    return /issue|report/i.test(thing) ? toAiLimit('issues') : [{ kind: 'human_words' }];
  }
  if (SAYS.agenticToo.test(plain))
    return SAYS.unsupervised.test(plain) ? [{ kind: 'other', value: 'ai' }] : null;
  if (SAYS.unsupervised.test(plain) && !SAYS.neither.test(plain)) return toAiLimit('unsupervised agents');
  const nearest = (heading.split(' / ').at(-1) ?? '').replace(/code[- ]review/i, 'review');
  const isOfCode = SAYS.code.test(nearest);
  // A refusal of work made by models holds under every heading.
  if (/\breview/i.test(nearest) && !isOfCode && !SAYS.made.test(object)) return toAiLimit('reviews');
  if (ofCode) return null;
  if (SAYS.reportTitle.test(nearest) && !isOfCode) return toAiLimit('issues');
  if (SAYS.reviews.test(object) && !SAYS.unreviewed.test(object)) return toAiLimit('reviews');
  if (SAYS.said.test(object)) return [{ kind: 'human_words' }];
  if (SAYS.issues.test(object)) return toAiLimit('issues');
  return null;
};

const vibeCoded = ({ plain }: RulePassage): FoundRule | null =>
  SAYS.vibeCoded.test(plain) ? { kind: 'ai_limited', value: 'vibe-coded changes' } : null;

const oneAtATime = ({ plain }: RulePassage): FoundRule | null =>
  namesModel(plain) && SAYS.oneAtATime.test(plain)
    ? { kind: 'ai_limited', value: 'one pull request at a time' }
    : null;

const mediaOnly = ({ plain }: RulePassage): FoundRule | null =>
  SAYS.ofMedia.test(plain) && !SAYS.code.test(withoutTexts(plain)) && SAYS.only.test(plain)
    ? { kind: 'ai_limited', value: 'media' }
    : null;

const neverOpens = ({ plain, forAgents }: RulePassage): FoundRule | null =>
  SAYS.letsAgents.test(plain) || (forAgents && SAYS.neverOpens.test(plain))
    ? { kind: 'ai_limited', value: 'pull requests opened by an agent' }
    : null;

const byAutomation = ({ plain }: RulePassage): FoundRule | null =>
  SAYS.automation.test(plain) && REQUEST_WORDS.test(plain)
    ? { kind: 'ai_limited', value: 'automated pull requests' }
    : null;

const findUnsupervisedLimit = ({ plain }: RulePassage): FoundRule | null =>
  SAYS.unsupervised.test(plain) &&
  !SAYS.agenticToo.test(plain) &&
  (NEGATION_PATTERN.test(plain) || SAYS.stops.test(plain)) &&
  !SAYS.neither.test(plain) &&
  (namesModel(plain) || AGENT_NOUN.test(plain) || SAYS.code.test(plain)) &&
  !CHECKBOX_LINE.test(plain)
    ? { kind: 'ai_limited', value: 'unsupervised agents' }
    : null;

const disclosureRule = (one: RulePassage): FoundRule | null => {
  const { plain, quote, template, heading } = one;
  // A sentence that says what disclosure is good for asks for nothing.
  if (SAYS.disclosureHelps.test(plain)) return null;
  if (SAYS.modelsDisclose.test(plain)) return { kind: 'ai_disclosure' };
  if (
    one.forAgents &&
    SAYS.disclosureTitle.test(plain) &&
    !heading.endsWith(plain) &&
    (AGENT_NOUN.test(one.after) || namesModel(one.after))
  )
    return { kind: 'ai_disclosure' };
  // A sentence on what models cannot give argues, and asks for nothing.
  if (SAYS.argues.test(plain)) return null;
  if (SAYS.attributes.test(plain)) return null;
  if (SAYS.needNot.test(plain) || SAYS.translates.test(plain)) return null;
  if (CHECKBOX_LINE.test(quote)) {
    const told =
      namesModel(plain) &&
      (SAYS.tells.test(plain.replace(SAYS.acknowledgesPolicy, '')) ||
        (template && SAYS.usedHere.test(plain)));
    return told && !DENIES.test(plain) && !SAYS.readsOrFollows.test(plain) && !needsUnderstanding(plain)
      ? { kind: 'ai_disclosure' }
      : null;
  }
  if (namesModel(plain)) {
    if (template && SAYS.iUsed.test(plain)) return { kind: 'ai_disclosure' };
    if (!template && plain !== '' && heading.endsWith(plain) && !SAYS.discloses.test(plain)) return null;
    if (SAYS.thatTheIssue.test(plain)) return null;
    if (template && SAYS.describes.test(plain) && (SAYS.uses.test(plain) || SAYS.assistance.test(plain)))
      return { kind: 'ai_disclosure' };
    if (SAYS.tells.test(plain) && SAYS.uses.test(plain)) return { kind: 'ai_disclosure' };
    const titled = template && heading.endsWith(plain) && plain !== '';
    return titled && SAYS.titleOfUse.test(plain) ? { kind: 'ai_disclosure' } : null;
  }
  const near = namesModel(one.before) || namesModel(heading) || one.aboutAi;
  const named = one.aboutAi && SAYS.tells.test(plain) && SAYS.toolsUsed.test(plain);
  if (named && (REQUEST_WORDS.test(plain) || SAYS.please.test(plain))) return { kind: 'ai_disclosure' };
  return near && SAYS.tellsAgain.test(plain) && (REQUEST_WORDS.test(plain) || SAYS.disclosesFirst.test(plain))
    ? { kind: 'ai_disclosure' }
    : null;
};

const needsUnderstanding = (plain: string): boolean =>
  SAYS.understands.test(plain) || SAYS.explains.test(plain);
const aboutIssues = ({ plain, before }: RulePassage): boolean =>
  SAYS.aboutIssues.test(plain) || SAYS.ofIssues.test(before);

const humanAuthor = (one: RulePassage): FoundRule | null => {
  const { plain, quote, template } = one;
  if (SAYS.byHuman.test(plain) && !aboutIssues(one) && !SAYS.reviewedByTeam.test(plain))
    return { kind: 'human_author' };
  if (SAYS.noBots.test(plain)) return { kind: 'human_author' };
  if (SAYS.ownCode.test(plain) || SAYS.inLoop.test(plain)) return { kind: 'human_author' };
  if (!isAboutAi(one) || aboutIssues(one) || SAYS.unclear.test(plain)) return null;
  const bound = REQUEST_WORDS.test(`${one.lead} ${plain}`) || SAYS.bound.test(plain);
  if (template && CHECKBOX_LINE.test(quote))
    return (namesModel(plain) || namesModel(one.heading)) &&
      (needsUnderstanding(plain) ||
        SAYS.responsible.test(plain) ||
        SAYS.readAll.test(plain) ||
        SAYS.reviewedByHuman.test(plain))
      ? { kind: 'human_author' }
      : null;
  const says =
    SAYS.author.test(plain) ||
    SAYS.readsAll.test(plain) ||
    (SAYS.requires.test(plain) && SAYS.humanHand.test(plain)) ||
    (REQUEST_WORDS.test(plain) && (SAYS.verified.test(plain) || SAYS.readBy.test(plain))) ||
    SAYS.relieves.test(plain) ||
    SAYS.personStands.test(plain) ||
    SAYS.takes.test(plain) ||
    SAYS.unread.test(plain) ||
    (REQUEST_WORDS.test(plain) && SAYS.readAll.test(plain)) ||
    (bound && needsUnderstanding(plain)) ||
    (SAYS.somebody.test(plain) && SAYS.responsible.test(plain) && !SAYS.ontoReviewers.test(plain));
  return says ? { kind: 'human_author' } : null;
};

const compactRules = (...found: (FoundRule | null)[]): FoundRule[] => found.filter((f) => f !== null);

export const aiRequirements = (one: RulePassage): FoundRule[] => {
  const labels = findBarredLabels(one);
  if (labels.length > 0) return labels;
  const trailers = trailerRules(one);
  if (trailers.length > 0)
    return compactRules(
      ...trailers,
      trailers.some((t) => t.value === 'assisted_by') ? disclosureRule(one) : null,
      SAYS.takes.test(one.plain) ? humanAuthor(one) : null,
    );
  if (CHECKBOX_LINE.test(one.quote)) return compactRules(humanAuthor(one), disclosureRule(one));
  return compactRules(
    neverOpens(one),
    oneAtATime(one),
    vibeCoded(one),
    byAutomation(one),
    mediaOnly(one),
    findUnsupervisedLimit(one),
    humanWords(one),
    humanAuthor(one),
    disclosureRule(one),
  );
};
