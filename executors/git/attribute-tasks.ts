/** Reads attributes in a reader thread. */
import { filtersOf } from './attribute-filters.ts';

export const tasks = { filters: filtersOf };
