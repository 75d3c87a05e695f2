/** What the approver sees: whatever is planted in a change can be read from the phone, or the change is stopped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApprover, type Approver } from '../support/approver.ts';
import { PLANTS } from '../support/plants.ts';

const SEEDS = 200;
const SHARE = 25;

describe('what the approver sees', () => {
  /** Each looks at every other change: most of the time goes into waiting for git. */
  let approvers: Approver[];
  const seen = new Map<string, number>();
  beforeAll(async () => {
    approvers = await Promise.all([createApprover(), createApprover()]);
  });
  afterAll(() => Promise.all(approvers.map((one) => one.close())));

  const looks = async (approver: Approver, seeds: readonly number[]): Promise<string[]> => {
    const found: string[] = [];
    for (const seed of seeds) {
      const { plant, stopped, complaints } = await approver.looks(seed);
      found.push(...complaints.map((c) => `seed ${seed}: ${c}`));
      if (!stopped) seen.set(plant, (seen.get(plant) ?? 0) + 1);
    }
    return found;
  };

  it.each(Array.from({ length: SEEDS / SHARE }, (_, i) => i * SHARE))(
    `G8: of ${SHARE} changes with one planted line, from seed %i on, each can be read or is stopped`,
    async (from) => {
      const seeds = Array.from({ length: SHARE }, (_, i) => from + i);
      const found = await Promise.all(
        approvers.map((one, which) =>
          looks(
            one,
            seeds.filter((seed) => seed % approvers.length === which),
          ),
        ),
      );
      expect(found.flat()).toEqual([]);
    },
    240_000,
  );

  it('G8: and most are read, not stopped', () => {
    const never = Object.keys(PLANTS).filter((plant) => !seen.has(plant));
    expect(never).toEqual(['in more than a file holds']);
    expect([...seen.values()].reduce((a, b) => a + b, 0)).toBeGreaterThan(SEEDS * 0.7);
  });
});
