/**
 * `node tests/support/record.ts` records the expected judgements and published texts. Where a
 * judgement changes, raise the version of its policy, or RISK_VERSION.
 */
import { writeFileSync } from 'node:fs';
import { POLICY_VERSION } from '../../governor/assess-action.ts';
import { CASES, judgedAs } from './recorded-actions.ts';
import { TEXTS, published } from './recorded-texts.ts';

const write = (file: string, lines: readonly string[]): void =>
  writeFileSync(new URL(`../fixtures/${file}`, import.meta.url), `${lines.join('\n')}\n`);

write('judged.txt', [POLICY_VERSION, ...CASES.map(judgedAs)]);
write('published.txt', TEXTS.map(published));
