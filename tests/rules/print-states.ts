/** Prints docs/states.md from the transition table: `npm run docs:states`. */
import { diagram } from './states-diagram.ts';

process.stdout.write(diagram());
