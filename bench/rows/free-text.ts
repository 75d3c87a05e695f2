/** Accuracy of understanding free text, on a set fixed before the grammar. */
import { casesOf, scoreOf } from '../../tests/phrases/measure.ts';
import type { Measurement, Row } from '../row.ts';

export const freeText: Measurement = {
  name: 'free-text',
  about: 'sentences of people, in English and Chinese, that are read as they were meant',
  run: async (): Promise<Row[]> => {
    const [frozen, unseen] = [scoreOf(casesOf('frozen')), scoreOf(casesOf('unseen'))];
    const share = ({ right, of }: { right: number; of: number }): number => (100 * right) / of;
    return [
      {
        name: 'free-text',
        value: share(frozen),
        unit: '%',
        bar: { is: '>=', at: 95 },
        note: `${frozen.right} of ${frozen.of} sentences that were written before the grammar`,
      },
      {
        name: 'free-text-proposed',
        value: frozen.proposed.length,
        unit: 'buttons',
        bar: { is: '=', at: 0 },
        note: 'of the same, those that got a button for a change nobody had asked for; nothing is changed without a tap',
      },
      {
        name: 'free-text-unseen',
        value: share(unseen),
        unit: '%',
        bar: { is: '>=', at: 85 },
        note: `${unseen.right} of ${unseen.of} sentences that nobody looked at while the grammar was written; ${unseen.proposed.length} got a button for a change that was not asked for`,
      },
    ];
  },
};
