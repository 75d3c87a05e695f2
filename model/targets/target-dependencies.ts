/** Repositories of a campaign that come after others, and what those came to (F5). */
import { z } from 'zod';
import { FollowedPull, RepositoryName } from '#model/order';

export const LINK_OUTCOMES = ['merged', 'released'] as const;
type LinkOutcome = (typeof LINK_OUTCOMES)[number];

export const MAX_LINKS = 10;
export const TargetLink = z.object({ repo: RepositoryName, until: z.enum(LINK_OUTCOMES) });
export type TargetLink = z.infer<typeof TargetLink>;

export const LinkResult = FollowedPull.extend({
  repo: RepositoryName,
  refusedTag: z.string().max(300).exactOptional(),
});
export type LinkResult = z.infer<typeof LinkResult>;

const SAFE_TAG = /^[A-Za-z0-9][A-Za-z0-9._+/@-]{0,99}$/;
// guard: F5-hostile-tag
export const isSafeTag = (tag: string): boolean => SAFE_TAG.test(tag);

type Linked = { repo: string; after?: readonly TargetLink[] };
const toLower = (repo: string): string => repo.toLowerCase();

const SAMPLE: FollowedPull = {
  url: 'https://code.example/owner/name/pull/12',
  commit: '0'.repeat(40),
  tag: 'v1.2.3-rc.1+b/x@1',
};

const versionOf = (tag: string): string => tag.replace(/^.*\/|^v(?=\d)/g, '').replace(/^v(?=\d)/, '');

export const linkVariables = (
  { after = [] }: Pick<Linked, 'after'>,
  links: readonly LinkResult[] | null,
): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const [i, { repo, until }] of after.entries()) {
    const found = links === null ? SAMPLE : links.find((one) => toLower(one.repo) === toLower(repo));
    if (!found) continue;
    const prefix = i === 0 ? 'after' : `after_${i + 1}`;
    const { url, commit, tag = '' } = found;
    Object.assign(values, { [`${prefix}_commit`]: commit, [`${prefix}_link`]: url });
    if (until === 'released')
      Object.assign(values, { [`${prefix}_tag`]: tag, [`${prefix}_version`]: versionOf(tag) });
  }
  return values;
};

export const findFollowedPulls = (
  { after = [] }: Pick<Linked, 'after'>,
  links: readonly LinkResult[],
): FollowedPull[] =>
  after.flatMap(({ repo, until }) => {
    const found = links.find((one) => toLower(one.repo) === toLower(repo));
    if (!found) return [];
    const { url, commit, tag } = found;
    return [{ url, commit, ...(until === 'released' && tag !== undefined ? { tag } : {}) }];
  });

const layersOf = <T extends Linked>(targets: readonly T[]): { waves: Map<string, number>; left: T[] } => {
  const waves = new Map<string, number>();
  let left = [...targets];
  for (;;) {
    const ready = left.filter(({ after = [] }) => after.every(({ repo }) => waves.has(toLower(repo))));
    if (ready.length === 0) return { waves, left };
    const waveNumberOf = ({ after = [] }: T): number =>
      Math.max(0, ...after.map(({ repo }) => (waves.get(toLower(repo)) ?? 0) + 1));
    for (const [one, wave] of ready.map((one) => [one, waveNumberOf(one)] as const))
      waves.set(toLower(one.repo), wave);
    const done = new Set(ready);
    left = left.filter((one) => !done.has(one));
  }
};

export const waveByTarget = (targets: readonly Linked[]): ReadonlyMap<string, number> =>
  layersOf(targets).waves;

export const hasLinks = (targets: readonly Linked[]): boolean =>
  targets.some(({ after = [] }) => after.length > 0);

export const collectWantedLinks = (targets: readonly Linked[]): ReadonlyMap<string, LinkOutcome> => {
  const wanted = new Map<string, LinkOutcome>();
  for (const { repo, until } of targets.flatMap(({ after = [] }) => after))
    if (wanted.get(toLower(repo)) !== 'released') wanted.set(toLower(repo), until);
  return wanted;
};

type Standing = { mark: string; over: boolean };
type Facts = {
  targets: readonly Linked[];
  links: readonly LinkResult[];
  standings: ReadonlyMap<string, Standing>;
  gone?: ReadonlySet<string>;
};
type LinkState = 'ready' | 'waits' | { failed: string };

const isLinkDone = ({ until }: TargetLink, result: LinkResult | undefined): boolean =>
  result !== undefined && (until === 'merged' || result.tag !== undefined);

