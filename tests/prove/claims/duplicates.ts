/** S4, F4: repeated deliveries give one row per id and one transition per event. */
import { randomUUID } from 'node:crypto';
import { tellStory, TO_REVIEW } from '../../../bench/story.ts';
import { createLedger } from '../../../db/ledger/ledger.ts';
import { openStore } from '../../../db/directory/open-ledger.ts';
import { createPollHints } from '#kernel';
import { createInbox } from '../../../orchestrator/kernel/runtime/inbox.ts';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import { createSubmitInput } from '#runtime';
import { createDeliveryHandler } from '../../../webhooks/handle-delivery.ts';
import { closeServer, createHttpServer, listenOn } from '../../../webhooks/http-server.ts';
import { WEBHOOK_PATH, createReceiver } from '../../../webhooks/receiver.ts';
import { signPayload } from '../../../webhooks/verify-signature.ts';
import * as github from '../../support/github-payloads.ts';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createRandom, type Random } from '../random.ts';
import { spread } from '../spread.ts';

const bar = { quick: 4_000, full: 100_000 };
const SECRET = 'the secret of both receivers';
/** Two hooks report each event, and each delivery arrives twice. */
const EACH = 4;
const PER_RUN = 25;
const AT_ONCE = 32;
const FROM = 1_700_000_000_000;

type Happening = { runId: string; name: string; body: string; ids: [string, string] };
type Delivery = { happening: Happening; receiver: 0 | 1 };

const tell = async (count: number, ledger: Ledger): Promise<Happening[]> => {
  const happenings: Happening[] = [];
  for (let r = 0; r * PER_RUN < count; r += 1) {
    const run = await tellStory({ ledger, from: FROM, claims: true }, `dup${r}`, TO_REVIEW);
    const repository = {
      id: Number(run.target.base?.repoId),
      node_id: 'R_1',
      name: run.id,
      full_name: run.order.repo,
    };
    for (let i = 0; i < PER_RUN && happenings.length < count; i += 1) {
      const name = `check ${i}`;
      const check = {
        id: i,
        name,
        head_sha: run.change.pushedHead?.sha,
        started_at: new Date(FROM + i * 1_000).toISOString(),
      };
      const body = JSON.stringify(github.checkRun(check, { repository }));
      happenings.push({ runId: run.id, name, body, ids: [randomUUID(), randomUUID()] });
    }
  }
  return happenings;
};

/** Shuffled in windows, so that related deliveries stay close. */
const mixed = (happenings: readonly Happening[], random: Random): Delivery[] => {
  const all = happenings.flatMap((happening): Delivery[] =>
    ([0, 1, 0, 1] as const).map((receiver) => ({ happening, receiver })),
  );
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.max(0, i - random.int(60));
    const [a, b] = [all[i], all[j]];
    if (a && b) [all[i], all[j]] = [b, a];
  }
  return all;
};

export const play: Play = async ({ seed, from, count }, progress) => {
  const violations: string[] = [];
  const violate = (what: string): void => void violations.push(`--only duplicates --seed ${seed}: ${what}`);
  const { store, key } = await openStore({ dataDir: ':memory:' });
  const clock = { now: () => FROM + 1_000_000 };
  const ledger = createLedger({ store, key, boot: 'the only one', now: () => clock.now() });
  let nonces = 0;
  const ids = { runId: () => 'r', nonce: () => `nonce${(nonces += 1)}`.padEnd(16, 'x') };
  const submit = createSubmitInput({ ledger, clock, ids });
  const hints = createPollHints({ ledger, clock });
  const log: LogPort = {
    debug: () => {},
    info: () => {},
    warn: ({ ...fields }) => violate(JSON.stringify(fields)),
    error: (fields) => violate(String((fields as { err?: unknown }).err)),
  };
  const none = async (): Promise<void> => undefined;
  const handlers = {
    forge: createDeliveryHandler({
      submit,
      ledger,
      hints,
      clock,
      mayWork: async () => true,
      forget: () => {},
      labelled: () => {},
      released: () => {},
      followed: () => {},
    }),
    chat: none,
    cli: none,
    note: none,
  };
  const inbox = createInbox({ ledger, clock, log, handlers });
  const servers = [0, 1].map(() => {
    const receiver = createReceiver({
      secrets: [SECRET],
      receive: (items) => inbox.receive(items),
      hasLiveRun: (repo) => ledger.query.alive(repo),
      countUnrelated: () => {},
      log,
    });
    return createHttpServer([receiver], log);
  });
  const addresses = await Promise.all(servers.map((server) => listenOn(server, '127.0.0.1', 0)));
  const happenings = await tell(Math.ceil(count / EACH), ledger);
  const deliveries = mixed(happenings, createRandom(seed + from));
  const answers = { taken: 0, known: 0 };
  const deliver = async ({ happening, receiver }: Delivery): Promise<void> => {
    const answer = await fetch(`${addresses[receiver]}${WEBHOOK_PATH}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'check_run',
        'x-github-delivery': happening.ids[receiver] ?? '',
        'x-hub-signature-256': signPayload(SECRET, happening.body),
      },
      body: happening.body,
    });
    const said = await answer.text();
    if (answer.status === 202) answers.taken += 1;
    else if (answer.status === 200) answers.known += 1;
    else violate(`a delivery was answered with ${answer.status}: ${said}`);
  };
  for (let i = 0; i < deliveries.length; i += AT_ONCE) {
    await Promise.all(deliveries.slice(i, i + AT_ONCE).map(deliver));
    if (i % (AT_ONCE * 20) === 0) progress(i);
  }
  await Promise.all(servers.map(closeServer));
  await inbox.drain();
  const rows = await ledger.query.inboxCounts();
  if (answers.taken !== happenings.length * 2 || rows.done !== happenings.length * 2)
    violate(
      `${JSON.stringify(rows)} rows and ${answers.taken} first deliveries of ${happenings.length * 2} ids`,
    );
  let transitions = 0;
  for (const runId of new Set(happenings.map((h) => h.runId))) {
    const told = new Map<string, number>();
    for (const event of await ledger.query.events(runId)) {
      if (event.type !== 'forge.check.observed' || !event.key.startsWith('forge:')) continue;
      const { input } = JSON.parse(event.body) as { input: { check: { name: string } } };
      told.set(input.check.name, (told.get(input.check.name) ?? 0) + 1);
    }
    for (const { name } of happenings.filter((h) => h.runId === runId)) {
      const n = told.get(name) ?? 0;
      transitions += n;
      if (n !== 1) violate(`“${name}” of ${runId} moved it ${n} times`);
    }
  }
  await store.close();
  return {
    trials: deliveries.length,
    violations,
    facts: {
      happenings: happenings.length,
      rows: rows.done ?? 0,
      transitions,
      'known already': answers.known,
    },
  };
};

export const duplicates: Claim = {
  name: 'duplicates',
  says: 'deliveries of each happening by two hooks, each twice: one row for each id, one transition for each happening',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('duplicates', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
};
