/** Brings words of operators to the agent of a turn, and records once that it heard them (E21). */
import type { ArrivingWords, ExecutorEvent } from '#ports/processes';
import type { EffectContext } from '../handlers/effect-context.ts';
import { canHearWords, selectQueuedWords, renderWords, type OperatorWords } from '../run/operator-words.ts';
import type { Run } from '../run/run.ts';
import type { ClaimOf } from '../runtime/effect-handler.ts';

/** Any process may have stored words, so the ledger is looked at (ms). */
const LOOK_EVERY_MS = 1_000;

export type WordsDelivery = {
  /** Null in a round that hears no words. */
  arriving: ArrivingWords | null;
  /** The model has read the prompt, and with it what was queued before the turn. */
  prompted(): void;
  settled(): Promise<unknown>;
  end(): void;
};

/** A model that answers, or that is paid for, has read the prompt. */
export const isOfModel = (event: ExecutorEvent): boolean =>
  event.type === 'used' ? event.usage.inputTokens > 0 : event.type === 'progress' && event.isOfModel === true;

export const createWordsDelivery = (
  { ledger, submit, clock, log }: Pick<EffectContext, 'ledger' | 'submit' | 'clock' | 'log'>,
  claim: ClaimOf<'implement'>,
  run: Run,
): WordsDelivery => {
  const inPrompt = canHearWords(claim.do.round.kind) ? selectQueuedWords(run).map(({ no }) => no) : [];
  const taken = new Set(inPrompt);
  let isLooking = false;
  let listener: (() => void) | null = null;
  let isPrompted = false;
  let isOver = false;
  let timer = { cancel: () => {} };
  let sent: Promise<unknown> = Promise.resolve();
  const unnoted = new Set<() => Promise<void>>();

  const record = (nos: readonly number[], how: 'stream' | 'prompt'): void => {
    if (nos.length === 0) return;
    const submitOnce = async (): Promise<void> => {
      try {
        await submit({
          runId: run.id,
          input: { type: 'worker.words.delivered', nos: [...nos], how },
          key: `words:${claim.id}:${claim.leaseEpoch}:${nos.join(',')}`,
          cause: { kind: 'none' },
          effectEpoch: claim.epoch,
        });
        unnoted.delete(submitOnce);
      } catch (error) {
        log.error({ err: error, run: run.id }, 'delivered words could not be noted');
        if (!isOver) clock.after(LOOK_EVERY_MS, () => unnoted.has(submitOnce) && void submitOnce());
      }
    };
    unnoted.add(submitOnce);
    sent = Promise.all([sent, submitOnce()]);
  };

  const findNew = async (): Promise<OperatorWords[]> => {
    try {
      const now = await ledger.query.run(run.id);
      return selectQueuedWords(now ?? run).filter(({ no, when }) => when === 'now' && !taken.has(no));
    } catch (error) {
      log.error({ err: error, run: run.id }, 'queued words could not be read');
      return [];
    }
  };
  const lookAgain = (): void => {
    timer = clock.after(LOOK_EVERY_MS, () => {
      void findNew().then((found) => {
        if (isOver) return;
        if (found.length > 0) listener?.();
        lookAgain();
      });
    });
  };
  const arriving: ArrivingWords = {
    take: async () => {
      const found = (await findNew()).filter(({ no }) => !taken.has(no));
      for (const { no } of found) taken.add(no);
      return found.map((one) => ({ no: one.no, text: renderWords(one) }));
    },
    onArrival: (call) => {
      if (!isLooking) lookAgain();
      isLooking = true;
      listener = call;
      return () => void (listener = null);
    },
    heard: (nos) => record(nos, 'stream'),
  };

  return {
    arriving: canHearWords(claim.do.round.kind) ? arriving : null,
    prompted: () => {
      if (isPrompted) return;
      isPrompted = true;
      record(inPrompt, 'prompt');
    },
    // What could not be noted within the turn is noted at its end.
    settled: async () => {
      await sent;
      await Promise.all([...unnoted].map((submitOnce) => submitOnce()));
    },
    end: () => {
      isOver = true;
      timer.cancel();
    },
  };
};
