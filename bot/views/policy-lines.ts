/** Answers "which policy stopped this?" with the last decision and the options (P3). */
import { BUILT_IN_POLICIES, explainAssessment } from '#governor';
import { lastAssessedPublication, type AssessedPublication, type Run } from '#run';
import { objectionsOf, type PolicyObjections } from '#model/assessment';
import { canonicalJson } from '#model/seal';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, escapeLine } from '../text/telegram-html.ts';

const DECISION_MARKS = { deny: '✘', escalate: '⚠' } as const;
const MAX_SHOWN_OBJECTIONS = 8;
const MAX_SHOWN_FACTS = 4;

const GENERAL = Object.entries(BUILT_IN_POLICIES).flatMap(([id, row]) => ('general' in row ? [id] : []));

type Objection = PolicyObjections[number];

/** Specific objections come first; general ones that repeat them are dropped. */
export const sortObjections = <T extends Objection>(objections: readonly T[]): T[] => {
  const isGeneral = ({ policy }: T): boolean => GENERAL.includes(policy);
  const telling = objections.filter((one) => !isGeneral(one));
  const known = new Set(telling.map(({ reason }) => canonicalJson(reason)));
  const general = objections.filter((one) => isGeneral(one) && !known.has(canonicalJson(one.reason)));
  return [...telling, ...general.sort((a, b) => GENERAL.indexOf(a.policy) - GENERAL.indexOf(b.policy))];
};

export const selectMainObjections = <T extends Objection>(objections: readonly T[]): T[] => {
  const all = sortObjections(objections);
  const telling = all.filter(({ reason }) => reason.kind !== 'high_risk');
  return telling.length > 0 ? telling : all;
};

export const policyLines = ({ action, assessment }: AssessedPublication, words: LanguageTexts): string[] => {
  const { policies, card } = words;
  const { decision, objections: all, raised, policyVersion } = explainAssessment(assessment);
  const objections = sortObjections(all);
  const named = new Set(objections.map((o) => canonicalJson(o.reason)));
  const facts = raised.filter((f) => f.level !== 'low' && !named.has(canonicalJson(f.reason)));
  const head = [policies.actions[action], policies.decisions[decision], card.risk(assessment.risk)];
  return [
    `${head.join(' · ')} · ${codeLine(policyVersion, 40)}`,
    ...objections
      .slice(0, MAX_SHOWN_OBJECTIONS)
      .map(
        (o) =>
          `${DECISION_MARKS[o.verdict]} <code>${escapeLine(o.policy, 60)}</code> ${codeLine(words.judgement(o.reason), 160)}`,
      ),
    ...(objections.length > MAX_SHOWN_OBJECTIONS
      ? [card.more(objections.length - MAX_SHOWN_OBJECTIONS).trim()]
      : []),
    ...(facts.length > 0 ? [escapeLine(policies.raises)] : []),
    ...facts.slice(0, MAX_SHOWN_FACTS).map((f) => `• ${codeLine(words.judgement(f.reason), 140)}`),
    `→ ${policies.can[decision]}`,
  ];
};

export const hasObjections = (run: Run): boolean =>
  objectionsOf(lastAssessedPublication(run)?.assessment ?? { reasons: [] }).length > 0;

export const wasPublicationDenied = (run: Run): boolean =>
  lastAssessedPublication(run)?.assessment.decision === 'deny';
