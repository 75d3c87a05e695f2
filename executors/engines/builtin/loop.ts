/** E9: one round of the governed loop, turn after turn. */
import { randomBytes } from 'node:crypto';
import { NO_USAGE, type Usage } from '../../../orchestrator/core/facts.ts';
import { failure, type EngineFailure } from '../shared/failure.ts';
import { readReport } from '../shared/report.ts';
import type { Talk } from '../shared/talk.ts';
import type { LoopEvent } from './events.ts';
import { fitted, toldBy, type SaidMessage } from './history.ts';
import { BoxGone, createTools, type BoxTools } from './in-box.ts';
import { createTurns } from './machine.ts';
import { createModel, type ModelSaid } from './model.ts';
import { systemOf } from './prompt.ts';
import { keepOurs, keepSession, readOurs, readSession } from './session.ts';
import { limitsIn, modelOf } from './settings.ts';
import { thoughtIn, type ToolName } from './thought.ts';
import { act, type Acted } from './act.ts';
import type { ActionDecision } from './governed.ts';

/** Answers in a row that are against the contract. */
const MOST_INVALID = 3;
/** Turns before the last in which the model is told how many are left. */
const WARNED = 3;

const LOOKS: readonly ToolName[] = ['read', 'list', 'search', 'run'];
const CHANGES: readonly ToolName[] = ['read', 'list', 'search', 'patch', 'run'];

const NO_KEY =
  'No key is set for the model: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or the address of a model of your own (OPENAI_BASE_URL, ANTHROPIC_BASE_URL).';
const NO_MODEL =
  'No model is named: set "engines": {"builtin": {"args": ["-m", "<model>"]}} in agentpr.config.json, or OPENAI_MODEL or ANTHROPIC_MODEL.';
const UNCHANGED =
  'You report that it is done, but no file differs from the last commit. Make the change; if nothing has to change, report just that once more.';

const minus = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens - b.inputTokens,
  outputTokens: a.outputTokens - b.outputTokens,
  costUsd: a.costUsd - b.costUsd,
});

/** What changed since the last commit, and whose it is. */
const shieldedIn = async (tools: BoxTools, { directory, writes }: Talk): Promise<string[]> => {
  if (writes === 'nothing') return [];
  const { ok, files = [] } = await tools.use('changed', {});
  const ours = new Set(readOurs(directory));
  return ok ? files.filter((file) => !ours.has(file)) : [];
};

