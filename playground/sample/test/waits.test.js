import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waits } from '../src/index.js';

test('waits once less than it tries', () => {
  assert.equal(waits({ tries: 5 }).length, 4);
  assert.deepEqual(waits({ tries: 1 }), []);
});

test('waits longer each time', () => {
  const list = waits({ tries: 6 });
  assert.deepEqual(list, list.toSorted((a, b) => a - b));
});

test('waits no longer than the longest wait', () => {
  assert.equal(Math.max(...waits({ tries: 20, longestWait: 1000 })), 1000);
});
