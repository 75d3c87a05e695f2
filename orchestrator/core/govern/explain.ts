/** Answers “which policy stopped this?” from an assessment as it is stored, whatever version of the policies made it. */
import type { Assessment } from '../facts.ts';
import { aboutPolicy } from './catalogue.ts';
import type { Level } from './action.ts';
import { REPOSITORY_FILE } from './repository.ts';

type Reason = Assessment['reasons'][number];

/** One policy that spoke. `guards` is null for one that this version does not know, and for the operator's own. */
export type Told = Reason & { guards: string | null; settings: readonly string[] };

export type Explanation = {
  decision: Assessment['decision'];
  risk: Level;
  policyVersion: string;
  /** The strongest first. */
  objections: Told[];
  /** Policies that allowed, or only noted something. */
  others: Told[];
  raised: { id: string; level: Level; reason: string }[];
  /** What a person can do about it, in sentences. */
  can: string[];
};

const RAISED = /^(?<level>low|medium|high) risk: (?<reason>.*)$/s;
const STANDS_FOR = { low: 'low', medium: 'medium', high: 'high' } as const satisfies Record<Level, Level>;

const told = (reason: Reason): Told => {
  const about = aboutPolicy(reason.policy);
  return { ...reason, guards: about?.guards ?? null, settings: about?.settings ?? [] };
};

const raisedBy = ({ policy, reason }: Reason): Explanation['raised'][number] => {
  const { level = '', reason: why = reason } = RAISED.exec(reason)?.groups ?? {};
  // What cannot be read is unknown, hence high.
  const known = Object.hasOwn(STANDS_FOR, level) ? STANDS_FOR[level as Level] : 'high';
  return { id: policy.slice('risk:'.length), level: known, reason: why };
};

const settingsOf = (objections: readonly Told[]): string[] => [
  ...new Set(
    objections.flatMap((o) =>
      o.policy.startsWith('custom:')
        ? [`the entry ${o.policy.slice('custom:'.length)} of policies.custom`]
        : o.settings.map((name) => `policies.${name}`),
    ),
  ),
];

const possible = (decision: Assessment['decision'], objections: readonly Told[]): string[] => {
  const denying = settingsOf(objections.filter((o) => o.verdict === 'deny'));
  const others = settingsOf(objections.filter((o) => o.verdict === 'escalate'));
  const change = (names: string[]): string[] =>
    names.length === 0
      ? []
      : [`The operator may change ${names.join(', ')} in agentpr.config.json; that makes a new assessment.`];
  switch (decision) {
    case 'deny':
      return [
        'Nobody can sign this: have the change made differently (retry it: the agent is told the reasons), or end the run.',
        ...change(denying),
      ];
    case 'escalate':
      return [
        'Read the card and sign it, or deny it with a reason, which the agent is told.',
        ...change(others),
      ];
    case 'allow':
      return ['Nothing stands in the way; a pull request is still opened only after somebody signed it.'];
    default:
      return decision satisfies never;
  }
};

export const explain = ({ decision, risk, reasons, policyVersion }: Assessment): Explanation => {
  const spoke = reasons.filter((r) => !r.policy.startsWith('risk:')).map(told);
  const objections = [
    ...spoke.filter((r) => r.verdict === 'deny'),
    ...spoke.filter((r) => r.verdict === 'escalate'),
  ];
  const theirs = objections.some((o) => o.policy.startsWith('repository:'));
  return {
    decision,
    risk,
    policyVersion,
    objections,
    others: spoke.filter((r) => r.verdict === 'allow'),
    raised: reasons.filter((r) => r.policy.startsWith('risk:')).map(raisedBy),
    can: [
      ...possible(decision, objections),
      ...(theirs ? [`What is called repository:… stands in ${REPOSITORY_FILE} on the base branch.`] : []),
    ],
  };
};

const SAID = { allow: 'allowed', escalate: 'a person decides', deny: 'denied' } as const;
const MARKS = { allow: '·', escalate: '?', deny: '✘' } as const;

const line = (t: Told): string =>
  `  ${MARKS[t.verdict]} ${t.policy}: ${t.reason}${t.guards === null ? '' : ` (guards: ${t.guards})`}`;

/** The same as lines of plain text; whoever shows them escapes them, since reasons quote the repository. */
export const explained = (e: Explanation): string[] => [
  `${SAID[e.decision]}, ${e.risk} risk, by policies ${e.policyVersion}`,
  ...e.objections.map(line),
  ...e.others.map(line),
  ...e.raised.map((f) => `  ${f.level} risk, ${f.id}: ${f.reason}`),
  ...e.can.map((sentence) => `  → ${sentence}`),
];
