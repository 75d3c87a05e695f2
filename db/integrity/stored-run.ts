/** A run as its stored records, whose hashes one column of its state covers (L5). */
import { hash } from 'node:crypto';
import { RUN_RECORDS, type Run, type RunRecordName } from '#run';

export type RecordRow = { record: string; body_json: string };

/** `value` is parsed when it is first read, so that a run is always what was stored. */
type StoredRecord = { body: string; hash: string; value?: unknown };
export type StoredRun = Readonly<Record<RunRecordName, StoredRecord>>;

const toStoredRecord = (body: string): StoredRecord => ({ body, hash: hash('sha256', body) });

/** Keeps the records that stayed the same; only the others are serialized. */
export const toStoredRun = (run: Run, before: { run: Run; stored: StoredRun } | null): StoredRun => {
  const toRecord = (name: RunRecordName): StoredRecord => {
    const kept = before?.stored[name];
    if (kept && before.run[name] === run[name]) return kept;
    const body = JSON.stringify(run[name]);
    return kept?.body === body ? kept : toStoredRecord(body);
  };
  return Object.fromEntries(RUN_RECORDS.map((name) => [name, toRecord(name)])) as StoredRun;
};

export const readRecords = (rows: readonly RecordRow[]): StoredRun | null => {
  const bodies = new Map(rows.map(({ record, body_json }) => [record, body_json]));
  if (rows.length !== RUN_RECORDS.length || !RUN_RECORDS.every((name) => bodies.has(name))) return null;
  return Object.fromEntries(
    RUN_RECORDS.map((name) => [name, toStoredRecord(bodies.get(name) ?? '')]),
  ) as StoredRun;
};

export const hasSameRecords = (stored: StoredRun, rows: readonly RecordRow[]): boolean =>
  rows.length === RUN_RECORDS.length &&
  rows.every(
    ({ record, body_json }) =>
      RUN_RECORDS.some((name) => name === record) && stored[record as RunRecordName].body === body_json,
  );

export const recordsHash = (stored: StoredRun): string =>
  hash('sha256', RUN_RECORDS.map((name) => `${name} ${stored[name].hash}`).join('\n'));

/** Throws SyntaxError for a record that is no JSON. */
export const parseRecords = (id: string, stored: StoredRun): Run => {
  const valueOfRecord = (record: StoredRecord): unknown => (record.value ??= JSON.parse(record.body));
  return { id, ...Object.fromEntries(RUN_RECORDS.map((name) => [name, valueOfRecord(stored[name])])) } as Run;
};
