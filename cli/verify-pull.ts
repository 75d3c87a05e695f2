/** G9: `agentpr verify`, for people who have nothing but a pull request, and `agentpr receipt-keys`. */
import type { Command } from 'commander';
import { z } from 'zod';
import { assertLedger, openLedger, openReader } from '#db';
import { readKeys } from '../app/derived-keys.ts';
import { readLink } from '#orders';
import { MB, SECOND } from '#model/values';
import {
  openReceiptKeys,
  PublishedKeys,
  publishedKeys,
  revokeReceiptKey,
  rotateReceiptKey,
  verifyOwnKeys,
  verifyPull,
  type ShownPull,
} from '#receipts';
import {
  databaseAddress,
  dataDir,
  printJson,
  printRedacted,
  readRawEnvironment,
  readText,
} from './environment.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { HOST_OPERATOR } from './host-orders.ts';

const FETCH_LIMIT_MS = 15 * SECOND;
const KEYS_PATH = '/.well-known/agentpr.json';

/** The part of GitHub's answer to "get a pull request" that is looked at. */
const PullPage = z.object({
  title: z.string(),
  body: z.string().nullable(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }) }),
});

const jsonIn = (text: string, from: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandExit(EXIT_CODES.usage, { kind: 'no_json', from });
  }
};

const fetchJson = async (url: string): Promise<unknown> => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new CommandExit(EXIT_CODES.usage, { kind: 'not_https', url });
  const token = readRawEnvironment()['GITHUB_TOKEN'];
  const isApi = url.includes('/repos/');
  let response: Response;
  try {
    response = await fetch(url, {
      headers: {
        accept: 'application/json',
        'user-agent': 'agentpr-verify',
        ...(isApi && token ? { authorization: `Bearer ${token}` } : {}),
      },
      redirect: isApi ? 'follow' : 'error',
      signal: AbortSignal.timeout(FETCH_LIMIT_MS),
    });
  } catch (error) {
    const { cause, message } = error as Error;
    const says = cause instanceof Error ? cause.message : message;
    throw new CommandExit(EXIT_CODES.failed, { kind: 'url_unread', url, says });
  }
  if (!response.ok)
    throw new CommandExit(response.status === 404 ? EXIT_CODES.notFound : EXIT_CODES.failed, {
      kind: 'url_answered',
      url,
      status: response.status,
      wantsToken: isApi && !token,
    });
  const text = await response.text();
  if (text.length > MB) throw new CommandExit(EXIT_CODES.failed, { kind: 'too_long', url });
  return jsonIn(text, url);
};

/** GitHub, "Getting started with the REST API": api.<host> in the cloud, <host>/api/v3 elsewhere. */
const apiOf = (host: string): string =>
  /^(?:github\.com|[a-z0-9-]+\.ghe\.com)$/.test(host) ? `https://api.${host}` : `https://${host}/api/v3`;

const shownPull = (page: unknown, from: string): ShownPull => {
  const read = PullPage.safeParse(page);
  if (!read.success) throw new CommandExit(EXIT_CODES.usage, { kind: 'no_pull', from });
  const { title, body, head, base } = read.data;
  return { repo: base.repo.full_name, base: base.ref, head: head.sha, title, body: body ?? '' };
};

const readPull = async (named: string, api: string | undefined): Promise<ShownPull> => {
  const link = /^https?:\/\/|^[\w.-]+\.[a-z]+\//i.test(named) ? readLink(named) : null;
  if (!link) return shownPull(jsonIn(readText(named), named), named);
  if (link.pull === null) throw new CommandExit(EXIT_CODES.usage, { kind: 'no_pull_link', link: named });
  const local = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|\/)/i.test(named);
  const url = `${api ?? (local ? `http://${link.host}/api/v3` : apiOf(link.host))}/repos/${link.repo}/pulls/${link.pull}`;
  return shownPull(await fetchJson(url), url);
};

const readPublished = async (from: string): Promise<PublishedKeys> => {
  const isUrl = /^https?:\/\//i.test(from);
  const bare = isUrl && new URL(from).pathname === '/' ? new URL(KEYS_PATH, from).href : from;
  const read = PublishedKeys.safeParse(isUrl ? await fetchJson(bare) : jsonIn(readText(from), from));
  if (read.success) return read.data;
  throw new CommandExit(EXIT_CODES.usage, { kind: 'no_published_keys', from: bare });
};

type Verifying = { keys: string; api?: string; approver?: string[]; json?: boolean };

const verify = async (named: string, options: Verifying): Promise<void> => {
  const [pull, published] = [await readPull(named, options.api), await readPublished(options.keys)];
  const { receipt, doubts: ofReceipt } = verifyPull(pull, published);
  const wanted = options.approver ?? null;
  const none = { confirmed: [], doubts: [] };
  // Over a receipt that does not hold, a key confirms nothing of this pull request.
  const own = receipt && ofReceipt.length === 0 ? await verifyOwnKeys(receipt, wanted) : none;
  const doubts = [...ofReceipt, ...own.doubts];
  const holds = doubts.length === 0;
  const words = cliWords().commandLine.verify;
  if (options.json) printJson({ ok: holds, doubts, pull, receipt, ownKeys: own.confirmed });
  else if (holds && receipt?.signed) {
    printRedacted(
      `✔ ${words.holds({
        approver: receipt.approver,
        commit: pull.head,
        base: pull.base,
        repo: pull.repo,
        titled: receipt.signed.title !== null,
        at: new Date(receipt.signed.at).toISOString().slice(0, 16).replace('T', ' '),
        key: receipt.signed.key,
      })}`,
    );
    const { approvers } = published;
    for (const { fingerprint, place } of own.confirmed)
      printRedacted(
        `✔ ${words.ownKey({ key: fingerprint, place, named: (wanted ?? approvers ?? []).includes(fingerprint) })}`,
      );
  } else printRedacted([`✘ ${words.fails()}`, ...doubts.map((one) => `  ${words.doubts[one]()}`)].join('\n'));
  if (!holds) process.exitCode = EXIT_CODES.findings;
};

type Keeping = { rotate?: boolean; revoke?: string; data?: string };

const keepKeys = async ({ rotate, revoke, data }: Keeping): Promise<void> => {
  const dir = dataDir(data);
  const database = databaseAddress();
  if (database === null) assertLedger(dir);
  const secret = readKeys(dir, false).receiptSeed;
  if (!rotate && revoke === undefined) {
    const reader = openReader(dir, { database });
    try {
      return printJson(await publishedKeys(reader, secret));
    } finally {
      await reader.close();
    }
  }
  const now = Date.now();
  const ledger = await openLedger({ dataDir: dir, database, now: () => now });
  try {
    await openReceiptKeys(ledger, now);
    if (revoke === undefined) await rotateReceiptKey(ledger, now, HOST_OPERATOR);
    else if (!(await revokeReceiptKey(ledger, secret, { id: revoke, now, by: HOST_OPERATOR })))
      throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_receipt_key', key: revoke });
    printJson(await publishedKeys(ledger, secret));
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
    .option('--json', 'print JSON')
    .action(verify);
  program
    .command('receipt-keys')
    .option('--rotate', 'begin a new key; what the old one signed stays valid')
    .option('--revoke <id>', 'say that a key is no longer to be believed, and begin a new one')
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(keepKeys);
};
