/** Plays the third scene: one campaign for ten repositories. */
import { replayVerdicts, describeVerdicts } from '../ledger-commands.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { enTexts } from '#language';
import type { Run } from '#run';
import { runStanding, type StandingMark } from '#campaign-standing';
import { isCampaignOver } from '#model/campaign';
import { SECOND } from '#model/values';
import { replayRuns } from '#audit';
import { createAna } from './simulate-admin.ts';
import { manyGoal } from './campaign-repositories.ts';
import { awaitPhoneChange, findMessageWithButton, type DemoStage } from './demo-stage.ts';
import { provePublication, type PublicationProof } from './publication-proof.ts';

export type CampaignStage = Omit<DemoStage, 'states' | 'story'> & {
  repos: readonly string[];
  runs: ReadonlyMap<string, readonly Run[]>;
};

const CAMPAIGN_TIMEOUT_MS = 600 * SECOND;

const listNewestRuns = ({ runs }: CampaignStage): Run[] =>
  [...runs.values()].flatMap((states) => states.at(-1) ?? []);
const tallyOf = (stage: CampaignStage): Map<StandingMark, Run[]> =>
  Map.groupBy(listNewestRuns(stage), (run) => runStanding(run).mark);

const createMaintainers = (stage: CampaignStage) => {
  const merged = new Set<string>();
  return async (): Promise<void> => {
    for (const run of listNewestRuns(stage)) {
      const repo = stage.github.repo(run.order.repo);
      const [pull] = repo.pulls;
      if (run.lifecycle.state !== 'REVIEW_WAIT' || !pull || merged.has(run.id)) continue;
      merged.add(run.id);
      const { words } = stage;
      stage.transcript.says(words.maintainer(), words.merges({ repo: run.order.repo, number: pull.number }));
      repo.review(pull.number, { state: 'APPROVED' });
      await repo.merge(pull.number);
    }
  };
};

/** Skips the run whose repository forbids AI changes. */
const createSkipping = (stage: CampaignStage) => {
  const asked = new Set<string>();
  return (): void => {
    for (const {
      id,
      lifecycle: { state, reason },
    } of listNewestRuns(stage)) {
      if (state !== 'NEEDS_HUMAN_REVIEW' || reason.kind !== 'ai_banned' || asked.has(id)) continue;
      const told = stage.ana.messages().findLast(({ text }) => text.includes(reason.quote.slice(0, 20)));
      if (!told) continue;
      asked.add(id);
      stage.transcript.showMessage(told);
      const line = `/skip ${id} their rules say no`;
      stage.transcript.says('Ana', line);
      stage.ana.sends(line);
    }
  };
};

const tallyOfMarks = (stage: CampaignStage): string[] =>
  [...tallyOf(stage)].map(([mark, own]) => stage.words.tally({ n: own.length, mark }));

/** Cards may take a while: says how far the runs are, at most this often. */
const PROGRESS_MS = 4 * SECOND;
const createProgress = (stage: CampaignStage) => {
  let shown = '';
  let shownAt = Date.now();
  return (): void => {
    const line = stage.words.tallies({ marks: tallyOfMarks(stage) });
    if (line === '' || line === shown || Date.now() - shownAt < PROGRESS_MS) return;
    [shown, shownAt] = [line, Date.now()];
    stage.transcript.says(stage.words.runs(), line);
  };
};

const isThrough = (stage: CampaignStage): boolean => {
  const marks = tallyOf(stage);
  const countMarks = (...some: StandingMark[]): number =>
    some.reduce((sum, mark) => sum + (marks.get(mark)?.length ?? 0), 0);
  return countMarks('merged', 'done', 'skipped', 'failed', 'denied', 'cancelled') === stage.repos.length;
};

const tapButton = async (
  { ana, transcript, words: { taps: tapsWords } }: CampaignStage,
  like: (text: string) => boolean,
  { shows = true }: { shows?: boolean } = {},
): Promise<void> => {
  const card = await ana.waitFor((person) => findMessageWithButton(person, like), {
    deadlineMs: 20 * SECOND,
  });
  const text = card.buttons.flat().find((b) => like(b.text))?.text ?? '';
  if (shows) transcript.showMessage(card);
  transcript.says('Ana', tapsWords({ text }));
  const { text: said } = await ana.taps({ message: card.messageId, text }).answered();
  if (said) transcript.says('bot', `(${said})`);
};

