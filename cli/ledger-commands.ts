/**
 * Commands about the ledger: migrate, replay, verify-receipt. They read; none of them runs an agent
 * or calls out.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { ledgerFile } from '../db/backup/places.ts';
import { openLedger } from '../db/directory/open.ts';
import { openReader } from '../db/directory/read.ts';
import { tryMigrations } from '../db/directory/upgrade.ts';
import { readReceipt, withoutReceipt, type Receipt } from '../orchestrator/core/publish/publish.ts';
import { Proposal } from '../orchestrator/core/seal.ts';
import type { Queries } from '../orchestrator/ports.ts';
import { differences, type Difference } from '../orchestrator/engine/redecide.ts';
import { replay, type Replayed } from '../orchestrator/engine/replay.ts';
import { receiptIsOurs } from '../orchestrator/engine/receipt.ts';
import { readKeys } from '../app/keys.ts';
import { keyFor, readAudit } from './audit.ts';
import { createThreads } from './replay-threads.ts';
import { database, dataDir, print, printJson, readText } from './environment.ts';
import { EXIT, Exit } from './exit.ts';
import { counted } from '../orchestrator/core/text.ts';

type Common = { json?: boolean; data?: string };
type Receipting = Common & { export?: string };

export const verdicts = ({
  findings,
}: Replayed): Record<'trajectory' | 'decisions' | 'signatures', boolean> => ({
  trajectory: !findings.some((f) => f.verdict === 'trajectory'),
  decisions: !findings.some((f) => f.verdict === 'decisions'),
  signatures: !findings.some((f) => f.verdict === 'signatures'),
});

const sentences = {
  trajectory: ['every run’s log folds to its stored state', 'some log is not a legal trajectory'],
  decisions: ['no outside effect without a matching decision', 'an outside effect lacks its decision'],
  signatures: ['every chain and signature is complete', 'a chain or signature is broken'],
} as const;

export const tellVerdicts = (replayed: Replayed): string[] => [
  `Replayed ${counted(replayed.events, 'event')} of ${counted(replayed.runs, 'run')}.`,
  ...Object.entries(verdicts(replayed)).map(([name, holds]) => {
    const [yes, no] = sentences[name as keyof typeof sentences];
    return `  ${holds ? '✔' : '✘'} ${name}: ${holds ? yes : no}`;
  }),
  ...replayed.findings.map((f) => `  ${f.runId === null ? '' : `${f.runId}: `}${f.says}`),
];

const TODAY: Record<Difference['today'], string> = {
  refused: 'it would be refused',
  ignored: 'nothing would be done',
  unread: 'it is no input any more',
  other: 'different',
};
export const tellDifferences = (found: readonly Difference[]): string[] => [
  found.length === 0
    ? 'Today’s rules decide every event as it was decided.'
    : `Today’s rules would decide ${counted(found.length, 'event')} otherwise; the ledger is right all the same:`,
  ...found.map(
    ({ runId, seq, type, today, members }) =>
      `  ${runId}: event ${seq} (${type}): ${[TODAY[today], members.join(', ')].filter(Boolean).join(': ')}`,
  ),
];

type Replaying = Common & { all?: boolean; decide?: boolean };
const runReplay = async (runId: string | undefined, options: Replaying): Promise<void> => {
  if (!runId && !options.all) throw new Exit(EXIT.usage, 'Say which run, or --all.');
  const dir = dataDir(options.data);
  const ledger = openReader(dir, { snapshot: true, database: database() });
  try {
    const replayed = await replay(ledger, runId ?? null, createThreads(dir, database()));
    if (runId && replayed.runs === 0) throw new Exit(EXIT.notFound, `There is no run ${runId}.`);
    const other = options.decide ? await differences(ledger.query, runId ?? null) : null;
    if (options.json)
      printJson({ ...replayed, verdicts: verdicts(replayed), ...(other ? { differences: other } : {}) });
    else print([...tellVerdicts(replayed), ...(other ? tellDifferences(other) : [])].join('\n'));
    if (replayed.findings.length > 0) process.exitCode = EXIT.findings;
  } finally {
    await ledger.close();
  }
};

const Sealed = z.object({ input: z.object({ proposal: Proposal.nullish() }) });

/**
 * The description that was approved under a digest, from the log; null when the log has no such
 * proposal.
 */
