import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patient } from '../src/index.js';

const noWait = { wait: async () => {} };
const failing = (times) => {
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls <= times) throw new Error(`failure ${calls}`);
    return `success after ${calls} calls`;
  };
  return { work, calls: () => calls };
};

test('gives what the work gives', async () => {
  assert.equal(await patient(failing(0).work, noWait), 'success after 1 calls');
});

test('tries again after a failure', async () => {
  assert.equal(await patient(failing(2).work, noWait), 'success after 3 calls');
});

test('gives up with the last error', async () => {
  const { work, calls } = failing(9);
  await assert.rejects(patient(work, { ...noWait, tries: 4 }), /failure 4/);
  assert.equal(calls(), 4);
});

test('does not try again when it is not worth it', async () => {
  const { work, calls } = failing(9);
  await assert.rejects(patient(work, { ...noWait, retryIf: () => false }), /failure 1/);
  assert.equal(calls(), 1);
});
