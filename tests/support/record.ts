/**
 * Writes down what is said of the recorded actions, and published of the recorded texts:
 * `node tests/support/record.ts`. Whoever changes a judgement by it raises POLICY_VERSION.
 */
import { writeFileSync } from 'node:fs';
import { POLICY_VERSION } from '../../orchestrator/core/govern/assess-action.ts';
import { CASES, judgedAs } from './recorded-actions.ts';
import { TEXTS, published } from './recorded-texts.ts';

const write = (file: string, lines: readonly string[]): void =>
  writeFileSync(new URL(`../fixtures/${file}`, import.meta.url), `${lines.join('\n')}\n`);

write('judged.txt', [POLICY_VERSION, ...CASES.map(judgedAs)]);
write('published.txt', TEXTS.map(published));
