/** Webhook deliveries that are lost, late, repeated and reordered. */
import type { IncomingItem } from '#ports/steps';
import { readDelivery } from '../../webhooks/read-delivery.ts';
import type { Chaos } from './chaos.ts';
import type { Random } from './random.ts';

export type Weather = {
  /** Number of hooks. */
  hooks: number;
  lost: number;
  twice: number;
  late: number;
};

export const asStored = (event: string, payload: unknown, guid: string): IncomingItem => ({
  source: 'forge',
  key: guid,
  body: { event, seen: readDelivery(event, payload) },
});

/** `deliver` calls the receiver, which may be dead. */
export const createMail = (parts: {
  random: Random;
  chaos: Chaos;
  weather: Weather;
  later: (ms: number, deed: () => void) => void;
  deliver: (item: IncomingItem) => boolean;
}) => {
  const { random, chaos, weather, later, deliver } = parts;
  let posted = 0;
  let delivered = 0;

  const bring = (item: IncomingItem): void => {
    if (deliver(item)) delivered += 1;
    // GitHub does not retry; somebody may press Redeliver.
    else if (chaos.strikes('webhook: delivered again by hand', 0.3))
      later(20_000 + random.int(40_000), () => bring(item));
  };
  const send = (item: IncomingItem): void => {
    const wait = chaos.strikes('webhook: late', weather.late) ? random.int(40_000) : random.int(800);
    later(wait, () => bring(item));
  };

  return {
    counts: () => ({ posted, delivered }),
    post: (event: string, payload: () => object): void => {
      if (weather.hooks === 0) return;
      // The payload is taken now, whenever it arrives.
      const item = asStored(event, payload(), '');
      for (let hook = 0; hook < weather.hooks; hook += 1) {
        posted += 1;
        const mine = { ...item, key: `guid-${posted}` };
        if (chaos.strikes('webhook: lost', weather.lost)) continue;
        send(mine);
        if (chaos.strikes('webhook: twice', weather.twice)) send(mine);
      }
    },
  };
};
