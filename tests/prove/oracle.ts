/** The oracle knows only what people saw and pressed, and what the world received. It never asks the product whether it was right. */
import { readReceipt } from '../../orchestrator/core/publish.ts';
import type { Run } from '../../orchestrator/core/run.ts';
import type { PullFacts } from '../../orchestrator/ports.ts';
import { ANA, CAT } from './process.ts';
import { strangersIn } from './world/host.ts';
import { RISKY } from './world/state.ts';
import type { Shown, World } from './world.ts';

export type Oracle = ReturnType<typeof createOracle>;

/** What somebody with the right to approve confirmed, as it was printed on the button that they pressed. */
type Consent = { head: string; runId: string; what: 'open' | 'push'; used: boolean };
export type Memory = { consents: Consent[]; passedOn: string[] };

/** `autoIterate`: low-risk fixes may go out without a card. */
export const createOracle = (
  world: World,
  violate: (what: string) => void,
  { autoIterate = false }: { autoIterate?: boolean } = {},
) => {
  const consents: Consent[] = [];
  const passedOn = new Set<string>();
  const approvers = new Set([ANA, CAT]);
  const resumed = new Map<string, number>();
  let seenPushes = 0;

  const short = (sha: string): string => sha.slice(0, 6);

  /** What the code host shows is not what was approved: somebody pushed between our last look and the call, or it lied. */
  const wrong = new Set<number>();

  world.onCreate = (pull: PullFacts, mangled: boolean): void => {
    if (mangled) wrong.add(pull.number);
    const matches = (c: Consent, head: string): boolean =>
      c.what === 'open' && !c.used && c.head === short(head) && pull.headRef.includes(c.runId);
    const looked = world.record.looked[pull.headRef] ?? '';
    const consent =
      consents.find((c) => matches(c, pull.headSha)) ?? consents.find((c) => matches(c, looked));
    if (!consent)
      violate(`G1: pull request #${pull.number} (${short(pull.headSha)}) was opened without a live approval`);
    else if (consent.head !== short(pull.headSha)) wrong.add(pull.number);
    if (consent) consent.used = true;
    const receipt = readReceipt(pull.body);
    if (!receipt) violate(`G7: #${pull.number} carries no receipt`);
    // Chance may write it into the signature.
    if (/\b11\b/.test(pull.body.replaceAll(receipt?.mac ?? '', '')))
      violate(`G7: #${pull.number} shows a Telegram id`);
  };

  /** Nobody was shown yet that the branch is there: the answer to the push may be lost. */
  const unheard = ({ head, runId }: Consent): boolean =>
    !world.messages.some(
      (m) => m.html.includes(runId) && m.buttons.some((b) => b.text.startsWith(`Open PR ${head}`)),
    );

  /**
   * A push whose answer was lost is tried again, which is nothing where it finds its commit there. Where somebody deleted the
   * branch meanwhile it is made again, by the same signature: once for each time that it was deleted.
   */
  const again = (c: Consent, branch: string, sha: string): boolean => {
    const deleted = world.record.gone.filter((name) => name === branch).length;
    const pushed = world.record.pushes.filter((p) => p.branch === branch && p.sha === sha).length;
    return c.used && pushed <= 1 + deleted && unheard(c);
  };

  world.onPush = (branch, sha, pull): void => {
    const risky = world.commits.get(sha)?.files.includes(RISKY) ?? false;
    const needed = risky || (pull !== null && !autoIterate);
    if (!needed) return;
    const signed = consents.filter(
      (c) => c.what === 'push' && c.head === short(sha) && branch.includes(c.runId),
    );
    const consent = signed.find((c) => !c.used) ?? signed.find((c) => again(c, branch, sha));
    if (!consent)
      violate(
        `G6: ${short(sha)} was pushed to ${branch}${pull === null ? '' : ` of #${pull}`} without an approval`,
      );
    else consent.used = true;
  };

  world.onAgent = ({ runId, prompt, lost, session }): void => {
    for (const word of strangersIn(prompt))
      if (!passedOn.has(word)) violate(`P5: an agent of run ${runId} read the words of a stranger (${word})`);
    if (!lost || session === null) return;
    const times = (resumed.get(session) ?? 0) + 1;
    resumed.set(session, times);
    // When the clock jumps, what is said of it may come too late to be heard; each such try costs a retry.
    if (times > 8) violate(`E5: the lost conversation ${session} was resumed ${times} times`);
  };

  return {
    /** From now on this person's taps are no consent. */
    demote: (user: number): void => void approvers.delete(user),
    save: (): Memory => ({ consents: consents.map((c) => ({ ...c })), passedOn: [...passedOn] }),
    load(saved: Memory): void {
      approvers.add(CAT);
      consents.splice(0, Infinity, ...saved.consents.map((c) => ({ ...c })));
      passedOn.clear();
      wrong.clear();
      resumed.clear();
      for (const word of saved.passedOn) passedOn.add(word);
      seenPushes = world.record.pushes.length;
    },
    /** Somebody presses a button. Only what an approver presses, on the message that it was shown in, is a consent. */
    pressed(user: number, message: Shown, button: { text: string }, genuine: boolean): void {
      if (!genuine || !approvers.has(user)) return;
      if (/Let the agent/.test(button.text)) for (const word of strangersIn(message.html)) passedOn.add(word);
      const head = /^\W*Confirm\W.*?([0-9a-f]{6})/.exec(button.text)?.[1];
      if (!head) return;
      const what = /Tap Confirm to push/.test(message.html) ? 'push' : 'open';
      for (const runId of world.runIds())
        if (message.html.includes(runId)) consents.push({ head, runId, what, used: false });
    },
    typed(user: number, runId: string, chat: number): void {
      // A typed confirmation consents to the newest card that this person was shown in this chat.
      const card = world.messages.findLast(
        (m) =>
          m.chat === chat && m.html.includes(runId) && m.buttons.some((b) => /Open PR|Confirm/.test(b.text)),
      );
      const head = card?.buttons.map((b) => /([0-9a-f]{6})/.exec(b.text)?.[1]).find((h) => h !== undefined);
      if (head && approvers.has(user)) consents.push({ head, runId, what: 'open', used: false });
    },
    check(): void {
      const byHead = new Map<string, number>();
      for (const p of world.record.created) byHead.set(p.headRef, (byHead.get(p.headRef) ?? 0) + 1);
      for (const [branch, n] of byHead) if (n > 1) violate(`L6: ${n} pull requests for ${branch}`);
      for (; seenPushes < world.record.pushes.length; seenPushes += 1) {
        const push = world.record.pushes[seenPushes];
        const before = world.record.pushes.slice(0, seenPushes);
        const gone = push && world.record.gone.includes(push.branch);
        if (push && !gone && before.some((p) => p.branch === push.branch && p.sha === push.sha))
          violate(`L6: ${push.branch} was pushed twice`);
        if (push?.branch === 'main') violate('P3: the default branch was pushed to');
      }
    },
    finish(runs: readonly Run[], inbox: Record<string, number>, asked: number): void {
      if (runs.length !== asked) violate(`L3: ${asked} runs were asked for, there are ${runs.length}`);
      if ((inbox.new ?? 0) > 0) violate(`L3: ${inbox.new} inbox rows were never handled`);
      if ((inbox.dead ?? 0) > 0) violate(`${inbox.dead} inbox rows are dead letters`);
      for (const run of runs) {
        const created = world.record.created.find((p) => p.headRef.includes(run.id));
        if (run.pr && run.pr.number !== created?.number)
          violate(`G1: run ${run.id} is linked to #${run.pr.number}, which is not its own`);
        // Somebody may have pushed to it before it could be read back; then a person is told, and nothing is linked.
        const stranger = created && !world.record.pushes.some((p) => p.sha === created.headSha);
        // No code host takes an expected head: reading back is what finds it, and a person is told.
        if (created && wrong.has(created.number)) {
          if (run.pr || run.state === 'CI_WAIT' || run.state === 'REVIEW_WAIT')
            violate(`G1: #${created.number} is not what was approved, and run ${run.id} went on`);
        } else if (created && run.pr?.number !== created.number && !stranger)
          violate(
            `L6: #${created.number} was opened for run ${run.id} (${run.state}), which does not know it`,
          );
        if (run.state === 'DONE' && /^Merged/.test(run.reason) && !created?.merged)
          violate(`S2: run ${run.id} says that it was merged, and it was not`);
        if (/^The pull request was closed/.test(run.reason) && created?.state !== 'closed')
          violate(`S2: run ${run.id} says that its pull request was closed, and it is open`);
      }
    },
  };
};
