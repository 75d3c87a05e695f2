/** E1: a tree nested deeper than any path may be long. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { has, unsafe, useVictim } from '../../support/victim.ts';

const victim = useVictim();

describe('E1: what cannot be published safely is left out or refused, and said', () => {
  it('folders nested 1,500 deep are refused', async () => {
    mkdirSync(join(victim.run.ws, ...Array.from({ length: 1500 }, () => 'd')), { recursive: true });
    expect(has(unsafe(await victim.harvested()), 'too_large')).toBe(true);
  });
});
