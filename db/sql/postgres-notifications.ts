/**
 * L7: what other programs committed, as soon as they did. Only a hint: whoever hears nothing looks
 * now and then.
 */
import { Client } from 'pg';
import { connectionTo } from './postgres-session-settings.ts';

const CHANNEL = 'agentpr';
const RELISTEN_MS = 1_000;

export const NOTIFY_SQL = `select pg_notify('${CHANNEL}', $1)`;
/** From whom, and the run that a step wrote; an empty text stands for anything else. */
export const toNotification = (boot: string, runId: string): string => `${boot} ${runId}`;

export type NotificationListener = { close(): Promise<void> };

/** `hear` gets the id of a run, or an empty text: something happened, or may have. */
export const listenForNotifications = (
  url: string,
  boot: string,
  hear: (runId: string) => void,
): NotificationListener => {
  let client: Client | null = null;
  let again: NodeJS.Timeout | null = null;
  let closed = false;

  const connect = async (): Promise<void> => {
    const mine = new Client(connectionTo(url));
    client = mine;
    const gone = (): void => {
      if (closed || client !== mine) return;
      client = null;
      again = setTimeout(() => void connect(), RELISTEN_MS);
    };
    mine.on('error', gone);
    mine.on('end', gone);
    mine.on('notification', ({ payload = '' }) => {
      const [from, runId = ''] = payload.split(' ');
      if (from !== boot) hear(runId);
    });
    try {
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      // What was missed meanwhile.
      hear('');
    } catch {
      gone();
      await mine.end().catch(() => {});
    }
  };
  void connect();

  return {
    close: async () => {
      closed = true;
      if (again) clearTimeout(again);
      await client?.end().catch(() => {});
    },
  };
};