const countingTaps = (ana: CampaignStage['ana']): { ana: CampaignStage['ana']; taps: () => number } => {
  let n = 0;
  return { ana: { ...ana, taps: (button) => ((n += 1), ana.taps(button)) }, taps: () => n };
};

export const playCampaign = async (given: CampaignStage): Promise<object | null> => {
  const counting = countingTaps(given.ana);
  const m = { ...given, ana: counting.ana };
  const { ana, app, transcript, repos, plays, signal } = m;
  const order = `/batch ${repos.join(' ')} ${manyGoal}`;
  ana.sends(order);
  transcript.says('Ana', order);
  const [tap, merge, skip] = [createAna(m), createMaintainers(m), createSkipping(m)];
  const progress = createProgress(m);
  const until = plays ? Date.now() + CAMPAIGN_TIMEOUT_MS : Infinity;
  const isSceneOver = async (): Promise<boolean> => {
    const [campaign] = await app.ledger.query.campaigns();
    return plays ? isThrough(m) : campaign !== undefined && isCampaignOver(campaign) && isThrough(m);
  };
  while (!(await isSceneOver())) {
    if (signal.aborted) return null;
    if (Date.now() > until) {
      const stuck = listNewestRuns(m).map(
        (run) => `${run.order.repo}: ${run.lifecycle.state} (${run.lifecycle.reason.kind})`,
      );
      throw new CommandExit(EXIT_CODES.failed, { kind: 'campaign_stuck', runs: stuck.join('\n') });
    }
    if (plays) {
      await tap();
      skip();
    }
    await merge();
    progress();
    await awaitPhoneChange(m);
  }
  if (plays) {
    const { buttons, merged: share } = enTexts.campaign;
    const countRuns = (mark: StandingMark): number => tallyOf(m).get(mark)?.length ?? 0;
    await tapButton(m, (text) => text === buttons.look, { shows: false });
    const merged = share(
      countRuns('merged'),
      repos.length,
      Math.round((countRuns('merged') * 100) / repos.length),
    );
    transcript.showMessage(await ana.waitForMessage(merged, { deadlineMs: 20 * SECOND }));
    await tapButton(m, (text) => text === buttons.close, { shows: false });
    await tapButton(m, (text) => text === buttons.cancel(countRuns('failed')));
  }
  return concludeScene(m, counting.taps());
};

const concludeScene = async (stage: CampaignStage, tapped: number): Promise<object> => {
  const { app, ana, transcript, runs, words } = stage;
  const proofs: [string, PublicationProof][] = [];
  for (const states of runs.values()) {
    const run = states.at(-1);
    if (run?.upstream.pullRequest) proofs.push([run.order.repo, await provePublication(stage, states)]);
  }
  const replayed = await replayRuns(app.ledger);
  transcript.note('');
  for (const [repo, { holds, seal }] of proofs)
    transcript.note(`  ${holds ? '✔' : '✘'} ${words.proof.one({ repo, digest: seal.slice(0, 10) })}`);
  const sounds = ana.messages().filter(({ from, silent }) => from !== ana.name && !silent).length;
  transcript.note(words.repositories({ n: runs.size, tally: tallyOfMarks(stage), taps: tapped, sounds }));
  for (const line of describeVerdicts(replayed)) transcript.note(line);
  if (proofs.some(([, { holds }]) => !holds) || replayed.findings.length > 0)
    throw new CommandExit(EXIT_CODES.findings, { kind: 'no_proof' });
  const [campaign] = await app.ledger.query.campaigns();
  return {
    campaign,
    runs: listNewestRuns(stage).map(({ id, order, lifecycle: { state, reason } }) => ({
      id,
      repo: order.repo,
      state,
      reason,
    })),
    proofs: Object.fromEntries(proofs),
    taps: tapped,
    sounds,
    verdicts: replayVerdicts(replayed),
  };
};
