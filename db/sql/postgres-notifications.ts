/** Receives commit notifications of other programs; only a hint, as polling continues (L7). */
import { Client } from 'pg';
import { createClientConfig } from './postgres-client-config.ts';

const CHANNEL = 'agentpr';
const RELISTEN_MS = 1_000;

export const NOTIFY_SQL = `select pg_notify('${CHANNEL}', $1)`;
export const toNotification = (boot: string, runId: string): string => `${boot} ${runId}`;

type NotificationListener = { close(): Promise<void> };

/** `hear` gets a run's id, or an empty text for unknown changes. */
export const listenForNotifications = (
  url: string,
  boot: string,
  hear: (runId: string) => void,
): NotificationListener => {
  let client: Client | null = null;
  let again: NodeJS.Timeout | null = null;
  let closed = false;

  const connectClient = async (): Promise<void> => {
    const mine = new Client(createClientConfig(url));
    client = mine;
    const reconnectLater = (): void => {
      if (closed || client !== mine) return;
      client = null;
      again = setTimeout(() => void connectClient(), RELISTEN_MS);
    };
    mine.on('error', reconnectLater);
    mine.on('end', reconnectLater);
    mine.on('notification', ({ payload = '' }) => {
      const [from, runId = ''] = payload.split(' ');
      if (from !== boot) hear(runId);
    });
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      hear('');
    } catch {
      reconnectLater();
      await mine.end().catch(() => {});
    }
  };
  void connectClient();

  return {
    close: async () => {
      closed = true;
      if (again) clearTimeout(again);
      await client?.end().catch(() => {});
    },
  };
};
