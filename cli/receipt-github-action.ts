/** The GitHub Action: fails a pull request of AgentPR whose receipt does not hold for its head (G9). */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { loadSentences } from '#language';
import { MB, SECOND } from '#model/values';
import { PublishedKeys, verifyOwnKeys, verifyPull, type ShownPull } from '#receipts';
import { parsePull } from './pull-page.ts';

const FETCH_LIMIT_MS = 15 * SECOND;
const KEYS_PATH = '/.well-known/agentpr.json';
const RECEIPT_SIGN = /agentpr[:\s]+receipt/i;

const Event = z.object({ pull_request: z.looseObject({ user: z.object({ login: z.string() }).nullish() }) });
const listOf = (text: string | undefined): string[] =>
  (text ?? '').split(/[\s,]+/).filter((one) => one !== '');

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** `keys`: the operator's address, or what stands there. No file: the pull request could change it. */
const readKeys = async (keys: string): Promise<PublishedKeys | null> => {
  if (!/^https?:\/\//.test(keys)) return PublishedKeys.safeParse(readJson(keys)).data ?? null;
  const { protocol, hostname, pathname } = new URL(keys);
  if (protocol !== 'https:' && hostname !== '127.0.0.1') return null;
  const url = pathname === '/' ? new URL(KEYS_PATH, keys).href : keys;
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_LIMIT_MS) });
  const text = response.ok ? await response.text() : '';
  return text.length > MB ? null : (PublishedKeys.safeParse(readJson(text)).data ?? null);
};

type Words = ReturnType<typeof loadSentences>['commandLine'];
type Told = { holds: boolean; says: string[] };

const judge = async (
  pull: ShownPull,
  published: PublishedKeys,
  approvers: string[],
  words: Words,
): Promise<Told> => {
  const { receipt, doubts } = verifyPull(pull, published);
  const wanted = approvers.length === 0 ? null : approvers;
  // Over a receipt that does not hold, a key confirms nothing of this pull request.
  const own = receipt && doubts.length === 0 ? await verifyOwnKeys(receipt, wanted) : null;
  const all = [...doubts, ...(own?.doubts ?? [])];
  const confirmed = (own?.confirmed ?? []).map(({ fingerprint }) => fingerprint).join(', ');
  if (all.length > 0 || !receipt)
    return { holds: false, says: all.map((doubt) => words.verify.doubts[doubt]()) };
  const { approver } = receipt;
  return { holds: true, says: [words.action.holds({ approver, commit: pull.head, keys: confirmed })] };
};

export const runReceiptGitHubAction = async (env: Record<string, string | undefined>): Promise<Told> => {
  const words = loadSentences('en').commandLine;
  const fails = (says: string): Told => ({ holds: false, says: [says] });
  const event = Event.safeParse(readJson(readFileSync(env['GITHUB_EVENT_PATH'] ?? '', 'utf8')));
  const pull = event.success ? parsePull(event.data.pull_request) : null;
  // guard: G9-action-event
  if (!event.success || !pull) return fails(words.action.noPull());
  const author = event.data.pull_request.user?.login.toLowerCase() ?? '';
  const isOurs =
    RECEIPT_SIGN.test(pull.body) || listOf(env['INPUT_AUTHORS']).some((one) => one.toLowerCase() === author);
  if (!isOurs) return { holds: true, says: [words.action.notOurs()] };
  const published = await readKeys(env['INPUT_KEYS']?.trim() ?? '').catch(() => null);
  // guard: G9-action-keys
  if (!published) return fails(words.action.noKeys());
  return judge(pull, published, listOf(env['INPUT_APPROVERS']), words);
};

/** GitHub, "Workflow commands": a line of an annotation has no line breaks. */
const annotate = (text: string): string =>
  `::error::${text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}\n`;

export const reportReceiptGitHubAction = async (): Promise<void> => {
  const { holds, says } = await runReceiptGitHubAction(process.env);
  for (const line of says) process.stdout.write(holds ? `✔ ${line}\n` : annotate(line));
  if (!holds) process.exitCode = 1;
};