const sealedBody = async (query: Queries, { run, digest }: Receipt): Promise<string | null> => {
  for (const event of await query.events(run)) {
    const proposal = Sealed.safeParse(JSON.parse(event.body)).data?.input.proposal;
    if (proposal?.digest === digest) return proposal.fields.pullBody ?? proposal.fields.body;
  }
  return null;
};

/** A code host may change line ends and the blank end of a text, and nothing else. */
const sameText = (a: string, b: string): boolean =>
  a.replaceAll('\r\n', '\n').trimEnd() === b.replaceAll('\r\n', '\n').trimEnd();

/** The ledger that a receipt is checked against: this one, or an export of it that is whole. */
const openFor = async (
  dir: string,
  options: Receipting,
): Promise<{ query: Queries; close(): Promise<void> }> => {
  if (options.export === undefined) return openReader(dir, { database: database() });
  const audited = await readAudit(options.export, keyFor(options));
  const [finding] = audited.findings;
  if (!finding) return audited;
  await audited.close();
  throw new Exit(EXIT.findings, `The export cannot be relied on: ${finding.says}.`);
};

/**
 * Null for whoever has an export and not our key: they see whether it fits, and not who wrote it.
 */
const isSigned = (dir: string, receipt: Receipt, options: Receipting): boolean | null => {
  if (options.export !== undefined && !existsSync(join(dir, 'keys', 'seal.key'))) return null;
  return receiptIsOurs(readKeys(dir, false).receipts, receipt);
};
const UNSIGNED =
  '\n  So says the export. Only with the data directory (--data), whose key signed the receipt, is it known who wrote it.';

const verifyReceipt = async (file: string, options: Receipting): Promise<void> => {
  const body = readText(file);
  const receipt = readReceipt(body);
  if (!receipt) throw new Exit(EXIT.findings, 'That text carries no AgentPR receipt.');
  const dir = dataDir(options.data);
  const signed = isSigned(dir, receipt, options);
  const ledger = await openFor(dir, options);
  try {
    const approvals = await ledger.query.approvals({ runId: receipt.run, state: 'consumed' });
    const approved = approvals.some((a) => a.digest === receipt.digest);
    const sealed = await sealedBody(ledger.query, receipt);
    const unaltered = sealed !== null && sameText(withoutReceipt(body), sealed);
    const ok = signed !== false && approved && unaltered;
    if (options.json) printJson({ ok, signed, approved, unaltered, receipt });
    else if (signed === false) print('✘ The receipt was not signed by this ledger.');
    else if (!approved) print(`✘ This ledger knows no approval of ${receipt.digest} for run ${receipt.run}.`);
    else if (!unaltered)
      print('✘ That run was approved, but the text before the receipt is not what was approved.');
    else
      print(
        `✔ Run ${receipt.run}: ${receipt.approver} approved exactly ${receipt.digest} under policies ${receipt.policyVersion}.${signed === null ? UNSIGNED : ''}`,
      );
    if (!ok) process.exitCode = EXIT.findings;
  } finally {
    await ledger.close();
  }
};

export const addLedgerCommands = (program: Command): void => {
  const common = (c: Command): Command =>
    c
      .option('--json', 'print JSON')
      .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)');
  common(program.command('migrate').option('--dry-run', 'on a copy that is thrown away')).action(
    async (options: Common & { dryRun?: boolean }) => {
      const dir = dataDir(options.data);
      if (options.dryRun && database() !== null)
        throw new Exit(
          EXIT.usage,
          'Try the migrations on a copy of the database (createdb -T), then on this one.',
        );
      const taken = database() === null ? await tryMigrations(dir) : [];
      if (!options.dryRun)
        await (await openLedger({ dataDir: dir, database: database(), now: () => Date.now() })).close();
      if (options.json) printJson({ ok: true, dataDir: dir, migrations: taken });
      else if (options.dryRun && taken.length > 0)
        print(`A copy of the database in ${dir} took ${taken.join(', ')}. The database was not touched.`);
      else if (options.dryRun && !existsSync(ledgerFile(dir)))
        print(`There is no database in ${dir} yet; the first start makes it.`);
      else print(`The database in ${dir} is up to date.`);
    },
  );
  common(
    program
      .command('replay [run]')
      .option('--all', 'every run')
      .option('--decide', 'tell also where today’s rules would decide otherwise'),
  ).action(runReplay);
  common(
    program
      .command('verify-receipt <file>')
      .option('--export <file>', 'against an export of `agentpr audit export` instead of the ledger'),
  ).action(verifyReceipt);
};
