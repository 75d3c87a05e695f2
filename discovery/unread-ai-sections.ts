/** Finds sections about AI of which no sentence was understood, so that a person reads them. */
import type { RuleKind } from '#model/contract';
import { hasPlainWordsOnly, mayPermitUse, NEGATIVE_WORDS } from './ai-policy.ts';
import { namesModelInOtherLanguage } from './ai-languages.ts';
import { namesModel } from './ai-words.ts';
import type { FoundRule, RulePassage } from './rule-passage.ts';

const LONGEST_FOREIGN_TITLE = 40;
/** `Claude`, `AI agents`: a tool or a part of the product may be meant, so such a section must also refuse. */
const OF_A_TOOL =
  /^\W*(?:(?:github|openai|google|anthropic|microsoft) )?(?:claude(?: code)?|codex(?: cli)?|copilot|gemini(?: cli)?|chatgpt|gpt|cursor|devin|windsurf)\W*$|^\W*(?:the )?(?:(?:AI|LLM|GPT|language|coding|generative)[- ]){1,2}(?:agents?|bots?|assistants?|models?|tests?|support|features?|software|programs?)\W*$/i;
const OF_PEOPLE =
  /\b(?:nothing|nobody|humans?|people|persons?|yourself|hand[- ]?(?:made|written)|by hand)\b/i;
const mayRefuse = ({ plain }: RulePassage): boolean => NEGATIVE_WORDS.test(plain) || OF_PEOPLE.test(plain);
/** `Run …`, `See src/`: tells how the product is used. */
const ORDER =
  /^\W*(?:(?:please|then|first|finally|to [^,.;]{1,40}),? )?(?:run|set|add|install|start|see|open|put|configure|export|copy|enable|launch|call|execute|build|clone|download|type|press|select)\b/i;
const NAMES_CODE = /`[^`]+`|\b[A-Z]{2,}_[A-Z_]+\b|(?:^|\s)[\w.-]{1,40}\/(?:[\w.-]|\W|$)/;
const isOrder = (one: RulePassage): boolean =>
  ORDER.test(one.plain) && NAMES_CODE.test(one.quote) && !mayRefuse(one);
/** `Use of AI`, `关于 AI`: with a further subject, as in `AI backends`, it may be about the product. */
const isTitleOfAi = (title: string): boolean =>
  (namesModel(title) && hasPlainWordsOnly(title)) ||
  (title.length <= LONGEST_FOREIGN_TITLE && namesModelInOtherLanguage(title));

const sectionOf = ({ heading, aboutAi, forAgents, fenced, commented }: RulePassage): string | null => {
  if (forAgents || fenced === true || commented === true) return null;
  if (aboutAi) return '';
  const titles = heading.split(' / ');
  const at = titles.findIndex(isTitleOfAi);
  return at < 0 ? null : titles.slice(0, at + 1).join(' / ');
};

const OF_AI: readonly RuleKind[] = ['ai_ban', 'ai_limited', 'ai_disclosure', 'human_author', 'human_words'];
const OF_AI_BESIDE: readonly RuleKind[] = [...OF_AI, 'trailer', 'label_barred', 'elsewhere'];
const isOfAi = ({ kind, value }: FoundRule): boolean =>
  OF_AI_BESIDE.includes(kind) || (kind === 'other' && value === 'ai');

/** The policy is said elsewhere: that place is read by itself. */
const SENDS_ON =
  /\]\(|\bhttps?:|`[\w./-]+\.(?:md|rst|txt|adoc)`|\b(?:follow|compl|adher|violat|break)\w*\b[^.;]{0,30}\bpolic(?:y|ies)\b/i;

type ReadPassage = { passage: RulePassage; found: readonly FoundRule[] };
export const findUnreadAiSections = (read: readonly ReadPassage[]): RulePassage[] => {
  const sections = new Map<string, ReadPassage[]>();
  for (const one of read) {
    const section = sectionOf(one.passage);
    if (section === null) continue;
    const passages = sections.get(section);
    if (passages) passages.push(one);
    else sections.set(section, [one]);
  }
  return [...sections].flatMap(([title, section]) => {
    const said = section
      .map(({ passage }) => passage)
      .filter(({ plain, heading }) => plain !== '' && !heading.endsWith(plain));
    const own = said.filter(({ quote }) => !SENDS_ON.test(quote));
    if (own.every(isOrder)) return [];
    if (OF_A_TOOL.test(title.split(' / ').at(-1) ?? '') && !own.some(mayRefuse)) return [];
    const isKnown =
      section.some(({ found }) => found.some(isOfAi)) || said.some(({ plain }) => mayPermitUse(plain));
    const about = own.find(({ plain }) => namesModel(plain) || namesModelInOtherLanguage(plain));
    const asked = isKnown ? undefined : (about ?? (own.length === said.length ? own[0] : undefined));
    return asked === undefined ? [] : [asked];
  });
};
