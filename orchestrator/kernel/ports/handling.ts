/** L9: knows at which row or effect the process hung or crashed. */
export type HandlingWatch = {
  /** Names what is handled while `work` runs, with all that it awaits. */
  within<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How often the process hung or crashed at it. */
  stopsAt(key: string): number;
  /** It is set aside, so that its count is of no more use. */
  forget(key: string): void;
};

/** The first may have been the machine; the second is proof. */
export const MAX_STOPS = 2;
export const SET_ASIDE = 'handling it stopped the process twice';

/** The watch of a process that nobody watches: no row is ever at fault. */
export const unwatched: HandlingWatch = {
  within: (_, work) => work(),
  stopsAt: () => 0,
  forget: () => {},
};
