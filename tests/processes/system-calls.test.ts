/** E22: the filter of system calls of the boxes that this machine builds itself. */
import { existsSync } from 'node:fs';
import { describeCallFilter } from '../support/call-filter-contract.ts';
import { lacking, sandboxOf } from '../support/contained.ts';

for (const level of ['bwrap', 'unshare'] as const)
  describeCallFilter({
    name: level,
    isBox: true,
    system: 'host',
    start: { setting: level },
    reason: existsSync('/usr/bin/perl') ? await lacking(level) : 'no perl',
    sandboxOf: (dataDir, hidden) => sandboxOf(level, dataDir, hidden),
  });
