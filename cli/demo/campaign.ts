/**
 * The third scene: one order for ten repositories. Ana starts a few, then takes alike changes with
 * one card and the others one by one; maintainers merge; what failed is left, and told.
 */
import { verdicts, tellVerdicts } from '../ledger-commands.ts';
import { Exit, EXIT } from '../exit.ts';
import { LANGUAGES } from '../../bot/language/language.ts';
import { standingOf, type Mark } from '../../orchestrator/core/campaign/standing.ts';
import { isOver } from '../../orchestrator/core/campaign/campaign.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { SECOND } from '../../orchestrator/core/units.ts';
import { replay } from '../../orchestrator/engine/replay.ts';
import { createAna } from './ana.ts';
import { manyGoal } from './many.ts';
import { awaitNews, withButton, type Playing } from './playing.ts';
import { proveRun, type Proof } from './proof.ts';

export type Many = Omit<Playing, 'states' | 'story'> & {
  repos: readonly string[];
  /** All states of each run, by its id. */
  runs: ReadonlyMap<string, readonly Run[]>;
};

const PATIENCE = 600 * SECOND;
const words = LANGUAGES.en;

const newest = ({ runs }: Many): Run[] => [...runs.values()].flatMap((states) => states.at(-1) ?? []);
const tallyOf = (m: Many): Map<Mark, Run[]> => Map.groupBy(newest(m), (run) => standingOf(run).mark);

/** Whoever looks after a repository merges what is green. */
const createMaintainers = (m: Many) => {
  const merged = new Set<string>();
  return async (): Promise<void> => {
    for (const run of newest(m)) {
      const repo = m.github.repo(run.order.repo);
      const [pull] = repo.pulls;
      if (run.lifecycle.state !== 'REVIEW_WAIT' || !pull || merged.has(run.id)) continue;
      merged.add(run.id);
      m.transcript.says('maintainer', `approves and merges ${run.order.repo}#${pull.number}`);
      repo.review(pull.number, { state: 'APPROVED' });
      await repo.merge(pull.number);
    }
  };
};

/** What the repository forbids is not done there: the run is skipped. */
const createSkipping = (m: Many) => {
  const asked = new Set<string>();
  return (): void => {
    for (const {
      id,
      lifecycle: { state, reason },
    } of newest(m)) {
      if (state !== 'NEEDS_HUMAN_REVIEW' || reason.kind !== 'ai_banned' || asked.has(id)) continue;
      const told = m.ana.messages().findLast(({ text }) => text.includes(reason.quote.slice(0, 20)));
      if (!told) continue;
      asked.add(id);
      m.transcript.shows(told);
      const line = `/skip ${id} their rules say no`;
      m.transcript.says('Ana', line);
      m.ana.sends(line);
    }
  };
};

/** Every repository has come to its end, or to where only a person can help. */
const isThrough = (m: Many): boolean => {
  const marks = tallyOf(m);
  const n = (...some: Mark[]): number => some.reduce((sum, mark) => sum + (marks.get(mark)?.length ?? 0), 0);
  return n('merged', 'done', 'skipped', 'failed', 'denied', 'cancelled') === m.repos.length;
};

const taps = async (
  { ana, transcript }: Many,
  like: (text: string) => boolean,
  shows = true,
): Promise<void> => {
  const card = await ana.waitFor((person) => withButton(person, like), { deadlineMs: 20 * SECOND });
  const text = card.buttons.flat().find((b) => like(b.text))?.text ?? '';
  if (shows) transcript.shows(card);
  transcript.says('Ana', `taps [ ${text} ]`);
  const { text: said } = await ana.taps({ message: card.messageId, text }).answered();
  if (said) transcript.says('bot', `(${said})`);
};

/** The same person, whose taps are counted. */
const countingTaps = (ana: Many['ana']): { ana: Many['ana']; taps: () => number } => {
  let n = 0;
  return { ana: { ...ana, taps: (button) => ((n += 1), ana.taps(button)) }, taps: () => n };
};

/** Null when it was left. */
export const playMany = async (given: Many): Promise<object | null> => {
  const counting = countingTaps(given.ana);
  const m = { ...given, ana: counting.ana };
  const { ana, app, transcript, repos, plays, signal } = m;
  const order = `/batch ${repos.join(' ')} ${manyGoal}`;
  ana.sends(order);
  transcript.says('Ana', order);
  const [tap, merge, skip] = [createAna(m), createMaintainers(m), createSkipping(m)];
  const until = plays ? Date.now() + PATIENCE : Infinity;
  const over = async (): Promise<boolean> => {
    const [campaign] = await app.ledger.query.campaigns();
    return plays ? isThrough(m) : campaign !== undefined && isOver(campaign) && isThrough(m);
  };
  while (!(await over())) {
    if (signal.aborted) return null;
    if (Date.now() > until) {
      const stuck = newest(m).map(
        (run) => `${run.order.repo}: ${run.lifecycle.state} (${run.lifecycle.reason.kind})`,
      );
      throw new Exit(EXIT.failed, `The campaign did not come to its end:\n${stuck.join('\n')}`);
    }
    if (plays) {
      await tap();
      skip();
    }
    await merge();
    await awaitNews(m);
  }
  if (plays) {
    const { buttons } = words.campaign;
    const n = (mark: Mark): number => tallyOf(m).get(mark)?.length ?? 0;
    await taps(m, (text) => text === buttons.look, false);
    const merged = words.campaign.merged(
      n('merged'),
      repos.length,
      Math.round((n('merged') * 100) / repos.length),
    );
    transcript.shows(await ana.waitForMessage(merged, { deadlineMs: 20 * SECOND }));
    await taps(m, (text) => text === buttons.close, false);
    await taps(m, (text) => text === buttons.cancel(n('failed')));
  }
  return conclude(m, counting.taps());
};

const conclude = async (m: Many, tapped: number): Promise<object> => {
  const { app, ana, github, transcript, runs } = m;
  const proofs: [string, Proof][] = [];
  for (const states of runs.values()) {
    const run = states.at(-1);
    if (run?.upstream.pullRequest) proofs.push([run.order.repo, await proveRun(app.ledger, github, states)]);
  }
  const replayed = await replay(app.ledger);
  transcript.note('');
  for (const [repo, { holds, seal }] of proofs)
    transcript.note(
      `  ${holds ? '✔' : '✘'} ${repo}: one pull request, exactly what was approved (seal ${seal.slice(0, 10)}…)`,
    );
  const marks = [...tallyOf(m)].map(([mark, own]) => `${own.length} ${mark}`).join(', ');
  const sounds = ana.messages().filter(({ from, silent }) => from !== ana.name && !silent).length;
  transcript.note(`${runs.size} repositories: ${marks}; ${tapped} taps, ${sounds} sounds.`);
  for (const line of tellVerdicts(replayed)) transcript.note(line);
  if (proofs.some(([, { holds }]) => !holds) || replayed.findings.length > 0)
    throw new Exit(EXIT.findings, 'The proof does not hold; see above.');
  const [campaign] = await app.ledger.query.campaigns();
  return {
    campaign,
    runs: newest(m).map(({ id, order, lifecycle: { state, reason } }) => ({
      id,
      repo: order.repo,
      state,
      reason,
    })),
    proofs: Object.fromEntries(proofs),
    taps: tapped,
    sounds,
    verdicts: verdicts(replayed),
  };
};
