/** Chooses the machine of a box by labels, and by what is free there (E20). */
import { SECOND } from '#model/values';
import { OutsideFailure } from '#ports/forge';
import type { BoxHost } from '../containers/container-engine.ts';

/**
 * Pure. Labels that no host has are of somebody else. A host with labels takes only what asks for one
 * of them. Null: the command stays on this machine.
 */
export const selectBoxHosts = <Host extends BoxHost>(
  hosts: readonly Host[],
  asked: readonly string[],
): readonly Host[] | { says: string } | null => {
  const known = new Set(hosts.flatMap(({ labels }) => labels));
  const wanted = [...new Set(asked)].filter((label) => known.has(label));
  // guard: E20-labels-choose
  const fitting = hosts.filter(({ labels }) =>
    wanted.length === 0 ? labels.length === 0 : wanted.every((label) => labels.includes(label)),
  );
  if (fitting.length > 0) return fitting;
  return wanted.length === 0 ? null : { says: `No box host has all of these labels: ${wanted.join(', ')}.` };
};

/** How long a host that did not answer is left out (ms). */
const AWAY_MS = 60 * SECOND;

const nobodyThere = (hosts: readonly BoxHost[]): OutsideFailure => {
  const drained = hosts.every(({ parallel }) => parallel === 0);
  const names = hosts.map(({ host }) => host).join(', ');
  return new OutsideFailure(
    'box_lost',
    drained
      ? `Box hosts take nothing (parallel is 0): ${names}`
      : `No box host answers or takes anything: ${names}`,
  );
};

type Slot = { free(): void; leaveOut(): void };
/** Counts what runs on each host. */
export const createHostSlots = (now: () => number) => {
  const busy = new Map<string, number>();
  const awayUntil = new Map<string, number>();
  const waiting = new Set<() => void>();
  const load = ({ host }: BoxHost): number => busy.get(host) ?? 0;
  const isThere = ({ host, parallel }: BoxHost): boolean =>
    parallel > 0 && (awayUntil.get(host) ?? -Infinity) <= now();
  const wakeAll = (): void => [...waiting].forEach((wake) => wake());
  const untilChanged = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  return {
    /** Waits for a place on one of them. Throws where none can take anything. */
    take: async <Host extends BoxHost>(
      hosts: readonly Host[],
      signal: AbortSignal,
    ): Promise<{ host: Host; slot: Slot }> => {
      for (;;) {
        signal.throwIfAborted();
        const there = hosts.filter(isThere);
        if (there.length === 0) throw nobodyThere(hosts);
        const share = (one: Host): number => load(one) / one.parallel;
        const [host] = there.filter((one) => load(one) < one.parallel).sort((a, b) => share(a) - share(b));
        if (host === undefined) {
          await untilChanged(signal);
          continue;
        }
        busy.set(host.host, load(host) + 1);
        let isHeld = true;
        const free = (): void => {
          if (isHeld) busy.set(host.host, load(host) - 1);
          isHeld = false;
          wakeAll();
        };
        const leaveOut = (): void => void awayUntil.set(host.host, now() + AWAY_MS);
        return { host, slot: { free, leaveOut } };
      }
    },
  };
};
