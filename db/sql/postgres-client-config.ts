/** Settings of every connection to Postgres. */
import { hostname } from 'node:os';
import { types, type ClientConfig } from 'pg';
import { decodeNul } from './postgres-text.ts';

const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;

/** Oids of pg_catalog.pg_type. */
const OIDS = { int8: 20, text: 25, varchar: 1043, numeric: 1700 } as const;
const asNumber: ReadonlySet<number> = new Set([OIDS.int8, OIDS.numeric]);
const asText: ReadonlySet<number> = new Set([OIDS.text, OIDS.varchar]);

export const createClientConfig = (url: string) =>
  ({
    connectionString: url,
    application_name: `agentpr ${hostname()} ${process.pid}`.slice(0, 63),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: {
      // Safe, as our integers are far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        asNumber.has(oid)
          ? Number
          : asText.has(oid)
            ? decodeNul
            : (types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown),
    },
  }) as const satisfies ClientConfig;
