/** The oracle: judges by what people saw and pressed, and what the world received. */
import { readReceipt } from '../../pull-text/pull-body.ts';
import type { Run } from '#run';
import type { PullFacts } from '#ports/forge';
import { readCard, readCluster, reads, type Said } from './card.ts';
import { ANA, CAT } from './process.ts';
import { strangersIn } from './world/host.ts';
import { movedOn, RISKY } from './world/state.ts';
import type { Shown, World } from './world.ts';

export type Oracle = ReturnType<typeof createOracle>;

/** An approver's confirmation, as printed on the card. */
type Consent = Said & { user: string; runId: string; at: number; used: boolean; pushed: boolean };
export type Memory = { consents: Consent[]; passedOn: string[]; taken: string[] };

export type Rules = {
  clock: { now(): number };
  /** Allows low-risk fixes without a card. */
  autoIterate?: boolean;
  /** Nothing may be pushed before an approval. */
  pushesAfter?: boolean;
  /** Number of required signatures. */
  signers?: number;
  /** Lifetime of a card (ms). */
  approvalMs?: number;
};

export const createOracle = (
  world: World,
  violate: (what: string) => void,
  { clock, autoIterate = false, pushesAfter = false, signers = 1, approvalMs = Infinity }: Rules,
) => {
  const consents: Consent[] = [];
  const passedOn = new Set<string>();
  /** Adopted commits of others, by run and head. */
  const taken = new Set<string>();
  const approvers = new Set([ANA, CAT]);
  const resumed = new Map<string, number>();
  let seenPushes = 0;

  const short = (sha: string): string => sha.slice(0, 6);

  /** The code host differs from the approval: somebody pushed after our last look, or it lied. */
  const wrong = new Set<string>();

  const alike = (a: Consent, b: Consent): boolean =>
    (['runId', 'what', 'until', 'title', 'base', 'from', 'head'] as const).every((k) => a[k] === b[k]);
  /** Returns enough timely consents to the same card, or null. */
  const signed = (live: readonly Consent[], fits: (c: Consent) => boolean = () => true): Consent[] | null => {
    const cards = live.map((one) => live.filter((c) => alike(c, one)));
    const whole = cards.filter((same) => new Set(same.map((c) => c.user)).size >= signers);
    return whole.find((same) => same.some(fits)) ?? whole[0] ?? null;
  };
  const inTime = ({ at, until }: Consent): boolean => until === null || at < until;

  world.onCreate = (pull: PullFacts, mangled: boolean): void => {
    if (mangled) wrong.add(pull.id);
    const looked = world.record.looked[pull.headRef] ?? [];
    const named = consents.filter((c) => c.what !== 'push' && !c.used && pull.headRef.includes(c.runId));
    const to = (head: string): Consent[] | null =>
      signed(
        named.filter((c) => inTime(c) && c.head === short(head)),
        (c) => reads(c.title, pull.title) && c.base === pull.baseRef,
      );
    const seen = looked.map((head) => (head === null ? null : to(head)));
    const consent = to(pull.headSha) ?? seen.find((one) => one !== null) ?? null;
    const [said] = consent ?? [];
    if (!consent || !said)
      violate(
        `G1: pull request ${pull.id} (${short(pull.headSha)}) was opened without a live approval by ${signers}`,
      );
    else if (said.head !== short(pull.headSha)) wrong.add(pull.id);
    for (const c of consent ?? []) c.used = true;
    if (said) compare(pull, said, mangled);
    const receipt = readReceipt(pull.body);
    if (!receipt) violate(`G7: ${pull.id} carries no receipt`);
    // A random MAC may contain the id.
    if (pull.body.replaceAll(receipt?.mac ?? '', '').includes(ANA))
      violate(`G7: ${pull.id} shows a Telegram id`);
  };

  /** G8: the published text must match the signed card. */
  const compare = (pull: PullFacts, said: Said, mangled: boolean): void => {
    if (!mangled && !reads(said.title, pull.title))
      violate(`G8: ${pull.id} is called ${pull.title}, and the card said ${said.title}`);
    if (pull.baseRef !== said.base)
      violate(`G8: ${pull.id} goes to ${pull.baseRef}, and the card said ${said.base}`);
    const base = world.commits.get(pull.headSha)?.base;
    if (base && short(base) !== said.from && !wrong.has(pull.id))
      violate(`G8: ${pull.id} starts from ${short(base)}, and the card said ${said.from}`);
    if (pull.draft || pull.maintainerCanModify)
      violate(`G8: ${pull.id} is a draft or lets maintainers push, and no card said so`);
  };

  /** Nobody has been told of the branch: the push's answer may be lost. */
  const unheard = ({ head, runId }: Consent): boolean =>
    !world.messages.some(
      (m) =>
        m.more.includes(runId) &&
        readCard(m)?.head === head &&
        m.buttons.some((b) => b.text.startsWith('Open PR')),
    );

  /** The same signature may push a deleted branch again, once per deletion. */
  const again = (c: Consent, branch: string, sha: string): boolean => {
    const deleted = world.record.gone.filter((name) => name === branch).length;
    const pushed = world.record.pushes.filter((p) => p.branch === branch && p.sha === sha).length;
    return c.pushed && pushed <= 1 + deleted && unheard(c);
  };

  const rootOf = (base: string | undefined): string | null =>
    Object.values(world.repo.bases).find((sha) => movedOn(sha) === base) ?? null;
  /** F12: moves after the product's last look cannot be seen; earlier ones count. */
  const isAtHome = (branch: string, sha: string, pull: string): boolean => {
    const root = rootOf(world.commits.get(sha)?.base);
    const shown = world.record.shown[pull];
    if (root === null || shown === undefined) return true;
    const earlier = world.record.pushes.filter((p) => p.branch === branch && p.sha !== sha);
    return (
      world.repo.bases[shown] === root ||
      world.repo.bases[world.repo.renamed[shown] ?? ''] === root ||
      earlier.some((p) => rootOf(world.commits.get(p.sha)?.base) === root)
    );
  };
  world.onStranger = (what): void => violate(`F12: a ${what} went to a repository that has our former name`);

  world.onPush = (branch, sha, pull): void => {
    if (pull !== null && !isAtHome(branch, sha, pull))
      violate(`F12: ${short(sha)} brings commits of another base than that of #${pull} to ${branch}`);
    const risky = world.commits.get(sha)?.files.includes(RISKY) ?? false;
    const needed = pushesAfter || risky || (pull !== null && !autoIterate);
    if (!needed) return;
    const named = consents.filter(
      (c) => c.what !== 'open' && c.head === short(sha) && branch.includes(c.runId) && inTime(c),
    );
    const consent =
      signed(named.filter((c) => !c.pushed)) ?? signed(named.filter((c) => again(c, branch, sha)));
    if (!consent)
      violate(
        `G6: ${short(sha)} was pushed to ${branch}${pull === null ? '' : ` of #${pull}`} without an approval by ${signers}`,
      );
    for (const c of consent ?? []) c.pushed = true;
  };

  world.onAgent = ({ runId, prompt, lost, session }): void => {
    for (const word of strangersIn(prompt))
      if (!passedOn.has(word)) violate(`P5: an agent of run ${runId} read the words of a stranger (${word})`);
    if (!lost || session === null) return;
    const times = (resumed.get(session) ?? 0) + 1;
    resumed.set(session, times);
    // Clock jumps delay results, and each such try costs a retry.
    if (times > 8) violate(`E5: the lost conversation ${session} was resumed ${times} times`);
  };

  const consentTo = (user: string, message: Shown): void => {
    for (const said of readCluster(message))
      consents.push({ ...said, user, at: clock.now(), used: false, pushed: false });
    const said = readCard(message);
    if (!said) return;
    if (said.until !== null && said.until - message.at > approvalMs)
      violate(`G3: a card of ${message.at} may be decided until ${said.until}, longer than the order allows`);
    for (const runId of world.runIds())
      if (message.more.includes(runId))
        consents.push({ ...said, user, runId, at: clock.now(), used: false, pushed: false });
  };

  return {
    /** This person's taps are no consent from now on. */
    demote(user: string): void {
      approvers.delete(user);
      // Cards that others had still to sign lose this signature.
      const open = consents.filter((c) => c.user === user && !signed(consents.filter((o) => alike(o, c))));
      for (const c of open) consents.splice(consents.indexOf(c), 1);
    },
    save: (): Memory => ({
      consents: consents.map((c) => ({ ...c })),
      passedOn: [...passedOn],
      taken: [...taken],
    }),
    load(saved: Memory): void {
      approvers.add(CAT);
      consents.splice(0, Infinity, ...saved.consents.map((c) => ({ ...c })));
      passedOn.clear();
      wrong.clear();
      resumed.clear();
      for (const word of saved.passedOn) passedOn.add(word);
      taken.clear();
      for (const one of saved.taken) taken.add(one);
      seenPushes = world.record.pushes.length;
    },
    /** Only an approver's tap on the original message is a consent. */
    pressed(user: string, message: Shown, button: { text: string }, genuine: boolean): void {
      if (!genuine || !approvers.has(user)) return;
      if (/Let the agent/.test(button.text)) for (const word of strangersIn(message.html)) passedOn.add(word);
      if (/^\W*Confirm/.test(button.text)) consentTo(user, message);
      const theirs = /^\W*Take their commit ([0-9a-f]{6})/.exec(button.text)?.[1];
      for (const runId of theirs === undefined ? [] : world.runIds())
        if (message.html.includes(runId)) taken.add(`${runId} ${theirs}`);
    },
    typed(user: string, runId: string, chat: string): void {
      // A typed confirmation applies to the newest card shown to this person in this chat.
      const card = world.messages.findLast(
        (m) =>
          m.chat === chat && m.more.includes(runId) && m.buttons.some((b) => /Open PR|Confirm/.test(b.text)),
      );
      if (card && approvers.has(user)) consentTo(user, card);
    },
    /** A clock that went back may accept late taps. */
    putBack(): void {
      for (const c of consents) c.at = Math.min(c.at, clock.now());
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
    /** Asserts that card and receipt show the same seal. */
    sealed(): void {
      for (const pull of world.record.created) {
        const seals = world.messages.flatMap((m) =>
          m.html.startsWith(`<b>Pull request ${pull.id} opened`)
            ? (/digest ([0-9a-f]{12})/.exec(m.html)?.[1] ?? [])
            : [],
        );
        const digest = readReceipt(pull.body)?.digest ?? '';
        // A fix that updated the description has its own seal.
        const fixes = world.messages.some((m) => m.html.includes(`digest ${digest.slice(0, 12)}`));
        if (seals.length > 0 && !fixes && !seals.some((s) => digest.startsWith(s)))
          violate(`G7: the receipt of ${pull.id} is of another digest than the card shows`);
      }
    },
    finish(runs: readonly Run[], inbox: Record<string, number>, asked: number): void {
      this.sealed();
      if (runs.length !== asked) violate(`L3: ${asked} runs were asked for, there are ${runs.length}`);
      if ((inbox.new ?? 0) > 0) violate(`L3: ${inbox.new} inbox rows were never handled`);
      if ((inbox.dead ?? 0) > 0) violate(`${inbox.dead} inbox rows are dead letters`);
      for (const run of runs) {
        for (const sha of run.change.ownCommits)
          if (
            world.commits.get(sha)?.files.endsWith(` theirs ${sha}`) &&
            !taken.has(`${run.id} ${short(sha)}`)
          )
            violate(
              `S10: run ${run.id} took ${short(sha)} for its own, and nobody who may sign it tapped on it`,
            );
        const created = world.record.created.find((p) => p.headRef.includes(run.id));
        if (run.upstream.pullRequest && run.upstream.pullRequest.id !== created?.id)
          violate(`G1: run ${run.id} is linked to ${run.upstream.pullRequest.id}, which is not its own`);
        // Somebody may have pushed before reading back; then a person is told.
        const stranger = created && !world.record.pushes.some((p) => p.sha === created.headSha);
        // Code hosts accept no expected head, so reading back must find the difference.
        if (created && wrong.has(created.id)) {
          if (
            run.upstream.pullRequest ||
            run.lifecycle.state === 'CI_WAIT' ||
            run.lifecycle.state === 'REVIEW_WAIT'
          )
            violate(`G1: ${created.id} is not what was approved, and run ${run.id} went on`);
        } else if (created && run.upstream.pullRequest?.id !== created.id && !stranger)
          violate(
            `L6: ${created.id} was opened for run ${run.id} (${run.lifecycle.state}), which does not know it`,
          );
        if (run.lifecycle.state === 'DONE' && run.lifecycle.reason.kind === 'pull_merged' && !created?.merged)
          violate(`S2: run ${run.id} says that it was merged, and it was not`);
        if (run.lifecycle.reason.kind === 'pull_closed' && created?.state !== 'closed')
          violate(`S2: run ${run.id} says that its pull request was closed, and it is open`);
      }
    },
  };
};
