// A probot app with one empty handler for each event that is sent: what it costs to verify, parse and answer, storing nothing.
// Plain JavaScript: its packages are there only after `npm ci` in this directory.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createNodeMiddleware, createProbot } from 'probot';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const env = { APP_ID: '1', PRIVATE_KEY: privateKey, WEBHOOK_SECRET: process.argv[2], LOG_LEVEL: 'fatal' };
const app = (probot) => {
  probot.on(['check_run', 'push'], () => {});
};
const middleware = await createNodeMiddleware(app, {
  probot: createProbot({ env }),
  webhooksPath: '/webhooks/github',
});
const server = createServer((request, response) => {
  void middleware(request, response, () => response.writeHead(404).end());
});
server.listen(0, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
