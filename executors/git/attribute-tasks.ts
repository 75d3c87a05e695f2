/** Reading of attributes in a thread of readers. */
import { filtersOf } from './attributes.ts';

export const tasks = { filters: filtersOf };
