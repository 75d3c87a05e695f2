/** `agentpr verify`, for people who have nothing but a pull request, and `agentpr receipt-keys` (G9). */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { assertLedgerExists, openLedger, openReader } from '#db';
import { findCommitTree } from '#git';
import type { Receipt } from '#pull-text';
import { loadDerivedKeys } from '../app/derived-keys.ts';
import {
  checkReceipt,
  checkTree,
  envelopeOf,
  decisionLeafOf,
  logVerifierOf,
  ensureReceiptKey,
  listPublishedKeys,
  revokeReceiptKey,
  rotateReceiptKey,
  verifyOwnKeys,
  verifyProof,
  verifyPull,
  type PublishedKeys,
  type ReceiptDoubt,
} from '#receipts';
import { readDatabaseUrl, resolveDataDir } from './load-config.ts';
import { printJson, printRedacted } from './output.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { HOST_OPERATOR } from './host-orders.ts';
import { readPublishedKeys, readPublishedText, readPullOrEnvelope, type Shown } from './published-pull.ts';

type Verifying = {
  keys: string;
  api?: string;
  approver?: string[];
  repository?: string;
  envelope?: string;
  proof?: string;
  json?: boolean;
};

type Judged = { receipt: Receipt | null; doubts: ReceiptDoubt[] };

const judge = (shown: Shown, published: PublishedKeys): Judged => {
  if (shown.pull) return verifyPull(shown.pull, published);
  const { receipt } = shown;
  const doubt = receipt ? checkReceipt(receipt, published) : 'no_envelope';
  return { receipt, doubts: doubt === null ? [] : [doubt] };
};

const judgeTree = async (receipt: Receipt, dir: string | undefined): Promise<ReceiptDoubt[]> => {
  const commit = receipt.signed?.commit;
  if (dir === undefined || commit === undefined) return [];
  const tree = await findCommitTree(dir, commit).catch(() => {
    throw new CommandExit(EXIT_CODES.usage, { kind: 'no_repository_there', path: dir });
  });
  const doubt = checkTree(receipt, tree === null ? null : { tree });
  return doubt === null ? [] : [doubt];
};

/** G12: a proof from the operator's log, or the one that the receipt carries. */
const readProof = async (
  receipt: Receipt,
  shown: Shown,
  from: string | undefined,
): Promise<string | null> => {
  const leaf = decisionLeafOf(receipt);
  if (from === undefined || !leaf) return shown.pull ? null : shown.inclusionProof;
  return readPublishedText(from, `/checkpoint/proof/${Buffer.from(leaf).toString('hex')}`);
};

type Place = { index: number; size: number };

/** The place of the decision in the operator's log; null when this does not prove one. */
const placeIn = (proof: string, receipt: Receipt, published: PublishedKeys): Place | null => {
  const leaf = decisionLeafOf(receipt);
  const place = leaf && verifyProof(proof, leaf, logVerifierOf(published));
  return place && { index: place.index, size: place.head.size };
};

const writeEnvelope = (receipt: Receipt, proof: string | null, file: string): void => {
  const envelope = envelopeOf(receipt, proof);
  if (!envelope) throw new CommandExit(EXIT_CODES.findings, { kind: 'no_envelope_of_it' });
  writeFileSync(file, `${JSON.stringify(envelope, null, 2)}\n`);
};

const verifyPullRequest = async (named: string, options: Verifying): Promise<void> => {
  const [shown, published] = [
    await readPullOrEnvelope(named, options.api),
    await readPublishedKeys(options.keys),
  ];
  const { receipt, doubts: ofReceipt } = judge(shown, published);
  const wanted = options.approver ?? null;
  const none = { confirmed: [], doubts: [] };
  // Over a receipt that does not hold, a key confirms nothing of this pull request.
  const held = receipt && ofReceipt.length === 0 ? receipt : null;
  const own = held ? await verifyOwnKeys(held, wanted) : none;
  const proof = held && (await readProof(held, shown, options.proof));
  const place = held && proof !== null ? placeIn(proof, held, published) : null;
  const isProven = place !== null || (proof === null && options.proof === undefined);
  const ofLog: ReceiptDoubt[] = held && !isProven ? ['not_logged'] : [];
  const ofTree = held ? await judgeTree(held, options.repository) : [];
  const doubts = [...ofReceipt, ...ofTree, ...ofLog, ...own.doubts];
  const holds = doubts.length === 0;
  if (holds && receipt && options.envelope !== undefined) writeEnvelope(receipt, proof, options.envelope);
  const words = cliWords().commandLine.verify;
  if (options.json)
    printJson({ ok: holds, doubts, pull: shown.pull, receipt, ownKeys: own.confirmed, place });
  else if (holds && receipt?.signed) {
    const { signed, approver } = receipt;
    const { repo, base, commit, title, key } = signed;
    const at = new Date(signed.at).toISOString().slice(0, 16).replace('T', ' ');
    const titled = title !== null;
    printRedacted(`✔ ${words.holds({ approver, commit, base, repo, titled, at, key })}`);
    const { approvers } = published;
    for (const { fingerprint, place } of own.confirmed)
      printRedacted(
        `✔ ${words.ownKey({ key: fingerprint, place, named: (wanted ?? approvers ?? []).includes(fingerprint) })}`,
      );
    if (place) printRedacted(`✔ ${words.logged({ number: place.index + 1, size: place.size })}`);
  } else printRedacted([`✘ ${words.fails()}`, ...doubts.map((one) => `  ${words.doubts[one]()}`)].join('\n'));
  if (!holds) process.exitCode = EXIT_CODES.findings;
};

type Keeping = { rotate?: boolean; revoke?: string; data?: string };

const keepKeys = async ({ rotate, revoke, data }: Keeping): Promise<void> => {
  const dir = resolveDataDir(data);
  const database = readDatabaseUrl();
  if (database === null) assertLedgerExists(dir);
  const secret = loadDerivedKeys(dir, { mayMake: false }).receiptSeed;
  if (!rotate && revoke === undefined) {
    const reader = openReader(dir, { database });
    try {
      return printJson(await listPublishedKeys(reader, secret));
    } finally {
      await reader.close();
    }
  }
  const now = Date.now();
  const ledger = await openLedger({ dataDir: dir, database, now: () => now });
  try {
    await ensureReceiptKey(ledger, now);
    if (revoke === undefined) await rotateReceiptKey(ledger, now, HOST_OPERATOR);
    else if (!(await revokeReceiptKey(ledger, secret, { id: revoke, now, by: HOST_OPERATOR })))
      throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_receipt_key', key: revoke });
    printJson(await listPublishedKeys(ledger, secret));
  } finally {
    await ledger.close();
  }
};

export const addVerifyCommands = (program: Command): void => {
  program
    .command('verify <pull>')
    .requiredOption('--keys <where>', 'the operator’s keys: an https address of theirs, or a file')
    .option('--approver <fingerprint...>', 'one of these keys has to have signed: the approvers’ own')
    .option('--api <url>', 'the API of the code host (default: that of the link’s host)')
    .option('--repository <dir>', 'a clone that has the commit: its tree has to be the one that was approved')
    .option('--proof <where>', 'also prove it by the operator’s log: an https address of theirs, or a file')
    .option(
      '--envelope <file>',
      'write the receipt as a DSSE envelope, with its proof when --proof is given, for tools of others',
    )
    .option('--json', 'print JSON')
    .action(verifyPullRequest);
  program
    .command('receipt-keys')
    .option('--rotate', 'begin a new key; what the old one signed stays valid')
    .option('--revoke <id>', 'say that a key is no longer to be believed, and begin a new one')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(keepKeys);
};
