/** Follows the visitor's own runs to their end, with one hint per step, and proves each. */
import { sampleTasks } from '#playground';
import { CommandExit } from '../exit-codes.ts';
import type { Run } from '#run';
import { isTerminal } from '#model/run';
import { createMaintainer } from './simulate-maintainer.ts';
import { awaitPhoneChange, type DemoStage, type DemoWords } from './demo-stage.ts';
import { concludeRun, newCommandText, watchStory } from './play-story.ts';

export type VisitorStage = Omit<DemoStage, 'states'> & {
  runs: ReadonlyMap<string, readonly Run[]>;
  hints(words: string, more?: { typed?: string; forge?: string }): void;
};

/** Returns null when there is nothing to do; `key` identifies the step. */
const hintFor = (
  { hints: says }: DemoWords,
  run: Run,
  { isFirst }: { isFirst: boolean },
): { key: string; words: string; typed?: string; forge?: string } | null => {
  const {
    id,
    lifecycle: { state },
    gate: { approval },
    order,
    upstream: { pullRequest: pr },
  } = run;
  if (approval)
    return {
      key: `${id} ${approval.id}`,
      words: says.card({ opens: approval.kind === 'open_pr' }),
      typed: says.tap(),
    };
  if (state === 'CI_WAIT')
    return {
      key: `${id} ${state}`,
      words: says.open({ pull: pr?.id ?? '' }),
      ...(pr && { forge: pr.url }),
    };
  if (state === 'REVIEW_WAIT' && !isFirst)
    return {
      key: `${id} ${state}`,
      words: says.review({ repo: order.repo, pull: pr?.id ?? '' }),
      typed: says.merge({ number: pr?.id.slice(1) ?? '' }),
      ...(pr && { forge: pr.url }),
    };
  if (state === 'NEEDS_HUMAN_REVIEW' || state === 'PAUSED')
    return {
      key: `${id} ${state} ${run.lifecycle.epoch}`,
      words: says.waits(),
    };
  return null;
};

const isOnPhone = async ({ app }: VisitorStage, { id: runId, gate: { approval } }: Run): Promise<boolean> => {
  if (!approval) return true;
  const told = await app.ledger.query.effects({ runId, kind: 'chat_message', state: 'done' });
  return told.some(
    ({ do: what }) =>
      what.kind === 'chat_message' && what.content.view === 'gate' && what.content.approvalId === approval.id,
  );
};

/** G9: what anybody may do with the link of a pull request. */
const verifyCommand = (
  { app }: Pick<VisitorStage, 'app'>,
  { upstream: { pullRequest: pr } }: Run,
): string | null => {
  const agentpr = process.env.npm_command === undefined ? 'agentpr' : 'npx agentpr';
  return pr && `${agentpr} verify ${pr.url} --keys ${app.address}`;
};

export const printHowToVerify = (stage: VisitorStage, run: Run): void => {
  const command = verifyCommand(stage, run);
  if (command !== null) stage.transcript.note(`\n${stage.words.verify()}\n  ${command}`);
};

const concludeForExitCode = async (stage: VisitorStage, states: readonly Run[]): Promise<number> => {
  try {
    await concludeRun({ ...stage, states: [...states] });
    return 0;
  } catch (error) {
    if (!(error instanceof CommandExit)) throw error;
    stage.transcript.note(stage.words.staysUp({ says: error.message }));
    return error.code;
  }
};

export const followRuns = async (
  visitorStage: VisitorStage,
  proven: ReadonlySet<string> = new Set(),
): Promise<number> => {
  const { runs, signal, words } = visitorStage;
  const done = new Set(proven);
  let worst = 0;
  const followers = new Map<string, () => Promise<void>>();
  const followerOf = (id: string, states: readonly Run[]): (() => Promise<void>) => {
    const known = followers.get(id);
    if (known) return known;
    const stage = { ...visitorStage, states: states as Run[], plays: false };
    const isFirst = followers.size + proven.size === 0;
    const [tell, maintain] = [watchStory(stage), createMaintainer(stage)];
    let hinted = '';
    const followVisitorRun = async (): Promise<void> => {
      const run = runs.get(id)?.at(-1);
      if (!run) return;
      const hint = hintFor(words, run, { isFirst });
      if (hint && hint.key !== hinted && (await isOnPhone(visitorStage, run))) {
        visitorStage.hints(hint.words, hint);
        hinted = hint.key;
      } else if (!hint) hinted = '';
      if (isFirst) {
        tell();
        await maintain();
      }
    };
    followers.set(id, followVisitorRun);
    return followVisitorRun;
  };
  while (!signal.aborted) {
    for (const [id, states] of [...runs]) {
      if (done.has(id)) continue;
      await followerOf(id, states)();
      const last = runs.get(id)?.at(-1);
      if (!last || !isTerminal(last.lifecycle.state)) continue;
      done.add(id);
      worst = Math.max(worst, await concludeForExitCode(visitorStage, runs.get(id) ?? []));
      printHowToVerify(visitorStage, last);
      visitorStage.hints(words.hints.over({ goal: sampleTasks[1]?.goal ?? '' }), {
        typed: words.hints.another(),
      });
    }
    await awaitPhoneChange(visitorStage);
  }
  return worst;
};

/** Places a first order, so that there is something to decide at once. */
export const orderFirst = ({
  ana,
  transcript,
  story,
}: Pick<DemoStage, 'ana' | 'transcript' | 'story'>): void => {
  const order = newCommandText(story);
  ana.sends(order);
  transcript.says('Ana', order);
};
