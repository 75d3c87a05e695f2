/** Offers what was asked for the second time as a note of its repository, once (E21). */
import { z } from 'zod';
import { countPersonRequests, findRepeatedRequest, readNotes } from '#repository-notes';
import { repositoryOf, type Run } from '../kernel/run/run.ts';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';
import type { SystemClock } from '#ports/processes';
import type { ChatReply, InboxRow, IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

const MAX_EARLIER_RUNS = 60;
const Body = z.object({ type: z.literal('note_offer'), runId: z.string() });

/** Null where a run was asked for nothing since it was written last. */
export const findNoteOfferInboxItem = (run: Run, before: Run | null): IncomingItem | null => {
  const wishes = countPersonRequests(run);
  if (wishes === 0 || (before && countPersonRequests(before) === wishes)) return null;
  return {
    source: 'note',
    key: `note_offer:${run.id}:${wishes}`,
    body: { type: 'note_offer', runId: run.id } satisfies z.infer<typeof Body>,
  };
};

/** The words of a stranger are here only after a person had an agent follow them; a tap of an approver keeps them. */
export const offerRepeatedRequest = async (
  ledger: Ledger,
  row: InboxRow,
  clock: SystemClock,
): Promise<void> => {
  const { runId } = Body.parse(row.body);
  const { query } = ledger;
  const run = await query.run(runId);
  const settle = (replies: ChatReply[]): Promise<void> =>
    ledger.settleInbox(row.id, { kind: 'done', note: 'wishes compared', replies }, clock.now());
  if (!run || run.order.chat === null) return settle([]);
  const repo = repositoryOf(run);
  const of = { fullName: repo, id: run.target.base?.repoId ?? '' };
  const [live, ended, notes] = await Promise.all([
    query.runs({ live: true, limit: MAX_EARLIER_RUNS, repo: of }),
    query.runs({ live: false, limit: MAX_EARLIER_RUNS, repo: of }),
    readNotes(ledger, repo),
  ]);
  const known = notes.map(({ text }) => text);
  const found = await findRepeatedRequest(run, [...live, ...ended], known);
  if (!found) return settle([]);
  const { text, from, before } = found;
  const slot = `note:${repo.toLowerCase()}:${sha256Hex(text).slice(0, 24)}`;
  if ((await query.told(slot)) !== null) return settle([]);
  await settle([
    {
      chat: run.order.chat,
      slot,
      show: { view: 'note_offer', repo, text, from, before, kept: null },
      urgent: false,
      sound: false,
      runId: run.id,
    },
  ]);
};
