/**
 * E16: no answer of a provider carries back into a box what we put into the request: header values
 * and bodies are searched, raw and encoded, however they are cut into pieces.
 */
import type { ExposedSecrets, SecretSearch } from '#sandbox';

/** So much of a line that has no end yet is held back, where it may be the beginning of a secret. */
const MAX_HELD = 65_536;
/** What was passed on is looked at again with what follows it. */
const ECHO_OVERLAP_BYTES = 64;
/** Fewer letters in a row say nothing. */
const MIN_BEGINNING = 4;

export type EchoFilter = {
  header(value: string): string;
  /** What may be passed on of it by now; null: the answer must be cut. */
  add(chunk: Uint8Array): Buffer | null;
  end(): Buffer | null;
};

/** Bytes as characters, one each: nothing is lost on the way back. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/**
 * `lent` knows what was put in. `onEcho` hears of each find. An event stream is not slowed down: a line
 * that has ended is passed on at once.
 */
export const createEchoFilter = (lent: ExposedSecrets, onEcho: () => void): EchoFilter => {
  const search: SecretSearch = lent.search();
  let held = '';
  let history = '';

  const pass = (text: string): Buffer | null => {
    if (text === '') return Buffer.alloc(0);
    const all = history + text;
    const hidden = lent.hide(all);
    if (hidden !== all) onEcho();
    // What is before the first difference was passed on already, or is as it was.
    let same = 0;
    while (same < history.length && hidden[same] === all[same]) same += 1;
    const out = bytesOf(hidden.slice(same));
    history = hidden.slice(-ECHO_OVERLAP_BYTES);
    search.add(out);
    if (search.found().length > 0) {
      onEcho();
      return null;
    }
    return out;
  };

  return {
    header: (value) => {
      const hidden = lent.hide(value);
      if (hidden !== value) onEcho();
      return hidden;
    },
    add: (chunk) => {
      const text = held + textOf(chunk);
      const cut = text.lastIndexOf('\n') + 1;
      const line = text.slice(cut);
      // guard: E16-echo-held
      const holds = line.length <= MAX_HELD && lent.begins(history + line, MIN_BEGINNING);
      held = holds ? line : '';
      return pass(holds ? text.slice(0, cut) : text);
    },
    end: () => {
      const rest = held;
      held = '';
      return pass(rest);
    },
  };
};
