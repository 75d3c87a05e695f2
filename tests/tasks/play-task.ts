/** Plays one task through the real product: order, governed loop, box, checks, sealed commit. */
import path from 'node:path';
import type { Run } from '#run';
import type { createProduct } from '../support/product.ts';
import type { FakeModel, Turn } from '../support/fake-model.ts';
import { STATE_TRAITS } from '#model/run';
import { withButton } from '../support/persistent-person.ts';
import { git, type PreparedTask } from './prepare-task.ts';
import { scriptFix } from './script-fix.ts';

type Product = Awaited<ReturnType<typeof createProduct>>;

export type PlayedTask = {
  sealed: string | null;
  ended: string;
  sameTree: boolean;
  replay: string | null;
  firstTurn: { tokens: number; hasFile: boolean; mapHasFile: boolean | null };
  searchHasFile: boolean | null;
  turns: number;
  ms: number;
};

type Body = Readonly<Record<string, unknown>>;
type Message = { role?: unknown; content?: unknown };

const messagesIn = (body: Body): Message[] =>
  Array.isArray(body.messages) ? (body.messages as Message[]) : [];

export const answerByTurn =
  (script: readonly Turn[]) =>
  (body: Body): Turn => {
    const at = messagesIn(body).filter(({ role }) => role === 'assistant').length;
    return script[Math.min(at, script.length - 1)] ?? { say: 'There is no script.' };
  };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
const wordsOf = (messages: readonly Message[]): string =>
  messages.map(({ content }) => textOf(content)).join('\n');
const names = (text: string, files: readonly string[]): boolean => files.some((file) => text.includes(file));

const sealedIn = (product: Product, run: Run | undefined): { sealed: string | null; tree: string | null } => {
  const sealed = run?.gate.proposal?.fields.headSha ?? null;
  if (run === undefined || sealed === null) return { sealed: null, tree: null };
  const own = path.join(product.dataDir, 'runs', run.id, 'git');
  return { sealed, tree: git(own, ['rev-parse', `${sealed}^{tree}`]).trim() };
};

const replayOf = async (product: Product, run: string): Promise<string | null> => {
  const said = await product.cli(['replay', '--turns', run, '--json']);
  if (said.code !== 0) return `replay ended with ${said.code}: ${said.out}${said.err}`.slice(0, 500);
  const [told] = (JSON.parse(said.out) as { runs: { findings: unknown[]; edits: { result: string } }[] })
    .runs;
  if (told === undefined || told.findings.length > 0 || told.edits.result !== 'same')
    return JSON.stringify(told).slice(0, 500);
  return null;
};

const TASK_DEADLINE_MS = 600_000;
const SEALED_BUTTONS = /^(Open PR|Review risks)\b/;

const waitForEnd = async (product: Product, repo: string): Promise<string> => {
  const { ana } = product;
  let started = false;
  const look = (): string | null => {
    const cards = ana.messages().filter(({ text }) => text.includes(repo));
    if (cards.some(withButton(SEALED_BUTTONS))) return 'card';
    const plan = cards.findLast(withButton(/^Start$/));
    if (plan !== undefined && !started) {
      started = true;
      ana.taps({ message: plan.messageId, text: /^Start$/ });
      return null;
    }
    const run = product.run(repo);
    if (run === undefined || STATE_TRAITS[run.lifecycle.state].life === 'active') return null;
    return `${run.lifecycle.state} ${JSON.stringify(run.lifecycle.reason)}`;
  };
  try {
    return await product.waitFor(look, { what: `${repo} to end`, deadlineMs: TASK_DEADLINE_MS });
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 2_000) : String(error);
  }
};

export const playTask = async (
  product: Product,
  model: FakeModel | null,
  prepared: PreparedTask,
  form: 'blocks' | 'diff',
): Promise<PlayedTask> => {
  const { task } = prepared;
  const repo = `tasks/${task.id}`;
  await product.github.addRepo({ owner: 'tasks', name: task.id, from: prepared.dir });
  const asked = model?.requests.length ?? 0;
  model?.answers(answerByTurn(scriptFix(prepared, form)));
  const began = performance.now();
  product.ana.sends(`/new ${repo} ${task.goal} check="${task.check}" install=none`);
  const ended = await waitForEnd(product, repo);
  const ms = performance.now() - began;
  const run = product.run(repo);
  const { sealed, tree } = sealedIn(product, run);
  const turns = run === undefined ? [] : product.look().turns(run.id);
  const requests = model?.requests.slice(asked) ?? [];
  const first = messagesIn(requests[0]?.body ?? {});
  const maps = first.filter(({ role }) => role === 'user').slice(1);
  const searched = messagesIn(requests[1]?.body ?? {}).filter(({ role }) => role === 'tool');
  return {
    sealed,
    ended,
    sameTree: tree !== null && tree === prepared.fixedTree,
    replay: run === undefined ? 'there is no run' : await replayOf(product, run.id),
    firstTurn: {
      tokens: turns[0]?.context.tokens ?? 0,
      hasFile: names(wordsOf(first), task.files),
      mapHasFile: maps.length === 0 ? null : names(wordsOf(maps), task.files),
    },
    searchHasFile: searched.length === 0 ? null : names(wordsOf(searched), task.files),
    turns: turns.length,
    ms,
  };
};
