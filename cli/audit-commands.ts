/** `agentpr audit`: exports the ledger to a file, and verifies such a file. Read-only. */
import { createHash, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { createReadStream, existsSync, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import {
  assertLedgerExists,
  loadOrCreateKey,
  type ExportLine,
  importRows,
  openLedger,
  openReader,
  readLedgerKey,
} from '#db';
import { replayRuns, type ReplayFinding } from '#audit';
import type { LanguageTexts } from '#language';
import { addLogCommands } from './decision-log-commands.ts';
import { createRedaction } from './redact-export.ts';
import { readDatabaseUrl, resolveDataDir, readFileSettings, readRawEnvironment } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { EXIT_CODES, CommandExit, ignoreClosedPipe } from './exit-codes.ts';
import { cliWords, textsFor } from './language.ts';
import { isSecretVariable, rememberExposedSecrets, secretsInVariable } from '#engines';
import { createExposedSecrets, type ExposedSecrets, readSignInSecrets } from '#sandbox';

/** `name=value,name=value`; the values may be credentials. */
const HEADERS = /_HEADERS$/;

const collectKnownSecrets = (): ExposedSecrets => {
  const lent = createExposedSecrets();
  const env = readRawEnvironment();
  const { engines, arrivals } = readFileSettings();
  const ofHooks = new Set(
    Object.values(arrivals.hooks).flatMap(({ secret, from }) => [
      ...secret,
      ...(from?.comment ? [from.comment.token] : []),
    ]),
  );
  for (const [name, value = ''] of Object.entries(env)) {
    if (isSecretVariable(name, '', { named: false }) || ofHooks.has(name) || value.includes('://'))
      lent.add(name, secretsInVariable(value));
    else if (HEADERS.test(name)) lent.add(name, readSignInSecrets(value.replaceAll(',', '\n')));
  }
  rememberExposedSecrets(lent, engines, { env, home: env.HOME ?? '/nonexistent' });
  return lent;
};

const AUDIT_FILE_VERSION = 1;
const Value = z.union([z.string(), z.number(), z.null()]);
const Row = z.object({ table: z.string(), row: z.record(z.string(), Value) });
const Trailer = z.object({
  trailer: z.object({
    version: z.literal(AUDIT_FILE_VERSION),
    run: z.string().nullable(),
    redacted: z.boolean(),
    rows: z.number(),
    sha256: z.string(),
    mac: z.string(),
  }),
});
type Trailer = z.infer<typeof Trailer>['trailer'];

const signTrailer = (key: KeyObject, trailer: Omit<Trailer, 'mac'>): string =>
  createHmac('sha256', key)
    .update(
      JSON.stringify([
        'agentpr audit',
        trailer.version,
        trailer.run,
        trailer.redacted,
        trailer.rows,
        trailer.sha256,
      ]),
    )
    .digest('hex');

type Common = { json?: boolean; data?: string };

const exportAudit = async (
  options: Common & { run?: string; output?: string; redact?: boolean },
): Promise<void> => {
  const ledger = openReader(resolveDataDir(options.data), { snapshot: true, database: readDatabaseUrl() });
  try {
    if (options.run !== undefined && !(await ledger.query.run(options.run)))
      throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_run', run: options.run });
    // The output is opened late, because this deletes an earlier export.
    const out =
      options.output === undefined ? process.stdout : createWriteStream(options.output, { mode: 0o600 });
    let rows = 0;
    const generateExportLines = async function* (): AsyncGenerator<string> {
      const all = createHash('sha256');
      const hide = options.redact
        ? await createRedaction(ledger.rows(options.run), collectKnownSecrets())
        : null;
      for await (const line of ledger.rows(options.run)) {
        const text = `${JSON.stringify(hide ? hide(line) : line)}\n`;
        all.update(text);
        rows += 1;
        yield text;
      }
      const what = {
        version: AUDIT_FILE_VERSION,
        run: options.run ?? null,
        redacted: options.redact ?? false,
      } as const;
      const trailer = { ...what, rows, sha256: all.digest('hex') };
      yield `${JSON.stringify({ trailer: { ...trailer, mac: signTrailer(ledger.key, trailer) } })}\n`;
    };
    if (out === process.stdout)
      return await pipeline(generateExportLines, out, { end: false }).catch(ignoreClosedPipe);
    await pipeline(generateExportLines, out);
    printRedacted(cliWords().commandLine.audit.exported({ rows, file: options.output ?? '' }));
  } finally {
    await ledger.close();
  }
};

export type AuditResult = {
  /** Less can be checked without the key or for a redacted file. */
  checked: 'everything' | 'the file' | 'the chains';
  trailer: Trailer;
  findings: Pick<ReplayFinding, 'runId' | 'says'>[];
  query: Awaited<ReturnType<typeof importRows>>['query'];
  close(): Promise<void>;
};

/** Only `\n` ends a line; text of others may contain Unicode line separators. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const piece of createReadStream(file)) {
    const chunk = piece as Buffer;
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]);
      begun = [];
      from = end + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/** Verifies an export: by replay with the key, by its hash chains without. */
export const verifyAuditExport = async (
  file: string,
  key: KeyObject | null,
  { commandLine: { audit: words } }: LanguageTexts = cliWords(),
): Promise<AuditResult> => {
  if (!existsSync(file)) throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_file', file });
  const lines: ExportLine[] = [];
  const all = createHash('sha256');
  let trailer: Trailer | null = null;
  for await (const line of linesOf(file)) {
    if (trailer) throw new CommandExit(EXIT_CODES.findings, { kind: 'lines_after_end' });
    const json = parseJsonOrNull(line.toString());
    const row = Row.safeParse(json);
    if (row.success) {
      lines.push(row.data);
      all.update(line).update('\n');
    } else trailer = Trailer.safeParse(json).data?.trailer ?? null;
    if (!row.success && !trailer) throw new CommandExit(EXIT_CODES.findings, { kind: 'no_export_row', file });
  }
  if (!trailer) throw new CommandExit(EXIT_CODES.findings, { kind: 'incomplete_export', file });
  const findings: AuditResult['findings'] = [];
  const addFinding = (says: string): number => findings.push({ runId: null, says });
  if (trailer.rows !== lines.length || trailer.sha256 !== all.digest('hex')) addFinding(words.changed());
  if (key && !sameText(signTrailer(key, trailer), trailer.mac)) addFinding(words.unsigned());
  const ledger = await importRows(lines, key);
  const checked = trailer.redacted ? 'the file' : key ? 'everything' : 'the chains';
  if (checked === 'everything') findings.push(...(await replayRuns(ledger, trailer.run)).findings);
  if (checked === 'the chains')
    for (const head of await ledger.query.heads())
      if (head.chainBroken !== null) findings.push({ runId: head.run.id, says: head.chainBroken });
  return { checked, trailer, findings, query: ledger.query, close: () => ledger.close() };
};

const sameText = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

const parseJsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const findAuditKey = (options: Common & { key?: string }): KeyObject | null => {
  if (options.key !== undefined) return readLedgerKey(options.key);
  try {
    return loadOrCreateKey(`${resolveDataDir(options.data)}/keys/ledger.key`, { mayMake: false });
  } catch {
    return null;
  }
};

const EXTENTS = { everything: 'everything', 'the file': 'file', 'the chains': 'chains' } as const;

const verifyExport = async (file: string, options: Common & { key?: string }): Promise<void> => {
  const key = findAuditKey(options);
  const texts = textsFor(options.json);
  const audited = await verifyAuditExport(file, key, texts);
  const { checked, trailer, findings } = audited;
  await audited.close();
  const ok = findings.length === 0;
  if (options.json)
    printJson({ ok, checked, key: key !== null, run: trailer.run, rows: trailer.rows, findings });
  else if (ok)
    printRedacted(`✔ ${texts.commandLine.audit.holds({ rows: trailer.rows, checked: EXTENTS[checked] })}`);
  else printRedacted(findings.map((f) => `✘ ${f.runId === null ? '' : `${f.runId}: `}${f.says}`).join('\n'));
  if (!ok) process.exitCode = EXIT_CODES.findings;
};

const acceptLedgerRollback = async (options: Common): Promise<void> => {
  const dir = resolveDataDir(options.data);
  if (readDatabaseUrl() === null) assertLedgerExists(dir);
  const ledger = await openLedger({ dataDir: dir, database: readDatabaseUrl(), now: () => Date.now() });
  try {
    const rollback = await ledger.rollback();
    await ledger.acceptRollback(null);
    printRedacted(cliWords().commandLine.audit.accepted({ rollback: rollback !== null }));
  } finally {
    await ledger.close();
  }
};

export const addAuditCommands = (program: Command): void => {
  const audit = program.command('audit');
  const data = '--data <dir>';
  const where = 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)';
  audit
    .command('export')
    .description('write one JSON line per row and a signed last line')
    .option('--run <run>', 'of this run alone')
    .option('-o, --output <file>', 'the file to write (default: standard output)')
    .option('--redact', 'without people, chats and secrets; then only the file as a whole can be verified')
    .option(data, where)
    .action(exportAudit);
  audit
    .command('verify <file>')
    .description('check an export offline: everything with the key, without it only the hash chains')
    .option('--key <file>', 'the ledger’s key (default: the data directory’s)')
    .option('--json', 'print JSON')
    .option(data, where)
    .action(verifyExport);
  audit
    .command('accept')
    .description('go on with a ledger that was put back to an earlier state; agentpr must not be running')
    .option(data, where)
    .action(acceptLedgerRollback);
  addLogCommands(audit);
};
