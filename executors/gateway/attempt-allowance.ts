/** Limits an attempt's model requests; at most one request goes over (E6, E16). */
import { addUsage, NO_USAGE, type ModelUsage } from '#model/reports';
import { MINUTE } from '#model/values';

export type ModelLimits = {
  tokens: number | null;
  costUsd: number | null;
  requests: number;
  perMinute: number;
  /** Consecutive requests after the same tool call. */
  identical: number;
};

export type ExhaustedLimit = 'tokens' | 'cost' | 'requests' | 'perMinute' | 'identical';

type RequestReservation = {
  settle(used: ModelUsage): void;
};

export type AttemptAllowance = {
  /** Waits for pending requests. `call` is the agent's last tool call, or null. */
  ask(
    need: ModelUsage,
    call: string | null,
    proposer?: string | null,
  ): Promise<RequestReservation | { over: ExhaustedLimit }>;
  used: () => ModelUsage;
  /** As they were last read. */
  limits: () => ModelLimits;
  usedBy: (proposer: string) => ModelUsage;
  /** Includes the maximum of all pending requests. */
  committed: () => ModelUsage;
  requests: () => number;
};

/** Reads what the run's budgets grant now; a raise in the middle of a turn changes it. */
export type LimitsNow = () => Promise<Pick<ModelLimits, 'tokens' | 'costUsd'>>;

export const createAttemptAllowance = (
  given: ModelLimits,
  now: () => number,
  limitsNow: LimitsNow = async () => given,
): AttemptAllowance => {
  let limits = given;
  let used = NO_USAGE;
  let count = 0;
  let recent: number[] = [];
  const underWay = new Set<ModelUsage>();
  let waiting: (() => void)[] = [];
  // Proposers think about the same call side by side, so repetitions are counted for each.
  const same = new Map<string | null, { call: string; times: number }>();
  const byProposer = new Map<string, ModelUsage>();
  let over: ExhaustedLimit | null = null;

  const sumWith = (first: ModelUsage): ModelUsage => [...underWay].reduce(addUsage, first);
  const remainingAllowance = ({
    inputTokens,
    outputTokens,
    costUsd,
  }: ModelUsage): { tokens: number; costUsd: number } => ({
    tokens: (limits.tokens ?? Infinity) - (used.inputTokens + used.outputTokens) - inputTokens - outputTokens,
    costUsd: (limits.costUsd ?? Infinity) - used.costUsd - costUsd,
  });
  const isOver = (): ExhaustedLimit | null => {
    const rest = remainingAllowance(NO_USAGE);
    if (rest.tokens <= 0) return 'tokens';
    if (rest.costUsd <= 0) return 'cost';
    if (count >= limits.requests) return 'requests';
    recent = recent.filter((at) => at > now() - MINUTE);
    return recent.length >= limits.perMinute ? 'perMinute' : null;
  };
  /** A limit may have been raised since the attempt began. */
  const findOver = async (): Promise<ExhaustedLimit | null> => {
    const found = isOver();
    if (found !== 'tokens' && found !== 'cost') return found;
    // guard: E6-raise-at-once
    limits = { ...limits, ...(await limitsNow()) };
    return isOver();
  };
  const hasRoomFor = (need: ModelUsage): boolean => {
    if (underWay.size === 0) return true;
    const rest = remainingAllowance(sumWith(need));
    return rest.tokens > 0 && rest.costUsd > 0;
  };
  const isRepeatedCall = (call: string | null, proposer: string | null): boolean => {
    if (call === null) return false;
    const before = same.get(proposer);
    const times = call === before?.call ? before.times + 1 : 1;
    same.set(proposer, { call, times });
    return times > limits.identical;
  };

  return {
    ask: async (need, call, proposer = null) => {
      if (over === null && isRepeatedCall(call, proposer)) over = 'identical';
      for (;;) {
        // guard: E16-budget-before
        over ??= await findOver();
        if (over !== null) return { over };
        if (hasRoomFor(need)) break;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      count += 1;
      recent.push(now());
      underWay.add(need);
      return {
        settle: (came) => {
          if (!underWay.delete(need)) return;
          used = addUsage(used, came);
          if (proposer !== null)
            byProposer.set(proposer, addUsage(byProposer.get(proposer) ?? NO_USAGE, came));
          const heard = waiting;
          waiting = [];
          for (const go of heard) go();
        },
      };
    },
    used: () => used,
    limits: () => limits,
    usedBy: (proposer) => byProposer.get(proposer) ?? NO_USAGE,
    committed: () => sumWith(used),
    requests: () => count,
  };
};
