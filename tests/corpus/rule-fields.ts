/**
 * Rules as fields of the corpus: one a kind, right when the kind and, where it decides what is
 * done, the value are right.
 */
import { matched, type Field } from './measure.ts';
import { RULE_KINDS } from './labels.ts';

/**
 * Kinds of which the value decides what is done; of the others it is in the words of whoever
 * labelled it.
 */
const VALUED: readonly string[] = [
  ...['issue_first', 'changelog', 'base_branch', 'commit_style', 'trailer', 'language', 'label_barred'],
];

/** Labels of one meaning are written in many ways. */
const plain = (value: string | null | undefined): string =>
  (value ?? '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_./]+/gu, ' ')
    .trim()
    .replace(/s$/, '');

type Told = { value?: string | null | undefined; quote: string; file: string; line: number };
const shown = ({ value, quote, file, line }: Told): string =>
  `${value ?? ''} (${file}:${line}) ${quote.replace(/\s+/g, ' ').slice(0, 120)}`.trim();

const distinct = (rules: readonly Told[], kind: string): Told[] =>
  rules.filter(
    (r, i) => rules.findIndex((o) => !VALUED.includes(kind) || plain(o.value) === plain(r.value)) === i,
  );

export const RULE_FIELDS: readonly Field[] = RULE_KINDS.filter((kind) => kind !== 'other').map((kind) => ({
  name: kind,
  judge: (label, contract) => {
    const mine = label.rules.filter((r) => r.kind === kind);
    const fits = (e: Told, s: Told): boolean =>
      !VALUED.includes(kind) || (e.value ?? '').split('|').some((v) => plain(v) === plain(s.value));
    // Said in many places, it is one rule.
    const asked = distinct(
      mine.filter((r) => !r.soft),
      kind,
    );
    const said = contract.rules.filter(
      (s) => s.kind === kind && (asked.some((e) => fits(e, s)) || !mine.some((e) => e.soft && fits(e, s))),
    );
    return matched<Told, Told>(asked, said, fits, { expected: shown, said: shown });
  },
}));
