/** The oracle knows only what people saw and pressed, and what the world received. It never asks the product whether it was right. */
import { readReceipt } from '../../orchestrator/core/publish.ts';
import type { Run } from '../../orchestrator/core/run.ts';
import type { PullFacts } from '../../orchestrator/ports.ts';
import { ANA } from './process.ts';
import type { Shown, World } from './world.ts';

export type Oracle = ReturnType<typeof createOracle>;

/** What somebody with the right to approve confirmed, as it was printed on the button that they pressed. */
type Consent = { head: string; runId: string; at: number; used: boolean };

export const createOracle = (world: World, clock: { now(): number }, violate: (what: string) => void) => {
  const consents: Consent[] = [];
  const approvers = new Set([ANA]);
  let seenPushes = 0;

  const short = (sha: string): string => sha.slice(0, 6);

  /** Opened in the moment between our last look at the branch and the call, in which somebody else pushed to it. */
  const raced = new Set<number>();

  world.onCreate = (pull: PullFacts): void => {
    const matches = (c: Consent, head: string): boolean =>
      !c.used && c.head === short(head) && pull.headRef.includes(c.runId);
    const looked = world.record.looked[pull.headRef] ?? '';
    const consent =
      consents.find((c) => matches(c, pull.headSha)) ?? consents.find((c) => matches(c, looked));
    if (!consent)
      violate(`G1: pull request #${pull.number} (${short(pull.headSha)}) was opened without a live approval`);
    else if (consent.head !== short(pull.headSha)) raced.add(pull.number);
    if (consent) consent.used = true;
    const receipt = readReceipt(pull.body);
    if (!receipt) violate(`G7: #${pull.number} carries no receipt`);
    if (/\b11\b/.test(pull.body)) violate(`G7: #${pull.number} shows a Telegram id`);
  };

  return {
    approvers,
    save: () => structuredClone(consents),
    load(saved: Consent[]): void {
      consents.splice(0, Infinity, ...structuredClone(saved));
      seenPushes = world.record.pushes.length;
    },
    /** Somebody presses a button. Only a Confirm of an approver, on a message in their own chat, is a consent. */
    pressed(user: number, message: Shown, button: { text: string }, genuine: boolean): void {
      const head = /^\W*(?:Confirm|Open PR|Push)\W.*?([0-9a-f]{6})/.exec(button.text)?.[1];
      if (
        !head ||
        !/Confirm/.test(button.text) ||
        !genuine ||
        !approvers.has(user) ||
        (message.chat > 0 && message.chat !== user)
      )
        return;
      for (const id of world.runIds())
        if (message.html.includes(id)) consents.push({ head, runId: id, at: clock.now(), used: false });
    },
    typed(user: number, runId: string, chat: number): void {
      // A typed confirmation consents to the newest card that this person was shown in this chat.
      const card = world.messages.findLast(
        (m) =>
          m.chat === chat && m.html.includes(runId) && m.buttons.some((b) => /Open PR|Confirm/.test(b.text)),
      );
      const head = card?.buttons.map((b) => /([0-9a-f]{6})/.exec(b.text)?.[1]).find((h) => h !== undefined);
      if (head && approvers.has(user)) consents.push({ head, runId, at: clock.now(), used: false });
    },
    check(): void {
      const byHead = new Map<string, number>();
      for (const p of world.record.created) byHead.set(p.headRef, (byHead.get(p.headRef) ?? 0) + 1);
      for (const [branch, n] of byHead) if (n > 1) violate(`L6: ${n} pull requests for ${branch}`);
      for (; seenPushes < world.record.pushes.length; seenPushes += 1) {
        const push = world.record.pushes[seenPushes];
        const before = world.record.pushes.slice(0, seenPushes);
        if (push && before.some((p) => p.branch === push.branch && p.sha === push.sha))
          violate(`L6: ${push.branch} was pushed twice`);
        if (push?.branch === 'main') violate('P3: the default branch was pushed to');
      }
    },
    finish(runs: readonly Run[], inbox: Record<string, number>, asked: number): void {
      if (runs.length !== asked) violate(`L3: ${asked} runs were asked for, there are ${runs.length}`);
      if ((inbox.new ?? 0) > 0) violate(`L3: ${inbox.new} inbox rows were never handled`);
      if ((inbox.dead ?? 0) > 0) violate(`${inbox.dead} inbox rows are dead letters`);
      for (const run of runs) {
        const pull = world.record.created.find((p) => p.headRef === run.pushed?.branch);
        if (run.pr && run.pr.number !== pull?.number)
          violate(`G1: run ${run.id} is linked to #${run.pr.number}, which is not its own`);
        const created = world.record.created.find((p) => p.headRef.includes(run.id));
        // No code host takes an expected head: reading back is what finds it, and a person is told.
        if (created && raced.has(created.number)) {
          if (run.pr || run.state === 'CI_WAIT' || run.state === 'REVIEW_WAIT')
            violate(`G1: #${created.number} shows a head that nobody approved, and run ${run.id} went on`);
        } else if (created && run.pr?.number !== created.number)
          violate(
            `L6: #${created.number} was opened for run ${run.id} (${run.state}), which does not know it`,
          );
      }
    },
  };
};
