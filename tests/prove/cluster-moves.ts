/** Moves around a cluster card: taps of all kinds, and members decided elsewhere. */
import { RunBounds } from '#model/limits';
import { CampaignLimits, CampaignOrder, CampaignPace } from '#model/campaign';
import { Order } from '#model/order';
import type { PatchOf } from '../../bot/commands/command-context.ts';
import { buttonOf, followed, MOVES, says, tap, type Move } from './gate-moves.ts';
import type { State } from './gate.ts';
import { ANA, BO, CAT, EVE, VIC, type Process } from './process.ts';
import type { World } from './world.ts';

const CAMPAIGN = 'c-proven';
const TEXT = [
  'diff --git a/src/retry.ts b/src/retry.ts',
  'index 1111111..2222222 100644',
  '--- a/src/retry.ts',
  '+++ b/src/retry.ts',
  '@@ -1,2 +1,2 @@',
  ' export const wait = () => {',
  '-  sleep(1);',
  '+  sleep(2);',
  '',
].join('\n');
export const PATCH: PatchOf = async () => ({ text: TEXT, omitted: 0, messages: ['Fix the retry'] });

export const startCampaign = async (
  life: Process,
  {
    members,
    chat,
    world,
    now,
    signers,
    bounds,
  }: {
    members: number;
    chat: string;
    world: World;
    now: { at: number };
    signers: number;
    bounds: Partial<RunBounds>;
  },
): Promise<void> => {
  const order = Order.parse({
    repo: 'acme/api',
    goal: 'Fix the retry',
    base: null,
    branch: null,
    title: null,
    engine: 'script',
    engineArgs: ['fix'],
    promptVersion: 'v1',
    checks: ['npm test'],
    requester: { id: BO, name: 'Bo' },
    chat,
    bounds: RunBounds.parse({ ...bounds, approvals: signers }),
    campaign: CAMPAIGN,
  });
  const { repo: _, campaign: __, ...run } = order;
  const planned = CampaignOrder.parse({
    name: 'Retries',
    excludedTargets: [],
    unseen: 0,
    run,
    targets: [{ repo: 'acme/api', vars: {} }],
    pace: CampaignPace.parse({}),
    limits: CampaignLimits.parse({}),
    requester: order.requester,
    chat,
  });
  await life.ledger.campaigns.plan({ id: CAMPAIGN, order: planned, at: now.at, by: null });
  await life.ledger.campaigns.decide(CAMPAIGN, { decision: { kind: 'started' }, by: null, at: now.at });
  for (let i = 0; i < members; i += 1) {
    const runId = `member${i}`;
    world.bear(runId);
    const input = { type: 'command.run.create', runId, order } as const;
    const given = life.submit({ runId, input, key: `cli:${runId}`, cause: { kind: 'none' } });
    while (life.life.waiting() > 0) await life.life.go();
    await given;
  }
};

const ALL = /^\W*Approve \d+$/;
const CONFIRM = /^\W*Confirm \d+$/;

const both =
  (user: string): Move =>
  async (stage) => {
    await tap(user, ALL)(stage);
    await followed(stage);
    await tap(user, CONFIRM)(stage);
  };

const picks =
  (list: RegExp): Move =>
  async (stage) => {
    await tap(ANA, list)(stage);
    await followed(stage);
    await tap(ANA, new RegExp(`^acme/api ${stage.runId}$`))(stage);
  };

const signs = (signers: 1 | 2): string[] => [
  'approver confirms all',
  ...(signers > 1 ? ['second approver takes both taps for all'] : []),
];

