/** Reading of attributes in a thread of readers. */
import { filtersOf } from './attribute-filters.ts';

export const tasks = { filters: filtersOf };
