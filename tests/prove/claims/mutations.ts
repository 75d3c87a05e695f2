/** G2: one changed byte after the approval, anywhere it matters, prevents the call. */
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createGateProver, type Approved } from '../gate.ts';
import { BRANCH_CHANGES, WORLD_CHANGES, ledgerChanges, type Change } from '../mutate.ts';
import { spread } from '../spread.ts';

const bar = { quick: 1_000, full: 10_000 };

export const play: Play = async ({ seed, from, count }, progress) => {
  const prover = await createGateProver({ seed, group: null });
  const violations: string[] = [];
  const changes: { card: Approved; what: string; apply: Change['apply'] }[] = [];
  for (const card of ['opening', 'both'] as const) {
    const branch = card === 'both' ? [] : BRANCH_CHANGES;
    const places = [...ledgerChanges(await prover.approved(card)), ...WORLD_CHANGES, ...branch];
    changes.push(...places.map(({ what, apply }) => ({ card, what, apply })));
    // Control: the call is made without a change.
    const control = await prover.afterApproval(0, () => undefined, card);
    if (control !== 1) violations.push(`${card}: without any change there were ${control} calls, not 1`);
  }
  for (let i = from; i < from + count; i += 1) {
    const change = changes[i % changes.length];
    if (!change) break;
    const calls = await prover.afterApproval(i, change.apply, change.card);
    if (calls > 0)
      violations.push(
        `--only mutations --seed ${seed}: a pull request was opened although ${change.what} changed (${change.card})`,
      );
    if (i % 100 === 0) progress(i - from);
  }
  return { trials: count, violations: [...new Set(violations)], facts: { places: changes.length } };
};

export const mutations: Claim = {
  name: 'mutations',
  says: 'one byte changed after the approval (in memory): no PR call',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('mutations', { bar }, options, 1);
      return { trials, violations, note: factsLine(facts) };
    }),
};