export const CLUSTER_STATES = (signers: 1 | 2): Record<string, State> => ({
  'card of many': { from: null, moves: [], settle: true },
  'all armed': { from: 'card of many', moves: ['approver taps Approve all'], settle: true },
  ...(signers > 1
    ? { 'all signed by one': { from: 'all armed', moves: ['approver confirms all'], settle: true } }
    : {}),
  'all confirmed, none opened': { from: 'all armed', moves: signs(signers), settle: false },
  'all opened': { from: 'all armed', moves: signs(signers), settle: true },
  'one taken out': { from: 'card of many', moves: ['approver takes one out'], settle: true },
  'one taken out, the others armed': {
    from: 'one taken out',
    moves: ['approver taps Approve all'],
    settle: true,
  },
  'one shown by itself': { from: 'card of many', moves: ['approver shows one'], settle: true },
  'one of them armed by itself': {
    from: 'one shown by itself',
    moves: ['approver taps Open PR'],
    settle: true,
  },
  'all armed, then one paused': { from: 'all armed', moves: ['pause'], settle: true },
  'all armed, then one denied': { from: 'all armed', moves: ['deny with a reason'], settle: true },
  'all armed, then one reworded': { from: 'all armed', moves: ['approver gives other words'], settle: true },
  'all armed, then a branch moved': {
    from: 'all armed',
    moves: ['somebody pushes to one branch'],
    settle: false,
  },
  'all expired': { from: 'all armed', moves: ['the card expires'], settle: true },
  'a second card of many': {
    from: 'all armed, then one denied',
    moves: ['retry at PUSHED', 'a minute and a second pass', 'the round looks'],
    settle: true,
  },
});

/** Moves of the gate that apply here as well. */
const KEPT = [
  ...['approver taps Open PR', 'approver taps Deny', 'approver gives no reason', 'approver takes both taps'],
  ...['approver types --confirm', 'second approver takes both taps', 'second approver loses the role'],
  ...['approver gives other words', 'button in another chat', 'update delivered again', 'pause', 'resume'],
  ...['cancel', 'deny with a reason', 'retry', 'retry at PUSHED', 'skip', 'done', 'the branch is deleted'],
  ...['the base conflicts', 'the maintainer merges or closes', 'the code host fails for a while'],
  ...['the code host is well again', 'a minute and a second pass', 'the card expires'],
  'somebody pushes to our branch',
] as const;

export const CLUSTER_MOVES: Record<string, Move> = {
  ...Object.fromEntries(KEPT.flatMap((name) => (MOVES[name] ? [[name, MOVES[name]] as const] : []))),
  'the round looks': async ({ life }) => life.looks(),
  'approver taps Approve all': tap(ANA, ALL),
  'approver confirms all': tap(ANA, CONFIRM),
  'approver confirms all twice': tap(ANA, CONFIRM, 2),
  'approver takes both taps for all': both(ANA),
  'approver takes both taps for all, twice': async (stage) => {
    await both(ANA)(stage);
    await both(ANA)(stage);
  },
  'second approver confirms all': tap(CAT, CONFIRM),
  'second approver takes both taps for all': both(CAT),
  'approver confirms, and so does the second': async (stage) => {
    await tap(ANA, CONFIRM)(stage);
    await tap(CAT, CONFIRM)(stage);
  },
  'approver confirms while a member is decided by itself': async (stage) => {
    await tap(ANA, CONFIRM)(stage);
    await says(CAT, 'approve_open_pr RUN --confirm')(stage);
    await says(CAT, 'deny RUN not now')(stage);
  },
  'viewer takes both taps for all': both(VIC),
  'operator takes both taps for all': both(BO),
  'stranger takes both taps for all': both(EVE),
  'approver takes one out': picks(/^Take one out$/),
  'approver shows one': picks(/^Show each$/),
  'approver goes back': tap(ANA, /^Back$/),
  'a button of many is forged': async ({ world, people, life }) => {
    const found = buttonOf(world, CONFIRM) ?? buttonOf(world, ALL);
    if (found) await people.press(life, ANA, found.message, people.forge(found.token), found.message);
  },
  'a button of many on another message': async ({ world, people, life }) => {
    const found = buttonOf(world, CONFIRM) ?? buttonOf(world, ALL);
    const elsewhere = world.messages.find((m) => m.id !== found?.message.id);
    if (found && elsewhere) await people.press(life, ANA, found.message, found.token, elsewhere);
  },
  'somebody pushes to one branch': async ({ world, runId }) => {
    for (const branch of world.repo.branches.keys()) if (branch.includes(runId)) world.pushForeign(branch);
  },
};
