/** Parses and formats git trees and commits as bytes (latin1). Pure. */
import { trimEndCharacters } from '#model/values';
import type { RawPath } from './path-names.ts';

export type NamedEntry = { mode: string; name: RawPath; oid: string };
export const TREE_MODE = '040000';
export const SUBMODULE_MODE = '160000';
export const isPlainFile = (mode: string): boolean => mode.startsWith('100');

const [TYPE, REGULAR, LINK, FOLDER, EXECUTABLE] = [0o170000, 0o100000, 0o120000, 0o040000, 0o100];
const modeOf = (octal: string): string => {
  const mode = parseInt(octal, 8);
  const type = mode & TYPE;
  if (type === REGULAR) return (mode & EXECUTABLE) === 0 ? '100644' : '100755';
  return type === LINK ? '120000' : type === FOLDER ? TREE_MODE : SUBMODULE_MODE;
};

const UNSAFE_NAME = /^(?:\.{0,2}|\.[gG][iI][tT])$|[/\0\u0100-\uffff]/;

/** Throws on malformed trees, because a guess would hide files. */
export const parseTree = (bytes: Buffer, idBytes: number): NamedEntry[] => {
  const entries: NamedEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const [blank, stop] = [bytes.indexOf(32, at), bytes.indexOf(0, at)];
    const octal = bytes.toString('latin1', at, Math.max(at, blank));
    const name = bytes.toString('latin1', blank + 1, Math.max(blank + 1, stop));
    const end = stop + 1 + idBytes;
    // guard: E1-tree-names
    if (!/^[0-7]{1,7}$/.test(octal) || UNSAFE_NAME.test(name) || stop < 0 || end > bytes.length)
      throw new Error(`A tree of the repository cannot be read at "${octal} ${name.slice(0, 100)}".`);
    entries.push({ mode: modeOf(octal), name, oid: bytes.toString('hex', stop + 1, end) });
    at = end;
  }
  return entries;
};

/** git sorts folders as if their names ended in a slash. */
export const formatTree = (entries: readonly NamedEntry[]): Buffer => {
  const sortKeyOf = ({ mode, name }: NamedEntry): string => (mode === TREE_MODE ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  const unsafe = entries.find(({ name }) => UNSAFE_NAME.test(name));
  // guard: E1-format-names
  if (unsafe) throw new Error(`A tree cannot have an entry called "${unsafe.name}".`);
  return Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ]),
  );
};

export type CommitObject = {
  tree: string;
  parents: string[];
  author: string;
  /** True if the commit declares another encoding than UTF-8. */
  isRecoded: boolean;
  /** Byte for byte (latin1). */
  message: string;
  signature: string | null;
};

const COMMIT_HEADER = /^tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)author ([^\n]*)\n/;
const IDENT = /^([^<]*)<([^<>]*)>/;
const SIGNATURE = /^gpgsig ((?:[^\n]*\n )*[^\n]*)$/m;
export const parseCommit = (bytes: Buffer): CommitObject => {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end + 1);
  const [, tree, parents = '', by = ''] = COMMIT_HEADER.exec(head) ?? [];
  const [, before, address] = IDENT.exec(by) ?? [];
  if (tree === undefined || before === undefined)
    throw new Error('A commit of the repository cannot be read.');
  const name = trimEndCharacters(before, ' ');
  return {
    tree,
    parents: [...parents.matchAll(/ ([0-9a-f]+)\n/g)].map(([, id = '']) => id),
    author: Buffer.from(`${name} <${address}>`, 'latin1').toString('utf8'),
    isRecoded: /^encoding (?!utf-?8$)/im.test(head),
    message: end < 0 ? '' : text.slice(end + 2),
    signature: SIGNATURE.exec(head)?.[1]?.replaceAll('\n ', '\n') ?? null,
  };
};

export type NewCommit = {
  tree: string;
  parents: readonly string[];
  author: { name: string; email: string };
  /** Epoch ms. */
  at: number;
  message: string;
};

/** git strips these from names and addresses. */
const EDGE = /^[\0-\x20.,:;<>"\\']+|(?<![\0-\x20.,:;<>"\\'])[\0-\x20.,:;<>"\\']+$/g;
const identOf = ({ name, email }: NewCommit['author']): string => {
  const [cleanName, cleanEmail] = [name, email].map((text) => text.replace(EDGE, '').replace(/[\n<>]/g, ''));
  if (!cleanName) throw new Error('A commit cannot be made without the name of its author.');
  return `${cleanName} <${cleanEmail}>`;
};

export const formatCommit = ({ tree, parents, author, at, message }: NewCommit): Buffer => {
  if (/\0/.test(message + author.name + author.email))
    throw new Error('A commit cannot hold a zero byte in its message or author.');
  const by = `${identOf(author)} ${Math.floor(at / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${by}`, `committer ${by}`];
  return Buffer.from(`${lines.join('\n')}\n\n${message}`);
};
