/** Tasks that break their thread, for tests of reader threads. */
import { allowLongTexts } from '#process';
import { KB } from '#model/values';

type OnReading = (file: string) => void;

export const readerTasks = {
  echo: (text: string) => text,
  nested: (text: string) => new Map([['jobs', [new Set([{ [text]: 1 }])]]]),
  bytes: (text: string) => new Uint8Array(text.length),
  show: allowLongTexts(64 * KB, (text: string) => text),
  spin: (file: string, reading: OnReading): never => {
    reading(file);
    for (;;);
  },
  grow: (file: string, reading: OnReading): number => {
    reading(file);
    const all: number[][] = [];
    for (;;) all.push(Array.from({ length: 10_000 }, (_, i) => i + all.length));
  },
  recurse: (file: string, reading: OnReading): number => {
    reading(file);
    const deeper = (n: number): number => deeper(n + 1) + 1;
    return deeper(0);
  },
  throws: (): never => {
    throw new TypeError('a bug of ours');
  },
  leaves: (): never => process.exit(3),
};
