/** What people send as a file, fetched from Telegram when it is read. */
import { Api } from 'grammy';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { onlyBotApi } from './api.ts';
import { clientTo } from './client.ts';
import { failureOf } from './send.ts';

/** Null where there is none, or it is larger than that (bytes). */
export type ReadSentFile = (id: string, most: number) => Promise<Uint8Array | null>;

const TIMEOUT_SECONDS = 30;

/** Bot API, getFile: files of at most 20 MB; their address is good for an hour at least. */
export const createReadFile = (parts: {
  token: string;
  apiRoot: string;
  clock: { now(): number };
}): ReadSentFile => {
  const { token, apiRoot, clock } = parts;
  const api = new Api(token, clientTo(apiRoot, TIMEOUT_SECONDS));
  api.config.use(onlyBotApi);

  const placeOf = async (id: string): Promise<string | null> => {
    try {
      const { file_path } = await api.getFile(id);
      // A server of one's own that runs with --local names a path on its own disk.
      return file_path === undefined || file_path.startsWith('/') ? null : file_path;
    } catch (error) {
      const failure = failureOf(error, clock.now());
      if (failure instanceof OutsideFailure && failure.class === 'forge_refused') return null;
      throw failure;
    }
  };

  return async (id, most) => {
    const place = await placeOf(id);
    if (place === null) return null;
    const address = `${apiRoot}/file/bot${token}/${place.split('/').map(encodeURIComponent).join('/')}`;
    const bytes = await fetched(address, most);
    if (bytes === 'away')
      throw new OutsideFailure('forge_unavailable', 'Telegram does not give the file now.');
    return bytes;
  };
};

/** Spreadsheets write UTF-16, and say so with their first two bytes. */
export const decoded = (bytes: Uint8Array): string => {
  const [a, b] = bytes;
  const wide = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(wide).decode(bytes);
};

/** Null for what is no text. */
export const textOf = (bytes: Uint8Array): string | null => {
  const text = decoded(bytes).replace(/^\uFEFF/, '');
  return /[\0\uFFFD]/.test(text) ? null : text;
};

/** The address holds the bot's token: nothing of it is told to anybody. */
const fetched = async (address: string, most: number): Promise<Uint8Array | null | 'away'> => {
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
  const answer = await fetch(address, { signal, redirect: 'error' }).catch(() => null);
  if (!answer || answer.status >= 500) return 'away';
  if (!answer.ok || !answer.body) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > most) return null;
      chunks.push(chunk);
    }
  } catch {
    return 'away';
  }
  return Buffer.concat(chunks);
};