export const linkStates = ({ targets, links, standings, gone }: Facts): ReadonlyMap<string, LinkState> => {
  const states = new Map<string, LinkState>();
  const results = new Map(links.map((one) => [toLower(one.repo), one]));
  const runs = new Map([...standings].map(([repo, one]) => [toLower(repo), one]));
  const findFailedLink = ({ repo, until }: TargetLink): string | null => {
    const result = results.get(toLower(repo));
    if (isLinkDone({ repo, until }, result)) return null;
    const before = states.get(toLower(repo));
    if (typeof before === 'object') return before.failed;
    const run = runs.get(toLower(repo));
    if (!run && gone?.has(toLower(repo))) return repo;
    return run && run.over && run.mark !== 'merged' && !result ? repo : null;
  };
  const waves = waveByTarget(targets);
  const inOrder = [...targets].sort(
    (a, b) => (waves.get(toLower(a.repo)) ?? 0) - (waves.get(toLower(b.repo)) ?? 0),
  );
  for (const { repo, after = [] } of inOrder) {
    const failed = after.map(findFailedLink).find((one) => one !== null);
    states.set(
      toLower(repo),
      typeof failed === 'string'
        ? { failed }
        : after.every((one) => isLinkDone(one, results.get(toLower(one.repo))))
          ? 'ready'
          : 'waits',
    );
  }
  return states;
};

export const findStoppedLinks = (facts: Facts): Map<string, string[]> => {
  if (!hasLinks(facts.targets)) return new Map();
  const states = linkStates(facts);
  const stopped = facts.targets.flatMap(({ repo }) => {
    const state = facts.standings.has(repo) ? undefined : states.get(toLower(repo));
    return typeof state === 'object' ? [{ repo, by: state.failed }] : [];
  });
  return new Map(
    [...Map.groupBy(stopped, ({ by }) => by)].map(([by, some]) => [by, some.map(({ repo }) => repo)]),
  );
};

/** Who waits for another release of a repository, because the name of what there is cannot be used. */
export const waitingForNextRelease = (
  targets: readonly Linked[],
  links: readonly LinkResult[],
): Map<string, string[]> => {
  const refused = links.filter(({ tag, refusedTag }) => tag === undefined && refusedTag !== undefined);
  const listWaiting = ({ repo }: LinkResult): string[] =>
    targets.flatMap((one) =>
      one.after?.some(({ until, repo: of }) => until === 'released' && toLower(of) === toLower(repo))
        ? [one.repo]
        : [],
    );
  return new Map(refused.map((one) => [one.repo, listWaiting(one)]));
};

type LinkProblem =
  | { kind: 'self' | 'unknown' | 'twice'; at: number; link: number; repo: string }
  | { kind: 'circle'; at: number; link: number; repo: string; way: string };

export const findLinkProblem = (targets: readonly Linked[]): LinkProblem | null => {
  const known = new Set(targets.map(({ repo }) => toLower(repo)));
  for (const [at, { repo: own, after = [] }] of targets.entries())
    for (const [link, { repo }] of after.entries()) {
      const found = { at, link, repo };
      if (toLower(repo) === toLower(own)) return { kind: 'self', ...found };
      // guard: F5-link-known
      if (!known.has(toLower(repo))) return { kind: 'unknown', ...found };
      if (after.findIndex((one) => toLower(one.repo) === toLower(repo)) < link)
        return { kind: 'twice', ...found };
    }
  const { left } = layersOf(targets);
  // guard: F5-link-circle
  if (left.length > 0) return circleIn(targets, left);
  return null;
};

const circleIn = (targets: readonly Linked[], left: readonly Linked[]): LinkProblem => {
  const stuck = new Map(left.map((one) => [toLower(one.repo), one]));
  const indexOfStuck = ({ after = [] }: Linked): number =>
    after.findIndex(({ repo }) => stuck.has(toLower(repo)));
  const way: Linked[] = [];
  let [one] = left;
  while (one && !way.includes(one)) {
    way.push(one);
    one = stuck.get(toLower(one.after?.[indexOfStuck(one)]?.repo ?? ''));
  }
  const circle = way.slice(one ? way.indexOf(one) : 0);
  const [first = { repo: '' }] = circle;
  return {
    kind: 'circle',
    at: targets.findIndex(({ repo }) => repo === first.repo),
    link: Math.max(0, indexOfStuck(first)),
    repo: first.repo,
    way: [...circle, first].map(({ repo }) => repo).join(' → '),
  };
};
