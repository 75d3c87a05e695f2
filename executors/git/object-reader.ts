/** Keeps one `git cat-file --batch-command`. Only ids are sent, so no name forges an answer. */
import { killPlainProcess, type PlainProcess } from '../process/start-plain-process.ts';
import { createObjectHash } from './object-ids.ts';
import { MINUTE } from '#model/values';

export type GitObject = { oid: string; type: string; size: number; bytes: Buffer | null };

export type ObjectQuestion = {
  /** Full ids, answered in this order; missing objects are skipped. */
  oids: readonly string[];
  /** The value 0 requests sizes only. */
  maxBytes: number;
  take: (object: GitObject) => void;
};

/** The process ended; `asked` may be requested again. */
export class ReaderEnded extends Error {
  readonly ended: 'exited' | 'signalled' | 'not_started' | 'timed_out';
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(end: Pick<ReaderEnded, 'ended' | 'exitCode' | 'stderr'>) {
    super(`The process that reads objects ${end.ended}.`);
    this.ended = end.ended;
    this.exitCode = end.exitCode;
    this.stderr = end.stderr;
  }
}

export const SILENCE_MS = 3 * MINUTE;
const MAX_STDERR = 8_192;

type Asked = ObjectQuestion & {
  at: number;
  resolve(): void;
  reject(error: Error): void;
};
type Body = {
  oid: string;
  type: string;
  size: number;
  got: number;
  kept: Buffer | null;
  hash: ReturnType<typeof createObjectHash>;
};

export const createObjectReader = (child: PlainProcess) => {
  const asked: Asked[] = [];
  let header: Buffer[] = [];
  let body: Body | null = null;
  let stderr = '';
  let over: ReaderEnded | null = null;
  let silence: NodeJS.Timeout | undefined;

  const holdProcess = (): void => {
    const held = asked.length > 0 && over === null;
    clearTimeout(silence);
    if (held) silence = setTimeout(() => endReader({ ended: 'timed_out', exitCode: null }), SILENCE_MS);
    for (const one of [child, child.stdin, child.stdout, child.stderr])
      if (held) one.ref();
      else one.unref();
  };
  const endReader = (how: Pick<ReaderEnded, 'ended' | 'exitCode'>): void => {
    if (over !== null) return;
    over = new ReaderEnded({ ...how, stderr });
    killPlainProcess(child);
    for (const one of asked.splice(0)) one.reject(over);
    holdProcess();
  };
  const failReader = (why: string): void => {
    stderr = `${stderr}${why}`;
    endReader({ ended: 'exited', exitCode: null });
  };
  const settleAnswer = (answer: GitObject | null): void => {
    const [first] = asked;
    if (first === undefined) return;
    first.at += 1;
    try {
      if (answer !== null) first.take(answer);
    } catch (error) {
      first.take = () => undefined;
      first.reject(error instanceof Error ? error : new Error(String(error)));
    }
    if (first.at < first.oids.length) return;
    asked.shift();
    first.resolve();
    holdProcess();
  };

  const onHeader = (line: string): void => {
    const [oid = '', type = '', size] = line.split(' ');
    const first = asked[0];
    const isAnswer = first !== undefined && oid === first.oids[first.at];
    if (isAnswer && type === 'missing') return settleAnswer(null);
    if (!isAnswer || size === undefined || !/^\d+$/.test(size))
      return failReader(`an answer cannot be read: ${line.slice(0, 200)}`);
    const object = { oid, type, size: Number(size) };
    if (first.maxBytes === 0) return settleAnswer({ ...object, bytes: null });
    const kept = object.size <= first.maxBytes ? Buffer.allocUnsafe(object.size) : null;
    const hash = createObjectHash(type, object.size, oid.length);
    body = { ...object, got: 0, kept, hash };
  };
  const onBody = (chunk: Buffer, now: Body): Buffer => {
    const part = chunk.subarray(0, now.size + 1 - now.got);
    const bytes = part.subarray(0, Math.max(0, now.size - now.got));
    now.hash.update(bytes);
    if (now.kept !== null) bytes.copy(now.kept, now.got);
    now.got += part.length;
    if (now.got <= now.size) return chunk.subarray(part.length);
    body = null;
    const { oid, type, size, kept, hash } = now;
    // git does not verify that an object's bytes match its id.
    // guard: E1-bytes-of-the-id
    if (hash.digest('hex') !== oid) failReader(`object ${oid} is damaged`);
    else settleAnswer({ oid, type, size, bytes: kept });
    return chunk.subarray(part.length);
  };
  const onHead = (chunk: Buffer): Buffer => {
    const stop = chunk.indexOf(10);
    if (stop < 0) {
      header.push(chunk);
      return chunk.subarray(chunk.length);
    }
    const line = Buffer.concat([...header, chunk.subarray(0, stop)]).toString('latin1');
    header = [];
    onHeader(line);
    return chunk.subarray(stop + 1);
  };

  child.stdout.on('data', (chunk: Buffer) => {
    silence?.refresh();
    let rest = chunk;
    while (rest.length > 0 && over === null) rest = body === null ? onHead(rest) : onBody(rest, body);
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(0, MAX_STDERR)));
  // Writing to an ended process fails; the `close` event reports its end.
  child.stdin.on('error', () => {});
  child.once('error', (error) => {
    stderr = error.message;
    endReader({ ended: 'not_started', exitCode: null });
  });
  child.once('close', (exitCode) =>
    endReader({ ended: exitCode === null ? 'signalled' : 'exited', exitCode }),
  );
  holdProcess();

  return {
    isOver: (): boolean => over !== null,
    isIdle: (): boolean => asked.length === 0,
    ask: (question: ObjectQuestion): Promise<void> => {
      if (over !== null) return Promise.reject(over);
      if (question.oids.length === 0) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const { oids, maxBytes, take } = question;
      asked.push({ oids, maxBytes, take, at: 0, resolve, reject });
      holdProcess();
      const word = maxBytes === 0 ? 'info' : 'contents';
      child.stdin.write(`${oids.map((oid) => `${word} ${oid}\n`).join('')}flush\n`);
      return promise;
    },
    close: (): void => endReader({ ended: 'signalled', exitCode: null }),
  };
};
export type ObjectReader = ReturnType<typeof createObjectReader>;
