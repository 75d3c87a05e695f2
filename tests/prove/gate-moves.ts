/** Moves around the gate: taps, text, people at the code host, and the clock. */
import { asStored } from './mail.ts';
import type { Oracle } from './oracle.ts';
import type { createPeople } from './people.ts';
import { ANA, BO, CAT, EVE, VIC, type Process } from './process.ts';
import type { Random } from './random.ts';
import { blank } from './world/forge.ts';
import { pullPayload, pushPayload } from './world/payloads.ts';
import { hash } from './world/state.ts';
import type { Shown, World } from './world.ts';

export type Stage = {
  life: Process;
  world: World;
  people: ReturnType<typeof createPeople>;
  oracle: Oracle;
  random: Random;
  now: { at: number };
  runId: string;
  /** Null: everybody writes in their own chat. */
  group: string | null;
};
export type Move = (stage: Stage) => Promise<void>;

export const buttonOf = (world: World, like: RegExp): { message: Shown; token: string } | null => {
  for (const message of world.messages.toReversed()) {
    const button = message.buttons.find((b) => like.test(b.text));
    if (button) return { message, token: button.token };
  }
  return null;
};

export const tap =
  (user: string, like: RegExp, times = 1): Move =>
  async ({ world, people, life }) => {
    const found = buttonOf(world, like);
    for (let i = 0; found && i < times; i += 1)
      await people.press(life, user, found.message, found.token, found.message);
  };

export const says =
  (user: string, command: string): Move =>
  ({ people, life, runId, group }) =>
    people.type(life, user, `/${command.replace('RUN', runId)}`, group ?? user);

const words =
  (as: 'edited' | 'forwarded'): Move =>
  ({ people, life, runId, group }) =>
    people.type(life, ANA, `/approve_open_pr ${runId} --confirm`, group ?? ANA, as);

/** Waits until the tap was handled. */
export const followed = async ({ life }: Stage): Promise<void> => {
  life.drain();
  for (let i = 0; i < 200 && !life.life.dead(); i += 1) {
    if (life.life.waiting() === 0) life.pump(2);
    await life.life.go();
  }
};

/** Taps twice, the second time as soon as the first was handled. */
const tapsBoth =
  (user: string): Move =>
  async (stage) => {
    await tap(user, OPEN)(stage);
    await followed(stage);
    await tap(user, CONFIRM)(stage);
  };

const told = async ({ life, random }: Stage, event: string, payload: object): Promise<void> =>
  void (await life.receive([asStored(event, payload, `guid-${random.text(12)}`)]));

const OPEN = /^\W*Open PR/;
const RISKS = /^\W*Review risks/;
const CONFIRM = /^\W*Confirm/;
const TAKE = /^\W*Take their commit/;
const ANY = /./;

