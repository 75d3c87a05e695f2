/** Commands and taps that only show something. */
import type { Run } from '../../orchestrator/core/run.ts';
import { redact } from '../redact.ts';
import { renderPending, renderHelp, renderRuns, renderStatus } from '../views/fleet.ts';
import { renderDetail } from '../views/run.ts';
import { answer, cardCopy, plain, settle, showing, type Answers, type Context } from './context.ts';

/** Runs that one screen is made from; the counts beside them cover everything. */
const SCREEN = 200;

export const status = async (c: Context): Promise<void> => {
  const [runs, counts] = await Promise.all([
    c.ledger.query.runs({ live: true, limit: SCREEN }),
    c.ledger.query.counts(),
  ]);
  const { html, buttons } = renderStatus(runs, counts, c.words);
  await settle(c, 'status', answer(html, buttons));
};

export const runs = async (c: Context): Promise<void> => {
  const { html, buttons } = renderRuns(await c.ledger.query.runs({ live: false, limit: 15 }), c.words);
  await settle(c, 'runs', answer(html, buttons));
};

export const pending = async (c: Context): Promise<void> => {
  const { html, buttons } = renderPending(await c.ledger.query.runs({ live: true, limit: SCREEN }), c.words);
  await settle(c, 'pending', answer(html, buttons));
};

export const help = async (c: Context, before = ''): Promise<void> => {
  const { html } = renderHelp(c.words);
  await settle(c, 'help', answer(before ? `${before}\n\n${html}` : html));
};

export const detail = async (c: Context, run: Run): Promise<void> => {
  const { query } = c.ledger;
  const [attempts, approval] = await Promise.all([
    query.attempts(run.id),
    run.approval ? query.approval(run.approval.id) : Promise.resolve(null),
  ]);
  const { html, buttons } = renderDetail(
    { run, attempts, approval, patch: null, now: c.clock.now() },
    c.words,
  );
  const named = buttons.map((line) => line.map(({ verb, text }) => ({ verb, text, runId: run.id })));
  const card = run.approval ? [[{ verb: 'show', text: c.words.buttons.pending, runId: run.id }]] : [];
  await settle(c, 'detail', answer(html, [...named, ...card], run.id));
};

/** The whole change as a file. Secrets are hidden in it too (C5); the sealed bytes stay with git. */
export const diff = async (c: Context, run: Run): Promise<void> => {
  const patch = await c.patch(run.id);
  if (!patch) return settle(c, 'diff', plain(c.words.diff.none(run.id), run.id));
  const artifact = await c.ledger.artifact({
    runId: run.id,
    type: 'patch',
    content: redact(patch.text),
    at: c.clock.now(),
  });
  const caption = c.words.diff.caption(run.order.repo, run.id, patch.omitted);
  await settle(
    c,
    'diff',
    showing({ view: 'document', name: `run-${run.id}.patch`, caption, artifact }, run.id),
  );
};

/** What a person most likely wants to act upon: the live card, else what the run needs, else its details. */
export const showRun = async (c: Context, run: Run): Promise<void> => {
  if (run.approval) return settle(c, 'card', cardCopy(c, run.id, run.approval.id));
  const needs = ['NEEDS_HUMAN_REVIEW', 'PAUSED', 'PLAN_READY', 'FAILED_RETRYABLE'];
  if (needs.includes(run.state)) return settle(c, 'attention', showing({ view: 'attention' }, run.id));
  return detail(c, run);
};

export const unknownRun = async (c: Context, id: string): Promise<void> => {
  const recent = (await c.ledger.query.runs({ live: false, limit: 3 })).map(
    (r) => `${r.id} (${r.order.repo}, ${r.state})`,
  );
  const tail: Answers = plain(
    [c.words.replies.noRun(id), recent.length > 0 ? `${c.words.replies.recent} ${recent.join('; ')}` : '']
      .filter(Boolean)
      .join(' '),
  );
  await settle(c, 'no such run', tail);
};
