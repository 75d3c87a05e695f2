/** All claims, quick ones first. */
import type { Claim } from './claim.ts';
import { billing } from './claims/billing.ts';
import { caps } from './claims/caps.ts';
import { cluster } from './claims/cluster.ts';
import { copy } from './claims/copy.ts';
import { deliveries } from './claims/deliveries.ts';
import { duplicates } from './claims/duplicates.ts';
import { gate } from './claims/gate.ts';
import { gateGit } from './claims/gate-git.ts';
import { kills } from './claims/kills.ts';
import { looks } from './claims/looks.ts';
import { lostAnswers } from './claims/lost-answers.ts';
import { moves } from './claims/moves.ts';
import { mutations } from './claims/mutations.ts';
import { mutationsGit } from './claims/mutations-git.ts';
import { postgres } from './claims/postgres.ts';
import { recovery } from './claims/recovery.ts';
import { replayEquality } from './claims/replay.ts';
import { shown } from './claims/shown.ts';
import { takeover } from './claims/takeover.ts';
import { tamper } from './claims/tamper.ts';
import { permissions } from './claims/permissions.ts';
import { workers } from './claims/workers.ts';
import { histories } from './claims/histories.ts';

export const CLAIMS: readonly Claim[] = [
  histories,
  deliveries,
  looks,
  lostAnswers,
  moves,
  gate,
  gateGit,
  cluster,
  shown,
  mutations,
  mutationsGit,
  duplicates,
  caps,
  billing,
  permissions,
  replayEquality,
  tamper,
  recovery,
  postgres,
  copy,
  kills,
  workers,
  takeover,
];
