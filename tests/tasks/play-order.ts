/** Plays one order as its user: `/new`, whatever the phone asks, the taps, the opened pull request. */
import { passableEnvironment } from '#process';
import type { Run } from '#run';
import { LANGUAGE_TEXTS } from '#language';
import { localIndexes } from './check-task.ts';
import { answerByTurn } from './play-task.ts';
import { createFakeModel, type Turn } from '../support/fake-model.ts';
import { createProduct, type Product } from '../support/product.ts';
import { buttonsOf } from '../support/persistent-person.ts';
import { STATE_TRAITS } from '#model/run';
import type { Order } from './order-list.ts';
import type { PreparedOrder } from './prepare-order.ts';

export type PlayedOrder = {
  ended: string;
  /** All that the bot said last in each message, oldest first. */
  phone: string[];
  /** The card as it stood when it was tapped, and what was asked before the agent began. */
  card: string;
  stopped: string | null;
  pull: { title: string; branch: string; base: string; body: string } | null;
  run: Run | null;
  ms: number;
};

const DEADLINE_MS = 1_800_000;
/** The bot answers in the language of the order. */
const SPOKEN = [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh];
const WITHOUT = SPOKEN.map(({ buttons }) => buttons.without);
const ASKS_WHY = SPOKEN.map(({ card }) => card.saysNoReason);
const PUBLISHES_WORDS = SPOKEN.map(({ proposal }) => proposal.answers.words);
/** Looked at once before anything is opened: a high risk refuses it otherwise. */
const RISKS = SPOKEN.map(({ buttons }) => buttons.risk);
const LABELS = [
  ...(['ok', 'risk', 'open', 'push', 'start'] as const).flatMap((name) =>
    SPOKEN.map(({ buttons }) => buttons[name]),
  ),
  ...SPOKEN.map(({ permission }) => permission.allow),
  ...WITHOUT,
  ...PUBLISHES_WORDS,
];
const isLabelled = (text: string, label: string): boolean => text === label || text.startsWith(`${label} `);

type Tapped = { text: string; isStop: boolean };
const tapNext = ({ ana }: Product, { why }: Order, tapped: Set<string>): Tapped | null => {
  const card = ana
    .messages()
    .findLast((m) => buttonsOf(m).some((text) => LABELS.some((label) => isLabelled(text, label))));
  if (card !== undefined && why !== undefined && ASKS_WHY.some((asks) => card.text.includes(asks))) {
    if (!tapped.has(why)) ana.sends(why, { replyTo: card.messageId });
    tapped.add(why);
    return null;
  }
  if (card === undefined) return null;
  const keyOf = (text: string): string => `${card.messageId} ${card.edits} ${text}`;
  const choices = LABELS.flatMap((label) => buttonsOf(card).filter((text) => isLabelled(text, label)));
  const button = choices.find((text) => !RISKS.includes(text) || !tapped.has(keyOf(text)));
  if (button === undefined || tapped.has(keyOf(button))) return null;
  tapped.add(keyOf(button));
  ana.taps({ message: card.messageId, text: button });
  return { text: card.text, isStop: WITHOUT.includes(button) };
};

type End = Pick<PlayedOrder, 'ended' | 'card' | 'stopped'>;
const waitForEnd = async (product: Product, order: Order): Promise<End> => {
  const { repo } = order;
  const tapped = new Set<string>();
  const shown: Pick<End, 'card' | 'stopped'> = { card: '', stopped: null };
  let epoch = -1;
  const look = (): string | null => {
    if (!product.alive()) return 'the product ended';
    const now = tapNext(product, order, tapped);
    if (now?.isStop) shown.stopped ??= now.text;
    else if (now !== null && now.text.length > shown.card.length) shown.card = now.text;
    if (product.github.repo(repo).pulls.length > 0) return 'opened';
    const run = product.run(repo);
    if (now !== null) epoch = run?.lifecycle.epoch ?? -1;
    if (
      run === undefined ||
      run.lifecycle.epoch === epoch ||
      STATE_TRAITS[run.lifecycle.state].life === 'active'
    )
      return null;
    if (run.lifecycle.reason.kind === 'base_unusable' && shown.stopped === null) return null;
    return `${run.lifecycle.state} ${JSON.stringify(run.lifecycle.reason)}`;
  };
  try {
    const ended = await product.waitFor(look, { what: `${repo} to end`, deadlineMs: DEADLINE_MS });
    return { ended, ...shown };
  } catch (error) {
    return { ended: error instanceof Error ? error.message.slice(0, 2_000) : String(error), ...shown };
  }
};

/** An abort stops the product, which ends what it runs. */
export const playOn = async (
  product: Product,
  { order, dir, goal }: PreparedOrder,
  signal: AbortSignal,
): Promise<PlayedOrder> => {
  const [owner = '', name = ''] = order.repo.split('/');
  await product.github.addRepo({ owner, name, from: dir });
  signal.throwIfAborted();
  signal.addEventListener('abort', () => void product.stop(), { once: true });
  product.start();
  const began = performance.now();
  product.ana.sends(`/new ${order.repo} ${goal}`);
  const end = await waitForEnd(product, order);
  const ms = performance.now() - began;
  signal.throwIfAborted();
  await product.settled();
  const [pull] = product.github.repo(order.repo).pulls;
  return {
    ...end,
    phone: product.ana.messages().flatMap((m) => (m.from === 'bot' ? [m.text] : [])),
    pull:
      pull === undefined
        ? null
        : { title: pull.title, branch: pull.head, base: pull.base, body: pull.body ?? '' },
    run: product.run(order.repo) ?? null,
    ms,
  };
};

export const playOrder = async (
  prepared: PreparedOrder,
  signal: AbortSignal = new AbortController().signal,
): Promise<PlayedOrder> => {
  const { script, order } = prepared;
  const env = passableEnvironment(process.env);
  const readable = localIndexes(env);
  if (order.report === undefined) {
    const product = await createProduct({ script, webhooks: true, env, config: { readable } });
    try {
      return await playOn(product, prepared, signal);
    } finally {
      await product.close();
    }
  }
  const model = await createFakeModel();
  model.answers(answerByTurn(turnsOf(prepared, order.report)));
  const asked = {
    AGENTPR_ENGINE: 'builtin',
    OPENAI_API_KEY: 'sk-scripted',
    OPENAI_BASE_URL: `${model.url}/v1`,
  };
  const product = await createProduct({
    webhooks: true,
    env: { ...env, ...asked },
    config: { readable, engines: { builtin: { args: ['-m', 'scripted-model'] } } },
  });
  try {
    return await playOn(product, prepared, signal);
  } finally {
    await product.close();
    await model.close();
  }
};

/** Reads what the change is about, makes it, and reports as a good agent would. */
const turnsOf = (
  { patch, goal }: PreparedOrder,
  report: Readonly<Record<string, unknown>>,
): readonly Turn[] => {
  const touched = [...patch.matchAll(/^--- a\/(.+)$/gm)].map(([, path = '']) => path);
  const summary = typeof report.why === 'string' ? report.why : goal;
  return [
    { calls: touched.map((path) => ({ name: 'read', input: { path, from: 1, to: 20 } })) },
    { calls: [{ name: 'patch', input: { patch } }] },
    { report: { status: 'done', summary, ran: [], ...report } },
  ];
};
