/** Handles read-only commands and taps. */
import { planLog, gradesIn } from '#reports';
import type { ArgumentsOf } from '#commands';
import { attentionOf } from '#kernel';
import { STATE_TRAITS } from '#model/run';
import { cutText } from '#model/values';
import type { ReportDays } from '#model/reports';
import { repositoryOf, type Run } from '#run';
import { redactSecrets } from '../../text-safety/index.ts';
import type { AnswerButton } from '../views/screen-rows.ts';
import { renderPending } from '../views/waiting-list.ts';
import { renderRuns, renderStatus } from '../views/fleet-screen.ts';
import { renderBudget, renderLogCaption, renderPlan } from '../views/repository-facts.ts';
import { renderGreeting, renderHelp } from '../views/welcome-screen.ts';
import { renderDetail } from '../views/run-detail.ts';
import { publicParts, renderParts } from '../views/public-text.ts';
import { stateHeading, runName, showsFix } from '../views/scene.ts';
import { openViewer } from './view-change.ts';
import {
  findRun,
  htmlReply,
  cardCopy,
  plainReply,
  refuseUpdate,
  screenReply,
  settleUpdate,
  viewReply,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import { renderInsights } from '../views/insights-screen.ts';
import { renderReport } from '../views/report-screen.ts';
import { renderCosts } from '../views/cost-screen.ts';
import { atLeast } from '#model/settings';
import { momentText, escapedSentence, escapeHtml } from '../text/telegram-html.ts';
import { joinParts } from '../text/catalogue.ts';

export const showBoard = async (c: CommandContext): Promise<void> => {
  const { board: words, calendar } = c.words;
  const address = c.host.board?.address() ?? null;
  if (!c.host.board || address === null) return settleUpdate(c, 'board', plainReply(words.off));
  if (!c.private) return refuseUpdate(c, 'board', plainReply(words.alone));
  const link = await c.host.board.access.issueLink({ id: c.user, name: c.name });
  if (link === null) return refuseUpdate(c, 'board', plainReply(c.words.roles.stranger(c.user)));
  if ('retryAt' in link)
    return refuseUpdate(
      c,
      'board',
      plainReply(words.retry(momentText(link.retryAt, c.clock.now(), calendar))),
    );
  const url = `${address}/board/enter/${link.token}`;
  // Bot API, InlineKeyboardButton: an address of this machine is none for a button.
  const reply = address.startsWith('https://')
    ? htmlReply(escapedSentence(words.link), [[{ verb: 'say', text: words.open, runId: '', opens: url }]])
    : htmlReply(`${escapedSentence(words.link)}\n${escapeHtml(url)}`);
  return settleUpdate(c, 'board', reply);
};

export const showReport = async (
  c: CommandContext,
  { file, ...about }: ArgumentsOf<'report'>['about'],
): Promise<void> => {
  if (!c.services.reports) return settleUpdate(c, 'report', plainReply(c.words.replies.noneFits));
  if (file) return settleUpdate(c, 'report', viewReply({ view: 'report', ...about }, null));
  const { report: found, late } = await c.services.reports.report(about);
  const { html, buttons } = renderReport(found, late, c.words);
  await settleUpdate(c, 'report', screenReply(c, html, buttons));
};

export const showInsights = async (c: CommandContext, days: ReportDays): Promise<void> => {
  if (!c.services.reports) return settleUpdate(c, 'insights', plainReply(c.words.replies.noneFits));
  const { html, buttons } = renderInsights(await c.services.reports.insights(days), c.role, c.words);
  await settleUpdate(c, 'insights', screenReply(c, html, buttons));
};

/** P7: a raise holds at once; whatever waited for it goes on. */
export const showCosts = async (c: CommandContext, raise: string | null): Promise<void> => {
  const { costs } = c.services;
  if (!costs) return settleUpdate(c, 'cost', plainReply(c.words.replies.noneFits));
  if (raise !== null && !atLeast(c.role, 'admin'))
    return refuseUpdate(c, 'role', plainReply(c.words.roles.needs('admin')));
  if (raise !== null && !(await costs.raise(raise, { id: c.user, name: c.name })))
    return settleUpdate(c, 'no such limit', plainReply(c.words.costs.noSuchLimit));
  const { html, buttons } = renderCosts(await costs.read(), c.role, c.words);
  await settleUpdate(c, 'cost', screenReply(c, html, buttons as never));
};

const MAX_SCREEN_RUNS = 200;
/** The oldest of many live runs may wait for a decision. */
const MAX_RUNS_WAITING = 1_000;

export const showStatus = async (c: CommandContext): Promise<void> => {
  const [runs, counts] = await Promise.all([
    c.ledger.query.runs({ live: true, limit: MAX_SCREEN_RUNS }),
    c.ledger.query.counts(),
  ]);
  const { html, buttons } = renderStatus(runs, counts, c.clock.now(), c.words);
  await settleUpdate(c, 'status', htmlReply(html, buttons));
};

export const showRuns = async (c: CommandContext): Promise<void> => {
  const newest = await c.ledger.query.runs({ live: false, limit: 15 });
  const { html, buttons } = renderRuns(newest, c.clock.now(), c.words);
  await settleUpdate(c, 'runs', htmlReply(html, buttons));
};

export const showPending = async (c: CommandContext): Promise<void> => {
  const live = await c.ledger.query.runs({ live: true, limit: MAX_RUNS_WAITING });
  const { html, buttons } = renderPending(live, c.clock.now(), c.words);
  await settleUpdate(c, 'pending', htmlReply(html, buttons));
};

export const showHelp = async (c: CommandContext, topic: string | null, before = ''): Promise<void> => {
  const { html, buttons } = renderHelp(topic, c.role, c.words, before);
  await settleUpdate(c, 'help', screenReply(c, html, buttons));
};

/** The board links to a run as `/start run-<id>`, because Telegram has no address for a card. */
export const showGreeting = async (c: CommandContext, payload: string | null): Promise<void> => {
  const [, id] = /^run-([\w-]{1,60})$/.exec(payload ?? '') ?? [];
  const run = id === undefined ? null : await findRun(c.ledger.query, id);
  return run ? showRun(c, run) : showWelcome(c);
};

const showWelcome = async (c: CommandContext): Promise<void> => {
  // Telegram accepts a user's own menu only after their first message.
  if (c.private) c.people.onMember?.(c.user);
  const newest = await c.ledger.query.runs({ live: false, limit: MAX_SCREEN_RUNS });
  const own = newest.filter(({ order }) => order.chat === c.chat || order.requester.id === c.user);
  const used = (own.length > 0 ? own : newest).map(({ order }) => order.repo);
  const who = { name: c.name, role: c.role, repositories: [...new Set(used)] };
  const { html, buttons } = renderGreeting({ ...who, account: c.host.account?.() ?? null }, c.words);
  await settleUpdate(c, 'greeting', htmlReply(html, buttons));
};

export const renderRunDetail = async (
  c: CommandContext,
  run: Run,
): Promise<ReturnType<typeof renderDetail>> => {
  const { query } = c.ledger;
  const [attempts, events, approval] = await Promise.all([
    query.attempts(run.id),
    query.events(run.id),
    run.gate.approval ? query.approval(run.gate.approval.id) : Promise.resolve(null),
  ]);
  const serverUrl = c.host.serverUrl === undefined ? {} : { serverUrl: c.host.serverUrl };
  return renderDetail(
    { run, attempts, grades: gradesIn(events), approval, patch: null, now: c.clock.now(), ...serverUrl },
    c.words,
  );
};

export const showDetail = async (c: CommandContext, run: Run): Promise<void> => {
  const { html, buttons } = await renderRunDetail(c, run);
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
  await settleUpdate(c, 'detail', htmlReply(html, [...named, ...card], run.id));
};

/** C5: secrets are hidden in the file, too. */
export const showDiff = async (c: CommandContext, run: Run): Promise<void> => {
  if (!run.change.commit) return settleUpdate(c, 'diff', plainReply(c.words.diff.none(run.id), run.id));
  const theirs = run.change.foreignHead?.head ? [viewReply({ view: 'patch', since: 'theirs' }, run.id)] : [];
  const fix = showsFix(run) ? [viewReply({ view: 'patch', since: 'pushed' }, run.id)] : [];
  const whole = viewReply({ view: 'patch', since: 'base' }, run.id);
  await settleUpdate(c, 'diff', ...theirs, ...fix, whole, ...(await openViewer(c, run)));
};

/** G8: sends all text that becomes public, as a message if it fits, otherwise as a file. */
export const showPublicText = async (c: CommandContext, run: Run): Promise<void> => {
  const patch = await c.readers.patch(run.id, showsFix(run) ? 'pushed' : 'base');
  const parts = publicParts(run, patch?.messages ?? [], c.words, c.people.publicNames?.[c.user]);
  if (parts.length === 0) return settleUpdate(c, 'text', plainReply(c.words.diff.none(run.id), run.id));
  const html = renderParts(run, parts, c.words);
  if (html !== null) return settleUpdate(c, 'text', htmlReply(html, [], run.id));
  const content = redactSecrets(parts.map(([heading, words]) => `=== ${heading} ===\n${words}\n`).join('\n'));
  await settleUpdate(c, 'text', await file(c, run, 'text', `run-${run.id}-text.txt`, content, runName(run)));
};

const file = async (
  c: CommandContext,
  run: Run,
  type: string,
  name: string,
  content: string,
  caption: string,
): Promise<CommandReply> => {
  const artifact = await c.ledger.artifact({ runId: run.id, type, content, at: c.clock.now() });
  return viewReply({ view: 'document', name, caption, artifact }, run.id);
};

export const showLog = async (c: CommandContext, run: Run, step: string | null): Promise<void> => {
  const say = (text: string): Promise<void> => settleUpdate(c, 'log', plainReply(text, run.id));
  const attempts = await c.ledger.query.attempts(run.id);
  const steps = [...new Set(attempts.map((a) => a.step))];
  const newest = attempts.findLast((a) => step === null || a.step.toLowerCase() === step.toLowerCase());
  const words = c.words.log;
  if (step?.toLowerCase() === PLAN_LOG && run.agent.plan) return showPlanLog(c, run);
  if (!newest)
    return say(attempts.length === 0 ? words.none(run.id) : words.noStep(step ?? '', steps.join(', ')));
  if (newest.outcome === 'running') return say(words.running(newest.step));
  const output = [newest.stdout ?? '', newest.stderr ?? ''].filter((t) => t.trim() !== '').join('\n');
  if (output === '') return say(`${newest.step} #${newest.no} · ${newest.outcome}. ${words.empty}`);
  const name = `run-${run.id}-${newest.step.replace(/[^A-Za-z0-9]+/g, '-')}-${newest.no}.log`;
  const read = await c.readers.readLog(output);
  const caption = renderLogCaption(run, newest, read.calls, await c.readers.distillLog(read.text), c.words);
  const content = `$ ${redactSecrets(newest.command)}\n\n${read.shown}`;
  await settleUpdate(c, 'log', await file(c, run, 'log', name, content, caption));
};

const PLAN_LOG = 'plan';
const showPlanLog = async (c: CommandContext, run: Run): Promise<void> => {
  const { query } = c.ledger;
  const lines = planLog(await query.events(run.id), await query.turns(run.id));
  if (lines === '') return settleUpdate(c, 'log', plainReply(c.words.log.none(run.id), run.id));
  const name = `run-${run.id}-plan.jsonl`;
  const content = redactSecrets(lines);
  await settleUpdate(c, 'log', await file(c, run, 'log', name, content, c.words.log.plan(run.id)));
};

export const showPlan = async (c: CommandContext, run: Run): Promise<void> => {
  const html = renderPlan(run, c.words);
  await settleUpdate(
    c,
    'plan',
    html === null ? plainReply(c.words.plan.none(run.id), run.id) : htmlReply(html, [], run.id),
  );
};

export const showBudget = async (c: CommandContext, run: Run): Promise<void> =>
  settleUpdate(c, 'budget', htmlReply(renderBudget(run, c.words, c.engines.costs?.pricesAsOf), [], run.id));

export const showRun = async (c: CommandContext, run: Run): Promise<void> => {
  if (run.gate.approval) return settleUpdate(c, 'card', cardCopy(c, run.id, run.gate.approval.id));
  if (STATE_TRAITS[run.lifecycle.state].onward !== null)
    return settleUpdate(c, 'attention', viewReply(attentionOf(run), run.id));
  return showDetail(c, run);
};

export const unknownRun = async (c: CommandContext, id: string): Promise<void> => {
  const recent = (await c.ledger.query.runs({ live: false, limit: 3 })).map(
    (r) => `${r.id} (${cutText(repositoryOf(r), 40)}, ${stateHeading(r, c.words)})`,
  );
  const tail: CommandReply = plainReply(
    joinParts(
      c.words.replies.noRun(id),
      ...(recent.length > 0 ? [c.words.replies.recent, recent.join('; ')] : []),
    ),
  );
  await refuseUpdate(c, 'no such run', tail);
};
