/** C4: people are told once a round that an agent repeats a command, and nothing stops by itself. */
import { describe, expect, it } from 'vitest';
import { createRepeatReport } from '../../orchestrator/kernel/rounds/report-repeated-call.io.ts';
import type { Input } from '#inputs';
import { NO_USAGE } from '#model/reports';
import { createChatWorld, VIC } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const fails = (): never => {
  throw new Error('a report failed');
};
const log = { debug: () => {}, info: () => {}, warn: fails, error: fails };
const REPEATED = { type: 'worker.call.repeated', call: '$ npm test', times: 8, of: 12 } as const;
const interrupted: Input = {
  type: 'worker.turn.interrupted',
  session: null,
  usage: NO_USAGE,
  ms: 1,
  outputBytes: 0,
  containment: 'bwrap',
};
const completed = inputsToCard().filter(({ type }) => type === 'worker.implementation.completed');
type World = Awaited<ReturnType<typeof createChatWorld>>;

const worldWithRepeat = async (): Promise<World> => {
  const w = await createChatWorld();
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  await w.offer('q1', { type: 'command.run.create', runId: 'q1', order: anOrder() }, ...toWork, REPEATED);
  return w;
};
const told = (w: World) => w.messages.filter(({ text }) => text.includes('SAME COMMAND AGAIN'));
const buttonsOf = (w: World) =>
  told(w)
    .at(-1)
    ?.buttons.flat()
    .map(({ text }) => text);

describe('an agent that repeats a command', () => {
  it('C4: is told with the command and both buttons, and works on', async () => {
    const w = await worldWithRepeat();
    expect(told(w)).toHaveLength(1);
    expect(told(w)[0]?.text).toContain('8 of the agent’s last 12 calls were the same');
    expect(told(w)[0]?.text).toContain('$ npm test');
    expect(buttonsOf(w)).toEqual(['Stop', 'Let it go on', 'Details']);
    expect((await w.run('q1'))?.lifecycle.state).toBe('IMPLEMENTING');
  });

  it('C4: is told once a round, also where a restart begins the round again', async () => {
    const w = await worldWithRepeat();
    const { lifecycle } = await w.run('q1');
    const report = async (id: string): Promise<void> => {
      const claim = { id, epoch: lifecycle.epoch };
      const round = createRepeatReport({ submit: w.submit, log }, 'q1', claim);
      round.report(REPEATED);
      await round.settled();
      await w.deliver();
    };
    for (const _ of ['before', 'after a restart']) await report('e71');
    expect(told(w)).toHaveLength(2);
    // Another round is told of again; one of an earlier state is not.
    await report('e72');
    expect(told(w)).toHaveLength(3);
    await w.offer('q1', { type: 'command.pause', by: { id: '1', name: 'Ana' } });
    await report('e73');
    expect(told(w)).toHaveLength(3);
  });

  it('C4: stops by a tap on Stop, which is said in the message', async () => {
    const w = await worldWithRepeat();
    const card = told(w).at(-1);
    await w.taps('Stop', card ? { on: card } : {});
    expect((await w.run('q1'))?.lifecycle.state).toBe('PAUSED');
    expect(told(w).at(-1)?.text).toContain('You stopped the run');
    expect(buttonsOf(w)).toEqual([]);
  });

  it('C4: goes on by a tap on Let it go on, and the buttons are gone', async () => {
    const w = await worldWithRepeat();
    await w.taps('Let it go on');
    expect((await w.run('q1'))?.lifecycle.state).toBe('IMPLEMENTING');
    expect(told(w).at(-1)?.text).toContain('You will not be told again in this round');
    expect(buttonsOf(w)).toEqual([]);
  });

  it.each([
    ['its round is over', completed],
    ['its turn ends for words', [interrupted]],
  ])('C4: says so without a tap once %s, and has no buttons then', async (_, ends) => {
    const w = await worldWithRepeat();
    await w.offer('q1', REPEATED, ...ends);
    expect(told(w).map(({ buttons }) => buttons)).toEqual([[], []]);
    for (const { text } of told(w)) expect(text).toContain('The agent is no longer working on this.');
  });

  it('G4: is not stopped by a viewer, nor by the button of a round that is over', async () => {
    const w = await worldWithRepeat();
    await w.taps('Stop', { by: VIC });
    expect((await w.run('q1'))?.lifecycle.state).toBe('IMPLEMENTING');
    const { by } = { by: { id: '1', name: 'Ana' } };
    await w.offer('q1', { type: 'command.pause', by }, { type: 'command.resume', by, target: null });
    const before = (await w.run('q1'))?.lifecycle;
    await w.taps('Stop');
    expect((await w.run('q1'))?.lifecycle.state).toBe(before?.state);
  });
});
