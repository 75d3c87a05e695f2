/** The bot over a real ledger and an in-memory chat: tests write, tap and read its messages. */
import { createSpendingService } from '../../app/spending-service.ts';
import { SpendingBudgets } from '#model/spending';
import { budgetsInForce } from '../../app/runtime-settings.ts';
import { readerHere } from './reader-here.ts';
import { onTestFinished } from 'vitest';
import { createPagesReader, createShownPatch } from '../../app/shown-patches.ts';
import type {
  ChatTraits,
  EngineParts,
  FileOf,
  PatchOf,
  PeopleParts,
} from '../../bot/commands/command-context.ts';
import {
  isEarlierTelegramMessage,
  isTelegramUserId,
  readTelegramUpdate,
} from '../../bot/commands/read-telegram-update.ts';
import { parseSentCampaign } from '../../orchestrator/orders/sent-campaign-file.ts';
import { createBotHandler } from '../../bot/commands/handle-update.ts';
import type { HandledUpdate } from '../../bot/commands/settle-tap.ts';
import { createWordsFor } from '#language';
import { stripMarkup } from '#chat-text';
import type { Input } from '#inputs';
import type { Run } from '#run';
import { createSubmitInput } from '#runtime';
import { telegramLimits } from '../../bot/telegram-limits.ts';
import type { ChatModel } from '../../bot/model/chat-model.ts';
import { createMovedChats } from '../../bot/moved-chats.ts';
import { parseTopicChat } from '../../bot/chat-topics.ts';
import { createChatRoles } from '../../bot/commands/user-roles.ts';
import { createMessageHandler } from '../../bot/deliver-message.ts';
import { createButtonTokens } from '../../bot/commands/button-tokens.ts';
import { findButton } from '../../bot/commands/buttons.ts';
import { isButtonOn } from '../../bot/commands/define-button.ts';
import { isRepositoryAt } from '../../forge/github-facts.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { RunBounds } from '#model/limits';
import { noticeHandler } from '../../orchestrator/notices/notice-handlers.ts';
import { MaybeSent, type ChatButton, type ChatPort } from '#ports/chat';
import type { SystemClock } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { createFigures } from '../../orchestrator/reports/fold-figures.io.ts';
import { createReports } from '../../orchestrator/reports/reports.io.ts';
import { createReplacementAssessor } from '#kernel';
import { promptExperimentOf } from '../../orchestrator/settings/runtime-setting-rows.ts';
import { createRuntimeSettings } from '../../orchestrator/settings/runtime-settings.io.ts';
import { createOwnKeyCheck, createPasskeyStore, type TrustedKeys } from '#passkeys';
import { createBoardAccess } from '../../orchestrator/notices/board-access.ts';
import { anOrder } from './ledger.ts';
import { inputsToCard, type Change } from './ready-run.ts';

export const ANA = '7';
export const BO = '8';
export const VIC = '9';
export const STRANGER = '666';
export const PULL = 'https://github.com/acme/api/pull/12';
export const PATCH =
  'diff --git a/src/webhook/worker.ts b/src/webhook/worker.ts\n--- a/src/webhook/worker.ts\n+++ b/src/webhook/worker.ts\n@@ -1 +1 @@\n-a\n+b\n';
export const FIX_PATCH =
  'diff --git a/src/greet.ts b/src/greet.ts\n--- a/src/greet.ts\n+++ b/src/greet.ts\n@@ -1 +1,2 @@\n-hello\n+salut\n+world\n';

export type Delivered = {
  chat: string;
  messageId: string;
  html: string;
  text: string;
  buttons: ChatButton[][];
  silent: boolean;
  /** The message asks for an answer. */
  asks?: true;
};

type ModelParts = {
  ledger: Ledger;
  clock: SystemClock;
  receive: (items: readonly IncomingItem[]) => Promise<void>;
};
type Given = {
  model?: (parts: ModelParts) => ChatModel;
  patch?: string | null | PatchOf;
  files?: FileOf;
  messages?: readonly string[];
  costs?: EngineParts['costs'];
  publicNames?: PeopleParts['publicNames'];
  sent?: ReadonlyMap<string, Uint8Array>;
  appUrl?: string;
  voice?: (parts: Pick<ModelParts, 'ledger' | 'clock'>) => ChatTraits['voice'];
  invitationText?: (code: string) => string;
  /** Reads what comes in, as another chat does. */
  read?: typeof readTelegramUpdate;
  /** Further accounts of people, each with the one that has the role. */
  accounts?: Readonly<Record<string, string>>;
  /** Engines that can be shown pictures. */
  sees?: readonly string[];
  /** G11: keys that count where a policy asks for one. */
  trusted?: TrustedKeys;
  /** Registers a cleanup; outside of a test, the caller closes the world. */
  atEnd?: (close: () => Promise<void>) => void;
};

