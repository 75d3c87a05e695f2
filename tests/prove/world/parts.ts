/** Shared parts of the world's actors. */
import { OutsideFailure } from '#ports/forge';
import type { SystemClock } from '#ports/processes';
import type { Chaos } from '../chaos.ts';
import type { Random } from '../random.ts';
import type { Behaviour, Saved, Shown } from './state.ts';

export type WorldParts = {
  random: Random;
  clock: SystemClock;
  chaos: Chaos;
  held: Saved;
  behaviour: Behaviour;
  /** Runs something later on the virtual clock. */
  later: (ms: number, deed: () => void) => void;
  edit: (runId: string, workspace: string, text: string) => void;
  /** Sends the current state to the webhooks. */
  post: (event: string, payload: () => object) => void;
  /** Returns what *More* shows for these buttons. */
  explain: (buttons: Shown['buttons']) => Promise<Pick<Shown, 'more' | 'each'>>;
};

/** Fails before or after the deed; a lost answer looks like a failure. */
export const shaky =
  ({ random, clock, chaos, behaviour }: Pick<WorldParts, 'random' | 'clock' | 'chaos' | 'behaviour'>) =>
  async <T>(who: 'forge' | 'git' | 'chat', deed: () => T): Promise<T> => {
    // The deed is done, but a proxy answers 502.
    if (who !== 'chat' && chaos.strikes(`${who}: answer lost`, behaviour.lostAnswers)) {
      deed();
      throw new OutsideFailure('forge_unavailable', 'Bad gateway');
    }
    if (behaviour.trouble <= 0) return deed();
    if (chaos.strikes(`${who}: request lost`, behaviour.trouble / 2))
      throw failure(random, clock, chaos, who);
    if (!chaos.strikes(`${who}: answer lost`, behaviour.trouble / 2)) return deed();
    deed();
    throw failure(random, clock, chaos, who);
  };

const failure = (random: Random, clock: SystemClock, chaos: Chaos, who: string): OutsideFailure =>
  chaos.strikes(`${who}: asks for patience`, 0.2)
    ? new OutsideFailure('rate_limited', 'slow down', { retryAt: clock.now() + 1_000 + random.int(5_000) })
    : new OutsideFailure(who === 'chat' ? 'chat_unavailable' : 'forge_unavailable', 'no answer');
