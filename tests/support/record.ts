/** Writes down what the governor says of the recorded actions: `node tests/support/record.ts`. Whoever has to do so raises POLICY_VERSION. */
import { writeFileSync } from 'node:fs';
import { POLICY_VERSION } from '../../orchestrator/core/govern/index.ts';
import { record } from './recorded-actions.ts';

writeFileSync(new URL('../fixtures/judged.txt', import.meta.url), `${POLICY_VERSION}\n${record()}`);
