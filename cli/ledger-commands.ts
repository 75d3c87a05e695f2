/** Defines the read-only ledger commands: migrate, replay, verify-receipt. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { ledgerFile, openLedger, openReader, tryMigrations } from '#db';
import { readReceipt, type Receipt, withoutReceipt } from '#pull-text';
import { Proposal } from '#model/seal';
import type { LedgerQueries } from '#ports/ledger';
import { findDecisionDifferences, replayRuns, type DecisionDifference, type ReplayResult } from '#audit';
import { isOurReceipt } from '#receipts';
import { loadDerivedKeys } from '../app/derived-keys.ts';
import { findAuditKey, verifyAuditExport } from './audit-commands.ts';
import { cliWords } from './language.ts';
import { createReplayThreads } from './replay-threads.ts';
import { replayTurns } from './replay-turns-command.ts';
import { readDatabaseUrl, resolveDataDir } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { readTextInput } from './read-input.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';

type Common = { json?: boolean; data?: string };
type Receipting = Common & { export?: string };

export const replayVerdicts = ({
  findings,
}: ReplayResult): Record<'trajectory' | 'decisions' | 'signatures', boolean> => ({
  trajectory: !findings.some((f) => f.verdict === 'trajectory'),
  decisions: !findings.some((f) => f.verdict === 'decisions'),
  signatures: !findings.some((f) => f.verdict === 'signatures'),
});

const VERDICTS = ['trajectory', 'decisions', 'signatures'] as const;

export const describeVerdicts = (replayed: ReplayResult): string[] => {
  const words = cliWords().commandLine.replay;
  const verdicts = replayVerdicts(replayed);
  return [
    words.replayed(replayed),
    ...VERDICTS.map((name) => `  ${verdicts[name] ? '✔' : '✘'} ${words[name]({ holds: verdicts[name] })}`),
    ...replayed.findings.map((f) => `  ${f.runId === null ? '' : `${f.runId}: `}${f.says}`),
  ];
};

export const describeDifferences = (found: readonly DecisionDifference[]): string[] => {
  const words = cliWords().commandLine.replay;
  return [
    found.length === 0 ? words.sameRules() : words.otherRules({ events: found.length }),
    ...found.map(({ runId, ...difference }) => `  ${words.today({ run: runId, ...difference })}`),
  ];
};

type Replaying = Common & { all?: boolean; decide?: boolean; turns?: boolean };
const runReplay = async (runId: string | undefined, options: Replaying): Promise<void> => {
  if (options.turns) return replayTurns(runId, options);
  if (!runId && !options.all) throw new CommandExit(EXIT_CODES.usage, { kind: 'which_run' });
  const dir = resolveDataDir(options.data);
  const ledger = openReader(dir, { snapshot: true, database: readDatabaseUrl() });
  try {
    const replayed = await replayRuns(ledger, runId ?? null, createReplayThreads(dir, readDatabaseUrl()));
    if (runId && replayed.runs === 0)
      throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_run', run: runId });
    const other = options.decide ? await findDecisionDifferences(ledger.query, runId ?? null) : null;
    if (options.json)
      printJson({
        ...replayed,
        verdicts: replayVerdicts(replayed),
        ...(other ? { differences: other } : {}),
      });
    else
      printRedacted([...describeVerdicts(replayed), ...(other ? describeDifferences(other) : [])].join('\n'));
    if (replayed.findings.length > 0) process.exitCode = EXIT_CODES.findings;
  } finally {
    await ledger.close();
  }
};

const Sealed = z.object({ input: z.object({ proposal: Proposal.nullish() }) });

const findSealedBody = async (query: LedgerQueries, { run, digest }: Receipt): Promise<string | null> => {
  for (const event of await query.events(run)) {
    const proposal = Sealed.safeParse(JSON.parse(event.body)).data?.input.proposal;
    if (proposal?.digest === digest) return proposal.fields.pullBody ?? proposal.fields.body;
  }
  return null;
};

/** Code hosts may change line endings and trailing whitespace. */
const sameText = (left: string, right: string): boolean =>
  left.replaceAll('\r\n', '\n').trimEnd() === right.replaceAll('\r\n', '\n').trimEnd();

