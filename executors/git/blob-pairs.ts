/** The two versions of a changed file. */
export type BlobSide = { path: string; bytes: Uint8Array };
/** Null means that the file does not exist on that side. */
export type BlobPair = { before: BlobSide | null; after: BlobSide | null };
