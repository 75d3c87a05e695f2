/** Turns labelled issues into campaigns, by polling and by webhooks (F5). */
import { admitArrival, type CampaignTrigger } from '#model/schedule';
import type { Order, Person } from '#model/order';
import { cutText, DAY, MINUTE, SECOND } from '#model/values';
import { isWrongArgument } from '#model/chat';
import { toCampaignRequest, plainCampaign, readOrder, type NewOrder } from '#orders';
import { OutsideFailure, type LabelledIssue } from '#ports/forge';
import type { ForgeIssues, ForgeRepository } from '#ports/roles';
import type { SystemClock, LogPort, TimerPort } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { campaignIdOf } from '../kernel/runtime/run-ids.ts';
import { campaignPlanInboxItem } from './plan-campaign.io.ts';
import { startRepeatingJob, type RepeatingJob } from '#limits';
import { neutralisePlainText, showInvisible } from '#text-safety';

const LONGEST_TITLE = 160;
/** A message counts markup characters several times. */
const MAX_ISSUE_TEXT_LENGTH = 2_400;
const costOf = (sign: string): number => (/[<>&"]/.test(sign) ? 6 : sign.length);

/** Removes markup, references, addresses and variables. */
export const cleanIssueTitle = (title: string): string => {
  const line = neutralisePlainText(showInvisible(title).replace(/\s+/g, ' '))
    .replace(/\{(?=\{)/g, '{ ')
    .trim();
  return line === '' ? 'What the issue asks for' : cutText(line, LONGEST_TITLE);
};

export const quoteIssue = (title: string, body: string): string => {
  const whole = showInvisible(`${title.replace(/\s+/g, ' ')}\n\n${body}`).trim();
  let [room, end] = [MAX_ISSUE_TEXT_LENGTH, 0];
  for (const sign of whole) {
    if ((room -= costOf(sign)) < 0) break;
    end += sign.length;
  }
  const left = whole.length - end;
  return left === 0 ? whole : `${whole.slice(0, end)}\n… (${left} more characters stand in the issue)`;
};

export type WatchedRepository = { repo: string; label: string; perDay: number; chat: string };

const LABEL_POLL_INTERVAL_MS = 5 * MINUTE;

type Parts = {
  watched: readonly WatchedRepository[];
  forge: Pick<ForgeRepository, 'repo'> & Pick<ForgeIssues, 'labelled' | 'askedBy'>;
  query: Pick<Ledger['query'], 'campaign' | 'campaigns'>;
  clock: SystemClock;
  log: Pick<LogPort, 'info' | 'error'>;
  orderOf: (given: NewOrder, by: Person, chat: string) => { order: Order } | { refused: string };
  receive: (items: IncomingItem[]) => Promise<unknown>;
};

export const isWatchedIn =
  (watched: readonly WatchedRepository[]) =>
  (fullName: string): boolean =>
    watched.some(({ repo }) => repo.toLowerCase() === fullName.toLowerCase());

export const createIssuePoller = ({ watched, forge, query, clock, log, orderOf, receive }: Parts) => {
  const settled = new Map<string, number>();
  let sent: { id: string; state: 'planned'; plannedAt: number; origin: CampaignTrigger }[] = [];

  const allCampaigns = async () => {
    const known = await query.campaigns();
    const ids = new Set(known.map(({ id }) => id));
    sent = sent.filter(
      ({ id, plannedAt }) => !ids.has(id) && plannedAt > clock.now() - LABEL_POLL_INTERVAL_MS,
    );
    return [...known, ...sent];
  };

  const handleIssue = async (
    at: WatchedRepository,
    home: string,
    repoId: string,
    issue: LabelledIssue,
  ): Promise<boolean> => {
    const name = `${at.repo}${issue.id}`;
    const settleIssue = (why: string): true => {
      log.info({ issue: name }, why);
      settled.set(name, issue.updatedAt);
      return true;
    };
    const asked = await forge.askedBy(at.repo, issue.id, at.label);
    if (!asked) return settleIssue('nobody is known to have given the label');
    // guard: F5-labelled-by-writer
    if (asked.bot || asked.access !== 'write' || asked.by === null)
      return settleIssue(
        `the label of ${asked.by ?? 'nobody'} counts for nothing: ${asked.bot ? 'a program' : asked.access}`,
      );
    const key = `issue:${repoId}${issue.id}:${asked.event}`;
    const id = campaignIdOf(key);
    if (await query.campaign(id)) return settleIssue('its preview was shown');
    const url = `${home}/issues/${issue.id.slice(1)}`;
    const origin: CampaignTrigger = { kind: 'issue', repo: at.repo, issue: issue.id, by: asked.by, url };
    const now = clock.now();
    const admitted = admitArrival(await allCampaigns(), origin, now, at.perDay);
    if (admitted.kind === 'open') return settleIssue('its preview waits already');
    const batch = batchOf(at, issue, origin);
    if ('refused' in batch) return settleIssue(`it comes to no order: ${batch.refused}`);
    const taken = admitted.kind === 'taken';
    // The planner reports that the limit is reached; the key changes daily, so it is offered again.
    await receive([
      campaignPlanInboxItem(taken ? key : `${key}:${Math.floor(now / DAY)}`, { id, ...batch.asked }),
    ]);
    if (!taken) return false;
    sent.push({ id, state: 'planned', plannedAt: now, origin });
    return settleIssue('its preview is being made');
  };

  const batchOf = (
    at: WatchedRepository,
    { title, body }: LabelledIssue,
    origin: Extract<CampaignTrigger, { kind: 'issue' }>,
  ) => {
    const words = cleanIssueTitle(title);
    const given = readOrder(origin.url, words, []);
    if (isWrongArgument(given)) return { refused: given.problem?.kind ?? 'wrong' };
    const by = { id: null, name: `${origin.by} on ${at.repo}` };
    const made = orderOf(given.value, by, at.chat);
    if ('refused' in made) return made;
    const quoted = { url: origin.url, text: quoteIssue(title, body) };
    const batch = plainCampaign({
      name: cutText(words, 80),
      named: [{ repo: at.repo, host: null, vars: {} }],
      queries: [],
      order: given.value,
    });
    return { asked: { ...toCampaignRequest(batch, { ...made.order, quoted }), origin, perDay: at.perDay } };
  };

  return {
    async round(only: ReadonlySet<string> | null, stopped: () => boolean = () => false): Promise<void> {
      for (const at of watched) {
        if (stopped() || (only && !only.has(at.repo.toLowerCase()))) continue;
        try {
          const fresh = (await forge.labelled(at.repo, at.label)).filter(
            ({ id, updatedAt }) => settled.get(`${at.repo}${id}`) !== updatedAt,
          );
          if (fresh.length === 0) continue;
          const { id, htmlUrl } = await forge.repo(at.repo);
          for (const issue of fresh) if (stopped() || !(await handleIssue(at, htmlUrl, id, issue))) break;
        } catch (error) {
          if (!(error instanceof OutsideFailure)) throw error;
          log.info({ repo: at.repo, why: error.message }, 'labelled issues could not be looked at now');
        }
      }
    },
  };
};

const LABEL_NEWS_WINDOW_MS = SECOND;

type LabelledRounds = RepeatingJob & {
  hint(fullName: string): void;
};

export const startIssuePolls = (parts: Parts & { timers: TimerPort }): LabelledRounds => {
  const labelled = createIssuePoller(parts);
  let hinted = new Set<string>();
  let wholeAt = -Infinity;
  const rounds = startRepeatingJob({
    timers: parts.timers,
    every: LABEL_POLL_INTERVAL_MS,
    soon: LABEL_NEWS_WINDOW_MS,
    round: async (stopped) => {
      const now = parts.clock.now();
      const whole = now - wholeAt >= LABEL_POLL_INTERVAL_MS || now < wholeAt;
      const only = whole ? null : hinted;
      hinted = new Set();
      if (whole) wholeAt = now;
      try {
        await labelled.round(only, stopped);
      } catch (error) {
        parts.log.error({ err: error }, 'labelled issues could not be looked at');
      }
    },
  });
  return {
    ...rounds,
    hint(fullName) {
      hinted.add(fullName.toLowerCase());
      rounds.soon();
    },
  };
};
