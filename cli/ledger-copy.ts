/** `agentpr ledger copy`: copies the ledger into another database. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CopyEnd, copyLedger } from '#db';
import { readDatabaseUrl, resolveDataDir } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';

type Copying = { from: string; to: string; json?: boolean; data?: string };

/** A URL with a password can come from the environment instead of the command line. */
const endOf = (where: string): CopyEnd => {
  if (/^postgres(ql)?:\/\//.test(where)) return { database: where };
  if (where !== 'postgres') return { dir: resolve(where) };
  const named = readDatabaseUrl();
  if (named === null) throw new CommandExit(EXIT_CODES.config, { kind: 'no_postgres' });
  return { database: named };
};

const copyToDatabase = async ({ from, to, json, data }: Copying): Promise<void> => {
  const [source, target] = [endOf(from), endOf(to)];
  const onPage = (table: string, rows: number): void => {
    if (!json) process.stderr.write(`${table}: ${rows}\n`);
  };
  const { rows, resumed } = await copyLedger({
    from: source,
    to: target,
    dataDir: resolve(resolveDataDir(data)),
    onPage,
  });
  if (json) return printJson({ ok: true, rows, resumed });
  const words = cliWords().commandLine.copy;
  printRedacted(words.done({ rows, path: 'dir' in target ? target.dir : null }));
  printRedacted('database' in target ? words.toPostgres() : words.toDirectory());
};

export const addLedgerCopy = (program: Command): void => {
  program
    .command('ledger')
    .command('copy')
    .description('copy from one database into another, empty one; goes on where an earlier copy stopped')
    .requiredOption('--from <where>', 'a data directory, postgres://…, or “postgres” for DATABASE_URL')
    .requiredOption('--to <where>', 'the same')
    .option('--json', 'print JSON')
    .option('--data <dir>', 'the data directory that has the keys (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(copyToDatabase);
};
