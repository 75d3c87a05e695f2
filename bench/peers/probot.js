// A probot app with one handler for each event that is sent: `<secret>` verifies, parses and answers, storing nothing;
// `<secret> <file>` also keeps the id of each delivery in a SQLite file before it answers, so that a repetition is known.
// Plain JavaScript: its packages are there only after `npm ci` in this directory.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createNodeMiddleware, createProbot } from 'probot';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const env = { APP_ID: '1', PRIVATE_KEY: privateKey, WEBHOOK_SECRET: process.argv[2], LOG_LEVEL: 'fatal' };
const openStore = (file) => {
  const Database = createRequire(new URL('../../package.json', import.meta.url))('better-sqlite3');
  const db = new Database(file);
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table deliveries (id text primary key)',
  );
  return db.prepare('insert or ignore into deliveries values (?)');
};
const store = process.argv[3] ? openStore(process.argv[3]) : null;
const app = (probot) => {
  probot.on(['check_run', 'push'], ({ id }) => store?.run(id));
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
