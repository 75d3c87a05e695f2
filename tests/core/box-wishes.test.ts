/** E20: which image and services a repository asks for, and what of it an operator allows. */
import { describe, expect, it } from 'vitest';
import type { BoxWish } from '#model/environment';
import { readContract } from '#discovery';
import { LANGUAGE_TEXTS } from '#language';
import { selectContractFiles } from '../../discovery/discover-contract.ts';
import { chooseImage, isAllowedImage } from '../../executors/sandbox/containers/container-images.ts';
import { parseListeningPorts } from '../../executors/sandbox/containers/container-services.ts';
import { findContainerFailure } from '../../executors/sandbox/containers/container-limits.ts';
import { checksOf } from '../../orchestrator/kernel/preparation/check-selection.ts';

const WORKFLOW = `name: ci
on: pull_request
jobs:
  lint:
    runs-on: ubuntu-latest
    container: golangci/golangci-lint:v2.1
    steps:
      - run: golangci-lint run
  test:
    runs-on: ubuntu-latest
    container:
      image: golang:1.26-bookworm
    services:
      postgres:
        image: postgres:16
        env:
          POSTGRES_PASSWORD: postgres
          POSTGRES_DB: \${{ matrix.db }}
        ports:
          - 5432:5432
        options: >-
          --health-cmd "pg_isready -U postgres"
          --health-interval 10s
    steps:
      - uses: actions/checkout@v5
      - run: go test ./...
`;
const GO_MOD = 'module example.com/app\n\ngo 1.25\n';

const contractOf = (files: Record<string, string>, images = true) => {
  const read = readContract(
    { paths: Object.keys(files), files: new Map(Object.entries(files)), owner: null, images },
    () => {},
  );
  if ('problem' in read) throw new Error(read.problem);
  return read;
};
const wishOf = (files: Record<string, string>): BoxWish | undefined => contractOf(files).box;

describe('what a repository asks for', () => {
  const files = { '.github/workflows/ci.yml': WORKFLOW, 'go.mod': GO_MOD, 'a_test.go': 'package app' };

  it('E20: is a machine of one’s own by the labels beside self-hosted, and no hosted one', () => {
    const on = (line: string) =>
      wishOf({ ...files, '.github/workflows/ci.yml': WORKFLOW.replaceAll('runs-on: ubuntu-latest', line) });
    expect(on('runs-on: ubuntu-latest')).not.toHaveProperty('labels');
    expect(on('runs-on: gpu')).not.toHaveProperty('labels');
    expect(on('runs-on: [self-hosted, Linux, GPU]')?.labels).toEqual(['linux', 'gpu']);
    expect(on('runs-on: { group: ours, labels: [self-hosted, arm64] }')?.labels).toEqual(['arm64']);
    expect(on('runs-on: [self-hosted, "${{ matrix.arch }}", a b]')).not.toHaveProperty('labels');
  });

  it('E20: is the devcontainer’s image first, then that of the job, then the version of the tool', () => {
    const devcontainer =
      '{ // for editors\n "image": "mcr.microsoft.com/devcontainers/go:1.26", /* , */ "x": "//", }';
    const wish = wishOf({ ...files, '.devcontainer/devcontainer.json': devcontainer });
    expect(wish?.images.map(({ image, from }) => [from, image])).toEqual([
      ['devcontainer', 'mcr.microsoft.com/devcontainers/go:1.26'],
      ['workflow', 'golangci/golangci-lint:v2.1'],
      ['workflow', 'golang:1.26-bookworm'],
      // CI’s version, not the least of go.mod.
      ['tool', 'golang:1.26'],
    ]);
  });

  it('E20: is the image of the one devcontainer with a name, after those without', () => {
    const asks = (image: string) => JSON.stringify({ image });
    const go = { '.devcontainer/go/devcontainer.json': asks('golang:1.26') };
    const wished = (more: Record<string, string>) => wishOf(more)?.images.map(({ image }) => image);
    expect(selectContractFiles(Object.keys(go))).toEqual(Object.keys(go));
    expect(wished(go)).toEqual(['golang:1.26']);
    expect(wished({ ...go, '.devcontainer.json': asks('node:22') })).toEqual(['node:22', 'golang:1.26']);
    expect(wished({ '.devcontainer/go/x/devcontainer.json': asks('golang:1.26') })).toBeUndefined();
    expect(contractOf(go).riskFlags.join()).not.toContain('devcontainer');
  });

  it.each([
    ['en', 'several devcontainers (api, web): none is taken; containers.image'],
    ['zh', '有多个 devcontainer（api, web）：都不采用'],
  ] as const)('E20: is no one of several devcontainers with a name, which are told (%s)', (code, says) => {
    const files = {
      '.devcontainer/web/devcontainer.json': '{"image":"node:22"}',
      '.devcontainer/api/devcontainer.json': '{"image":"golang:1.26"}',
    };
    expect(wishOf(files)).toBeUndefined();
    const told = (images: boolean) =>
      contractOf(files, images).riskFlags.map(LANGUAGE_TEXTS[code].riskFlag).join('; ');
    expect(told(true)).toContain(says);
    expect(told(false)).not.toContain('devcontainer');
    expect(contractOf({ ...files, '.devcontainer.json': '{}' }).riskFlags.join()).not.toContain(
      'devcontainer',
    );
  });

  it('E20: has the services of the job that tests, without what only a runner knows', () => {
    expect(wishOf(files)?.services).toEqual([
      {
        name: 'postgres',
        image: 'postgres:16',
        env: { POSTGRES_PASSWORD: 'postgres' },
        ports: [5432],
        health: 'pg_isready -U postgres',
      },
    ]);
  });

  it('E20: names the versions that manifests ask for', () => {
    const image = (more: Record<string, string>): string | undefined => wishOf(more)?.images[0]?.image;
    expect(image({ '.nvmrc': 'v22.11.0\n', 'package.json': '{"scripts":{"test":"node --test"}}' })).toBe(
      'node:22.11.0',
    );
    expect(image({ 'go.mod': GO_MOD, 'a_test.go': 'package app' })).toBe('golang:1.25');
    const python = { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'tests/test_a.py': '' };
    expect(image({ '.python-version': '3.13\n', ...python })).toBe('python:3.13');
    expect(wishOf({ 'README.md': 'nothing' })).toBeUndefined();
  });

  it('E20: passes over what is no name of an image', () => {
    const hostile = (image: string): BoxWish | undefined =>
      wishOf({ '.devcontainer.json': JSON.stringify({ image }) });
    for (const image of ['--privileged', 'a b', '-v/:/host', '${{ x }}', '', '../x', 'a'.repeat(300)])
      expect(hostile(image)).toBeUndefined();
  });

  it('E20: is not read where boxes have no images', () => {
    expect(contractOf(files, false).box).toBeUndefined();
  });

  it('E20: gives services to the checks that need them alone, which then can be run', () => {
    const order = { checks: [], install: undefined };
    const run = (contract: ReturnType<typeof contractOf>) =>
      checksOf({ order, target: { contract }, change: { commit: null } } as unknown as Parameters<
        typeof checksOf
      >[0]);
    const test = run(contractOf(files)).find(({ command }) => command.startsWith('go test'));
    expect(test?.needs).toBeUndefined();
    expect(test?.box?.services).toHaveLength(1);
    const lint = run(contractOf(files)).find(({ command }) => command.startsWith('golangci'));
    expect(lint?.box?.services).toEqual([]);
    const unknown = WORKFLOW.replace('postgres:16', '${{ matrix.image }}');
    const stays = run(contractOf({ ...files, '.github/workflows/ci.yml': unknown }));
    expect(stays.find(({ command }) => command.startsWith('go test'))?.needs).toHaveLength(1);
    const without = run(contractOf(files, false)).find(({ command }) => command.startsWith('go test'));
    expect(without?.needs).toEqual([{ kind: 'services', names: ['postgres'] }]);
  });
});