const converse = async (talk: Talk, tools: BoxTools): Promise<EngineFailure | null> => {
  const { model: way, directory, args, env, writes } = talk;
  const tell = (event: LoopEvent): void => talk.tell(event);
  if (way === null) return failure('auth_missing', NO_KEY);
  const name = modelOf(args)?.model ?? env[way.provider === 'anthropic' ? 'ANTHROPIC_MODEL' : 'OPENAI_MODEL'];
  if (name === undefined) return failure('bad_config', NO_MODEL);
  const limits = limitsIn(args);
  const allowed = writes === 'change' ? CHANGES : LOOKS;
  const id = talk.session?.id ?? randomBytes(12).toString('hex');
  const before = talk.session === null ? null : readSession(directory, id);
  tell({ type: 'session', id });
  tell({ type: 'model', name });
  const shielded = await shieldedIn(tools, talk);
  const system = systemOf(limits.turns, allowed, shielded);
  const ask = await createModel(way, name);

  let messages: readonly SaidMessage[] = [
    ...(before?.messages ?? []),
    { role: 'user', content: talk.prompt },
  ];
  let turns = before?.turns ?? 0;
  let decision: ActionDecision | null = before?.decision ?? null;
  let room = limits.context - limits.output;
  let invalid = 0;
  let warned = false;
  let wrote = false;
  const keep = (): void => keepSession(directory, id, { messages: [...messages], turns, decision });
  const say = (content: string): void => void (messages = [...messages, { role: 'user', content }]);
  const answer = (said: Said, results: readonly { id: string; ok: boolean; text: string }[]): void => {
    const named = results.map((one) => ({
      ...one,
      tool: said.calls.find((call) => call.id === one.id)?.name ?? '',
    }));
    messages = [
      ...messages,
      ...(said.message ? [said.message] : []),
      ...(named.length > 0 ? [toldBy(named)] : []),
    ];
  };
  const refuse = (said: Said, why: string): void => {
    answer(
      said,
      said.message === null
        ? []
        : said.calls.map((call) => ({ id: call.id, ok: false, text: `Nothing was done: ${why}.` })),
    );
    if (said.calls.length === 0 || said.message === null) say(`${why[0]?.toUpperCase()}${why.slice(1)}.`);
  };
  keep();

  const machine = createTurns();
  for (let turn = 1; turn <= limits.turns; turn += 1) {
    if (turn > 1) machine.to('THINKING');
    turns += 1;
    const used = way.used() ?? NO_USAGE;
    let said = await think();
    // The provider knows better than our estimate: once more, with much less.
    if (said.kind === 'refused' && said.failure.class === 'context_exceeded') {
      room = Math.floor(room * 0.5);
      said = await think();
    }
    const cost = minus(way.used() ?? NO_USAGE, used);
    tell({ type: 'used', usage: way.used() ?? NO_USAGE });
    const note = (how: string, lines: readonly string[] = []): void => {
      const spent = `${cost.inputTokens} in, ${cost.outputTokens} out, $${cost.costUsd.toFixed(4)}`;
      way.note([`turn ${turns} · ${machine.way().join(' → ')} · ${how} · ${spent}`, ...lines].join('\n!   '));
    };
    if (said.kind === 'refused') {
      machine.to('ENDED');
      note(`no answer: ${said.failure.class}`);
      return said.failure;
    }
    const read = said.cut
      ? { why: 'your answer was cut off because it is too long: take smaller steps' }
      : thoughtIn(said, allowed);
    if ('why' in read) {
      machine.to('EVALUATING');
      invalid += 1;
      refuse(said, read.why);
      note(`invalid: ${read.why}`);
      keep();
      // guard: E9-invalid-thoughts
      if (invalid >= MOST_INVALID)
        return failure(
          'invalid_output',
          `The model answered ${invalid} times in a row in a form that counts for nothing: ${read.why}.`,
        );
      continue;
    }
    invalid = 0;
    if (read.thought.done) {
      machine.to('EVALUATING');
      if (!warned && (await saysTooMuch(read.thought.report))) {
        warned = true;
        answer(said, []);
        say(UNCHANGED);
        note('done, but nothing changed');
        keep();
        continue;
      }
      answer(said, []);
      machine.to('ENDED');
      note('done');
      keep();
      tell({ type: 'done', report: read.thought.report });
      return null;
    }
    const acted: Acted = await act(read.thought.actions, {
      talk,
      tools,
      machine,
      shielded,
      turn: turns,
      decision,
    });
    decision = acted.decision;
    wrote ||= acted.wrote;
    const left = limits.turns - turn;
    const results = acted.results.map((one, i) =>
      left <= WARNED && i === acted.results.length - 1
        ? { ...one, text: `${one.text}\n(${left === 1 ? '1 turn is' : `${left} turns are`} left.)` }
        : one,
    );
    answer(said, results);
    keep();
    if (acted.ours.length > 0) keepOurs(directory, [...new Set([...readOurs(directory), ...acted.ours])]);
    if (acted.waits) {
      note('a person is asked', acted.lines);
      return failure('permission_denied', WAITS);
    }
    machine.to('EVALUATING');
    note('goes on', acted.lines);
  }
  machine.to('ENDED');
  return failure('budget_exceeded', `The agent used all of its ${limits.turns} turns without a report.`);

  async function think(): Promise<ModelSaid> {
    const fits = fitted(messages, system, room);
    // guard: E9-context-before-sending
    if (fits === null)
      return {
        kind: 'refused',
        failure: failure(
          'context_exceeded',
          `The conversation does not fit into the ${limits.context} tokens that the model reads (--context).`,
        ),
      };
    messages = fits;
    return ask({
      ...{ system, messages, tools: allowed, mostTokens: limits.output, signal: tools.gone },
      onPiece: () => tell({ type: 'alive' }),
    });
  }
  /** Done, by its own words, although nothing is there. */
  async function saysTooMuch(report: string): Promise<boolean> {
    const told = readReport(report);
    if (writes === 'nothing' || wrote || told.kind === 'invalid' || told.report.status !== 'done')
      return false;
    const { ok, files = [] } = await tools.use('changed', {});
    return ok && files.every((file) => shielded.includes(file));
  }
};
type Said = Extract<ModelSaid, { kind: 'said' }>;
const WAITS = 'The agent asked for a permission, and a person was to decide.';

export const converseByLoop = async (talk: Talk): Promise<void> => {
  const tools = createTools(talk);
  try {
    const wrong = await converse(talk, tools);
    if (wrong !== null) talk.tell({ type: 'failed', failure: wrong } satisfies LoopEvent);
  } catch (error) {
    // Its end tells why.
    if (!(error instanceof BoxGone) && !tools.gone.aborted) throw error;
  }
};