/** `patch` and `messages` replace git's answers. */
export const createChatWorld = async ({
  patch: given = PATCH,
  messages: said = [],
  files: fileOf = async () => null,
  sent = new Map(),
  costs,
  publicNames,
  model,
  appUrl,
  voice,
  invitationText = (code) => `https://t.me/agentpr_bot?start=${code}`,
  accounts = {},
  read = readTelegramUpdate,
  sees = [],
  trusted = 'registered',
  atEnd = onTestFinished,
}: Given = {}) => {
  let now = Date.UTC(2026, 0, 5, 12, 0);
  let counter = 100;
  let updateId = 1;
  const clock = { now: () => now };
  const ledger = await openLedger({ dataDir: ':memory:', now: clock.now, limits: telegramLimits });
  atEnd(() => ledger.close());
  await ledger.setUser({ id: BO, name: 'Bo', role: 'approver' }, null);
  await ledger.setUser({ id: VIC, name: 'Vic', role: 'viewer' }, null);
  const ids = { runId: () => `r${(counter += 1)}`, nonce: () => `nonce-${(counter += 1)}`.padEnd(16, 'x') };
  const passkeys = createPasskeyStore({ ledger, secret: Buffer.alloc(32, 3) });
  const checkOwnKeys = createOwnKeyCheck({ passkeys, trusted });
  const submit = createSubmitInput({ ledger, clock, ids, checkOwnKeys });
  const tokens = createButtonTokens([Buffer.alloc(32, 1)]);
  const wordsFor = createWordsFor(ledger.query);
  const readPages = createPagesReader();
  const patch: PatchOf = async (runId, since = 'base') =>
    typeof given === 'function'
      ? given(runId, since)
      : given === null
        ? null
        : { text: since === 'pushed' ? FIX_PATCH : given, omitted: 0, messages: said };
  const distillLog = async (log: string): Promise<string> => log.slice(0, 2_000);

  /** Stores notes as the product does in the background. */
  const receive = async (items: readonly IncomingItem[]): Promise<void> => {
    await ledger.receive(items, now);
    for (const row of await ledger.inbox(10)) await noticeHandler(row.body)?.(ledger, row, clock);
    await deliver();
  };
  /** Buttons that would do nothing, because their row names other messages. */
  const strays: string[] = [];
  const findStrays = async (buttons: ChatButton[][]): Promise<void> => {
    for (const { token } of buttons.flat()) {
      const { verb = '', n = 0 } = tokens.read(token) ?? {};
      if (token === '') continue;
      const message = (await ledger.query.effect(n))?.do;
      const view = message?.kind === 'chat_message' ? message.content.view : 'note';
      const button = findButton(verb);
      if (!button || !isButtonOn(button, view)) strays.push(`${verb} on ${view}`);
    }
  };
  atEnd(async () => {
    if (strays.length > 0) throw new Error(`buttons that do nothing: ${[...new Set(strays)].join(', ')}`);
  });
  const messages: Delivered[] = [];
  const pins: { chat: string; messageId: string; on: boolean }[] = [];
  let refusesPins = false;
  let unheard = 0;
  const documents: { chat: string; name: string; content: string | Uint8Array; caption: string }[] = [];
  const chat: ChatPort = {
    send: async ({ chat: to, html, buttons, silent, asks }) => {
      const messageId = String((counter += 1));
      await findStrays(buttons);
      messages.push({
        chat: to,
        messageId,
        html,
        text: stripMarkup(html),
        buttons,
        silent,
        ...(asks && { asks }),
      });
      if (asks && unheard > 0) {
        unheard -= 1;
        throw new MaybeSent('chat_unavailable', 'The answer did not come.');
      }
      return { chat: to, messageId };
    },
    edit: async ({ chat: to, messageId, html, buttons }) => {
      await findStrays(buttons);
      const old = messages.find((m) => m.chat === to && m.messageId === messageId);
      if (!old) return null;
      Object.assign(old, { html, text: stripMarkup(html), buttons });
      return { chat: to, messageId };
    },
    pin: async ({ chat: to, messageId, on }) => {
      if (on && refusesPins) return false;
      pins.push({ chat: to, messageId, on });
      return true;
    },
    document: async ({ chat: to, name, content, caption }) => {
      documents.push({ chat: to, name, content, caption });
      return { chat: to, messageId: String((counter += 1)) };
    },
    album: async ({ chat: to, pictures }) => {
      for (const { name, content, caption } of pictures) documents.push({ chat: to, name, content, caption });
      return { chat: to, messageId: String((counter += 1)) };
    },
  };
  const roles = createChatRoles({ users: ledger.query, adminIds: [ANA] });
  const runtimeSettings = await createRuntimeSettings({
    ledger,
    clock,
    base: {
      engine: 'script',
      promptVersion: 'v1',
      trialPercent: null,
      bounds: RunBounds.parse({}),
      maxParallelRuns: 3,
      maxRunsPerDay: 50,
      budgets: { month: 100 },
    },
    limits: {
      engines: ['script', 'codex', 'claude', 'opencode', 'aider'],
      prompts: ['v1', 'v2'],
      parallel: 3,
    },
  });
  const reports = createReports({
    runtimeSettings,
    clock,
    query: ledger.query,
    figures: createFigures({ query: ledger.query, books: ledger.figures }),
  });
  const access = createBoardAccess({
    ledger,
    roleOf: async (user) => (await roles.of(user))?.role ?? null,
    clock,
  });
  let boardAddress: string | null = null;
  const bot = createBotHandler({
    submit,
    ledger,
    receive: (items: readonly IncomingItem[]) => ledger.receive(items, clock.now()),
    clock,
    ids,
    tokens,
    adapter: {
      read,
      isPerson: isTelegramUserId,
      mainAccountOf: (id) => accounts[id] ?? id,
      invitationText: (code) => invitationText(code),
      isEarlier: isEarlierTelegramMessage,
      deciders: [ANA],
      botName: () => 'agentpr_bot',
      sentFile: async (id: string) => sent.get(id) ?? null,
      voice: voice?.({ ledger, clock }) ?? null,
    },
    people: { roles, wordsFor, ...(publicNames ? { publicNames } : {}) },
    engines: {
      names: ['script', 'codex', 'claude', 'opencode', 'aider'],
      promptVersions: ['v1', 'v2'],
      seesPictures: (engine) => sees.includes(engine),
      ...(costs ? { costs } : {}),
      assessReplacement: createReplacementAssessor(DEFAULT_POLICY_SETTINGS),
      defaults: {
        get engine() {
          return runtimeSettings.now().engine;
        },
        script: ['x'],
        get bounds() {
          return runtimeSettings.now().bounds;
        },
        get promptVersion() {
          return runtimeSettings.now().promptVersion;
        },
        get trial() {
          return promptExperimentOf(runtimeSettings.now(), runtimeSettings.limits);
        },
      },
    },
    host: {
      isRepository: isRepositoryAt('https://github.com'),
      serverUrl: 'https://github.com',
      updates: 'polling',
      board: { access, address: () => boardAddress, passkeys },
    },
    readers: {
      patch,
      readPages,
      fileOf,
      distillLog,
      readLog: readerHere.readLog,
      readSentList: async (content, words) => parseSentCampaign(content, words),
    },
    services: {
      costs: createSpendingService({
        ledger,
        receive,
        clock,
        budgets: async () => budgetsInForce({ budgets: SpendingBudgets.parse({}) }, runtimeSettings.now()),
      }),
      runtimeSettings,
      reports,
      model: model?.({ ledger, clock, receive }) ?? null,
    },
  });
  const tell = createMessageHandler({
    chat,
    ledger,
    tokens,
    clock,
    wordsFor,
    patch,
    readPages,
    shownPatch: createShownPatch(),
    fileOf,
    reports,
    serverUrl: 'https://github.com',
    appUrl: appUrl ?? null,
    places: createMovedChats(ledger, []),
  });

  let holding = false;
  /** Delivers everything that waits; returns the newest message. */
  const deliver = async (): Promise<Delivered | undefined> => {
    while (!holding) {
      const claims = await ledger.claim({ now, leaseMs: 60_000, limit: 10, kinds: ['chat_message'] });
      if (claims.length === 0) {
        const waiting = await ledger.query.effects({ state: 'pending', kind: 'chat_message' });
        if (!waiting.some(({ dueAt }) => dueAt <= now)) return messages.at(-1);
        // Respects the limit of about one message per second.
        now += 1_000;
      }
      for (const claim of claims) {
        const outcome = await tell(claim);
        if (outcome.kind === 'later') now = Math.max(now, outcome.at);
        await ledger.finish(claim, outcome, now);
      }
    }
    return messages.at(-1);
  };
  const holdsBack = async (go: () => Promise<unknown>): Promise<void> => {
    holding = true;
    await go();
    holding = false;
  };
  const drains = async (): Promise<void> => {
    for (const row of await ledger.inbox(100)) await bot.handle(row);
    await deliver();
  };
  const update = async (body: object): Promise<HandledUpdate> => {
    await ledger.receive(
      [{ source: 'chat', key: String((updateId += 1)), body: { update_id: updateId, ...body } }],
      now,
    );
    let handled: HandledUpdate = {};
    for (const row of await ledger.inbox(10)) handled = await bot.handle(row);
    await deliver();
    return handled;
  };
  /** Language codes of users' apps. */
  const tongues = new Map<string, string>();
  const from = (id: string) => ({
    id: Number(id),
    is_bot: false,
    first_name: `P${id}`,
    ...(tongues.has(id) && { language_code: tongues.get(id) }),
  });
  const place = (id: string) => ({
    id: Number(parseTopicChat(id).chat),
    type: id.startsWith('-') ? 'supergroup' : 'private',
  });
  const topic = (id: string): object => {
    const at = parseTopicChat(id).topic;
    return at === null ? {} : { is_topic_message: true, message_thread_id: at };
  };

  const offer = async (runId: string, ...inputs: Input[]): Promise<void> => {
    for (const input of inputs) {
      const run = await ledger.query.run(runId);
      // Signatures may only come from the inbox.
      const signed = input.type === 'command.push.approve' || input.type === 'command.pr.approve';
      const key = `${signed ? 'chat:' : ''}k${(counter += 1)}`;
      const [row] = signed ? await ledger.receive([{ source: 'chat', key, body: null }], now) : [];
      const outcome = await submit({
        runId,
        input,
        key,
        cause: row ? { kind: 'inbox', id: row.id } : { kind: 'none' },
        effectEpoch: run?.lifecycle.epoch ?? null,
      });
      if (outcome.kind !== 'written') throw new Error(`${input.type}: ${JSON.stringify(outcome)}`);
    }
    await deliver();
  };
  type Ready = Change & { order?: Parameters<typeof anOrder>[0] };
  const readyRun = async (change: Ready = {}): Promise<Run> => {
    const runId = ids.runId();
    const order = anOrder({ repo: 'acme/api', ...change.order });
    await offer(runId, { type: 'command.run.create', runId, order }, ...inputsToCard(change));
    return (await ledger.query.run(runId)) as Run;
  };

  return {
    runtimeSettings,
    passkeys,
    trusted,
    access,
    now: () => now,
    patch,
    reports,
    wordsFor,
    serveBoardAt: (address: string) => (boardAddress = address),
    roles,
    drains,
    receive,
    ledger,
    tokens,
    messages,
    documents,
    submit,
    clock,
    deliver,
    holdsBack,
    update,
    tell,
    pins,
    refusesPins: () => void (refusesPins = true),
    /** Loses the delivery result of the next form. */
    losesAnswer: () => void (unheard = 1),
    sorry: (...given: Parameters<typeof bot.replyGivenUp>) => bot.replyGivenUp(...given),
    passes: (ms: number) => void (now += ms),
    /** Returns the texts that the message caused, in order. */
    async says(
      text: string,
      { by = ANA, chat: at = by, ...extra }: { by?: string; chat?: string; [key: string]: unknown } = {},
    ) {
      const before = messages.length;
      await update({
        message: {
          message_id: (counter += 1),
          from: from(by),
          chat: place(at),
          ...topic(at),
          text,
          ...extra,
        },
      });
      return messages.slice(before).map((m) => m.text);
    },
    async taps(
      button: string,
      {
        by = ANA,
        on,
        data,
        messageId,
        chat: at,
      }: Partial<{ by: string; on: Delivered; data: string; messageId: string; chat: string }> = {},
    ) {
      const has = (m: Delivered): ChatButton | undefined =>
        m.buttons.flat().find((b) => b.text.startsWith(button));
      const message = on ?? messages.findLast((m) => has(m));
      const token = data ?? (message && has(message)?.token);
      if (!token)
        throw new Error(
          `no button ${button}; there are ${messages.flatMap((m) => m.buttons.flat().map((b) => b.text)).join(' | ')}`,
        );
      const where = {
        message_id: Number(messageId ?? message?.messageId ?? 0),
        chat: place(at ?? message?.chat ?? by),
        ...topic(at ?? message?.chat ?? by),
      };
      const { tap } = await update({
        callback_query: { id: `cb${updateId}`, from: from(by), data: token, message: where },
      });
      return tap?.text ?? '';
    },
    speaks: (id: string, tag: string) => void tongues.set(id, tag),
    offer,
    readyRun,
    async openRun(change: Ready = {}): Promise<Run> {
      const {
        id,
        gate: { approval },
      } = await readyRun(change);
      if (!approval) throw new Error('no card');
      const { id: approvalId, digest } = approval;
      await offer(id, { type: 'command.pr.approve', by: { id: ANA, name: 'Ana' }, approvalId, digest });
      await offer(id, { type: 'worker.pr.opened', approvalId, pull: '#12', url: PULL, adopted: false });
      return (await ledger.query.run(id)) as Run;
    },
    run: async (id: string) => (await ledger.query.run(id)) as Run,
    kinds: async (runId: string) => (await ledger.query.effects({ runId })).map((e) => e.kind),
  };
};
