/**
 * `agentpr audit checkpoint` and `audit consistency`: the log of published decisions, for its
 * operator and for strangers (G12).
 */
import type { Command } from 'commander';
import { openReader } from '#db';
import {
  createDecisionLog,
  isConsistent,
  logVerifierOf,
  readCheckpoint,
  readHashes,
  writeHashes,
  type TreeHead,
} from '#receipts';
import { loadDerivedKeys } from '../app/derived-keys.ts';
import { readDatabaseUrl, resolveDataDir } from './load-config.ts';
import { printJson, printRedacted } from './output.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { isHttpUrl, readPublishedKeys, readPublishedText } from './published-pull.ts';

type Common = { json?: boolean; data?: string };

const ofLedger = async <T>(
  data: string | undefined,
  ask: (log: ReturnType<typeof createDecisionLog>) => Promise<T>,
): Promise<T> => {
  const dir = resolveDataDir(data);
  const reader = openReader(dir, { database: readDatabaseUrl() });
  try {
    return await ask(createDecisionLog(reader, loadDerivedKeys(dir, { mayMake: false }).receiptSeed));
  } finally {
    await reader.close();
  }
};

const printCheckpoint = async ({ data }: Common): Promise<void> => {
  const head = await ofLedger(data, (log) => log.checkpoint());
  if (head === null) throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_log_key' });
  process.stdout.write(head);
};

type Comparing = Common & { keys: string; proof?: string };
const CHECKPOINT = '/checkpoint';

/** From where it is named, else from the operator's address, else from the ledger here. */
const readConsistency = async (
  before: TreeHead,
  after: TreeHead,
  { keys, proof, data }: Comparing,
): Promise<string | null> => {
  const path = `${CHECKPOINT}/consistency/${before.size}/${after.size}`;
  const from = proof ?? (isHttpUrl(keys) ? new URL(keys).origin : null);
  if (from !== null) return readPublishedText(from, path);
  const hashes = await ofLedger(data, (log) => log.consistency(before.size, after.size));
  return hashes && writeHashes(hashes);
};

const compare = async (older: string, newer: string, options: Comparing): Promise<void> => {
  const log = logVerifierOf(await readPublishedKeys(options.keys));
  const words = cliWords().commandLine.log;
  const readHead = async (from: string): Promise<TreeHead | null> =>
    readCheckpoint(await readPublishedText(from, CHECKPOINT), log);
  const [old, now] = [await readHead(older), await readHead(newer)];
  const doubt = await (async (): Promise<'not_signed' | 'shorter' | 'not_consistent' | null> => {
    if (!old || !now) return 'not_signed';
    if (now.size < old.size) return 'shorter';
    // Equal sizes and an empty older log leave nothing to prove.
    const isPlain = old.size === now.size || old.size === 0;
    const text = isPlain ? '' : await readConsistency(old, now, options);
    const hashes = text === null ? null : readHashes(text);
    return hashes && isConsistent(old, now, hashes) ? null : 'not_consistent';
  })();
  const sizes = { before: old?.size ?? 0, size: now?.size ?? 0 };
  if (options.json) printJson({ ok: doubt === null, doubt, ...sizes });
  else if (doubt === null) printRedacted(`✔ ${words.consistent(sizes)}`);
  else if (doubt === 'not_signed') printRedacted(`✘ ${words.notSigned({ from: old ? newer : older })}`);
  else printRedacted(`✘ ${doubt === 'shorter' ? words.shorter(sizes) : words.notConsistent(sizes)}`);
  if (doubt !== null) process.exitCode = EXIT_CODES.findings;
};

export const addLogCommands = (audit: Command): void => {
  const where = 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)';
  audit
    .command('checkpoint')
    .description('print the signed head of the log of published decisions: counts and hashes alone')
    .option('--data <dir>', where)
    .action(printCheckpoint);
  audit
    .command('consistency <old> <new>')
    .description('prove by two checkpoints that nothing was taken out of the log between them')
    .requiredOption('--keys <where>', 'the operator’s keys: an https address of theirs, or a file')
    .option(
      '--proof <where>',
      'an address of the operator, or a file (default: the address of --keys, else the ledger)',
    )
    .option('--json', 'print JSON')
    .option('--data <dir>', where)
    .action(compare);
};
