/** Accepts the command line's orders on a Unix socket; its file permissions protect it. */
import { existsSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import type { Reason, Refusal } from '#run';
import { listenOnSocket, shortSocketPath } from '#process';
import { ENGLISH_WORDING, enTexts, type LanguageTexts } from '#language';
import { InputSchema, type Input } from '#inputs';
import type { Inbox, InboxHandler, SubmitInput } from '#runtime';
import { COMMAND_NAMES, commandRow, SetAsideChange } from '#commands';
import { canonicalJson } from '#model/seal';
import type { SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import type { StepOutcome, InboxRow } from '#ports/steps';
import type { CampaignSaying } from '#campaigns/acts';
import { readEarlierOutcome, CampaignControl, type CampaignSource } from './campaign-control.ts';

const SetAsideControl = z.object({ key: z.string().min(1).max(200), setAside: SetAsideChange });
type SetAsideControl = z.infer<typeof SetAsideControl>;
type SetAsideNote = 'set_aside_retried' | 'set_aside_dropped' | 'set_aside_unknown';

/** Idempotent, but for the answer, so handling the order again after a crash is harmless. */
const changeSetAside = async (
  { ledger, clock }: { ledger: Ledger; clock: SystemClock },
  row: InboxRow,
  { setAside: change }: SetAsideControl,
): Promise<SetAsideNote> => {
  const isDone = await (change.do === 'retry' ? ledger.reopenInbox(change.id) : ledger.dropInbox(change.id));
  await ledger.settleInbox(row.id, { kind: 'done', note: change.do, replies: [] }, clock.now());
  if (!isDone) return 'set_aside_unknown';
  return change.do === 'retry' ? 'set_aside_retried' : 'set_aside_dropped';
};

/** G1, G3: approvals belong to chat users, and results and facts are found by polling. */
const BY_HAND: readonly Input['type'][] = COMMAND_NAMES.map(commandRow)
  .filter(({ host }) => host !== null)
  .flatMap(({ offers }) => offers);
/** The command line may not act in a chat user's name. */
const isNameless = (input: Input): boolean =>
  input.type === 'command.run.create'
    ? input.order.requester.id === null
    : !('by' in input) || typeof input.by === 'string' || (input.by?.id ?? null) === null;

/** Repeating a `key` repeats the same call. */
const ControlRequest = z.object({
  runId: z.string(),
  key: z.string().min(1).max(200),
  input: InputSchema.refine((input) => BY_HAND.includes(input.type), {
    error: 'The command line cannot give that. Approving is done in chat only.',
  }).refine(isNameless, { error: 'The command line cannot speak for a person of the chat.' }),
});
type ControlRequest = z.infer<typeof ControlRequest>;
export type ControlOrder = ControlRequest | CampaignControl | SetAsideControl;
/** Chooses the schema by its own field, so that errors refer to the right one. */
const readOrder = (body: unknown): z.ZodSafeParseResult<ControlOrder> => {
  const hasField = (field: string): boolean => typeof body === 'object' && body !== null && field in body;
  if (hasField('campaign')) return CampaignControl.safeParse(body);
  return hasField('setAside') ? SetAsideControl.safeParse(body) : ControlRequest.safeParse(body);
};
type ControlNote = keyof LanguageTexts['commandLine']['answers'];
/** `reason` is English; `why`, `note` and `said` let other languages tell it. */
type Answer<Kind extends string, Why> = {
  kind: Kind;
  reason?: string;
  why?: Why;
  state?: string;
  note?: ControlNote;
  said?: CampaignSaying;
};
export type ControlAnswer =
  | Answer<'written', Reason>
  | Answer<'refused', Refusal>
  | Answer<'ignored' | 'duplicate' | 'fenced', never>;

const controlNote = <Kind extends 'written' | 'refused' | 'ignored' | 'duplicate'>(
  kind: Kind,
  note: ControlNote,
) => ({
  kind,
  note,
  reason: enTexts.commandLine.answers[note](),
});

const toAnswer = (outcome: StepOutcome): ControlAnswer => {
  switch (outcome.kind) {
    case 'written': {
      const {
        lifecycle: { state, reason },
      } = outcome.run;
      return { kind: 'written', state, reason: ENGLISH_WORDING.reason(reason), why: reason };
    }
    case 'refused':
      return { kind: 'refused', reason: ENGLISH_WORDING.refusal(outcome.reason), why: outcome.reason };
    case 'ignored':
      return outcome;
    case 'duplicate':
    case 'fenced':
      return { kind: outcome.kind };
  }
};

/** The data directory is used because a service may have a private /tmp. */
export const socketPath = (dataDir: string): string => join(dataDir, 'control.sock');

/** Answers are kept by key until the waiting caller has read them. */
export const createCliSource = (parts: { ledger: Ledger; clock: SystemClock }) => {
  const { ledger } = parts;
  const answers = new Map<string, ControlAnswer>();
  const handler =
    (submit: SubmitInput, campaigns: CampaignSource): InboxHandler =>
    async (row) => {
      const read = readOrder(row.body);
      if (!read.success) throw read.error;
      const order = read.data;
      if ('setAside' in order) {
        const note = await changeSetAside(parts, row, order);
        return void answers.set(
          row.key,
          controlNote(note === 'set_aside_unknown' ? 'refused' : 'written', note),
        );
      }
      if ('campaign' in order) return void answers.set(row.key, await campaigns(row, order));
      const { runId, input } = order;
      const outcome = await submit({
        runId,
        input,
        key: `cli:${row.key}`,
        cause: { kind: 'inbox', id: row.id },
      });
      answers.set(row.key, toAnswer(outcome));
    };
  const give = async (inbox: Inbox, order: ControlOrder): Promise<ControlAnswer> => {
    const [received] = await inbox.receive([{ source: 'cli', key: order.key, body: order }]);
    await inbox.drain();
    if (received?.duplicate) {
      if ('setAside' in order) return sameAgain(ledger, received.id, order);
      return 'campaign' in order ? againOf(ledger, received.id, order) : repeatAnswer(ledger, order);
    }
    const answer = answers.get(order.key);
    answers.delete(order.key);
    return answer ?? controlNote('ignored', 'stored');
  };
  return { handler, give };
};

const Logged = z.object({ input: InputSchema });

/** S4: repeats the earlier answer; refuses a different call with the same key. */
const repeatAnswer = async (
  { query }: Pick<Ledger, 'query'>,
  { runId, key, input }: ControlRequest,
): Promise<ControlAnswer> => {
  const taken = (await query.events(runId)).find((event) => event.key === `cli:${key}`);
  const before = taken ? Logged.parse(JSON.parse(taken.body)).input : null;
  return before && canonicalJson(before) === canonicalJson(InputSchema.parse(input))
    ? controlNote('duplicate', 'repeated')
    : controlNote('refused', 'key_used');
};

const sameAgain = async (
  { query }: Pick<Ledger, 'query'>,
  id: number,
  order: SetAsideControl,
): Promise<ControlAnswer> =>
  canonicalJson((await query.body(id)) ?? null) === canonicalJson(order)
    ? controlNote('duplicate', 'repeated')
    : controlNote('refused', 'key_used');

const againOf = async (
  { query }: Pick<Ledger, 'query'>,
  id: number,
  order: CampaignControl,
): Promise<ControlAnswer> => {
  const before = await readEarlierOutcome(query, id, order);
  if (before === 'other') return controlNote('refused', 'key_used');
  if (before === 'waits') return controlNote('ignored', 'stored');
  return before.kind === 'refused' ? before : controlNote('duplicate', 'repeated');
};

/** Maximum size (bytes), for thousands of repositories with variables. */
const MAX_ORDER_BYTES = 8_000_000;

/** Security: only users who can read the data directory may connect. */
export const listenForOrders = async (
  dataDir: string,
  give: (order: ControlOrder) => Promise<ControlAnswer>,
): Promise<{ close(): Promise<void> }> => {
  const path = socketPath(dataDir);
  // The lock on the data directory excludes another listener, so the file is a leftover.
  rmSync(path, { force: true });
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (chunk: string) => {
      // Read too large requests to the end, because a closed connection could not answer.
      if (text.length <= MAX_ORDER_BYTES) text += chunk;
    });
    req.on('end', () => {
      const sendReply = (status: number, body: unknown): void => {
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (text.length > MAX_ORDER_BYTES) return sendReply(413, controlNote('refused', 'too_large'));
      const parsed = readOrder(safeJson(text));
      if (!parsed.success) return sendReply(400, { kind: 'refused', reason: z.prettifyError(parsed.error) });
      give(parsed.data).then(
        (answer) => sendReply(200, answer),
        (error: unknown) =>
          sendReply(500, { kind: 'ignored', reason: error instanceof Error ? error.message : String(error) }),
      );
    });
  });
  const mask = process.umask(0o077);
  try {
    await listenOnSocket(server, path);
  } finally {
    process.umask(mask);
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const safeJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Returns null when no AgentPR runs on the data directory. Refuses orders that are too large. */
export const sendOrder = (dataDir: string, order: ControlOrder): Promise<ControlAnswer | null> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify(order);
    if (Buffer.byteLength(body) > MAX_ORDER_BYTES) return resolve(controlNote('refused', 'too_large'));
    if (!existsSync(dataDir)) return resolve(null);
    const short = shortSocketPath(socketPath(dataDir));
    const req = request(
      {
        socketPath: short.path,
        // A pooled connection could lead elsewhere: the path may contain a reused descriptor.
        agent: false,
        method: 'POST',
        path: '/order',
        headers: { 'content-type': 'application/json' },
      },
      (res) => {
        short.close();
        let text = '';
        res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        res.on('end', () =>
          resolve((safeJson(text) as ControlAnswer | null) ?? controlNote('ignored', 'unreadable')),
        );
      },
    );
    req.on('error', (error: NodeJS.ErrnoException) => {
      short.close();
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null);
      else reject(error);
    });
    req.end(body);
  });
