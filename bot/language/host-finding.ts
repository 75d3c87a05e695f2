/** A finding on this machine as a record; `host-checks.ts` of each language words it. */
import type { HostSentence } from './en/host-checks.ts';
import type { LanguageTexts } from './languages.ts';

type Sentences = LanguageTexts['hostChecks'];
export type HostFinding = {
  [K in keyof Sentences]: { kind: K } & Parameters<Sentences[K]>[0];
}[keyof Sentences];

export const sayFinding = (
  { hostChecks }: Pick<LanguageTexts, 'hostChecks'>,
  finding: HostFinding,
): HostSentence => {
  const sentence = hostChecks[finding.kind] as (fields: HostFinding) => HostSentence;
  return sentence(finding);
};

/** The first finding with its fix, and the others in brackets. */
export const sayFindings = (words: LanguageTexts, [first, ...odd]: readonly HostFinding[]): string => {
  if (!first) return '';
  const { says, fix } = sayFinding(words, first);
  const stop = words.code === 'en' ? '. ' : '。';
  const besides = odd.map((one) => sayFinding(words, one).says);
  return `${fix === '' ? says : `${says}${stop}${fix}`}${besides.length > 0 ? ` (${besides.join('; ')})` : ''}`;
};

/** The ledger may hold records of another version. */
export const isHostFinding = (
  { hostChecks }: Pick<LanguageTexts, 'hostChecks'>,
  record: { kind: string },
): record is HostFinding => Object.hasOwn(hostChecks, record.kind);
