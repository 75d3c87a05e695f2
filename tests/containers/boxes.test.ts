/** E20: boxes of containers keep what every box keeps, on real Docker and real Podman. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type CommandSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { describeCallFilter } from '../support/call-filter-contract.ts';
import {
  describeBox,
  describeContainment,
  plantSecret,
  type LevelUnderTest,
} from '../support/containment-contract.ts';
import { dataDirectory, inBox } from '../support/contained.ts';
import { lacksEngine, makeImage, startEngine, type EngineUnderTest } from '../support/container-engines.ts';

plantSecret();

const BASE = 'agentpr-test:base';
const PACKAGES = 'git,perl,procps,python3-minimal';
/** A daemon starts in seconds, and an image is made once in minutes. */
const LONG = 900_000;

for (const name of ['docker', 'podman'] as const) {
  const reason = lacksEngine(name);
  let engine: EngineUnderTest | null = null;
  const start: LevelUnderTest['start'] = { setting: 'container' };

  describe.skipIf(reason !== null)(`boxes of ${name}${reason === null ? '' : ` (${reason})`}`, () => {
    beforeAll(async () => {
      engine = await startEngine(name);
      makeImage(engine, BASE, PACKAGES);
      start.containers = { engine: name, env: engine.env, image: BASE, allowed: [] };
    }, LONG);
    afterAll(async () => engine?.close(), LONG);

    const open = async (
      dataDir: string,
      more: Partial<Parameters<typeof createSandbox>[0]> = {},
    ): Promise<CommandSandbox> => {
      const outcome = await createSandbox({ ...start, dataDir, ...more });
      if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
      return outcome.sandbox;
    };
    const left = (): string => engine?.ask('ps', '--all', '--quiet') ?? '';

    const level: LevelUnderTest = {
      name,
      reason: null,
      isBox: true,
      system: 'image',
      start,
      sandboxOf: (dataDir, hidden = []) => open(dataDir, { hidden }),
    };
    describeContainment(level);
    describeBox(level);
    describeCallFilter(level);

    it('E20: leaves no container behind, however a command ends', async () => {
      const at = dataDirectory();
      const sandbox = await open(at.dataDir);
      const abort = new AbortController();
      await inBox(sandbox, at, 'exit 3');
      await inBox(sandbox, at, 'sleep 60', { timeoutMs: 1_500, graceMs: 50 });
      await inBox(sandbox, at, `echo up; sleep 60`, {
        signal: abort.signal,
        graceMs: 50,
        onStdout: () => abort.abort(),
      });
      expect(left()).toBe('');
    });

    it('E2: stops a fork bomb, a hog of memory and a full disk, and says which', async () => {
      const at = dataDirectory();
      const sandbox = await open(at.dataDir, { limits: { processes: 64, memoryMb: 256, diskMb: 50 } });
      const bomb = await inBox(
        sandbox,
        at,
        `perl -e 'while (1) { if (!defined(my $p = fork)) { sleep 1 } elsif (!$p) { sleep 60 } }'`,
      );
      expect(bomb.excess).toMatchObject({ limit: 'processes' });
      const hog = await inBox(sandbox, at, `perl -e '$x = "x" x (1 << 29); print length $x'`);
      // Podman does not tell with control groups of version 1 that its memory ran out; without root
      // it cannot make any, and AgentPR itself looks.
      if (name === 'docker' || process.getuid?.() !== 0)
        expect(hog).toMatchObject({ stdout: '', excess: { limit: 'memory' } });
      else expect(hog).toMatchObject({ stdout: '', exitCode: 137 });
      const file = await inBox(sandbox, at, 'head -c 90000000 /dev/zero >~/big');
      expect(file.excess).toMatchObject({ limit: 'disk' });
      expect(left()).toBe('');
    });

    it('E20: bounds what it keeps in memory as files, and has no other place to write', async () => {
      const at = dataDirectory();
      const sandbox = await open(at.dataDir, { limits: { memoryMb: 300, diskMb: 4000 } });
      const text = `for d in /tmp /var/tmp /dev/shm; do
        head -c 90000000 /dev/zero >$d/big 2>/dev/null; echo $(( $(stat -c %s $d/big) <= 76 * 1024 * 1024 )); rm $d/big
      done; touch /run/x /usr/x /root/x /x /etc/hosts 2>/dev/null; ls /run/x /usr/x /root/x /x 2>/dev/null; true`;
      expect((await inBox(sandbox, at, text)).stdout).toBe('1\n1\n1\n');
    });
  });
}
