/** The watch over what is handled, and when it is set aside (L9). */
import type { DeadInboxRow, InboxRow } from './ledger-writes.ts';

/** L9: knows at which row or effect the process hung or crashed. */
export type HandlingWatch = {
  /** Names what is handled while `work` runs, with all that it awaits. */
  within<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How often the process hung or crashed at it. */
  stopsAt(key: string): number;
  /** How long it still waits for everything else to be handled first (ms); 0 for what is harmless. */
  pauseBefore(key: string): number;
  /** It is set aside or gone, so that its count is of no more use. */
  forget(key: string): void;
};

/** The first may have been the machine; the second is proof. */
export const MAX_STOPS = 2;
/** A row that was retried after it was set aside gets no second chance. */
export const maxStopsOf = ({ wasSetAside }: Pick<InboxRow, 'wasSetAside'>): number =>
  // guard: L9-retried-once
  wasSetAside ? MAX_STOPS - 1 : MAX_STOPS;
export const keyOfRow = ({ id, source, key }: Pick<DeadInboxRow, 'id' | 'source' | 'key'>): string =>
  `inbox ${id} ${source} ${key}`;
export const keyOfEffect = ({ n, id }: { n: number; id: string }): string => `effect ${n} ${id}`;
/** Begins what is thrown where the row of a card is not what its run's log makes (L5). */
export const CHANGED_RECORD = 'the record of a card was changed in the database';
export const SET_ASIDE = 'handling it stopped the process twice';
export const WAITS_FOR_THE_REST = 'stopped the process before, so that the rest goes first';

/** The watch of a process that nobody watches: no row is ever at fault. */
export const NO_HANDLING_WATCH: HandlingWatch = {
  within: (_, work) => work(),
  stopsAt: () => 0,
  pauseBefore: () => 0,
  forget: () => {},
};
