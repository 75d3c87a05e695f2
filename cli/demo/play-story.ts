/** Plays the story of one run, from the order to the merge, and concludes with a replay. */
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { permissionQuestionOf, type Run } from '#run';
import { isPublishing } from '#effects';
import { cliWords } from '../language.ts';
import { replayVerdicts, describeVerdicts } from '../ledger-commands.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { provePublication } from './publication-proof.ts';
import { createAna } from './simulate-admin.ts';
import { createMaintainer, isWaitingForMaintainer } from './simulate-maintainer.ts';
import { awaitPhoneChange, findMessageWithButton, type DemoStage, type PlayedRemark } from './demo-stage.ts';
import { STATE_TRAITS } from '#model/run';
import { MINUTE } from '#model/values';
import { replayRuns } from '#audit';
import type { ChatMessage, Person } from '#playground';

/** A run's last effects go on after its end, e.g. to delete its branch. */
const waitUntilSettled = async (
  stage: Pick<DemoStage, 'ana' | 'app' | 'signal'>,
  run: Run,
): Promise<void> => {
  const isOpen = async (): Promise<boolean> => {
    const rows = await stage.app.ledger.query.effects({ runId: run.id });
    return rows.some(
      ({ state, do: what }) =>
        (state === 'pending' || state === 'claimed') &&
        (what.kind === 'remove_workspace' || what.kind === 'close_pr' || isPublishing(what)),
    );
  };
  while (!stage.signal.aborted && (await isOpen())) await awaitPhoneChange(stage);
};

const LATE_MS = 150;

const describeDeliveries = async (
  { app, github, words }: Pick<DemoStage, 'app' | 'github' | 'words'>,
  run: Run,
): Promise<string | null> => {
  const sent = [...Map.groupBy(github.deliveries(), ({ guid }) => guid).values()];
  const countTexts = (is: (copies: (typeof sent)[number]) => boolean): number => sent.filter(is).length;
  const late = countTexts((copies) =>
    copies.some(({ at, leftAt }) => leftAt !== null && leftAt - at > LATE_MS),
  );
  const lost = countTexts((copies) => copies.every(({ state }) => state === 'dropped'));
  const twice = countTexts((copies) => copies.filter(({ state }) => state === 'answered').length > 1);
  if (lost + twice === 0) return null;
  const events = await app.ledger.query.events(run.id);
  const asked = events.filter(({ type, key }) => type.startsWith('forge.') && !key.startsWith('forge:'));
  return words.deliveries({ n: sent.length, late, lost, twice, asked: asked.length });
};

const ICON = { fix: '🔧', ignore: '➖' } as const;
const iconOf = ({ does }: PlayedRemark): string => (typeof does === 'string' ? ICON[does] : '');

const createChoosing = ({ ana, transcript, story, words: says }: DemoStage) => {
  const remarks = Array.isArray(story.wish) ? (story.wish as readonly PlayedRemark[]) : [];
  const done = new Set<string>();
  let shown = false;
  return async (): Promise<boolean> => {
    const card = remarks.length === 0 ? null : findMessageWithButton(ana, (text) => text.startsWith('Start'));
    const buttons = card?.buttons.flat().map(({ text }) => text) ?? [];
    if (!card || !buttons.some((text) => text.startsWith('1 '))) return false;
    if (!shown) transcript.showMessage(card);
    shown = true;
    for (const [i, remark] of remarks.entries()) {
      const { does } = remark;
      const text = buttons.find((one) => one.startsWith(`${i + 1} `));
      if (!text) return true;
      const words = typeof does === 'string' ? null : `${i + 1} ${does.says}`;
      if (words === null ? text.includes(iconOf(remark)) : card.text.includes(words.slice(2))) continue;
      const deed = words ?? text;
      if (done.has(deed)) return true;
      done.add(deed);
      transcript.says('Ana', words === null ? says.taps({ text }) : says.replies({ text: words }));
      if (words !== null) ana.sends(words, { replyTo: card.messageId });
      else await ana.taps({ message: card.messageId, text }).answered();
      return true;
    }
    return false;
  };
};

const STORY_TIMEOUT_MS = 30 * MINUTE;
const WITHOUT = LANGUAGE_TEXTS.en.buttons.without;

const quoteArgument = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);

