/** TLS before the product, by an authority that this process trusts: browsers have people's keys only there. */
import { createHash, X509Certificate } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createAuthority } from './company-network.ts';

export type TlsFront = Awaited<ReturnType<typeof startTlsFront>>;

export const startTlsFront = async () => {
  const authority = createAuthority();
  const before = getCACertificates();
  setDefaultCACertificates([...before, readFileSync(authority.file, 'utf8')]);
  const certificate = authority.certify(['localhost']);
  let to = 0;
  const server = https.createServer(certificate, (request, response) => {
    const { method, headers, url: path } = request;
    const asked = http.request({ host: '127.0.0.1', port: to, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const publicKey = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' });
  const pin = createHash('sha256').update(publicKey).digest('base64');
  return {
    publicUrl: `https://localhost:${port}`,
    browserArgs: [
      // A page whose certificate is only overlooked has no keys; this one counts as good.
      `--ignore-certificate-errors-spki-list=${pin}`,
    ],
    leadsTo: (its: number): void => void (to = its),
    async close(): Promise<void> {
      setDefaultCACertificates(before);
      server.closeAllConnections();
      server.close();
      authority.close();
    },
  };
};
