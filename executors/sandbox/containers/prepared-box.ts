/** Boxes as whoever runs commands asks for them, at every level. */
import type { BoxWish, UsedBox } from '#model/environment';
import type { SpawnRequest, SpawnResult } from '../../process/spawn.ts';
import type { BoxReach, WrapInput } from '../wrap-command.ts';

/** What is asked of a process besides the box around it. */
export type BoxedProcess = Omit<SpawnRequest, 'argv' | 'cwd' | 'env' | 'inherit' | 'pipes' | 'caps'>;

/** A box in which commands can run, one after the other or side by side. */
export type PreparedBox = {
  /** `excess` says `lost` where nobody can say how the command ended. */
  run(input: WrapInput, request: BoxedProcess): Promise<SpawnResult>;
  used: UsedBox | null;
  /** The last lines of its services. */
  logs(): Promise<string>;
  close(): Promise<void>;
};
export type BoxRequest = {
  runId: string;
  kind: 'agent' | 'install' | 'check';
  wish: BoxWish | null;
  network: BoxReach;
  signal: AbortSignal;
};
export type PrepareBox = (request: BoxRequest) => Promise<PreparedBox | { says: string }>;
