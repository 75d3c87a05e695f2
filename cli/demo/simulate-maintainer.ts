/** Plays the maintainer: re-runs checks, requests changes once, and merges. */
import { LANGUAGE_TEXTS } from '#language';
import type { Run } from '#run';
import { waitForPace, findMessageWithButton, type DemoStage } from './demo-stage.ts';

const WAIT_MS = 10_000;

export const isWaitingForMaintainer = (run: Run | undefined): boolean =>
  run?.lifecycle.state === 'NEEDS_HUMAN_REVIEW' &&
  (run.lifecycle.reason.kind === 'rerun_refused' ||
    (run.lifecycle.reason.kind === 'maybe_flaky' && run.target.fork !== null));

const isDealtWith = ({ review: { triage, chosenRemarks: talk, pendingReplies: replying } }: Run): boolean =>
  triage === null && talk.length === 0 && replying === null;

export const createMaintainer = (stage: DemoStage) => {
  const { ana, github, transcript, states, story, plays, words } = stage;
  let asked: string | null = null;
  let merged = false;
  const runsAgain = async (): Promise<void> => {
    const repo = github.repo(story.repo);
    const newest = [...new Map(repo.checkRuns.map((one) => [one.name, one])).values()];
    if (newest.some(({ status }) => status !== 'completed')) return;
    if (newest.every(({ conclusion }) => conclusion === 'success')) return;
    const findRetryMessage = (): ReturnType<typeof findMessageWithButton> =>
      findMessageWithButton(ana, (text) => text === LANGUAGE_TEXTS.en.buttons.retry);
    const message = plays
      ? await ana.waitFor(findRetryMessage, { deadlineMs: WAIT_MS }).catch(() => null)
      : null;
    if (message) transcript.showMessage(message);
    transcript.says(words.maintainer(), words.reruns());
    repo.rerunCi();
  };
  return async (): Promise<void> => {
    const repo = github.repo(story.repo);
    const run = states.at(-1);
    const pull = repo.pulls.find(({ number }) => `#${number}` === run?.upstream.pullRequest?.id);
    if (merged || !pull) return;
    if (isWaitingForMaintainer(run)) return runsAgain();
    if (run?.lifecycle.state !== 'REVIEW_WAIT' || run.change.pushedHead?.sha !== pull.headSha) return;
    const { number } = pull;
    await waitForPace(stage);
    if (asked === null && story.wish !== null) {
      asked = pull.headSha;
      const { wish } = story;
      const [body, comments] = typeof wish === 'string' ? [wish, []] : ['', wish];
      const said = [body, ...comments.map((one) => `\n${one.path}:${one.line}: ${one.body}`)].join('');
      transcript.says(words.maintainer(), words.requests({ number, said }));
      repo.review(number, { state: 'CHANGES_REQUESTED', body, comments });
    } else if (asked !== pull.headSha && isDealtWith(run)) {
      merged = true;
      transcript.says(words.maintainer(), words.mergesThere({ number }));
      repo.review(number, { state: 'APPROVED' });
      await repo.merge(number);
    }
  };
};