describe('what an operator allows', () => {
  it.each([
    ['golang:1.26', ['golang'], true],
    ['docker.io/library/golang:1.26', ['golang'], true],
    ['golang', ['golang:latest'], true],
    ['python:3.13', ['python:3.*'], true],
    ['python:2.7', ['python:3.*'], false],
    ['python:13.3', ['python:3.*'], false],
    ['ghcr.io/acme/api:v1', ['ghcr.io/acme/*'], true],
    ['ghcr.io/acme/api/evil:v1', ['ghcr.io/acme/*'], false],
    ['evil.example/golang:1.26', ['golang'], false],
    ['golang.evil/golang:1', ['golang'], false],
    ['evil/golang:1.26', ['golang'], false],
    [`golang@sha256:${'a'.repeat(64)}`, ['golang'], true],
    [`golang:9@sha256:${'a'.repeat(64)}`, ['golang:1.*'], false],
    ['localhost:5000/x:1', ['localhost:5000/x'], true],
    ['anything:1', [], false],
  ])('E20: %s by %j: %s', (image, allowed, is) => {
    expect(isAllowedImage(image, allowed)).toBe(is);
  });

  it('E20: comes before what a repository asks for, and says what to add where nothing fits', () => {
    const wish: BoxWish = {
      images: [
        { image: 'evil:1', from: 'devcontainer', source: '.devcontainer.json' },
        { image: 'golang:1.26', from: 'tool', source: 'go.mod:3' },
      ],
      services: [],
    };
    expect(chooseImage({ image: 'ours:1', allowed: ['golang'] }, wish)).toEqual({ name: 'ours:1' });
    expect(chooseImage({ otherwise: 'debian:13', allowed: ['golang'] }, wish)).toEqual({
      name: 'golang:1.26',
    });
    expect(chooseImage({ otherwise: 'debian:13', allowed: [] }, wish)).toEqual({ name: 'debian:13' });
    expect(chooseImage({ allowed: [] }, wish)).toEqual({
      says: 'No image for this repository is allowed. It asks for evil:1 (.devcontainer.json). To allow that, add it to containers.allowed in agentpr.config.json.',
    });
    expect(chooseImage({ allowed: [] }, null)).toMatchObject({
      says: expect.stringMatching(/otherwise/) as string,
    });
  });
});

describe('what an engine says', () => {
  it('E20: is told from what a command says', () => {
    const failed = 'docker: Error response from daemon: no such image.\nSee help';
    expect(findContainerFailure(125, failed)).toBe('docker: Error response from daemon: no such image.');
    expect(findContainerFailure(1, 'Error: the tests failed')).toBeNull();
    expect(findContainerFailure(127, 'Error: no such module')).toBeNull();
    expect(findContainerFailure(127, 'containment: codex is not in the image debian:13')).toMatch(/codex/);
  });

  it('E20: names the ports that listen in a network', () => {
    const tables = `  sl  local_address rem_address   st tx_queue
   0: 0100007F:1538 00000000:0000 0A 00000000:00000000 00:00000000
   1: 0100007F:1539 0100007F:9C40 01 00000000:00000000 00:00000000
   0: 00000000000000000000000000000000:18EB 00000000000000000000000000000000:0000 0A 00000000
`;
    expect(parseListeningPorts(tables)).toEqual([5432, 6379]);
  });
});
