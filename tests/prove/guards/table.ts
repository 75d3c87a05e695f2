/** All guards, one row per way to break one. */
import { APPROVALS } from './approvals.ts';
import { BASE } from './base.ts';
import { BOARD } from './board.ts';
import { OPERATOR_WORDS } from './operator-words.ts';
import { OWN_KEYS } from './own-keys.ts';
import { BOX } from './box.ts';
import { BUILTIN } from './builtin.ts';
import { CAMPAIGN } from './campaign.ts';
import { CLUSTER } from './cluster.ts';
import { DISPATCH } from './dispatch.ts';
import { DOORS } from './doors.ts';
import { GATE } from './gate.ts';
import { GATEWAY } from './gateway.ts';
import { SPENDING } from './spending.ts';
import type { Guard } from './guard.ts';
import { LAST_DOORS } from './last-doors.ts';
import { MACHINE } from './machine.ts';
import { MOVES } from './moves.ts';
import { PERMISSIONS } from './permissions.ts';
import { PICTURES } from './pictures.ts';
import { QUESTIONS } from './questions.ts';
import { RECORD } from './record.ts';
import { RECEIPTS } from './receipts.ts';
import { REPUTATION } from './reputation.ts';
import { SLACK } from './slack.ts';
import { VOICE } from './voice.ts';

export const GUARDS: readonly Guard[] = [
  ...GATE,
  ...APPROVALS,
  ...LAST_DOORS,
  ...CLUSTER,
  ...CAMPAIGN,
  ...MACHINE,
  ...BASE,
  ...BOX,
  ...BOARD,
  ...OPERATOR_WORDS,
  ...OWN_KEYS,
  ...DOORS,
  ...RECORD,
  ...DISPATCH,
  ...RECEIPTS,
  ...REPUTATION,
  ...GATEWAY,
  ...SPENDING,
  ...BUILTIN,
  ...PERMISSIONS,
  ...QUESTIONS,
  ...MOVES,
  ...VOICE,
  ...PICTURES,
  ...SLACK,
];
