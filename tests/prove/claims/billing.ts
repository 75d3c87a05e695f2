/** E18: no run is billed more than its limit plus one request, or anything uncounted. */
import { startPostgres, type Server } from '../../support/postgres.ts';
import { ANSWERS, createBillingProvider, type BillingProvider } from '../billing-provider.ts';
import { playBilling, type BillingResult } from '../billing.ts';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createBench } from '../on-postgres.ts';
import { spread } from '../spread.ts';
import { openSqlite } from '../stage.ts';

const bar = { quick: 60, full: 5_000 };
/** Every n-th trial runs on Postgres. */
const ON_POSTGRES = 20;

const isOnPostgres = (seed: number): boolean => seed % ON_POSTGRES === 0;

const createPlayer = () => {
  let server: Server | null = null;
  let bench: Awaited<ReturnType<typeof createBench>> | null = null;
  let provider: BillingProvider | null = null;
  return {
    play: async (seed: number): Promise<BillingResult> => {
      provider ??= await createBillingProvider();
      if (isOnPostgres(seed)) {
        server ??= await startPostgres();
        bench ??= await createBench(server, 'alone');
      }
      const opened = isOnPostgres(seed) && bench ? await bench.open(null, () => {}) : await openSqlite();
      try {
        return await playBilling(seed, opened, provider);
      } finally {
        await opened.close();
        provider.forget();
      }
    },
    close: async (): Promise<void> => {
      await provider?.close();
      await bench?.close();
      await server?.stop();
    },
  };
};

export const play: Play = async ({ from, count }, progress) => {
  const player = createPlayer();
  const violations: string[] = [];
  const facts: Record<string, number> = { 'on Postgres': 0 };
  try {
    for (let seed = from; seed < from + count; seed += 1) {
      const result = await player.play(seed);
      for (const [what, n] of Object.entries(result.facts)) facts[what] = (facts[what] ?? 0) + n;
      facts['on Postgres'] = (facts['on Postgres'] ?? 0) + (isOnPostgres(seed) ? 1 : 0);
      for (const v of result.violations) violations.push(`--only billing --seed ${seed}: ${v}`);
      progress(seed - from);
    }
  } finally {
    await player.close();
  }
  return { trials: count, violations, facts };
};

/** Events that must occur, or the claim proves nothing. */
const NEEDED = [...ANSWERS, 'hang-ups', 'deaths', 'over the limit, by one request at most', 'on Postgres'];

export const billing: Claim = {
  name: 'billing',
  says: 'whatever is asked, answered, hung up on or killed: the provider bills no run more than its limit and one request, and nothing that is not counted',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('billing', { bar }, options);
      const never = NEEDED.filter((what) => (facts[what] ?? 0) === 0);
      if (trials >= bar.quick && never.length > 0) violations.push(`it never happened: ${never.join(', ')}`);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => {
    const player = createPlayer();
    try {
      const { trace, violations } = await player.play(seed);
      return { lines: trace, violations };
    } finally {
      await player.close();
    }
  },
};