/** Continues once without checks that this machine cannot run, as a person may. */
const createGoingOn = ({ ana, transcript, states, words }: DemoStage) => {
  let went = false;
  return async (): Promise<boolean> => {
    if (went || states.at(-1)?.lifecycle.reason.kind !== 'base_unusable') return false;
    const findOfferCard = (person: Person): ChatMessage | null =>
      findMessageWithButton(person, (text) => text === WITHOUT);
    const card = await ana.waitFor(findOfferCard, { deadlineMs: 10_000 }).catch(() => null);
    if (!card) return false;
    went = true;
    transcript.showMessage(card);
    transcript.says('Ana', words.taps({ text: WITHOUT }));
    await ana.taps({ message: card.messageId, text: WITHOUT }).answered();
    return true;
  };
};

export const watchStory = ({
  github,
  ana,
  transcript,
  states,
  story,
  plays,
  words,
}: DemoStage): (() => void) => {
  const seen = new Set<string>();
  return () => {
    for (const check of github.repo(story.repo).checkRuns) {
      const key = `${check.id} ${check.status}`;
      if (check.status !== 'completed' || seen.has(key)) continue;
      seen.add(key);
      const mark = check.conclusion === 'success' ? '✓' : '✗';
      const commit = check.suite.sha.slice(0, 6);
      const told = words.checked({ check: check.name, commit, conclusion: check.conclusion ?? '' });
      transcript.says('CI', `${mark} ${told}`);
    }
    if (!plays) return;
    for (const m of ana.messages()) {
      const key = `message ${m.messageId}`;
      const url = states.at(-1)?.upstream.pullRequest?.url;
      if (!url || seen.has(key) || !m.text.startsWith('Pull request #')) continue;
      seen.add(key);
      transcript.showMessage(m);
    }
  };
};

export const newCommandText = ({ repo, goal, check }: DemoStage['story']): string =>
  `/new ${repo} ${goal}${check.map((c) => ` check=${quoteArgument(c)}`).join('')}`;

export const playStory = async (stage: DemoStage): Promise<object | null> => {
  const { ana, transcript, states, signal } = stage;
  const order = newCommandText(stage.story);
  ana.sends(order);
  transcript.says('Ana', order);
  const [tap, maintain, tell] = [createAna(stage), createMaintainer(stage), watchStory(stage)];
  const [goOn, choose] = [createGoingOn(stage), createChoosing(stage)];
  const until = Date.now() + STORY_TIMEOUT_MS;
  for (let run = states.at(-1); run?.lifecycle.state !== 'DONE'; run = states.at(-1)) {
    if (signal.aborted) return null;
    const tells = run && STATE_TRAITS[run.lifecycle.state].tells !== null;
    const stopped = tells && !isWaitingForMaintainer(run) && (!run || permissionQuestionOf(run) === null);
    if (stopped && (await goOn())) continue;
    if (stopped || Date.now() > until) {
      const last = ana.lastMessage();
      if (last) transcript.showMessage(last);
      const state = run?.lifecycle.state ?? null;
      const reason = run ? sayRecord(cliWords().reasons, run.lifecycle.reason) : '';
      throw new CommandExit(EXIT_CODES.failed, { kind: 'run_stuck', state, reason });
    }
    if (!(await choose())) await tap();
    tell();
    await maintain();
    await awaitPhoneChange(stage);
  }
  const last = await ana.waitFor((person) => person.messages().findLast((m) => /merged/i.test(m.text)), {
    deadlineMs: 10_000,
  });
  transcript.showMessage(last);
  return concludeRun(stage);
};

export const concludeRun = async (
  stage: Pick<DemoStage, 'app' | 'ana' | 'github' | 'transcript' | 'states' | 'story' | 'signal' | 'words'>,
): Promise<object> => {
  const { app, github, states, transcript, story, words } = stage;
  const run = states.at(-1);
  if (!run) throw new CommandExit(EXIT_CODES.failed, { kind: 'demo_without_run' });
  await waitUntilSettled(stage, run);
  const proof = await provePublication(stage, states);
  const replayed = await replayRuns(app.ledger);
  transcript.note('');
  for (const line of proof.lines) transcript.note(line);
  const way = states.map((s) => s.lifecycle.state).filter((s, i, all) => s !== all[i - 1]);
  transcript.note(words.states({ states: way.join(' → ') }));
  const deliveries = await describeDeliveries(stage, run);
  if (deliveries !== null) transcript.note(deliveries);
  for (const line of describeVerdicts(replayed)) transcript.note(line);
  if (!proof.holds || replayed.findings.length > 0)
    throw new CommandExit(EXIT_CODES.findings, { kind: 'no_proof' });
  const events = (await app.ledger.query.events(run.id)).map((e) => ({
    ...e,
    body: JSON.parse(e.body) as unknown,
  }));
  return { run, events, pulls: github.repo(story.repo).pulls, proof, verdicts: replayVerdicts(replayed) };
};
