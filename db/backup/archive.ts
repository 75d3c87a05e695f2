/** Tar archives of regular files (POSIX ustar), as backups are written and read. */

import { DatabaseFailure } from '../sql/database-failures.ts';

export type TarFile = {
  name: string;
  size: number;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
};

/** Throws when the length of a file's content differs from its `size`. */
export async function* packTar(files: AsyncIterable<TarFile>, at: number): AsyncGenerator<Uint8Array> {
  const { createTarPacker } = await import('modern-tar');
  const { readable, controller } = createTarPacker();
  const writeEntries = async (): Promise<void> => {
    for await (const { name, size, content } of files) {
      const entry = controller.add({ name, size, type: 'file', mode: 0o600, mtime: new Date(at) });
      await ReadableStream.from(content).pipeTo(entry);
    }
    controller.finalize();
  };
  const written = writeEntries().catch((error: unknown) => controller.error(error));
  try {
    yield* readable;
  } finally {
    await written;
  }
}

async function* explainReadFailure<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    if (error instanceof DatabaseFailure) throw error;
    throw new DatabaseFailure({ kind: 'archive_cut' }, error);
  }
}

/** At most 200 characters: an archive may hold a name of megabytes. */
export const quoteArchiveName = (name: string): string => JSON.stringify(name.slice(0, 200));

/** Each file must be read to its end before the next. */
export async function* unpackTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const { createTarDecoder } = await import('modern-tar');
  // Strict also reads what follows the end, so that gzip and age check their last bytes.
  const entries = ReadableStream.from(source).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of explainReadFailure(entries)) {
    const { name, size, type } = header;
    // guard: S6-backup-plain-files
    if (type !== 'file')
      throw new DatabaseFailure({ kind: 'archive_file_unplain', name: quoteArchiveName(name) });
    yield { name, size, content: explainReadFailure(body) };
  }
}
