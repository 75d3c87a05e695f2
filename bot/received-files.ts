/** Downloads files that users send, from Telegram's servers or a local Bot API server. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Api } from 'grammy/web';
import { OutsideFailure } from '#ports/forge';
import { rejectForeignAnswers } from './reject-foreign-answers.ts';
import { createClientOptions } from './telegram-client.ts';
import { telegramFailureOf } from './telegram-chat.ts';

export type ReadSentFile = (id: string, most: number) => Promise<Uint8Array | null>;

const TIMEOUT_SECONDS = 30;

/** Bot API, getFile: files up to 20 MB; the URL is valid for at least one hour. */
export const createTelegramFileReader = (parts: {
  token: string;
  apiRoot: string;
  clock: { now(): number };
}): ReadSentFile => {
  const { token, apiRoot, clock } = parts;
  const api = new Api(token, createClientOptions(apiRoot, TIMEOUT_SECONDS));
  api.config.use(rejectForeignAnswers);

  const placeOf = async (id: string): Promise<string | null> => {
    try {
      const { file_path } = await api.getFile(id);
      return file_path ?? null;
    } catch (error) {
      const failure = telegramFailureOf(error, clock.now());
      if (failure instanceof OutsideFailure && failure.class === 'chat_refused') return null;
      throw failure;
    }
  };

  return async (id, most) => {
    const place = await placeOf(id);
    if (place === null) return null;
    // A Bot API server started with --local returns an absolute path on its disk.
    if (place.startsWith('/')) return readLocally(place, token, most);
    const address = `${apiRoot}/file/bot${token}/${place.split('/').map(encodeURIComponent).join('/')}`;
    const bytes = await downloadBytes(address, most);
    if (bytes === 'away')
      throw new OutsideFailure('chat_unavailable', 'Telegram does not give the file now.');
    return bytes;
  };
};

/** Security: reads only the server's folder of this bot, whatever path the server returns. */
const readLocally = async (place: string, token: string, most: number): Promise<Uint8Array | null> => {
  const folder = path.dirname(place);
  try {
    const real = await realpath(place);
    // guard: O9-own-files-only
    if (!real.split('/').slice(0, -1).includes(token)) return null;
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat().then((one) => (one.isFile() ? one : { size: Infinity }));
      return size > most ? null : await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new OutsideFailure(
      'env_missing',
      `The Bot API server keeps what is sent in ${folder.replaceAll(token, '<token>')}, and it cannot be read here (${code}). Run it on this machine, and let this user read its files; or start it without --local.`,
    );
  }
};

/** Spreadsheets export UTF-16 with a byte order mark. */
export const decodeSpreadsheetText = (bytes: Uint8Array): string => {
  const [a, b] = bytes;
  const wide = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(wide).decode(bytes);
};

export const decodeSentText = (bytes: Uint8Array): string | null => {
  const text = decodeSpreadsheetText(bytes).replace(/^\uFEFF/, '');
  return /[\0\uFFFD]/.test(text) ? null : text;
};

/** Security: the URL contains the bot token, so no error may quote it. */
const downloadBytes = async (address: string, most: number): Promise<Uint8Array | null | 'away'> => {
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
