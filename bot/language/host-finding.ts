/** A finding on this machine as a record, and its sentence with what to do about it. */
import type { FailureDetail } from '#model/failure';
import type { composeRecords } from './compose-records.ts';
import type { SentenceTree } from './sentence-tree.ts';

/** `fix` is printed where the finding is a warning or a failure. */
type HostSentence = { says: string; fix: string };
type Way = { host: string; proxy: string | null } | null;
/** A permission or a scope that GitHub did not give. */
export type MissingRight = { name: keyof SentenceTree['rightUses']; level: string | null };
type MissingLabel = { repo: string; label: string | null };

type Sentences = SentenceTree['hostChecks'];
type FieldsOf<Sentence> = Sentence extends (of: infer Fields) => string ? Fields : unknown;
type Needed<Kind extends keyof Sentences> = FieldsOf<Sentences[Kind]['says']> &
  (Sentences[Kind] extends { fix: infer Fix } ? FieldsOf<Fix> : unknown);
/** These fields are put into words before a sentence takes them. */
type Given<Kind, Field, Value> = Field extends 'way'
  ? Way
  : Field extends 'missing'
    ? readonly (Kind extends 'labels_missing' ? MissingLabel : MissingRight)[]
    : Value;
type Fields<Kind extends keyof Sentences> = Kind extends 'outside_failure'
  ? { text: string; detail: FailureDetail }
  : { [Field in keyof Needed<Kind>]: Given<Kind, Field, Needed<Kind>[Field]> };
export type HostFinding = { [Kind in keyof Sentences]: { kind: Kind } & Fields<Kind> }[keyof Sentences];

type Sayable = { says: (of: object) => string; fix?: (of: object) => string };

export const composeHostFindings = (
  tree: SentenceTree,
  { knowsFailure, failedInDetail }: ReturnType<typeof composeRecords>,
) => {
  const { hostFindings: part, rightUses } = tree;
  const missingOf = (missing: readonly (MissingRight | MissingLabel)[]): string[] =>
    missing.map((one) =>
      'repo' in one ? part.label(one.label, one.repo) : part.right(one.name, one.level, rightUses[one.name]),
    );
  return (finding: HostFinding): HostSentence => {
    const { says, fix } = tree.hostChecks[finding.kind] as Sayable;
    const filled = {
      ...finding,
      ...('way' in finding && {
        way: finding.way === null ? '' : part.way(finding.way.host, finding.way.proxy),
      }),
      ...('missing' in finding && { missing: missingOf(finding.missing) }),
      ...(finding.kind === 'outside_failure' && {
        failure: knowsFailure(finding.detail) ? failedInDetail(finding.detail) : finding.text,
      }),
    };
    return { says: says(filled), fix: fix?.(filled) ?? '' };
  };
};

type Words = { code: string; hostFinding: (finding: HostFinding) => HostSentence };

/** The first finding with its fix, and the others in brackets. */
export const sayFindings = (words: Words, [first, ...odd]: readonly HostFinding[]): string => {
  if (!first) return '';
  const { says, fix } = words.hostFinding(first);
  const stop = words.code === 'en' ? '. ' : '。';
  const besides = odd.map((one) => words.hostFinding(one).says);
  return `${fix === '' ? says : `${says}${stop}${fix}`}${besides.length > 0 ? ` (${besides.join('; ')})` : ''}`;
};

/** The ledger may hold records of another version. */
export const isHostFinding = (
  { hostChecks }: { hostChecks: object },
  record: { kind: string },
): record is HostFinding => Object.hasOwn(hostChecks, record.kind);
