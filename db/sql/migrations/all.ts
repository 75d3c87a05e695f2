/**
 * Every migration, oldest first. They only move forward; one that was released is never changed.
 */
import type { Migration } from 'kysely/migration';
import type { Engine } from '../engine.ts';
import { ledger } from './0001-ledger.ts';
import { campaigns } from './0002-campaigns.ts';
import { figures } from './0003-figures.ts';
import { commits } from './0004-commits.ts';
import { billed } from './0005-billed.ts';

export const migrations = (engine: Engine): Record<string, Migration> => ({
  '0001-ledger': ledger(engine),
  '0002-campaigns': campaigns,
  '0003-figures': figures,
  '0004-commits': commits(engine),
  '0005-billed': billed,
});
