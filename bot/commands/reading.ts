/** Commands and taps that only show something. */
import { attentionOf } from '../../orchestrator/core/machine/draft.ts';
import { STATE } from '../../orchestrator/core/states.ts';
import { repositoryOf, type Run } from '../../orchestrator/core/machine/run.ts';
import { cut } from '../../orchestrator/core/text.ts';
import { redact } from '../text/redact.ts';
import { renderPending, renderRuns, renderStatus, type AnswerButton } from '../views/fleet.ts';
import { renderBudget, renderLogCaption, renderPlan } from '../views/record.ts';
import { renderGreeting, renderHelp } from '../views/welcome.ts';
import { renderDetail } from '../views/detail.ts';
import { publicParts, renderParts } from '../views/public.ts';
import { heading, name, showsFix } from '../views/scene.ts';
import { gradesIn } from '../../orchestrator/engine/grades.ts';
import { openViewer } from './viewing.ts';
import {
  answer,
  cardCopy,
  plain,
  refuse,
  screen,
  settle,
  showing,
  type Answers,
  type Context,
} from './context.ts';

/** Runs that one screen is made from; the counts beside them cover everything. */
const SCREEN = 200;

export const status = async (c: Context): Promise<void> => {
  const [runs, counts] = await Promise.all([
    c.ledger.query.runs({ live: true, limit: SCREEN }),
    c.ledger.query.counts(),
  ]);
  const { html, buttons } = renderStatus(runs, counts, c.clock.now(), c.words);
  await settle(c, 'status', answer(html, buttons));
};

export const runs = async (c: Context): Promise<void> => {
  const newest = await c.ledger.query.runs({ live: false, limit: 15 });
  const { html, buttons } = renderRuns(newest, c.clock.now(), c.words);
  await settle(c, 'runs', answer(html, buttons));
};

export const pending = async (c: Context): Promise<void> => {
  const live = await c.ledger.query.runs({ live: true, limit: SCREEN });
  const { html, buttons } = renderPending(live, c.clock.now(), c.words);
  await settle(c, 'pending', answer(html, buttons));
};

export const help = async (c: Context, topic: string | null, before = ''): Promise<void> => {
  const { html, buttons } = renderHelp(topic, c.role, c.words, before);
  await settle(c, 'help', screen(c, html, buttons));
};

/** C1: who we are, what they may do, and one thing to try. */
export const greet = async (c: Context): Promise<void> => {
  // Who had not written to us before had no menu of their own.
  if (c.private) c.onMember?.(c.user);
  const newest = await c.ledger.query.runs({ live: false, limit: SCREEN });
  const own = newest.filter(({ order }) => order.chat === c.chat || order.requester.id === c.user);
  const used = (own.length > 0 ? own : newest).map(({ order }) => order.repo);
  const who = { name: c.name, role: c.role, repositories: [...new Set(used)] };
  const { html, buttons } = renderGreeting({ ...who, account: c.account?.() ?? null }, c.words);
  await settle(c, 'greeting', answer(html, buttons));
};

/** Everything that is known of one run, as a page. */
export const detailOf = async (c: Context, run: Run): Promise<ReturnType<typeof renderDetail>> => {
  const { query } = c.ledger;
  const [attempts, events, approval] = await Promise.all([
    query.attempts(run.id),
    query.events(run.id),
    run.gate.approval ? query.approval(run.gate.approval.id) : Promise.resolve(null),
  ]);
  const serverUrl = c.serverUrl === undefined ? {} : { serverUrl: c.serverUrl };
  return renderDetail(
    { run, attempts, grades: gradesIn(events), approval, patch: null, now: c.clock.now(), ...serverUrl },
    c.words,
  );
};

export const detail = async (c: Context, run: Run): Promise<void> => {
  const { html, buttons } = await detailOf(c, run);
  const named = buttons.map((line) =>
    line.map(({ verb, text, opens, copies }) => ({
      verb,
      text,
      runId: run.id,
      ...(opens === undefined ? {} : { opens }),
      ...(copies === undefined ? {} : { copies }),
    })),
  );
  const card: AnswerButton[][] = run.gate.approval
    ? [[{ verb: 'show', text: c.words.buttons.card, runId: run.id }]]
    : [];
  await settle(c, 'detail', answer(html, [...named, ...card], run.id));
};

/**
 * The whole change as a file, before it what a fix adds, and below it the same as pages. Secrets are
 * hidden in it too (C5).
 */
