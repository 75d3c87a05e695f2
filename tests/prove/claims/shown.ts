/** G8: planted changes in real git are all visible on the phone, byte for byte. */
import { createApprover } from '../../support/approver.ts';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { spread } from '../spread.ts';

const bar = { quick: 12, full: 2_000 };

export const play: Play = async ({ from, count }, progress) => {
  const approver = await createApprover();
  const violations: string[] = [];
  const facts: Record<string, number> = { read: 0, stopped: 0 };
  try {
    for (let seed = from; seed < from + count; seed += 1) {
      const { stopped, complaints } = await approver.looks(seed);
      const end = stopped ? 'stopped' : 'read';
      facts[end] = (facts[end] ?? 0) + 1;
      for (const one of complaints) violations.push(`--only shown --seed ${seed}: ${one}`);
      progress(seed - from + 1);
    }
  } finally {
    await approver.close();
  }
  return { trials: count, violations, facts };
};

export const shown: Claim = {
  name: 'shown',
  says: 'every published byte (diff, title, description, commit message, branch) was reached from the card, or the change was stopped',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('shown', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => {
    const approver = await createApprover();
    try {
      const { plant, stopped, complaints } = await approver.looks(seed);
      return { lines: [`planted ${plant}: ${stopped ? 'stopped' : 'read'}`], violations: complaints };
    } finally {
      await approver.close();
    }
  },
};
