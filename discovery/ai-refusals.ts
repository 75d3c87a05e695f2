/** Refusals in other forms than `X is not accepted`: to the reader, by what follows, by what is left. */
import { NAMES_US, REFUSAL_ROWS } from './rule-words.ts';
import type { FoundRule, RulePassage } from './rule-passage.ts';

const LONGEST_REFUSAL = 800;

/** The first form that fits counts. */
export const findRefusal = (one: RulePassage): FoundRule | null => {
  const { plain, lead, before, earlier = '', heading, forAgents, template } = one;
  const text = plain.slice(0, LONGEST_REFUSAL);
  const around = lead === '' ? before : `${lead} ${earlier}`;
  const context = `${around.slice(-LONGEST_REFUSAL)} ${text}`;
  if (!forAgents && !NAMES_US.test(context)) return null;
  const row = REFUSAL_ROWS.find(({ where, says, isUnder }) => {
    if (where === (forAgents ? 'for people' : 'for agents')) return false;
    if (where === 'in guides' && template) return false;
    return !isUnder(heading) && says(where === 'with lead' ? context : text);
  });
  if (row === undefined) return null;
  return row.found.kind === 'ai_ban' && row.isUnsure(plain) ? { kind: 'other', value: 'ai' } : row.found;
};
