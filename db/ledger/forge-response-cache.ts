/** Caches answers of the code host, compressed; the oldest are dropped and fetched again (F4). */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sql as raw } from 'kysely';
import type { CachedResponse } from '#ports/forge';
import { DAY, MB } from '#model/values';
import {
  selectAll,
  callStatement,
  selectOne,
  type DefineStatement,
  type SqlScript,
} from '../sql/statements.ts';

const RESPONSE_RETENTION_MS = 30 * DAY;
const MAX_RESPONSE_LENGTH = 2 * MB;
const MAX_EXPIRED_RESPONSES = 200;

const defineStatements = (define: DefineStatement) => ({
  find: define((db, a: { key: string }) =>
    db.selectFrom('forge_responses').selectAll().where('key', '=', a.key),
  ),
  put: define((db, a: { key: string; etag: string; body: string; more: number; at: number }) =>
    db
      .insertInto('forge_responses')
      .values({ key: a.key, etag: a.etag, body: a.body, more: a.more, at: a.at })
      .onConflict((c) => c.column('key').doUpdateSet({ etag: a.etag, body: a.body, more: a.more, at: a.at })),
  ),
  old: define((db, a: { before: number }) =>
    db
      .selectFrom('forge_responses')
      .select('key')
      .where('at', '<', a.before)
      .orderBy('at')
      .limit(raw.lit(MAX_EXPIRED_RESPONSES)),
  ),
  drop: define((db, a: { key: string }) => db.deleteFrom('forge_responses').where('key', '=', a.key)),
});

export const createForgeResponseCache = (define: DefineStatement) => {
  const sql = defineStatements(define);
  return {
    *readResponse(key: string): SqlScript<CachedResponse | null> {
      const row = yield* selectOne(sql.find, { key });
      if (!row) return null;
      const body = inflateRawSync(Buffer.from(row.body, 'base64')).toString('utf8');
      return { etag: row.etag, body, more: row.more === 1, at: row.at };
    },
    *storeResponse(key: string, { etag, body, more, at }: CachedResponse): SqlScript<void> {
      if (body.length > MAX_RESPONSE_LENGTH) return;
      const small = deflateRawSync(body).toString('base64');
      yield callStatement(sql.put, { key, etag, body: small, more: more ? 1 : 0, at });
    },
    *dropExpired(now: number): SqlScript<boolean> {
      const rows = yield* selectAll(sql.old, { before: now - RESPONSE_RETENTION_MS });
      for (const { key } of rows) yield callStatement(sql.drop, { key });
      return rows.length === MAX_EXPIRED_RESPONSES;
    },
  };
};
