/** Carries connections of a box on another machine to our gateway's socket (E20). */
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import { Duplex, type Writable } from 'node:stream';

const MOST_STREAMS = 256;
/** Of what one box has us keep (MB). */
const SESSION_MEMORY_MB = 64;

const joinStreams = (stream: ServerHttp2Stream, socket: string): void => {
  const out = connect({ path: socket, allowHalfOpen: true });
  stream.respond({ ':status': 200 });
  stream.pipe(out);
  out.pipe(stream);
  for (const [one, other] of [
    [stream, out],
    [out, stream],
  ] as const) {
    one.on('error', () => other.destroy());
    // What ended well was ended by its pipe, and may still have something to say to the other side.
    one.on('close', () => (one.readableEnded ? other.resume() : other.destroy()));
  }
};

type WayOut = {
  /** What the other end printed. */
  onStdout(chunk: Buffer): void;
  onStdin(stdin: Writable): void;
  /** Resolves when the port in the box is open. */
  opened: Promise<void>;
  close(): void;
};

/** The other end is as hostile as the box: it gets streams to this one socket, and nothing else. */
export const createRemoteEgress = (socket: string): WayOut => {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  let stdin: Writable | null = null;
  const line = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      if (stdin === null || stdin.destroyed) done();
      else stdin.write(chunk, () => done());
    },
  });
  const server = createServer({
    settings: { maxConcurrentStreams: MOST_STREAMS },
    maxSessionMemory: SESSION_MEMORY_MB,
  });
  server.on('session', (session) => {
    session.on('error', () => session.destroy());
    session.once('remoteSettings', () => resolve());
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => stream.destroy());
    // guard: E20-one-way-out
    if (headers[':method'] === 'CONNECT') joinStreams(stream, socket);
    else stream.close(constants.NGHTTP2_REFUSED_STREAM);
  });
  line.on('error', () => line.destroy());
  return {
    onStdout: (chunk) => void (line.destroyed || line.push(chunk)),
    onStdin: (stream) => {
      stdin = stream;
      server.emit('connection', line);
    },
    opened,
    close: () => line.destroy(),
  };
};
