/**
 * L7: before work on a run, what it left elsewhere is brought here; after it, what it left here is
 * kept in the ledger, before anybody hears of its outcome. So a run goes on wherever it is claimed.
 */
import { z } from 'zod';
import type { EffectKind } from '../core/machine/effects.ts';
import { traitsOf } from '../core/machine/effect-traits.ts';
import { workspaceAt, type Run } from '../core/machine/run.ts';
import { MB } from '../core/units.ts';
import type { Handler, Handlers } from '../engine/handler.ts';
import type { Clock, Ledger, Log, Moving } from '../ports.ts';
import { repoOf, repoRef, type EffectParts } from './parts.ts';

export type MovingParts = Pick<EffectParts, 'forge'> & {
  ledger: Pick<Ledger, 'artifact'> & { query: Pick<Ledger['query'], 'run' | 'newest' | 'artifact'> };
  moving: Moving;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

const KEPT = 'moved';
const PART = 'moved.part';
/** Characters of a part, and of all. */
const PART_SIZE = MB / 2;
const MOST = 32 * MB;
const Kept = z.object({ key: z.string(), parts: z.array(z.string()) });

/** What publishes changes nothing here; and what was cleaned away is kept no more. */
const keeps = (kind: EffectKind): boolean => {
  const { workspace, publishes } = traitsOf(kind);
  return workspace && !publishes && kind !== 'clean' && kind !== 'rerun_ci';
};
const brings = (kind: EffectKind): boolean =>
  traitsOf(kind).workspace && kind !== 'clean' && kind !== 'rerun_ci';

export const createMover = ({ ledger, forge, moving, clock, log }: MovingParts) => {
  const keptOf = async (runId: string): Promise<z.infer<typeof Kept> | null> => {
    const found = await ledger.query.newest(runId, KEPT);
    return found === null ? null : Kept.parse(JSON.parse(found));
  };

  const bring = async (runId: string): Promise<void> => {
    const kept = await keptOf(runId);
    if (kept === null || kept.key === (await moving.mark(runId))) return;
    const run = await ledger.query.run(runId);
    if (!run) return;
    const parts: string[] = [];
    for (const digest of kept.parts) parts.push((await ledger.query.artifact(runId, digest))?.content ?? '');
    const repo = repoRef(run, await repoOf({ forge }, run));
    await moving.unpack({ runId, repo, content: parts.join(''), sha: workspaceAt(run) });
    await moving.setMark(runId, kept.key);
  };

  const keep = async (runId: string): Promise<void> => {
    const run = await ledger.query.run(runId);
    if (run === null) return;
    const { key, content } = await moving.pack({ runId, heads: headsOf(run) });
    if (key === (await moving.mark(runId))) return;
    const text = await content();
    if (text.length > MOST)
      return log.warn({ run: runId, size: text.length }, 'a run is too large to go on elsewhere');
    const parts: string[] = [];
    const at = clock.now();
    for (let from = 0; from < text.length; from += PART_SIZE)
      parts.push(
        await ledger.artifact({ runId, type: PART, content: text.slice(from, from + PART_SIZE), at }),
      );
    await ledger.artifact({ runId, type: KEPT, content: JSON.stringify({ key, parts }), at });
    await moving.setMark(runId, key);
  };

  const under = new Map<string, Promise<void>>();
  /** One at a time for each run: two that look at it bring it once. */
  const bringOnce = (runId: string): Promise<void> => {
    const mine = under.get(runId) ?? bring(runId).finally(() => under.delete(runId));
    under.set(runId, mine);
    return mine;
  };

  const wrapped =
    (kind: EffectKind, handler: Handler): Handler =>
    async (claim, signal) => {
      const { runId } = claim;
      if (runId !== null && brings(kind)) await bringOnce(runId);
      const outcome = await handler(claim, signal);
      if (runId !== null && keeps(kind)) await keep(runId);
      return outcome;
    };

  return {
    bring: bringOnce,
    handlers: (handlers: Handlers): Handlers =>
      Object.fromEntries(
        (Object.keys(handlers) as EffectKind[]).map((kind) => [
          kind,
          wrapped(kind, handlers[kind] as Handler),
        ]),
      ) as unknown as Handlers,
  };
};

const headsOf = (run: Run): string[] =>
  [run.commit?.sha, run.pushed?.sha, run.foreign?.head?.sha].filter((sha) => sha !== undefined);
