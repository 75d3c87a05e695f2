/** Removes our credentials from answers, raw or encoded, across chunks (E16). */
import type { ExposedSecrets, SecretSearch } from '#sandbox';

/** Maximum of an unfinished line that is held back (bytes). */
const MAX_HELD = 65_536;
const ECHO_OVERLAP_BYTES = 64;
const MIN_BEGINNING = 4;

export type EchoFilter = {
  header(value: string): string;
  /** Returns the bytes to send now; null means that the answer must be aborted. */
  add(chunk: Uint8Array): Buffer | null;
  end(): Buffer | null;
};

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Finished lines of event streams are not delayed. */
export const createCredentialEchoFilter = (lent: ExposedSecrets, onEcho: () => void): EchoFilter => {
  let search: SecretSearch = lent.search();
  let held = '';
  let history = '';

  const passText = (text: string): Buffer | null => {
    if (text === '') return Buffer.alloc(0);
    const all = history + text;
    const ahead = search.fork();
    ahead.add(bytesOf(text));
    if (ahead.fork().end().length === 0) {
      search = ahead;
      history = all.slice(-ECHO_OVERLAP_BYTES);
      return bytesOf(text);
    }
    const hidden = lent.hide(all);
    if (hidden !== all) onEcho();
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
      return passText(holds ? text.slice(0, cut) : text);
    },
    end: () => {
      const rest = held;
      held = '';
      return passText(rest);
    },
  };
};
