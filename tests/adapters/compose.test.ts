/** compose.yaml and Dockerfile against what the command takes: no container runtime is needed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ENVIRONMENT_NAMES } from '../../app/environment-schema.ts';
import { createProgram } from '../../cli/main.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const Service = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  security_opt: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  deploy: z.object({ replicas: z.number() }).optional(),
  healthcheck: z.record(z.string(), z.unknown()).optional(),
});
const compose = z
  .object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(read('compose.yaml'), { merge: true }));
/** Secrets that a worker does not read. */
const CONTROL_ONLY = ['TELEGRAM_BOT_TOKEN', 'GITHUB_WEBHOOK_SECRET', 'GITHUB_WEBHOOK_SECRET_PREVIOUS'];
const { postgres, control, worker } = compose.services;
const ours = [control, worker].filter((one) => one !== undefined);

it('L7: a Postgres, one control and three workers are there, and wait for the database', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual(['control', 'postgres', 'worker']);
  expect(worker?.deploy?.replicas).toBe(3);
  expect(control?.deploy).toBeUndefined();
  expect(postgres?.healthcheck).toBeDefined();
  for (const one of ours) expect(one.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
});

it('L7: they start as what they are called, by names of settings that are known', async () => {
  const [, command = ''] = /^CMD \["(\w+)"\]$/m.exec(read('Dockerfile')) ?? [];
  expect((await createProgram(command)).commands.map((one) => one.name())).toContain(command);
  for (const one of ours) {
    expect(one.command).toEqual([]);
    for (const setting of Object.keys(one.environment)) expect(ENVIRONMENT_NAMES).toContain(setting);
  }
  // Also for `docker compose exec worker agentpr doctor`, which an argument would not reach.
  expect(ours.map(({ environment }) => environment.AGENTPR_ROLE)).toEqual(['control', 'worker']);
});

it('L7: what the image sets is not taken away by an empty line of .env', () => {
  const set = [...read('Dockerfile').matchAll(/\b(AGENTPR_\w+)=/g)].map(([, setting = '']) => setting);
  expect(set.length).toBeGreaterThan(2);
  for (const setting of set) {
    expect(ENVIRONMENT_NAMES).toContain(setting);
    for (const { environment } of ours) expect(environment[setting]).toBeTruthy();
  }
});

it('S6: they hold no capability and no secret, share one data volume, and are reached from this machine only', () => {
  for (const { cap_drop: dropped, security_opt: options, volumes, ports } of ours) {
    expect(dropped).toEqual(['ALL']);
    expect(options).toContain('no-new-privileges:true');
    expect(volumes).toContain('data:/data');
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
  expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(['data', 'postgres']));
  // A password stands nowhere but in .env.
  expect(read('compose.yaml')).not.toMatch(/PASSWORD: (?!\$\{POSTGRES_PASSWORD:\?)/);
  expect(read('Dockerfile')).toMatch(/^USER agentpr$/m);
});

it('S6: the seccomp profile refuses what reaches into the kernel, and leaves what boxes are built of', () => {
  const [, file = ''] =
    /^seccomp:(.+)$/.exec(control?.security_opt.find((o) => o.startsWith('seccomp')) ?? '') ?? [];
  expect(existsSync(join(ROOT, file))).toBe(true);
  const { syscalls } = z
    .object({ syscalls: z.array(z.object({ names: z.array(z.string()), action: z.string() })) })
    .parse(JSON.parse(read(file)));
  const refused = syscalls.flatMap(({ names }) => names);
  expect(refused).toEqual(
    expect.arrayContaining(['bpf', 'init_module', 'kexec_load', 'keyctl', 'reboot', 'settimeofday']),
  );
  for (const needed of [
    'clone',
    'clone3',
    'unshare',
    'mount',
    'umount2',
    'pivot_root',
    'sethostname',
    'setns',
  ])
    expect(refused).not.toContain(needed);
});

it('S6: a worker is given no secret of the chat or of the webhooks, and is healthy only while it can work', () => {
  for (const name of CONTROL_ONLY) expect(worker?.environment[name]).toBe('');
  expect(control?.environment).not.toHaveProperty('TELEGRAM_BOT_TOKEN');
  expect(JSON.stringify(worker?.healthcheck)).toContain('http://127.0.0.1:8787/readyz');
  expect(worker?.environment.AGENTPR_HTTP_HOST).toBe('127.0.0.1');
});
