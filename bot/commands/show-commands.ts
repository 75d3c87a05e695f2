/** Handles read-only commands and taps. */
import { renderPlanLog, readAttemptGrades } from '#reports';
import type { ArgumentsOf } from '#commands';
import { attentionView } from '#kernel';
import { isAgentWorking, STATE_TRAITS } from '#model/run';
import { cutText } from '#model/values';
import type { ReportDays } from '#model/reports';
import { repositoryOf, type Run } from '#run';
import { redactSecrets } from '../../text-safety/index.ts';
import type { AnswerButton } from '../views/screen-rows.ts';
import { renderPending } from '../views/waiting-list.ts';
import { renderRuns, renderStatus } from '../views/fleet-screen.ts';
import { renderPlan } from '../views/plan-screen.ts';
import { renderLogCaption } from '../views/log-caption.ts';
import { renderBudget } from '../views/budget-screen.ts';
import { renderGreeting, renderHelp } from '../views/welcome-screen.ts';
import { renderDetail } from '../views/run-detail.ts';
import { publicParts, renderParts } from '../views/public-text.ts';
import { stateHeading, runName, showsFix } from '../views/run-lines.ts';
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
import { renderInsights } from '../views/reports/insights-screen.ts';
import { renderReport } from '../views/reports/report-screen.ts';
import { renderCosts } from '../views/reports/cost-screen.ts';
import { momentText, escapeSentence, escapeHtml } from '../text/telegram-html.ts';
import { joinParts } from '../text/sentence-catalogue.ts';

export const showBoard = async (context: CommandContext): Promise<void> => {
  const { board: words, calendar } = context.words;
  const address = context.host.board?.address() ?? null;
  if (!context.host.board || address === null) return settleUpdate(context, 'board', plainReply(words.off));
  if (!context.private) return refuseUpdate(context, 'board', plainReply(words.alone));
  const link = await context.host.board.access.issueLink({ id: context.user, name: context.name });
  if (link === null)
    return refuseUpdate(context, 'board', plainReply(context.words.roles.stranger(context.user)));
  if ('retryAt' in link)
    return refuseUpdate(
      context,
      'board',
      plainReply(words.retry(momentText(link.retryAt, context.clock.now(), calendar))),
    );
  const url = `${address}/board/enter/${link.token}`;
  // Bot API, InlineKeyboardButton: an address of this machine is none for a button.
  const reply = address.startsWith('https://')
    ? htmlReply(escapeSentence(words.link), [[{ verb: 'say', text: words.open, runId: '', opens: url }]])
    : htmlReply(`${escapeSentence(words.link)}\n${escapeHtml(url)}`);
  return settleUpdate(context, 'board', reply);
};

export const showReport = async (
  context: CommandContext,
  { file, ...about }: ArgumentsOf<'report'>['about'],
): Promise<void> => {
  if (!context.services.reports)
    return settleUpdate(context, 'report', plainReply(context.words.replies.noneFits));
  if (file) return settleUpdate(context, 'report', viewReply({ view: 'report', ...about }, null));
  const { report: found, late } = await context.services.reports.report(about);
  const { html, buttons } = renderReport(found, late, context.words);
  await settleUpdate(context, 'report', screenReply(context, html, buttons));
};

export const showInsights = async (context: CommandContext, days: ReportDays): Promise<void> => {
  if (!context.services.reports)
    return settleUpdate(context, 'insights', plainReply(context.words.replies.noneFits));
  const { html, buttons } = renderInsights(
    await context.services.reports.insights(days),
    context.role,
    context.words,
  );
  await settleUpdate(context, 'insights', screenReply(context, html, buttons));
};

/** P7: a raise holds at once; whatever waited for it goes on. */
export const showCosts = async (c: CommandContext, raise: string | null): Promise<void> => {
  const { costs } = c.services;
  if (!costs) return settleUpdate(c, 'cost', plainReply(c.words.replies.noneFits));
  const by = { id: c.user, name: c.name };
  if (raise !== null && !(await costs.raise({ key: raise, by, cause: c.row.key })))
    return settleUpdate(c, 'no such limit', plainReply(c.words.costs.noSuchLimit));
  const { html, buttons } = renderCosts(await costs.read(), c.role, c.words);
  await settleUpdate(c, 'cost', screenReply(c, html, buttons as never));
};

const MAX_SCREEN_RUNS = 200;
/** The oldest of many live runs may wait for a decision. */
const MAX_RUNS_WAITING = 1_000;

export const showStatus = async (context: CommandContext): Promise<void> => {
  const [runs, counts] = await Promise.all([
    context.ledger.query.runs({ live: true, limit: MAX_SCREEN_RUNS }),
    context.ledger.query.counts(),
  ]);
  const { html, buttons } = renderStatus(runs, counts, context.clock.now(), context.words);
  await settleUpdate(context, 'status', htmlReply(html, buttons));
};

