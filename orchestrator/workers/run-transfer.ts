/** Stores a run's files in the ledger before its outcome, so that any machine can continue (L7). */
import { z } from 'zod';
import { failureDetail } from '#model/failure';
import { MB } from '#model/values';
import { canonicalJson } from '#model/seal';
import type { EffectKind } from '../kernel/effects/effect-types.ts';
import { traitsOf } from '../kernel/effects/effect-traits.ts';
import { workspaceShaOf, type Run } from '../kernel/run/run.ts';
import { computeMac, isSameMac, sha256Hex } from '../kernel/runtime/content-hash.ts';
import type { EffectHandler, EffectHandlers } from '../kernel/runtime/effect-handler.ts';
import { failureWithDetail, OutsideFailure } from '#ports/forge';
import type { ForgeRepository } from '#ports/roles';
import type { ObjectBucket, RunTransfer } from '#ports/records';
import type { ClaimedEffect } from '#ports/steps';
import type { SystemClock, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import { readRunRepository, repoRef } from '../kernel/handlers/effect-context.ts';

export type RunTransferParts = {
  forge: ForgeRepository;
  ledger: Pick<Ledger, 'artifact' | 'forget'> & {
    query: Pick<Ledger['query'], 'run' | 'newest' | 'artifact'>;
  };
  moving: RunTransfer;
  /** Store for parts; the ledger is used when it is null or fails. */
  bucket: ObjectBucket | null;
  /** Kept outside the database, so that write access to it alone cannot forge a pack. */
  key: Uint8Array;
  clock: SystemClock;
  log: Pick<LogPort, 'info' | 'warn'>;
};

const TRANSFER_ARTIFACT = 'moved';
const TRANSFER_PART_ARTIFACT = 'moved.part';
/** Maximum size of a part and of a pack (characters). */
const PART_SIZE = MB / 2;
const MAX_TRANSFER_LENGTH = 32 * MB;
const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const Kept = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  attempt: z.string().max(50),
  parts: z.array(Digest).max(MAX_TRANSFER_LENGTH / PART_SIZE),
  mac: z.string(),
});
type Kept = z.infer<typeof Kept>;
const macOf = (key: Uint8Array, runId: string, { mac: _, ...kept }: Omit<Kept, 'mac'> & { mac?: string }) =>
  computeMac(key, canonicalJson({ kind: TRANSFER_ARTIFACT, runId, ...kept }));

const shouldKeep = (kind: EffectKind): boolean => {
  const { workspace, publishes } = traitsOf(kind);
  return workspace && !publishes && kind !== 'remove_workspace' && kind !== 'rerun_ci';
};
const shouldBring = (kind: EffectKind): boolean =>
  traitsOf(kind).workspace && kind !== 'remove_workspace' && kind !== 'rerun_ci';

const nameIn = (runId: string, digest: string): string => `${runId}/${digest.replace(':', '-')}`;

