/** Every migration, oldest first. They only move forward; a name, once released, is never changed. */
import type { Migration } from 'kysely/migration';
import { ledger } from './0001-ledger.ts';
import { marks } from './0002-marks.ts';
import { fairness } from './0003-fairness.ts';

export type Engine = 'sqlite' | 'postgres';

export const migrations = (engine: Engine): Record<string, Migration> => ({
  '0001-ledger': ledger(engine),
  '0002-marks': marks,
  '0003-fairness': fairness,
});