export const showRuns = async (context: CommandContext): Promise<void> => {
  const newest = await context.ledger.query.runs({ live: false, limit: 15 });
  const { html, buttons } = renderRuns(newest, context.clock.now(), context.words);
  await settleUpdate(context, 'runs', htmlReply(html, buttons));
};

export const showPending = async (context: CommandContext): Promise<void> => {
  const live = await context.ledger.query.runs({ live: true, limit: MAX_RUNS_WAITING });
  const { html, buttons } = renderPending(live, context.clock.now(), context.words);
  await settleUpdate(context, 'pending', htmlReply(html, buttons));
};

export const showHelp = async (context: CommandContext, topic: string | null, before = ''): Promise<void> => {
  const { html, buttons } = renderHelp(topic, context.role, context.words, before);
  await settleUpdate(context, 'help', screenReply(context, html, buttons));
};

/** The board links to a run as `/start run-<id>`, because Telegram has no address for a card. */
export const showGreeting = async (context: CommandContext, payload: string | null): Promise<void> => {
  const [, id] = /^run-([\w-]{1,60})$/.exec(payload ?? '') ?? [];
  const run = id === undefined ? null : await findRun(context.ledger.query, id);
  return run ? showRun(context, run) : showWelcome(context);
};

const showWelcome = async (context: CommandContext): Promise<void> => {
  // Telegram accepts a user's own menu only after their first message.
  if (context.private) context.people.onMember?.(context.user);
  const newest = await context.ledger.query.runs({ live: false, limit: MAX_SCREEN_RUNS });
  const own = newest.filter(
    ({ order }) => order.chat === context.chat || order.requester.id === context.user,
  );
  const used = (own.length > 0 ? own : newest).map(({ order }) => order.repo);
  const who = { name: context.name, role: context.role, repositories: [...new Set(used)] };
  const { html, buttons } = renderGreeting(
    { ...who, account: context.host.account?.() ?? null },
    context.words,
  );
  await settleUpdate(context, 'greeting', htmlReply(html, buttons));
};

export const renderRunDetail = async (
  context: CommandContext,
  run: Run,
): Promise<ReturnType<typeof renderDetail>> => {
  const { query } = context.ledger;
  const [attempts, events, approval] = await Promise.all([
    query.attempts(run.id),
    query.events(run.id),
    run.gate.approval ? query.approval(run.gate.approval.id) : Promise.resolve(null),
  ]);
  const serverUrl = context.host.serverUrl === undefined ? {} : { serverUrl: context.host.serverUrl };
  return renderDetail(
    {
      run,
      attempts,
      grades: readAttemptGrades(events),
      approval,
      patch: null,
      now: context.clock.now(),
      ...serverUrl,
    },
    context.words,
  );
};

export const showDetail = async (context: CommandContext, run: Run): Promise<void> => {
  const { html, buttons } = await renderRunDetail(context, run);
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
    ? [[{ verb: 'show', text: context.words.buttons.card, runId: run.id }]]
    : [];
  await settleUpdate(context, 'detail', htmlReply(html, [...named, ...card], run.id));
};

/** C5: secrets are hidden in the file, too. */
export const showDiff = async (context: CommandContext, run: Run): Promise<void> => {
  const { state, resumeState } = run.lifecycle;
  // A card that waits shows what is finished.
  const isWorking = isAgentWorking(state) && run.gate.approval === null;
  const isHeld = state === 'PAUSED' && resumeState !== null && isAgentWorking(resumeState);
  const { diff } = context.words;
  const unfinished = isHeld || isWorking ? [viewReply({ view: 'patch', since: 'unfinished' }, run.id)] : [];
  if (!run.change.commit && unfinished.length > 0) return settleUpdate(context, 'diff', ...unfinished);
  if (!run.change.commit) return settleUpdate(context, 'diff', plainReply(diff.none(run.id), run.id));
  const theirs = run.change.foreignHead?.head ? [viewReply({ view: 'patch', since: 'theirs' }, run.id)] : [];
  const fix = showsFix(run) ? [viewReply({ view: 'patch', since: 'pushed' }, run.id)] : [];
  const whole = viewReply({ view: 'patch', since: 'base' }, run.id);
  await settleUpdate(
    context,
    'diff',
    ...unfinished,
    ...theirs,
    ...fix,
    whole,
    ...(await openViewer(context, run)),
  );
};

