/** Programs, threads, sockets and temporary files. */
export { allowLongTexts } from './answer-length.ts';
export { childEnvironment, passableEnvironment, searchPath } from './box-environment.ts';
export { isOwnVariable } from './credential-variables.ts';
export { createLayout } from './data-layout.ts';
export { type ReaderThreads, readerThreads } from './reader-threads.ts';
export { createReaper } from './reaper.ts';
export { type SpawnResult, spawnProcess } from './spawn.ts';
export { makeTemporary, ownHomes } from './temporary-files.ts';
export { listenOnSocket, shortSocketPath } from './unix-socket.ts';
