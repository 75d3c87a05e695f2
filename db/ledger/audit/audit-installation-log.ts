/** Audits the installation: its chain, its head and its stored fold (L5). */
import { canonicalJson } from '#model/seal';
import type { LedgerFault, LedgerRollback } from '#ports/ledger';
import { GENESIS_HASH, linkHash } from '../../integrity/hash-chain.ts';
import type { RowMac } from '../../integrity/row-mac.ts';
import { installationLink, hasValidInstallationMac } from '../installation-log.ts';
import { artifactDigest } from '../attempt-store.ts';
import {
  EMPTY_INSTALLATION,
  evolveInstallation,
  InstallationEvent,
  type Installation,
} from '../installation-fold.ts';
import type { SqlBuilder, RunQuery } from '../../sql/statements.ts';

const EVENTS_PER_CHUNK = 2_000;
const installationFault = (
  table: 'installation' | 'installation_events' | 'campaigns',
  row: number | string,
  says: string,
): LedgerFault => ({
  table,
  row: String(row),
  runId: null,
  says,
});

export type CheckpointedHead = { seq: number; hash: string; by: number };
type FoldedInstallation = {
  installation: Installation;
  heads: Map<string, CheckpointedHead>;
  seq: number;
  hash: string;
  faults: LedgerFault[];
};

/** Folds up to the first foreign event. */
export const foldInstallation = async (db: SqlBuilder, read: RunQuery): Promise<FoldedInstallation> => {
  const heads: FoldedInstallation['heads'] = new Map();
  let [installation, seq, hash]: [Installation, number, string] = [EMPTY_INSTALLATION, 0, GENESIS_HASH];
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await read(
      db
        .selectFrom('installation_events')
        .selectAll()
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(EVENTS_PER_CHUNK),
    );
    for (const row of rows) {
      const resultWithFault = (says: string) => ({
        installation,
        heads,
        seq,
        hash,
        faults: [installationFault('installation_events', row.seq, says)],
      });
      if (row.seq !== seq + 1) return resultWithFault(`stands where event ${seq + 1} belongs`);
      const next = linkHash(hash, installationLink(row));
      // guard: L5-rights-follow
      if (next !== row.hash) return resultWithFault('is not what was logged');
      const event = InstallationEvent.safeParse({ ...parseObject(row.body_json), type: row.type });
      if (!event.success) return resultWithFault('cannot be read');
      [installation, seq, hash] = [evolveInstallation(installation, event.data, row.seq), row.seq, next];
      if (event.data.type === 'checkpoint')
        for (const [runId, at, of] of event.data.heads) heads.set(runId, { seq: at, hash: of, by: row.seq });
      after = seq;
    }
    if (rows.length < EVENTS_PER_CHUNK) return { installation, heads, seq, hash, faults: [] };
  }
};

export const checkpointFault = (
  runId: string,
  { seq, by }: CheckpointedHead,
  { gone }: { gone: boolean },
): LedgerFault => ({
  ...installationFault(
    'installation_events',
    by,
    `lists event ${seq} of this run, ${gone ? 'of which nothing is left' : 'which is not there'}`,
  ),
  runId,
});

const ROLLBACK: Record<LedgerRollback, string> = {
  older: 'is an older copy: what is anchored beside the key is not in it',
  missing: 'has no anchor beside its key, or one that is not ours',
};
export const toRollbackFault = (rollback: LedgerRollback): LedgerFault =>
  installationFault('installation', 1, ROLLBACK[rollback]);

export const auditInstallation = async (
  db: SqlBuilder,
  read: RunQuery,
  seal: RowMac,
  log: FoldedInstallation,
): Promise<LedgerFault[]> => {
  const [row, ...more] = await read(db.selectFrom('installation').selectAll());
  if (!row || more.length > 0)
    return [...log.faults, installationFault('installation', 1, 'must be one row, and is not')];
  if (!hasValidInstallationMac(seal, row))
    return [
      {
        ...installationFault('installation', row.id, 'was changed or put in by somebody else'),
        forged: true,
      },
      ...log.faults,
    ];
  if (log.faults.length > 0) return log.faults;
  if (log.seq !== row.seq || log.hash !== row.head_hash)
    return [installationFault('installation_events', row.seq, 'is missing, or is not what the head names')];
  return canonicalJson(parseObject(row.fold_json)) === canonicalJson(log.installation)
    ? auditCampaigns(read, db, log.installation)
    : [installationFault('installation', row.id, 'is not what its log makes')];
};

const auditCampaigns = async (
  read: RunQuery,
  db: SqlBuilder,
  { campaigns = [] }: Installation,
): Promise<LedgerFault[]> => {
  const left = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const wrong: LedgerFault[] = [];
  for (const row of await read(db.selectFrom('campaigns').selectAll().orderBy('id'))) {
    const named = left.get(row.id);
    left.delete(row.id);
    if (!named) wrong.push(installationFault('campaigns', row.id, 'was planned by no event'));
    // guard: L5-campaign-rows
    else if (artifactDigest(row.order_json) !== named.digest || row.created_at !== named.plannedAt)
      wrong.push(installationFault('campaigns', row.id, 'is not what was planned'));
  }
  return [...wrong, ...[...left.keys()].map((id) => installationFault('campaigns', id, 'is missing'))];
};

const parseObject = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};
