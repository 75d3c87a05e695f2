/** Opens a connection to a host through an HTTP proxy by CONNECT. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const MAX_ANSWER_BYTES = 16_384;

/** `status` is the proxy's refusal; null if it did not answer. */
type ThroughProxy = { socket: Socket } | { status: number | null };

const basicAuthHeader = ({ username, password }: URL): string =>
  username === '' && password === ''
    ? ''
    : `proxy-authorization: Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}\r\n`;

/** `target` is `host:port`; the proxy resolves the name. */
export const connectThroughProxy = (proxy: URL, target: string, timeoutMs: number): Promise<ThroughProxy> =>
  new Promise((resolve) => {
    const host = proxy.hostname.replace(/^\[|\]$/g, '');
    const isTls = proxy.protocol === 'https:';
    const at = { host, port: Number(proxy.port) || (isTls ? 443 : 80) };
    const socket = isTls ? connectTls({ ...at, servername: host }) : connectTcp(at);
    let answer = Buffer.alloc(0);
    const finishConnect = (result: ThroughProxy): void => {
      socket.off('data', readAnswer);
      socket.setTimeout(0);
      if (!('socket' in result)) socket.destroy();
      resolve(result);
    };
    const readAnswer = (chunk: Buffer): void => {
      answer = Buffer.concat([answer, chunk]);
      const head = answer.indexOf('\r\n\r\n');
      if (head < 0) return answer.length > MAX_ANSWER_BYTES ? finishConnect({ status: null }) : undefined;
      const [, code] = /^HTTP\/1\.\d (\d{3})\b/.exec(answer.toString('latin1', 0, head)) ?? [];
      const status = code === undefined ? null : Number(code);
      if (status === null || status < 200 || status > 299) return finishConnect({ status });
      socket.pause();
      const rest = answer.subarray(head + 4);
      if (rest.length > 0) socket.unshift(rest);
      finishConnect({ socket });
    };
    socket.setTimeout(timeoutMs, () => finishConnect({ status: null }));
    socket.on('error', () => finishConnect({ status: null }));
    socket.once('close', () => finishConnect({ status: null }));
    socket.on('data', readAnswer);
    socket.once(isTls ? 'secureConnect' : 'connect', () =>
      socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${basicAuthHeader(proxy)}\r\n`),
    );
  });
