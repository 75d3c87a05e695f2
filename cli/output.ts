/** Prints to standard output, without secrets and control characters. */
import { redactSecrets, redactAll } from '#text-safety';

const writeLine = (text: string): void => void process.stdout.write(`${text}\n`);
export const printRedacted = (text: string): void => writeLine(redactSecrets(text));
/** Security: terminals execute control characters, and texts may quote a repository. */
export const escapeControlCharacters = (text: string): string =>
  text.replace(/\p{Cc}|\p{Cf}/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
/** Converts through JSON, so that `redactAll` sees plain values. */
export const printJson = (value: unknown): void => {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  writeLine(JSON.stringify(redactAll(plain), null, 2));
};
