/** The columns under a MAC: states of runs, effects, and unhandled inputs of people (L5). */
import type { EffectsTable, InboxTable, RunStatesTable } from '../sql/schema.ts';
import { isSameRowMac, type RowMac } from './row-mac.ts';
import type { Selectable } from 'kysely';

export const STATE_COLUMNS = [
  'run_id', 'repo', 'repo_id', 'current_state', 'version', 'epoch', 'busy', 'live', 'started_at', 'records_hash', 'last_error',
  'seq', 'head_hash', 'updated_at',
] as const satisfies (keyof RunStatesTable)[]; // oxfmt-ignore
export type StateRow = Omit<RunStatesTable, 'head_mac'>;
export const macOfState = (seal: RowMac, row: StateRow): string => seal('run_states', STATE_COLUMNS, row);
export const hasValidStateMac = (seal: RowMac, row: RunStatesTable): boolean =>
  isSameRowMac(macOfState(seal, row), row.head_mac);

/** Immutable columns: buttons refer to effects by number. */
const ASKED_COLUMNS = [
  'n', 'id', 'run_id', 'kind', 'lane', 'chat', 'slot', 'request_json', 'epoch', 'created_at',
] as const satisfies (keyof EffectsTable)[]; // oxfmt-ignore
export type SealedEffect = Pick<Selectable<EffectsTable>, (typeof ASKED_COLUMNS)[number]>;
export const macOfEffect = (seal: RowMac, row: SealedEffect): string => seal('effects', ASKED_COLUMNS, row);
export const hasValidEffectMac = (seal: RowMac, row: SealedEffect & { mac: unknown }): boolean =>
  isSameRowMac(macOfEffect(seal, row), row.mac);

/** Inputs of people need a MAC; those of the code host are only hints. */
// guard: L5-words-as-they-came
const INBOX_COLUMNS = ['source', 'key', 'body', 'received_at'] as const;
type Word = Pick<Selectable<InboxTable>, (typeof INBOX_COLUMNS)[number]>;
export const macOfInboxRow = (seal: RowMac, row: Word): string => seal('inbox', INBOX_COLUMNS, row);
/** L5: a handled row has no MAC, and a dead one another, so that only a retry by a person reopens it. */
const macOfDeadInboxRow = (seal: RowMac, row: Word): string => seal('inbox dead', INBOX_COLUMNS, row);
type SealedWord = Word & { mac: unknown };
/** Null where the bytes are not those that were received. */
export const findDeadInboxMac = (seal: RowMac, row: SealedWord): string | null =>
  // guard: L5-dead-as-received
  row.source !== 'forge' && hasValidInboxMac(seal, row) ? macOfDeadInboxRow(seal, row) : null;
export const hasValidDeadInboxMac = (seal: RowMac, row: SealedWord): boolean =>
  // guard: L5-retried-as-received
  isSameRowMac(macOfDeadInboxRow(seal, row), row.mac);
export const hasValidInboxMac = (seal: RowMac, row: Word & { mac: unknown }): boolean =>
  isSameRowMac(macOfInboxRow(seal, row), row.mac);