export const createRunMover = ({ ledger, forge, moving, bucket, key, clock, log }: RunTransferParts) => {
  const findTransferRecord = async (runId: string): Promise<Kept | null> => {
    const found = await ledger.query.newest(runId, TRANSFER_ARTIFACT);
    if (found === null) return null;
    const kept = Kept.safeParse(jsonOf(found)).data;
    // guard: L7-moved-mac
    if (!kept || !isSameMac(kept.mac, macOf(key, runId, kept)))
      throw failureWithDetail(
        'transfer_refused',
        'What the ledger holds of this run’s workspace was not written by AgentPR, so nothing of it is used: somebody else writes into the database',
        failureDetail({ kind: 'stored_by_others' }),
      );
    return kept;
  };

  /** An unusable bucket must not delay work. */
  const keepPart = async (runId: string, content: string): Promise<string> => {
    const digest = `sha256:${sha256Hex(content)}`;
    try {
      await bucket?.put(nameIn(runId, digest), content);
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      log.info({ run: runId, why: error.message }, 'what a run needs to move is kept in the ledger');
      return ledger.artifact({ runId, type: TRANSFER_PART_ARTIFACT, content, at: clock.now() });
    }
    return bucket
      ? digest
      : ledger.artifact({ runId, type: TRANSFER_PART_ARTIFACT, content, at: clock.now() });
  };
  const partOf = async (runId: string, digest: string): Promise<string | null> => {
    const part = await ledger.query.artifact(runId, digest);
    const content = part ? part.content : ((await bucket?.get(nameIn(runId, digest))) ?? null);
    // guard: L7-bucket-bytes
    if (content !== null && `sha256:${sha256Hex(content)}` !== digest)
      throw failureWithDetail(
        'transfer_refused',
        'The bucket gave other bytes for this run’s workspace than were put there, so nothing of it is used',
        failureDetail({ kind: 'stored_bytes_differ' }),
      );
    return content;
  };
  const removeParts = async (runId: string, parts: readonly string[]): Promise<void> => {
    for (const digest of parts)
      await bucket?.remove(nameIn(runId, digest)).catch((error: unknown) => {
        log.info({ err: error, run: runId }, 'what a run needs no more was left in the bucket');
      });
  };

  const contentOf = async (runId: string, { parts }: Kept): Promise<string | null> => {
    const found: string[] = [];
    for (const digest of parts) {
      const part = await partOf(runId, digest);
      if (part === null) return null;
      found.push(part);
    }
    return found.join('');
  };

  const bringRun = async (runId: string): Promise<void> => {
    const kept = await findTransferRecord(runId);
    if (kept === null || kept.key === (await moving.mark(runId))) return;
    const run = await ledger.query.run(runId);
    if (!run) return;
    const content = await contentOf(runId, kept);
    if (content === null) {
      if ((await findTransferRecord(runId))?.key !== kept.key) return bringRun(runId);
      throw failureWithDetail(
        'transfer_refused',
        'Parts of this run’s workspace are missing',
        failureDetail({ kind: 'stored_parts_missing' }),
      );
    }
    const repo = repoRef(run, await readRunRepository({ forge }, run));
    await moving.unpack({
      runId,
      repo,
      content,
      sha: workspaceShaOf(run),
      base: run.target.base?.sha ?? null,
    });
    await moving.setMark(runId, kept.key);
  };

  const keepRun = async ({ n, leaseEpoch }: ClaimedEffect, runId: string): Promise<void> => {
    const run = await ledger.query.run(runId);
    if (run === null) return;
    const packed = await moving.pack({ runId, heads: headsOf(run) });
    if (packed.key === (await moving.mark(runId))) return;
    const text = await packed.content();
    if (text.length > MAX_TRANSFER_LENGTH)
      return log.warn({ run: runId, size: text.length }, 'a run is too large to go on elsewhere');
    const before = await partsBefore(runId);
    const parts: string[] = [];
    for (let from = 0; from < text.length; from += PART_SIZE)
      parts.push(await keepPart(runId, text.slice(from, from + PART_SIZE)));
    const kept = { key: packed.key, attempt: `${n}.${leaseEpoch}`, parts };
    const content = JSON.stringify({ ...kept, mac: macOf(key, runId, kept) });
    const newest = await ledger.artifact({ runId, type: TRANSFER_ARTIFACT, content, at: clock.now() });
    await moving.setMark(runId, packed.key);
    await forgetParts(runId, [...parts, newest]);
    await removeParts(
      runId,
      before.filter((digest) => !parts.includes(digest)),
    );
  };
  /** An unauthenticated record must not name parts for deletion. */
  const partsBefore = async (runId: string): Promise<readonly string[]> => {
    try {
      return bucket ? ((await findTransferRecord(runId))?.parts ?? []) : [];
    } catch (error) {
      if (error instanceof OutsideFailure) return [];
      throw error;
    }
  };
  const leaveRun = async (runId: string): Promise<void> => {
    const parts = await partsBefore(runId);
    await forgetParts(runId, []);
    await removeParts(runId, parts);
  };

  const forgetParts = (runId: string, except: readonly string[]): Promise<void> =>
    ledger.forget({ runId, types: [TRANSFER_ARTIFACT, TRANSFER_PART_ARTIFACT], except });

  const under = new Map<string, Promise<void>>();
  const bringOnce = (runId: string): Promise<void> => {
    const mine = under.get(runId) ?? bringRun(runId).finally(() => under.delete(runId));
    under.set(runId, mine);
    return mine;
  };

  const wrapHandler =
    (kind: EffectKind, handler: EffectHandler): EffectHandler =>
    async (claim, signal) => {
      const { runId } = claim;
      if (runId !== null && shouldBring(kind)) await bringOnce(runId);
      const outcome = await handler(claim, signal);
      if (runId !== null && shouldKeep(kind)) await keepRun(claim, runId);
      if (runId !== null && kind === 'remove_workspace') await leaveRun(runId);
      return outcome;
    };

  return {
    bring: bringOnce,
    handlers: (handlers: EffectHandlers): EffectHandlers =>
      Object.fromEntries(
        (Object.keys(handlers) as EffectKind[]).map((kind) => [
          kind,
          wrapHandler(kind, handlers[kind] as EffectHandler),
        ]),
      ) as unknown as EffectHandlers,
  };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const headsOf = (run: Run): string[] =>
  [run.change.commit?.sha, run.change.pushedHead?.sha, run.change.foreignHead?.head?.sha].filter(
    (sha) => sha !== undefined,
  );