export const MOVES: Record<string, Move> = {
  'approver reviews the risks': tap(ANA, RISKS),
  'approver taps Open PR': tap(ANA, OPEN),
  'approver taps Confirm': tap(ANA, CONFIRM),
  'approver taps Confirm twice': tap(ANA, CONFIRM, 2),
  'approver taps Deny': tap(ANA, /^\W*Deny/),
  'approver says why': tap(ANA, /^Too big$/),
  'approver gives no reason': tap(ANA, /^No reason$/),
  'approver taps Back': tap(ANA, /^\W*Back/),
  'approver taps Retry': tap(ANA, /^\W*Retry/),
  'approver taps Resume': tap(ANA, /^\W*Resume/),
  'approver types --confirm': says(ANA, 'approve_open_pr RUN --confirm'),
  'approver asks for the card': says(ANA, 'approve_open_pr RUN'),
  'approver takes their commit': tap(ANA, TAKE),
  'viewer takes their commit': tap(VIC, TAKE),
  'operator types that he takes their commit': says(BO, 'take RUN 0123456789'),
  'approver updates from the base': tap(ANA, /^\W*Update from base/),
  'operator asks for an update': says(BO, 'update RUN'),
  'approver takes both taps': tapsBoth(ANA),
  'viewer takes both taps': tapsBoth(VIC),
  'operator takes both taps': tapsBoth(BO),
  'second approver taps Open PR': tap(CAT, OPEN),
  'second approver taps Confirm': tap(CAT, CONFIRM),
  'second approver takes both taps': tapsBoth(CAT),
  'second approver takes all three taps': async (stage) => {
    await tap(CAT, RISKS)(stage);
    await followed(stage);
    await tapsBoth(CAT)(stage);
  },
  'second approver loses the role': async ({ life, oracle }) => {
    oracle.demote(CAT);
    await life.ledger.setUser({ id: CAT, name: 'Cat', role: 'viewer' }, null);
  },
  'approver edits a message into a confirmation': words('edited'),
  'approver forwards a confirmation': words('forwarded'),
  'viewer taps Confirm': tap(VIC, CONFIRM),
  'viewer types --confirm': says(VIC, 'approve_open_pr RUN --confirm'),
  'operator taps Open PR': tap(BO, OPEN),
  'operator taps Confirm': tap(BO, CONFIRM),
  'stranger taps anything': tap(EVE, ANY),
  'stranger types --confirm': says(EVE, 'approve_open_pr RUN --confirm'),
  'forged button': async ({ world, people, life }) => {
    const found = buttonOf(world, CONFIRM) ?? buttonOf(world, OPEN) ?? buttonOf(world, ANY);
    if (found) await people.press(life, ANA, found.message, people.forge(found.token), found.message);
  },
  'button on another message': async ({ world, people, life }) => {
    const found = buttonOf(world, CONFIRM) ?? buttonOf(world, OPEN);
    const elsewhere = world.messages.find((m) => m.id !== found?.message.id);
    if (found && elsewhere) await people.press(life, ANA, found.message, found.token, elsewhere);
  },
  'button in another chat': async ({ world, people, life }) => {
    const found = buttonOf(world, CONFIRM) ?? buttonOf(world, OPEN);
    if (found) await people.press(life, ANA, found.message, found.token, { chat: VIC, id: found.message.id });
  },
  'update delivered again': ({ people, life }) => people.again(life),
  pause: says(ANA, 'pause RUN'),
  resume: says(ANA, 'resume RUN'),
  cancel: says(ANA, 'cancel RUN'),
  'deny with a reason': says(ANA, 'deny RUN too much'),
  retry: says(ANA, 'retry RUN'),
  'retry at PUSHED': says(ANA, 'retry RUN PUSHED'),
  'approver gives other words': says(ANA, 'edit RUN title="Other words" so that it says why'),
  skip: says(ANA, 'skip RUN'),
  done: says(ANA, 'done RUN'),
  'somebody pushes to our branch': async ({ world }) => {
    for (const branch of world.repo.branches.keys()) world.pushForeign(branch);
  },
  'the branch is deleted': async ({ world }) => {
    for (const branch of [...world.repo.branches.keys()]) world.deleteBranch(branch);
  },
  'a delivery tells of a foreign push': async (stage) => {
    const [branch] = stage.world.repo.branches.keys();
    if (branch !== undefined)
      await told(stage, 'push', pushPayload(stage.world.repo.id, branch, hash(stage.random.text(6))));
  },
  'a delivery tells of our pull request': async (stage) => {
    const pull = stage.world.repo.pulls.at(-1);
    if (pull) await told(stage, 'pull_request', pullPayload(stage.world.repo, 'opened', pull));
  },
  'a delivery tells of a pull request that is not there': async (stage) => {
    const { repo } = stage.world;
    const [found] = repo.branches;
    if (!found) return;
    const [headRef, headSha] = found;
    const pull = { ...blank(repo, headRef, headSha), number: 99 };
    await told(stage, 'pull_request', pullPayload(repo, 'opened', pull));
  },
  'the base conflicts': async ({ world }) => void (world.conflicts = true),
  'the maintainer merges or closes': async ({ world }) => world.meddle(),
  'somebody else opens a pull request on our branch': async ({ world }) => world.openForeign(),
  'the code host fails for a while': async ({ world }) => void (world.behaviour.trouble = 0.5),
  'the code host is well again': async ({ world }) => void (world.behaviour.trouble = 0),
  'a minute and a second pass': async ({ now }) => void (now.at += 61_000),
  'the card expires': async ({ now }) => void (now.at += 600_001),
};