export const diff = async (c: Context, run: Run): Promise<void> => {
  if (!run.change.commit) return settle(c, 'diff', plain(c.words.diff.none(run.id), run.id));
  const theirs = run.change.foreignHead?.head ? [showing({ view: 'patch', since: 'theirs' }, run.id)] : [];
  const fix = showsFix(run) ? [showing({ view: 'patch', since: 'pushed' }, run.id)] : [];
  const whole = showing({ view: 'patch', since: 'base' }, run.id);
  await settle(c, 'diff', ...theirs, ...fix, whole, ...(await openViewer(c, run)));
};

/** G8: all words that become public with the change: a message when they fit one, else a file. */
export const text = async (c: Context, run: Run): Promise<void> => {
  const patch = await c.patch(run.id, showsFix(run) ? 'pushed' : 'base');
  const parts = publicParts(run, patch?.messages ?? [], c.words);
  if (parts.length === 0) return settle(c, 'text', plain(c.words.diff.none(run.id), run.id));
  const html = renderParts(run, parts, c.words);
  if (html !== null) return settle(c, 'text', answer(html, [], run.id));
  const content = redact(parts.map(([heading, words]) => `=== ${heading} ===\n${words}\n`).join('\n'));
  await settle(c, 'text', await file(c, run, 'text', `run-${run.id}-text.txt`, content, name(run)));
};

const file = async (
  c: Context,
  run: Run,
  type: string,
  name: string,
  content: string,
  caption: string,
): Promise<Answers> => {
  const artifact = await c.ledger.artifact({ runId: run.id, type, content, at: c.clock.now() });
  return showing({ view: 'document', name, caption, artifact }, run.id);
};

/** The newest output, of a step when one is named; the caption says where it went wrong. */
export const log = async (c: Context, run: Run, step: string | null): Promise<void> => {
  const say = (text: string): Promise<void> => settle(c, 'log', plain(text, run.id));
  const attempts = await c.ledger.query.attempts(run.id);
  const steps = [...new Set(attempts.map((a) => a.step))];
  const newest = attempts.findLast((a) => step === null || a.step.toLowerCase() === step.toLowerCase());
  const words = c.words.log;
  if (!newest)
    return say(attempts.length === 0 ? words.none(run.id) : words.noStep(step ?? '', steps.join(', ')));
  if (newest.outcome === 'running') return say(words.running(newest.step));
  const output = [newest.stdout ?? '', newest.stderr ?? ''].filter((t) => t.trim() !== '').join('\n');
  if (output === '') return say(`${newest.step} #${newest.no} · ${newest.outcome}. ${words.empty}`);
  const name = `run-${run.id}-${newest.step.replace(/[^A-Za-z0-9]+/g, '-')}-${newest.no}.log`;
  const read = await c.readLog(output);
  const caption = renderLogCaption(run, newest, read.calls, await c.distillLog(read.text), c.words);
  const content = `$ ${redact(newest.command)}\n\n${read.shown}`;
  await settle(c, 'log', await file(c, run, 'log', name, content, caption));
};

export const plan = async (c: Context, run: Run): Promise<void> => {
  const html = renderPlan(run, c.words);
  await settle(
    c,
    'plan',
    html === null ? plain(c.words.plan.none(run.id), run.id) : answer(html, [], run.id),
  );
};

export const budget = async (c: Context, run: Run): Promise<void> =>
  settle(c, 'budget', answer(renderBudget(run, c.words, c.costs?.pricesAsOf), [], run.id));

/**
 * What a person most likely wants to act upon: the live card, else what the run needs, else its
 * details.
 */
export const showRun = async (c: Context, run: Run): Promise<void> => {
  if (run.gate.approval) return settle(c, 'card', cardCopy(c, run.id, run.gate.approval.id));
  if (STATE[run.lifecycle.state].onward !== null)
    return settle(c, 'attention', showing(attentionOf(run), run.id));
  return detail(c, run);
};

export const unknownRun = async (c: Context, id: string): Promise<void> => {
  const recent = (await c.ledger.query.runs({ live: false, limit: 3 })).map(
    (r) => `${r.id} (${cut(repositoryOf(r), 40)}, ${heading(r, c.words)})`,
  );
  const tail: Answers = plain(
    [c.words.replies.noRun(id), recent.length > 0 ? `${c.words.replies.recent} ${recent.join('; ')}` : '']
      .filter(Boolean)
      .join(' '),
  );
  await refuse(c, 'no such run', tail);
};
