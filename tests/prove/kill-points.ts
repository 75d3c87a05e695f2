/** Lists the points at which the product can be killed, and samples them. */
export type Phase = 'before' | 'after';
export type KillPoint =
  /** Kills before or after the n-th writing commit. */
  | { at: 'commit'; n: number; phase: Phase; what: string }
  /** Kills when the n-th request of a route is lost, or took effect without an answer. */
  | { at: 'request'; server: 'telegram' | 'github'; route: string; n: number; phase: Phase }
  /** Milliseconds after the start. */
  | { at: 'instant'; ms: number };

export const describePoint = (point: KillPoint): string => {
  switch (point.at) {
    case 'commit':
      return `${point.phase} commit ${point.n} (${point.what})`;
    case 'request':
      return `${point.phase} ${point.server} ${point.route} #${point.n}`;
    case 'instant':
      return `after ${point.ms} ms`;
  }
};
/** Points of one kind interrupt the same thing. */
export const kindOf = (point: KillPoint): string => {
  switch (point.at) {
    case 'commit':
      return `${point.phase} ${point.what}`;
    case 'request':
      return `${point.phase} ${point.server} ${point.route}`;
    case 'instant':
      return 'instant';
  }
};

export const seeded = (seed: number) => {
  let state = seed >>> 0 || 1;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const shuffled = <T>(items: readonly T[], random: (below: number) => number): T[] => {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = random(i + 1);
    [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
  }
  return mixed;
};

export const choosePoints = (
  points: readonly KillPoint[],
  count: number,
  seed: number,
  always: readonly RegExp[] = [],
): KillPoint[] => {
  const random = seeded(seed);
  const byKind = Map.groupBy(shuffled(points, random), kindOf);
  const kinds = shuffled([...byKind.values()], random);
  const chosen = always.flatMap((like) => points.find((p) => like.test(kindOf(p))) ?? []);
  for (let round = 0; chosen.length < count && kinds.some((k) => k.length > round); round += 1) {
    for (const kind of kinds) {
      const point = kind[round];
      if (point && chosen.length < count && !chosen.includes(point)) chosen.push(point);
    }
  }
  return chosen;
};
