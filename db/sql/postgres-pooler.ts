/** Detects a connection pooler (L7). It shares sessions, which breaks session locks. */
import { Client } from 'pg';
import { createClientConfig } from './postgres-client-config.ts';

const MAX_PROBE_CLIENTS = 3;
/** Back and forth, to detect round-robin poolers too. */
const PROBE_SESSION_ORDER = [0, 1, 2, 1, 0, 2, 0];

/** Works with every kind of pooler. Connection errors are left to the next caller. */
export const isPooled = async (url: string): Promise<boolean> => {
  const clients = Array.from({ length: MAX_PROBE_CLIENTS }, () => new Client(createClientConfig(url)));
  const seen = clients.map(() => new Set<number>());
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
    }
    for (const at of PROBE_SESSION_ORDER) {
      const { rows } = (await clients[at]?.query<{ pid: number }>('select pg_backend_pid() as pid')) ?? {
        rows: [],
      };
      for (const { pid } of rows) seen[at]?.add(pid);
    }
  } catch {
    return false;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
  const all = seen.flatMap((pids) => [...pids]);
  return all.length > clients.length || new Set(all).size < all.length;
};
