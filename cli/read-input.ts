/** Reads the files that a command names, and standard input. */
import { existsSync, readFileSync } from 'node:fs';
import { decodeSpreadsheetText, decodeSentText } from '../bot/received-files.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';

const bytesOf = (file: string): Uint8Array => {
  if (file !== '-' && !existsSync(file))
    throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_file', file });
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw new CommandExit(EXIT_CODES.usage, { kind: 'is_folder', file });
    throw new CommandExit(EXIT_CODES.usage, { kind: 'unreadable', file, says: message });
  }
};
/** `-` reads standard input. */
export const readTextInput = (file: string): string => decodeSpreadsheetText(bytesOf(file));
export const readPlainText = (file: string): string => {
  const text = decodeSentText(bytesOf(file));
  if (text !== null) return text;
  throw new CommandExit(EXIT_CODES.usage, { kind: 'not_plain_text', file: file === '-' ? null : file });
};
