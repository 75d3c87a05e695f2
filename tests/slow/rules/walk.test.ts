/** The page about two ways through the code is a walk of today's code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onPage, ROOT, told, walkBoth, WAYS } from '../../rules/walk.ts';

/**
 * The share of the modules by which two walks may differ: looks at the pull request, and what is
 * told of them, may come before a way has ended, or after.
 */
const CHANCE = 0.25;

it('the ways of one tap and of a red check are walked as their page tells; `npm run walk` writes it', async () => {
  const walks = await walkBoth();
  for (const way of ['tap', 'red check'] as const) {
    const { block, modules } = onPage(way);
    expect(modules.filter((module) => !existsSync(join(ROOT, module)))).toEqual([]);
    const now = told(way, walks[way]);
    for (const [module, f] of WAYS[way].spine) {
      expect(now).toContain(`✔ ${module} (${f})`);
      expect(block).toContain(`✔ ${module} (${f})`);
    }
    const entered = new Set(walks[way].map(({ module }) => module));
    const page = new Set(modules);
    const differing = [...page, ...entered].filter((module) => page.has(module) !== entered.has(module));
    expect(differing.length > CHANCE * page.size ? differing : [], '`npm run walk` writes the page').toEqual(
      [],
    );
  }
}, 120_000);