/** G8: sends all text that becomes public, as a message if it fits, otherwise as a file. */
export const showPublicText = async (context: CommandContext, run: Run): Promise<void> => {
  const patch = await context.readers.patch(run.id, showsFix(run) ? 'pushed' : 'base');
  const parts = publicParts(
    run,
    patch?.messages ?? [],
    context.words,
    context.people.publicNames?.[context.user],
  );
  if (parts.length === 0)
    return settleUpdate(context, 'text', plainReply(context.words.diff.none(run.id), run.id));
  const html = renderParts(run, parts, context.words);
  if (html !== null) return settleUpdate(context, 'text', htmlReply(html, [], run.id));
  const content = redactSecrets(parts.map(([heading, words]) => `=== ${heading} ===\n${words}\n`).join('\n'));
  await settleUpdate(
    context,
    'text',
    await createFileReply(context, run, 'text', `run-${run.id}-text.txt`, content, runName(run)),
  );
};

const createFileReply = async (
  context: CommandContext,
  run: Run,
  type: string,
  name: string,
  content: string,
  caption: string,
): Promise<CommandReply> => {
  const artifact = await context.ledger.artifact({ runId: run.id, type, content, at: context.clock.now() });
  return viewReply({ view: 'document', name, caption, artifact }, run.id);
};

export const showLog = async (context: CommandContext, run: Run, step: string | null): Promise<void> => {
  const replyWith = (text: string): Promise<void> => settleUpdate(context, 'log', plainReply(text, run.id));
  const attempts = await context.ledger.query.attempts(run.id);
  const steps = [...new Set(attempts.map((a) => a.step))];
  const newest = attempts.findLast((a) => step === null || a.step.toLowerCase() === step.toLowerCase());
  const words = context.words.log;
  if (step?.toLowerCase() === PLAN_LOG && run.agent.plan) return showPlanLog(context, run);
  if (!newest)
    return replyWith(attempts.length === 0 ? words.none(run.id) : words.noStep(step ?? '', steps.join(', ')));
  if (newest.outcome === 'running') return replyWith(words.running(newest.step));
  const output = [newest.stdout ?? '', newest.stderr ?? ''].filter((t) => t.trim() !== '').join('\n');
  if (output === '') return replyWith(`${newest.step} #${newest.no} · ${newest.outcome}. ${words.empty}`);
  const name = `run-${run.id}-${newest.step.replace(/[^A-Za-z0-9]+/g, '-')}-${newest.no}.log`;
  const read = await context.readers.readLog(output);
  const caption = renderLogCaption(
    run,
    newest,
    read.steps.filter((one) => one.kind === 'call'),
    await context.readers.distillLog(read.text),
    context.words,
  );
  const content = `$ ${redactSecrets(newest.command)}\n\n${read.shown}`;
  await settleUpdate(context, 'log', await createFileReply(context, run, 'log', name, content, caption));
};

const PLAN_LOG = 'plan';
const showPlanLog = async (context: CommandContext, run: Run): Promise<void> => {
  const { query } = context.ledger;
  const lines = renderPlanLog(await query.events(run.id), await query.turns(run.id));
  if (lines === '') return settleUpdate(context, 'log', plainReply(context.words.log.none(run.id), run.id));
  const name = `run-${run.id}-plan.jsonl`;
  const content = redactSecrets(lines);
  await settleUpdate(
    context,
    'log',
    await createFileReply(context, run, 'log', name, content, context.words.log.plan(run.id)),
  );
};

export const showPlan = async (context: CommandContext, run: Run): Promise<void> => {
  const html = renderPlan(run, context.words);
  await settleUpdate(
    context,
    'plan',
    html === null ? plainReply(context.words.plan.none(run.id), run.id) : htmlReply(html, [], run.id),
  );
};

export const showBudget = async (context: CommandContext, run: Run): Promise<void> =>
  settleUpdate(
    context,
    'budget',
    htmlReply(renderBudget(run, context.words, context.engines.costs?.listOfPrices()), [], run.id),
  );

export const showRun = async (context: CommandContext, run: Run): Promise<void> => {
  if (run.gate.approval)
    return settleUpdate(context, 'card', cardCopy(context, run.id, run.gate.approval.id));
  if (STATE_TRAITS[run.lifecycle.state].onward !== null)
    return settleUpdate(context, 'attention', viewReply(attentionView(run), run.id));
  return showDetail(context, run);
};

export const answerUnknownRun = async (context: CommandContext, id: string): Promise<void> => {
  const recent = (await context.ledger.query.runs({ live: false, limit: 3 })).map(
    (r) => `${r.id} (${cutText(repositoryOf(r), 40)}, ${stateHeading(r, context.words)})`,
  );
  const tail: CommandReply = plainReply(
    joinParts(
      context.words.replies.noRun(id),
      ...(recent.length > 0 ? [context.words.replies.recent, recent.join('; ')] : []),
    ),
  );
  await refuseUpdate(context, 'no such run', tail);
};