const openFor = async (
  dir: string,
  options: Receipting,
): Promise<{ query: LedgerQueries; close(): Promise<void> }> => {
  if (options.export === undefined) return openReader(dir, { database: readDatabaseUrl() });
  const audited = await verifyAuditExport(options.export, findAuditKey(options));
  const [finding] = audited.findings;
  if (!finding) return audited;
  await audited.close();
  throw new CommandExit(EXIT_CODES.findings, { kind: 'unreliable_export', says: finding.says });
};

/** Returns null without our key: the receipt can be matched, but its author not verified. */
const isSignedHere = (dir: string, receipt: Receipt, options: Receipting): boolean | null => {
  if (options.export !== undefined && !existsSync(join(dir, 'keys', 'seal.key'))) return null;
  return isOurReceipt(loadDerivedKeys(dir, { mayMake: false }).receipts, receipt);
};
const verifyReceipt = async (file: string, options: Receipting): Promise<void> => {
  const body = readTextInput(file);
  const receipt = readReceipt(body);
  if (!receipt) throw new CommandExit(EXIT_CODES.findings, { kind: 'no_receipt' });
  const dir = resolveDataDir(options.data);
  const signed = isSignedHere(dir, receipt, options);
  const ledger = await openFor(dir, options);
  try {
    const approvals = await ledger.query.approvals({ runId: receipt.run, state: 'consumed' });
    const approved = approvals.some((a) => a.digest === receipt.digest);
    const sealed = await findSealedBody(ledger.query, receipt);
    const unaltered = sealed !== null && sameText(withoutReceipt(body), sealed);
    const ok = signed !== false && approved && unaltered;
    const words = cliWords().commandLine.receipt;
    if (options.json) printJson({ ok, signed, approved, unaltered, receipt });
    else if (signed === false) printRedacted(`✘ ${words.unsigned()}`);
    else if (!approved) printRedacted(`✘ ${words.unapproved(receipt)}`);
    else if (!unaltered) printRedacted(`✘ ${words.altered()}`);
    else {
      const holds = words.holds({ ...receipt, policies: receipt.policyVersion });
      printRedacted([`✔ ${holds}`, ...(signed === null ? [`  ${words.byExport()}`] : [])].join('\n'));
    }
    if (!ok) process.exitCode = EXIT_CODES.findings;
  } finally {
    await ledger.close();
  }
};

export const addLedgerCommands = (program: Command): void => {
  const addLedgerOptions = (command: Command): Command =>
    command
      .option('--json', 'print JSON')
      .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)');
  addLedgerOptions(program.command('migrate').option('--dry-run', 'on a copy that is thrown away')).action(
    async (options: Common & { dryRun?: boolean }) => {
      const dir = resolveDataDir(options.data);
      if (options.dryRun && readDatabaseUrl() !== null)
        throw new CommandExit(EXIT_CODES.usage, { kind: 'try_on_copy' });
      const taken = readDatabaseUrl() === null ? await tryMigrations(dir) : [];
      if (!options.dryRun)
        await (
          await openLedger({ dataDir: dir, database: readDatabaseUrl(), now: () => Date.now() })
        ).close();
      const words = cliWords().commandLine.migrate;
      const of = { path: dir, migrations: taken };
      if (options.json) printJson({ ok: true, dataDir: dir, migrations: taken });
      else if (options.dryRun && taken.length > 0) printRedacted(words.tried(of));
      else if (options.dryRun && !existsSync(ledgerFile(dir))) printRedacted(words.absent(of));
      else printRedacted(words.current(of));
    },
  );
  addLedgerOptions(
    program
      .command('replay [run]')
      .option('--all', 'every run')
      .option(
        '--turns',
        'replay the turns of the builtin engine: what was decided, what ran, and what became of the files',
      )
      .option(
        '--decide',
        'tell also where today’s rules would decide otherwise; with --turns, today’s policies',
      ),
  ).action(runReplay);
  addLedgerOptions(
    program
      .command('verify-receipt <file>')
      .option('--export <file>', 'against an export of `agentpr audit export` instead of the ledger'),
  ).action(verifyReceipt);
};
