/** Programs, threads, sockets and temporary files. */
export { allowLongTexts } from './answer-length.ts';
export { childEnvironment, passableEnvironment, toPathVariable } from './box-environment.ts';
export { isOwnVariable } from './credential-variables.ts';
export { createDataLayout } from './data-layout.ts';
export { type ReaderThreads, readerThreads } from './reader-threads.ts';
export { createReaper } from './reaper.ts';
export { type SpawnResult, spawnProcess } from './spawn.ts';
export { makeTemporaryDirectory, listOwnHomes } from './temporary-directories.ts';
export { listenOnSocket, shortSocketPath } from './unix-socket.ts';
